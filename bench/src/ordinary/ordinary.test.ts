/** Every ordinary question has the same answer from Quadrille and from Oxigraph, over little data. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from 'quadrille';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Line } from '../report/report.js';
import { AnswerDigest } from '../sparql/answer.js';
import { withOtherNames } from '../sparql/ratios.js';
import { runQuery } from '../stores/open-quadrille.js';
import { openOxigraph } from '../stores/oxigraph-store.js';
import { dataOf, QUESTION_SETS, remarkable, textsOf } from './measure-questions.js';

/** Entities of each set. */
const SIZE = 250;
/** Questions of a set that find nothing in so little data. */
const MOST_EMPTY = 5;
/** The number of rows and the digest of an answer. */
async function answerOf(run: (digest: AnswerDigest) => Promise<number>): Promise<string> {
  const digest = new AnswerDigest();
  const rows = await run(digest);
  return `${rows} rows (${digest.value})`;
}
const NOTHING = '0 rows (0)';

let directory: string;
beforeAll(async () => void (directory = await mkdtemp(join(tmpdir(), 'quadrille-ordinary-'))));
afterAll(() => rm(directory, { recursive: true, force: true }));

describe.each(QUESTION_SETS)('the questions about the $name', (set) => {
  it('have the answers of Oxigraph', async () => {
    const file = join(directory, `${set.name}.nq`);
    await writeFile(file, dataOf(set, 1, SIZE));
    const oxigraph = await openOxigraph();
    await oxigraph.load(file);
    await using db = await open(':memory:');
    const repository = await db.repository('ordinary/test', { create: true });
    await repository.load(file);
    expect(await repository.size()).toBe(await oxigraph.size());
    const questions = textsOf(set);
    const expected = new Map<string, string>();
    for (const [name, text] of [...questions, ...textsOf(set, set.forOxigraph ?? {})]) {
      expected.set(name, await answerOf((digest) => oxigraph.run!(text, digest)));
    }
    const differing: string[] = [];
    for (const [name, text] of questions) {
      const answer = await answerOf((digest) => runQuery(repository, text, digest));
      if (answer !== expected.get(name)) differing.push(`${name}: ${answer}, Oxigraph ${expected.get(name)}\n${text}`);
    }
    expect(differing).toEqual([]);
    const empty = [...expected].filter(([, answer]) => answer === NOTHING);
    expect(empty.length, String(empty)).toBeLessThanOrEqual(MOST_EMPTY);
  });
});

it('there are at least 120 questions, each with other names of variables', () => {
  const texts = QUESTION_SETS.flatMap((set) => textsOf(set).map(([, text]) => text));
  expect(new Set(texts).size).toBeGreaterThanOrEqual(120);
  for (const text of texts) expect(withOtherNames(text, 1)).not.toBe(text);
});

it('the seed determines the data', () => {
  for (const set of QUESTION_SETS) {
    expect(dataOf(set, 2, 50)).toBe(dataOf(set, 2, 50));
    expect(dataOf(set, 2, 50)).not.toBe(dataOf(set, 3, 50));
  }
});

it('a report names the questions that lose', () => {
  const line = (workload: string, unit: string, median: number): Line =>
    ({ backend: 'quadrille', workload, unit, median }) as Line;
  expect(
    remarkable([
      line('ordinary network: a, new', 'x', 0.42),
      line('ordinary network: b, new', 'x', 0.6),
      line('ordinary network: b, over 2 s', 'ms', 2345),
      line('ordinary network: c, failed', 'query', 1),
      line('ordinary network: least, new', 'x', 0.42),
    ]),
  ).toEqual([
    'under half: ordinary network: a, new 0.42 x',
    'over 2 s: ordinary network: b, over 2 s 2300 ms',
    'failed: ordinary network: c, failed',
    'other answers: none',
  ]);
});
