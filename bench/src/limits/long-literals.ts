/** Loads long literals and reads them in every way: how long each call holds the event loop, and its time. */
import { once } from 'node:events';
import { join } from 'node:path';
import { dataFactory } from '@quadrille/model';
import { asStore, open } from 'quadrille';
import { hostOf } from 'quadrille/host';
import type { Repository } from 'quadrille';
import { checkCount, REPOSITORY } from '../data-sets.js';
import { bytesOnDisk, peakBytes, timed } from '../measure.js';
import type { Figures } from '../workload.js';
import { bounded, figure } from '../workload.js';
import { EXTENSIONS, type LongFormat, longText, TEXT, writeLongTexts } from './long-texts.js';
import { loadEngine, watched } from './watched.js';

export interface LongLiterals {
  readonly count: number;
  /** UTF-16 units of each literal. */
  readonly length: number;
}

async function load(repository: Repository, folder: string, format: LongFormat, size: LongLiterals): Promise<Figures> {
  const file = join(folder, `texts.${EXTENSIONS[format]}`);
  await writeLongTexts(file, format, size.count, size.length);
  const { figures } = await watched(`load ${format}`, () => repository.load(file));
  checkCount(`load ${format}`, await repository.size(), size.count);
  return figures;
}

/** Loads a document of long literals into a new store. */
export async function measureLoad(format: LongFormat, scratch: string, size: LongLiterals): Promise<Figures> {
  const db = await open(join(scratch, 'store'));
  const figures = await load(await db.repository(REPOSITORY, { create: true }), scratch, format, size);
  await db.close();
  return figures;
}

/** Returns the total length of the literals that it reads. */
type Read = (repository: Repository) => Promise<number>;

/** The calls that read all literals, by name. */
export const READS: Readonly<Record<string, Read>> = {
  'quads()': async (repository) => {
    let length = 0;
    for await (const { object } of repository.quads()) length += object.value.length;
    return length;
  },
  toArray: async (repository) => sum(await repository.quads().toArray(), ({ object }) => object.value.length),
  match: async (repository) => {
    let length = 0;
    const stream = asStore(repository).match();
    stream.on('data', (quad: { object: { value: string } }) => (length += quad.object.value.length));
    await once(stream, 'end');
    return length;
  },
  'dump as N-Quads': (repository) => lengthOf(repository.dump('application/n-quads')),
  'dump as Turtle': (repository) => lengthOf(repository.dump('text/turtle')),
  SELECT: async (repository) => {
    let length = 0;
    for await (const row of repository.select('SELECT * { ?s ?p ?o }')) length += row['o']!.value.length;
    return length;
  },
  'SELECT that looks at them': async (repository) => {
    const [row] = await repository.select('SELECT (SUM(STRLEN(STR(?o))) AS ?n) { ?s ?p ?o }').toArray();
    return Number(row!['n']!.value);
  },
  'SELECT as JSON': (repository) =>
    lengthOf(hostOf(repository).serialize('SELECT * { ?s ?p ?o }', 'application/sparql-results+json')),
  CONSTRUCT: async (repository) => {
    let length = 0;
    for await (const { object } of repository.construct('CONSTRUCT WHERE { ?s ?p ?o }')) length += object.value.length;
    return length;
  },
};

async function lengthOf(chunks: AsyncIterable<string>): Promise<number> {
  let length = 0;
  for await (const chunk of chunks) length += chunk.length;
  return length;
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  let all = 0;
  for (const item of items) all += of(item);
  return all;
}

/** Measures one of {@link READS} in a store that was just opened. */
export async function measureRead(name: string, scratch: string, size: LongLiterals): Promise<Figures> {
  const path = join(scratch, 'store');
  const filled = await open(path);
  await load(await filled.repository(REPOSITORY, { create: true }), scratch, 'N-Triples', size);
  await filled.close();
  const db = await open(path);
  const repository = await db.repository(REPOSITORY);
  await loadEngine(repository);
  const { result, figures } = await watched(name, () => READS[name]!(repository));
  // The output contains the texts and more.
  if (result < size.count * size.length) throw new Error(`${name}: ${result} characters are not all of the texts`);
  await db.close();
  return figures;
}

/** Measures the calls that write quads with long literals. */
export async function measureWrites(scratch: string, size: LongLiterals): Promise<Figures> {
  const predicate = dataFactory.namedNode(TEXT);
  const quads = Array.from({ length: size.count }, (_, n) =>
    dataFactory.quad(
      dataFactory.namedNode(`http://example.org/item${n}`),
      predicate,
      dataFactory.literal(longText(n, size.length)),
    ),
  );
  const db = await open(join(scratch, 'store'));
  const added = await db.repository('bench/added', { create: true });
  const adding = await watched('add', () => added.add(quads));
  const staged = await db.repository('bench/staged', { create: true });
  const staging = await watched('transaction', () => staged.transaction((transaction) => transaction.add(quads)));
  const removing = await watched('remove', () => added.remove(quads));
  checkCount('transaction', await staged.size(), size.count);
  checkCount('remove', await added.size(), 0);
  await db.close();
  return { ...adding.figures, ...staging.figures, ...removing.figures };
}

/** Largest memory of a process that loads 400 MiB of literals in MB, and longest time to open their store in ms. */
const MOST_MB = 700;
const MOST_OPENING_MS = 500;

/** Measures the memory of a load, and the time to open its store. */
export async function measureMemory(scratch: string, size: LongLiterals): Promise<Figures> {
  const loaded = await measureLoad('N-Triples', scratch, size);
  const peak = peakBytes();
  const path = join(scratch, 'store');
  const opened = await timed(async () => {
    const db = await open(path);
    return { db, repository: await db.repository(REPOSITORY) };
  });
  checkCount('opened again', await opened.result.repository.size(), size.count);
  await opened.result.db.close();
  return {
    ...loaded,
    'load: peak': bounded(peak / 1e6, 'MB', { most: MOST_MB }),
    'open again': bounded(opened.seconds * 1000, 'ms', { most: MOST_OPENING_MS }),
    disk: figure((await bytesOnDisk(path)) / 1e6, 'MB'),
  };
}
