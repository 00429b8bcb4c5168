/** The full-text index of SQLite, by the module of Python. */
import { spawnSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { bytesOnDisk } from '../measure.js';
import { type Context, type Figure, figure, type Figures } from '../workload.js';
import { QUESTIONS, writeTexts } from './texts.js';

const PROGRAM = `
import json, sqlite3, sys, time
texts, place, questions = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
db = sqlite3.connect(place)
db.execute("CREATE VIRTUAL TABLE texts USING fts5(text, tokenize='unicode61', prefix='3')")
start = time.perf_counter()
with open(texts, encoding='utf-8') as lines:
    db.executemany('INSERT INTO texts VALUES (?)', ((line.rstrip(chr(10)),) for line in lines))
db.commit()
found = {'load': time.perf_counter() - start, 'ms': {}, 'hits': {}}
for name, question in questions.items():
    times = []
    for _ in range(26):
        start = time.perf_counter()
        db.execute('SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT 10', (question,)).fetchall()
        times.append((time.perf_counter() - start) * 1000)
    found['ms'][name] = sorted(times[1:])[12]
    found['hits'][name] = db.execute('SELECT count(*) FROM texts WHERE texts MATCH ?', (question,)).fetchone()[0]
db.close()
print(json.dumps(found))
`;

const CHECK = `
import sqlite3
sqlite3.connect(':memory:').execute('CREATE VIRTUAL TABLE t USING fts5(x)')
`;

export function lacksFts5(): string | undefined {
  return spawnSync('python3', ['-c', CHECK]).status === 0 ? undefined : 'there is no python3 whose sqlite3 has FTS5';
}

export async function measureFts5({ scratch, sizes, seed }: Context): Promise<Figures> {
  await mkdir(scratch, { recursive: true });
  const texts = join(scratch, 'texts.txt');
  const directory = join(scratch, 'store');
  await mkdir(directory);
  await writeTexts(texts, sizes.quads, seed, ({ text }) => text);
  const questions = Object.entries(QUESTIONS).map(([name, text]) => [name, text.replaceAll(' ', ' OR ')]);
  const args = ['-c', PROGRAM, texts, join(directory, 'texts.db'), JSON.stringify(Object.fromEntries(questions))];
  const { status, stdout, stderr } = spawnSync('python3', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  const found = JSON.parse(stdout) as {
    readonly load: number;
    readonly ms: Readonly<Record<string, number>>;
    readonly hits: Readonly<Record<string, number>>;
  };
  const figures: Record<string, Figure> = {
    load: figure(found.load, 's'),
    'until all can be found': figure(found.load, 's'),
    bytes: figure((await bytesOnDisk(directory)) / 1e6, 'MB'),
  };
  for (const name of Object.keys(QUESTIONS)) {
    figures[name] = figure(found.ms[name]!, 'ms');
    figures[`${name}, hits`] = figure(found.hits[name]!, 'literals');
  }
  return figures;
}
