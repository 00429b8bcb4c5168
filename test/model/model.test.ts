/**
 * Random operations on repositories that come and go and on a naive model of each, compared at every step (universe.ts).
 *
 * QUADRILLE_SEED repeats a run, with QUADRILLE_MODEL_ONLY one sequence of it.
 * QUADRILLE_MODEL_OPERATIONS=1000000 npx vitest run test/model is the long campaign.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryDriver } from '@quadrille/storage';
import type { StorageDriver } from '@quadrille/storage';
import { LevelDirectory } from '@quadrille/storage-level';
import { LmdbDirectory } from '@quadrille/storage-lmdb';
import { SharedMemory, SharedMemoryDriver, SharedStorage } from '@quadrille/storage-shared';
import { describe, it } from 'vitest';
import { AsynchronousDriver, randomOf, SEED, tinyTuning, underLoad } from './environment.js';
import { below } from './operations.mjs';
import { Universe } from './universe.js';
import type { UniverseOptions } from './universe.js';

const OPERATIONS = Number(process.env['QUADRILLE_MODEL_OPERATIONS'] ?? 3_600);
const ONLY = process.env['QUADRILLE_MODEL_ONLY'];
/** Steps before a failure that are printed. */
const JOURNAL_LINES = Number(process.env['QUADRILLE_MODEL_JOURNAL'] ?? 500);
const SUITES = 7;
const PER_SUITE = OPERATIONS / SUITES;
const TIMEOUT = 60_000 + OPERATIONS * 6;

type Setting = (random: () => number, sequence: number) => Omit<UniverseOptions, 'random'> & { dispose?: () => void };

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
function loaded(sequence: number, driver: StorageDriver): StorageDriver {
  return sequence % 9 < 3 ? underLoad(driver, randomOf(sequence, SEED + 1)) : driver;
}

/** Half of the sequences on a disk take over their journal all the time. */
const journalOf = (sequence: number) => (sequence % 8 < 4 ? { journal: { fileBytes: 1000, recordBytes: 400 } } : {});

// Half of them move between small blob files.
const level =
  (sequence: number) =>
  (path: string): StorageDriver =>
    loaded(
      sequence,
      new LevelDirectory(path, {
        create: true,
        writeBufferBytes: 64 * 1024,
        ...journalOf(sequence),
        ...(sequence % 4 < 2 && { blobs: { valueBytes: 40, batchBytes: 100, fileBytes: 4000 } }),
      }),
    );
// Some sequences wait for the disk, as users do; with all of them the test would be one of the disk.
const lmdb =
  (sequence: number) =>
  (path: string): StorageDriver =>
    loaded(sequence, new LmdbDirectory(path, { create: true, noSync: sequence % 10 !== 0, ...journalOf(sequence) }));

const settings: Record<string, Setting> = {
  'memory, tiny sizes': (random, sequence) => ({
    driver: kept(new MemoryDriver()),
    tuning: tinyTuning(random),
    forgetful: sequence % 8 < 2,
    long: sequence % 8 === 0,
  }),
  'asynchronous, tiny sizes': (random, sequence) => ({
    driver: kept(new AsynchronousDriver(new MemoryDriver(), random)),
    tuning: tinyTuning(random),
    forgetful: sequence % 8 < 2,
    long: sequence % 8 === 0,
  }),
  'LevelDB, tiny sizes': (random, sequence) => ({
    ...inDirectory(level(sequence)),
    tuning: tinyTuning(random),
    forgetful: sequence % 8 < 2,
    long: sequence % 4 === 0,
  }),
  'LMDB, tiny sizes': (random, sequence) => ({
    ...inDirectory(lmdb(sequence)),
    tuning: tinyTuning(random),
    forgetful: sequence % 8 < 2,
    long: sequence % 4 === 0,
  }),
  'memory, sizes as they are': (_, sequence) => ({ driver: kept(new MemoryDriver()), long: sequence % 4 === 0 }),
  'a shared store, tiny sizes': (random, sequence) => {
    const memory = new SharedMemory();
    const options = { checkpointEntries: 1 + below(random, 20), graceMs: 0, silenceMs: 0 };
    return {
      driver: async () => new SharedStorage(new SharedMemoryDriver(memory), options),
      tuning: tinyTuning(random),
      forgetful: sequence % 8 < 2,
      long: sequence % 8 === 0,
    };
  },
  'asynchronous, large loads': (random) => ({
    driver: kept(new AsynchronousDriver(new MemoryDriver(), random)),
    tuning: {
      ...tinyTuning(random),
      memtableRows: 64 + below(random, 200),
      deltaBytes: 100 + below(random, 250),
      chunkRows: 100 + below(random, 300),
    },
    most: 400,
  }),
};

async function runSequence(sequence: number, setting: Setting): Promise<number> {
  const random = randomOf(sequence);
  const { dispose, ...options } = setting(random, sequence);
  const universe = new Universe({ random, ...options });
  try {
    await universe.open();
    const steps = 10 + below(random, 40);
    for (let n = 0; n < steps; n++) await universe.step();
    await universe.check();
    await universe.close();
    if (options.forgetful === true && universe.timesUnloaded === 0 && steps > 20)
      throw new Error('nothing was ever unloaded');
    return universe.operations;
  } catch (error) {
    const message = `QUADRILLE_SEED=${SEED} QUADRILLE_MODEL_ONLY=${sequence}: ${(error as Error).message}`;
    const report = `${message}\nafter\n  ${universe.journal.slice(-JOURNAL_LINES).join('\n  ')}`;
    // At once: a long campaign goes on with the other settings.
    if (OPERATIONS > 100_000) process.stderr.write(`${report}\n`);
    throw new Error(report, { cause: error });
  } finally {
    dispose?.();
  }
}

describe(`random operations against the model (QUADRILLE_SEED=${SEED})`, () => {
  Object.entries(settings).forEach(([name, setting], suite) => {
    it(
      `${name}`,
      async () => {
        if (ONLY !== undefined) {
          if (Number(ONLY) % SUITES === suite) await runSequence(Number(ONLY), setting);
          return;
        }
        let done = 0;
        let told = 0;
        // A store on disk a sequence has its cost: there are fewer of them, and of large loads.
        const share = /^(?:LevelDB|LMDB|a shared)|loads$/.test(name) ? 0.4 : 1.5;
        for (let n = 0; done < PER_SUITE * share; n++) {
          done += await runSequence(n * SUITES + suite, setting);
          if (done - told >= 20_000) {
            told = done;
            process.stderr.write(
              `${new Date().toISOString()} ${name}: ${done} of ${Math.ceil(PER_SUITE * share)} operations, seed ${SEED}\n`,
            );
          }
        }
      },
      TIMEOUT,
    );
  });
});
