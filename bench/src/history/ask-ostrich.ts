/** OSTRICH (github.com/rdfostrich/ostrich), a store of versions in C++, by its own program of measurement. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bytesOnDisk } from '../measure.js';
import { type Context, type Figures, figure, pathOf } from '../workload.js';
import { type Asked, type AskedOf, type Question, questionFigures } from './questions.js';
import { lineOf, type Releases, readReleases, type Shape, SHAPES, type Triple } from './releases.js';

const PROGRAM = 'ostrich-evaluate';
const REPETITIONS = '3';

/** What is missing to measure it; `undefined` if nothing is. */
export function lacksOstrich(): string | undefined {
  const folder = process.env['QUADRILLE_OSTRICH'];
  if (folder === undefined) return `QUADRILLE_OSTRICH names no folder with ${PROGRAM}`;
  return existsSync(join(folder, PROGRAM)) ? undefined : `no ${PROGRAM} in the folder that QUADRILLE_OSTRICH names`;
}

/** Runs the program pinned as this process is. Returns its output and its seconds of the processor. */
function run(args: readonly string[], cwd: string): { output: string; cpuSeconds: number } {
  const program = join(process.env['QUADRILLE_OSTRICH']!, PROGRAM);
  const before = childSeconds();
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 30 });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${PROGRAM} ${args[0]!} ended with ${String(status)}: ${stderr.slice(-500)}`);
  return { output: stdout, cpuSeconds: childSeconds() - before };
}

const TICKS_PER_SECOND = 100;

/** Seconds of the processor of the children that have ended. */
function childSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
}

// It wants triples in the order of their terms as bytes, IRIs without brackets.
const keyOf = (triple: Triple): Buffer[] => triple.map((term) => Buffer.from(term.replace(/^<(.*)>$/, '$1')));

function sorted(triples: readonly Triple[]): string {
  const keyed = triples.map((triple) => [keyOf(triple), triple] as const);
  keyed.sort(
    ([x], [y]) => Buffer.compare(x[0]!, y[0]!) || Buffer.compare(x[1]!, y[1]!) || Buffer.compare(x[2]!, y[2]!),
  );
  return keyed.map(([, triple]) => lineOf(triple)).join('');
}

/** Writes the files in the form of the benchmark BEAR. */
async function writeFiles(folder: string, { releases, patterns }: Releases): Promise<void> {
  const [whole, changes] = [join(folder, 'alldata.IC.nt'), join(folder, 'alldata.CB.nt')];
  for (const made of [whole, changes]) await mkdir(made, { recursive: true });
  for (const [i, { added, removed }] of releases.entries()) {
    if (i === 0) await writeFile(join(whole, '1.nt'), sorted(added));
    else {
      await writeFile(join(changes, `data-added_${i}-${i + 1}.nt`), sorted(added));
      await writeFile(join(changes, `data-deleted_${i}-${i + 1}.nt`), sorted(removed));
    }
  }
  for (const [i, shape] of SHAPES.entries()) {
    const lines = patterns[shape].map((pattern) => `${pattern.map((term) => term ?? '?').join(' ')}\n`);
    await writeFile(join(folder, `q${i}.txt`), lines.join(''));
  }
}

const SECTIONS: Readonly<Record<string, Question>> = {
  '--- ---VERSION MATERIALIZED': 'VM',
  '--- ---DELTA MATERIALIZED': 'DM',
  '--- ---VERSION': 'VQ',
};

/** Reads what the program prints: tables of each pattern, one for each question. */
export function readOutput(output: string): AskedOf {
  const answers: Record<Question, Asked[]> = { VM: [], DM: [], VQ: [] };
  let question: Question | undefined;
  let columns: string[] = [];
  for (const line of output.split('\n')) {
    const section = SECTIONS[line.trim()];
    if (section !== undefined) question = section;
    else if (line.includes('median-mus')) columns = line.trim().split(',');
    else if (question !== undefined && /^[\d,-]+$/.test(line.trim())) {
      const values = line.trim().split(',').map(Number);
      const at = (name: string): number => values[columns.indexOf(name)]!;
      answers[question].push({ microseconds: at('median-mus'), results: at('results') });
    }
  }
  return answers;
}

export async function measureOstrich(context: Context): Promise<Figures> {
  const data = await readReleases(pathOf(context, 'fibo'), context.seed);
  const [files, store] = [join(context.scratch, 'files'), join(context.scratch, 'store')];
  for (const folder of [files, store]) await mkdir(folder);
  await writeFiles(files, data);
  // One snapshot: of other strategies it gives fewer results when it is opened again.
  const { cpuSeconds } = run(['ingest', 'never', '0', files, '1', String(data.releases.length)], store);
  const figures = {
    'load, processor': figure(cpuSeconds, 's'),
    'load, bytes': figure(await bytesOnDisk(store), 'B'),
  };
  const answers: Partial<Record<Shape, AskedOf>> = {};
  for (const [i, shape] of SHAPES.entries())
    answers[shape] = readOutput(run(['query', join(files, `q${i}.txt`), REPETITIONS], store).output);
  return { ...figures, ...questionFigures(answers) };
}
