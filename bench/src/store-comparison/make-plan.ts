/** Makes the plan: reads the user's data once or generates data, and chooses the subjects to look up. */
import { createWriteStream } from 'node:fs';
import { open as openFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { registerExtraFormats } from '@quadrille/formats-extra';
import { InvalidArgumentError } from '@quadrille/model';
import { formats, open } from 'quadrille';
import type { Repository } from 'quadrille';
import { REPOSITORY } from '../data-sets.js';
import { Random } from '../generate/random.js';
import { generateQuads, nquadsChunks } from '../generate/quads.js';
import type { PreparedQuery } from '../sparql/query-class.js';
import { defaultQueries, userQuery } from './default-queries.js';
import type { PredicateCounts } from './default-queries.js';
import type { PlanJob } from './jobs.js';
import type { Plan, Probe } from './plan.js';

const SUBJECTS = 2000;
/** Size of the sample for the estimate. */
const SAMPLE_BYTES = 256 * 1024;
/** A query that takes longer is long enough to be known as a long one. */
const QUERY_MS = 2000;

export async function makePlan(job: PlanJob): Promise<void> {
  registerExtraFormats(formats);
  const store = join(job.directory, 'plan-store');
  const generated = job.files.length === 0;
  const file = generated ? await generatedFile(job) : undefined;
  const db = await open(store, { durability: 'process' });
  const repository = await db.repository(REPOSITORY, { create: true });
  const begin = performance.now();
  for (const source of file === undefined ? job.files : [file]) await repository.load(source);
  const loadMs = performance.now() - begin;
  const found = await survey(repository);
  if (found.quads === 0)
    throw new InvalidArgumentError('INVALID_OPTION', 'the data have no quads: there is nothing to measure');
  const queries = await queriesFor(job, repository, generated, found);
  const loaded = file ?? (await asNquads(job, repository));
  const queriesMs = await timesOf(repository, queries);
  await db.close();
  await rm(store, { recursive: true, force: true });
  const { quads, subjectCount, predicates, namedGraphs, sample } = found;
  const plan: Plan = {
    file: loaded,
    data: {
      source: generated ? generatedSource(job) : job.files.map((name) => basename(name)).join(', '),
      quads,
      bytes: (await stat(loaded)).size,
      subjects: subjectCount,
      predicates: predicates.length,
      namedGraphs,
    },
    subjects: sample,
    queries,
    probe: { ...(await sampleOf(loaded, join(job.directory, 'sample.nq'))), loadMs, queriesMs },
  };
  await writeFile(job.plan, JSON.stringify(plan));
}

const generatedSource = ({ generate: { quads, graphs = 0, seed = 1 } }: PlanJob): string =>
  `${quads.toLocaleString('en-US')} generated quads like those of the Berlin SPARQL Benchmark (seed ${seed}${graphs === 0 ? '' : `, ${graphs} named graphs`})`;

async function generatedFile(job: PlanJob): Promise<string> {
  const file = join(job.directory, 'data.nq');
  await pipeline(Readable.from(nquadsChunks(generateQuads(job.generate))), createWriteStream(file));
  return file;
}

/** A file that all stores can read. Returns the user's own file if it is one. */
async function asNquads(job: PlanJob, repository: Repository): Promise<string> {
  const [only, ...others] = job.files;
  if (others.length === 0 && /\.n[tq]$/.test(only!)) return only!;
  const file = join(job.directory, 'data.nq');
  await pipeline(Readable.from(repository.dump('application/n-quads')), createWriteStream(file));
  return file;
}

interface Survey {
  readonly quads: number;
  readonly subjectCount: number;
  readonly predicates: PredicateCounts;
  readonly namedGraphs: number;
  readonly sample: readonly string[];
}

/** Counts in one pass over all quads, and samples subjects that are IRIs. Each subject has the same chance. */
async function survey(repository: Repository): Promise<Survey> {
  const random = new Random();
  random.restart(1, 0, 0);
  const counts = new Map<string, number>();
  const sample: string[] = [];
  let [quads, subjects, named, last] = [0, 0, 0, ''];
  for await (const { subject, predicate } of repository.quads()) {
    quads++;
    counts.set(predicate.value, (counts.get(predicate.value) ?? 0) + 1);
    if (subject.value === last) continue;
    last = subject.value;
    subjects++;
    if (subject.termType !== 'NamedNode') continue;
    const place = named++ < SUBJECTS ? sample.length : random.below(named);
    if (place < SUBJECTS) sample[place] = subject.value;
  }
  const predicates = [...counts].sort(([, one], [, other]) => other - one);
  const namedGraphs = (await repository.graphs().toArray()).length;
  // A subject in several graphs may occur several times.
  return { quads, subjectCount: subjects, predicates, namedGraphs, sample: shuffled([...new Set(sample)], random) };
}

function shuffled(values: string[], random: Random): string[] {
  for (let at = values.length - 1; at > 0; at--) {
    const other = random.below(at + 1);
    [values[at], values[other]] = [values[other]!, values[at]!];
  }
  return values;
}

async function queriesFor(
  job: PlanJob,
  repository: Repository,
  generated: boolean,
  { predicates, sample }: Survey,
): Promise<PreparedQuery[]> {
  const given = Object.entries(job.queries).map(([name, text]) => userQuery(name, [text]));
  if (given.length > 0) return given;
  return defaultQueries(repository, generated, predicates, sample);
}

/** The first run of each query, in milliseconds. */
async function timesOf(repository: Repository, queries: readonly PreparedQuery[]): Promise<number[]> {
  const times: number[] = [];
  for (const { texts } of queries) {
    const begin = performance.now();
    const signal = AbortSignal.timeout(QUERY_MS);
    try {
      const answer = await repository.query(texts[0]!, { signal });
      if (answer.type === 'bindings') for await (const _ of answer.rows);
      if (answer.type === 'quads') for await (const _ of answer.quads);
    } catch {
      // A query that fails here fails when it is measured, too, and is reported then.
    }
    times.push(performance.now() - begin);
  }
  return times;
}

/** Copies whole lines from the beginning of the file. A file that begins with a very long line is its own sample. */
async function sampleOf(source: string, file: string): Promise<Pick<Probe, 'file' | 'bytes'>> {
  const handle = await openFile(source);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SAMPLE_BYTES), 0, SAMPLE_BYTES, 0);
    const end = bytesRead < SAMPLE_BYTES ? bytesRead : buffer.lastIndexOf(0x0a) + 1;
    if (end === 0) return { file: source, bytes: (await handle.stat()).size };
    await writeFile(file, buffer.subarray(0, end));
    return { file, bytes: end };
  } finally {
    await handle.close();
  }
}
