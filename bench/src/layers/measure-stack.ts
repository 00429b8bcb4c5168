/** Measures what a layer of the storage may cost or save, through the library. */
import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { iri, type Durability, type Repository } from 'quadrille';
import type { RateTimes } from '../call-rate.js';
import { checkCount, REPOSITORY } from '../data-sets.js';
import { generateQuads, nquadsChunks } from '../generate/quads.js';
import { writeLongTexts } from '../limits/long-texts.js';
import { bytesOnDisk, timed } from '../measure.js';
import { clientsRate, commitRate } from '../new-quads.js';
import { spreadOf } from '../report/statistics.js';
import { figure, type Figures } from '../workload.js';
import { openStack } from './stacks.js';

export interface LayerSizes {
  /** Number of quads of the load. The store that is rewritten has a tenth. */
  readonly quads: number;
  readonly times: RateTimes;
  readonly rewrites: number;
  readonly literals: number;
  readonly literalLength: number;
}

const CLIENTS = 64;
const BATCH = 1000;
const OPENINGS = 5;
const SUBJECT = iri('http://www4.wiwiss.fu-berlin.de/bizer/bsbm/v01/instances/ProductType2');

/** One measurement of a stack in an empty directory. */
type Measure = (stack: string, scratch: string, sizes: LayerSizes) => Promise<Figures>;

/** The measurements by name. */
export const MEASURES = {
  load: async (stack, scratch, { quads }) => {
    const [path, file] = [join(scratch, 'store'), await bsbmFile(scratch, quads)];
    const load = await timed(() => using(stack, path, 'disk', (repository) => loadFile(repository, file, quads)));
    const openings: number[] = [];
    for (let i = 0; i < OPENINGS; i++)
      openings.push((await timed(() => using(stack, path, 'disk', firstLookup))).seconds);
    return {
      'load, CPU': figure(load.cpuSeconds, 's'),
      'load, time': figure(load.seconds, 's'),
      'load, on disk': figure((await bytesOnDisk(path)) / 1e6, 'MB'),
      'open, look up, close': figure(spreadOf(openings).median * 1000, 'ms'),
    };
  },
  'a commit on disk': rates('a commit on disk', 'disk', commitRate),
  'a commit without sync': rates('a commit without sync', 'process', commitRate),
  clients: rates(`${CLIENTS} clients on disk`, 'disk', (repository, times) => clientsRate(repository, CLIENTS, times)),
  'batches on disk': rates(`${BATCH} quads on disk`, 'disk', batchRate),
  'batches without sync': rates(`${BATCH} quads without sync`, 'process', batchRate),
  rewrites: async (stack, scratch, { quads, rewrites }) => {
    const [path, count] = [join(scratch, 'store'), Math.ceil(quads / 10)];
    const file = await bsbmFile(scratch, count);
    const before = writtenBytes();
    const all = await timed(() =>
      using(stack, path, 'disk', async (repository) => {
        await loadFile(repository, file, count);
        for (let i = 0; i < rewrites; i++) await repository.maintenance.rebuild();
      }),
    );
    const written = writtenBytes() - before;
    return {
      'rewritten, CPU': figure(all.cpuSeconds, 's'),
      'rewritten, on disk': figure((await bytesOnDisk(path)) / 1e6, 'MB'),
      ...(written > 0 ? { 'rewritten, written': figure(written / 1e6, 'MB') } : {}),
    };
  },
  'long literals': async (stack, scratch, { literals, literalLength }) => {
    const [path, file] = [join(scratch, 'store'), join(scratch, 'texts.nt')];
    await writeLongTexts(file, 'N-Triples', literals, literalLength);
    const write = await timed(() => using(stack, path, 'disk', (repository) => loadFile(repository, file, literals)));
    const read = await timed(() =>
      using(stack, path, 'disk', async (repository) => {
        let length = 0;
        for await (const { object } of repository.quads()) length += object.value.length;
        if (length !== literals * literalLength) throw new Error(`${length} characters are not all of the literals`);
      }),
    );
    return {
      'long literals, load': figure(write.seconds, 's'),
      'long literals, read': figure(read.seconds, 's'),
      'long literals, on disk': figure((await bytesOnDisk(path)) / 1e6, 'MB'),
    };
  },
} satisfies Readonly<Record<string, Measure>> as Readonly<Record<string, Measure>>;

function batchRate(repository: Repository, times: RateTimes): Promise<number> {
  return commitRate(repository, times, BATCH);
}

function rates(
  name: string,
  durability: Durability,
  rate: (repository: Repository, times: RateTimes) => Promise<number>,
): Measure {
  return async (stack, scratch, { times }) => {
    const found = await using(stack, join(scratch, 'store'), durability, (repository) => rate(repository, times));
    return { [name]: figure(found, 'commits/s') };
  };
}

/** Opens the store, and closes it afterwards, as part of the measured work. */
async function using<T>(
  stack: string,
  path: string,
  durability: Durability,
  work: (repository: Repository) => Promise<T>,
): Promise<T> {
  const db = await openStack(stack, path, durability);
  const result = await work(await db.repository(REPOSITORY, { create: true }));
  await db.close();
  return result;
}

async function bsbmFile(scratch: string, quads: number): Promise<string> {
  const file = join(scratch, 'data.nq');
  await pipeline(Readable.from(nquadsChunks(generateQuads({ quads }))), createWriteStream(file));
  return file;
}

async function loadFile(repository: Repository, file: string, quads: number): Promise<void> {
  await repository.load(file);
  checkCount('load', await repository.size(), quads);
}

async function firstLookup(repository: Repository): Promise<void> {
  const found = await repository.quads({ subject: SUBJECT }).toArray();
  if (found.length === 0) throw new Error('the subject of the lookup is not there');
}

/** Bytes that this process has handed to the system for writing so far; 0 where the system does not count them. */
function writtenBytes(): number {
  try {
    return Number(/^wchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))![1]);
  } catch {
    return 0;
  }
}
