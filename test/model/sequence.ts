/** One sequence of random operations against the model: its storage and its sizes, and what is told where it fails. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryDriver } from '@quadrille/storage';
import type { StorageDriver } from '@quadrille/storage';
import { LevelDirectory } from '@quadrille/storage-level';
import { LmdbDirectory } from '@quadrille/lmdb';
import { S3Driver } from '@quadrille/s3';
import { SharedMemory, SharedMemoryDriver, SharedStorage, type SharedDriver } from '@quadrille/storage-shared';
import { Objects, transportOf } from '../s3/objects.js';
import { AsynchronousDriver, randomOf, tinyTuning, underLoad } from './environment.js';
import { below } from './operations.mjs';
import type { Random } from './operations.mjs';
import { Universe } from './universe.js';
import type { UniverseOptions } from './universe.js';

/** Steps before a failure that are printed. */
const JOURNAL_LINES = Number(globalThis.process?.env['QUADRILLE_MODEL_JOURNAL'] ?? 500);

/** The chance of a sequence, its number, and the seed of the run. */
interface Place {
  readonly random: Random;
  readonly sequence: number;
  readonly seed: number;
}

export type Setting = (place: Place) => Omit<UniverseOptions, 'random'> & { dispose?: () => void };

function kept(driver: StorageDriver): () => StorageDriver {
  return () => driver;
}

function inDirectory(open: (path: string) => StorageDriver): {
  driver: () => Promise<StorageDriver>;
  dispose: () => void;
} {
  const directory = mkdtempSync(join(tmpdir(), 'quadrille-model-'));
  return {
    driver: async () => open(join(directory, 'store')),
    dispose: () => rmSync(directory, { recursive: true }),
  };
}

// A third of the sequences has its own chance for the load of the machine: the operations stay those of the seed.
function loaded({ sequence, seed }: Place, driver: StorageDriver): StorageDriver {
  return sequence % 9 < 3 ? underLoad(driver, randomOf(sequence, seed + 1)) : driver;
}

// With its own chance, too.
const asynchronous = ({ sequence, seed }: Place): StorageDriver =>
  new AsynchronousDriver(new MemoryDriver(), randomOf(sequence, seed + 2));

/** Half of the sequences on a disk take over their journal all the time. */
const journalOf = (sequence: number) => (sequence % 8 < 4 ? { journal: { fileBytes: 1000, recordBytes: 400 } } : {});

// Half of them move between small blob files.
const level =
  (place: Place) =>
  (path: string): StorageDriver =>
    loaded(
      place,
      new LevelDirectory(path, {
        create: true,
        writeBufferBytes: 64 * 1024,
        ...journalOf(place.sequence),
        ...(place.sequence % 4 < 2 && { blobs: { valueBytes: 40, batchBytes: 100, fileBytes: 4000 } }),
      }),
    );
// Some sequences wait for the disk, as users do; with all of them the test would be one of the disk.
const lmdb =
  (place: Place) =>
  (path: string): StorageDriver =>
    loaded(
      place,
      new LmdbDirectory(path, { create: true, noSync: place.sequence % 10 !== 0, ...journalOf(place.sequence) }),
    );

/** A store that servers share, with checkpoints and collections all the time. @param connect makes a driver of the same store each time */
export const overShared =
  (connect: () => SharedDriver): Setting =>
  ({ random, sequence }) => {
    const options = { checkpointEntries: 1 + below(random, 20), keptInline: 4, graceMs: 0, silenceMs: 0 };
    return {
      driver: async () => new SharedStorage(connect(), options),
      tuning: tinyTuning(random),
      forgetful: sequence % 8 < 2,
      long: sequence % 8 === 0,
    };
  };

export const SETTINGS: Readonly<Record<string, Setting>> = {
  'memory, tiny sizes': ({ random, sequence }) => ({
    driver: kept(new MemoryDriver()),
    tuning: tinyTuning(random),
    forgetful: sequence % 8 < 2,
    long: sequence % 8 === 0,
  }),
  'asynchronous, tiny sizes': (place) => ({
    driver: kept(asynchronous(place)),
    tuning: tinyTuning(place.random),
    forgetful: place.sequence % 8 < 2,
    long: place.sequence % 8 === 0,
  }),
  'LevelDB, tiny sizes': (place) => ({
    ...inDirectory(level(place)),
    tuning: tinyTuning(place.random),
    forgetful: place.sequence % 8 < 2,
    long: place.sequence % 4 === 0,
  }),
  'LMDB, tiny sizes': (place) => ({
    ...inDirectory(lmdb(place)),
    tuning: tinyTuning(place.random),
    forgetful: place.sequence % 8 < 2,
    long: place.sequence % 4 === 0,
  }),
  'memory, sizes as they are': ({ sequence }) => ({ driver: kept(new MemoryDriver()), long: sequence % 4 === 0 }),
  // In memory, and in a bucket.
  'a shared store, tiny sizes': (place) => {
    if (Math.floor(place.sequence / 7) % 2 === 0) {
      const memory = new SharedMemory();
      return overShared(() => new SharedMemoryDriver(memory))(place);
    }
    const transport = transportOf(new Objects());
    return overShared(() => new S3Driver('s3://store', { transport }))(place);
  },
  'asynchronous, large loads': (place) => ({
    driver: kept(asynchronous(place)),
    tuning: {
      ...tinyTuning(place.random),
      memtableRows: 64 + below(place.random, 200),
      deltaBytes: 100 + below(place.random, 250),
      chunkRows: 100 + below(place.random, 300),
    },
    most: 400,
  }),
};

export interface Ran {
  readonly operations: number;
  /** What was done, line by line. Repositories that work at once share it in any order. */
  readonly journal: readonly string[];
}

/** @throws Error with the seed, and with what was done before it failed */
export async function runSequence(setting: Setting, sequence: number, seed: number): Promise<Ran> {
  const random = randomOf(sequence, seed);
  const { dispose, ...options } = setting({ random, sequence, seed });
  const universe = new Universe({ random, ...options });
  try {
    await universe.open();
    const steps = 10 + below(random, 40);
    for (let n = 0; n < steps; n++) await universe.step();
    await universe.check();
    await universe.close();
    if (options.forgetful === true && universe.timesUnloaded === 0 && steps > 20)
      throw new Error('nothing was ever unloaded');
    return universe;
  } catch (error) {
    const message = `QUADRILLE_SEED=${seed} QUADRILLE_MODEL_ONLY=${sequence}: ${(error as Error).message}`;
    const report = `${message}\nafter\n  ${universe.journal.slice(-JOURNAL_LINES).join('\n  ')}`;
    throw new Error(report, { cause: error });
  } finally {
    dispose?.();
  }
}
