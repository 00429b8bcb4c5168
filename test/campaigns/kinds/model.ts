import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Tuning } from '@quadrille/core';
import { MemoryDriver } from '@quadrille/storage';
import type { StorageDriver } from '@quadrille/storage';
import { LevelDirectory } from '@quadrille/storage-level';
import { LmdbDirectory } from '@quadrille/lmdb';
import { BranchModel } from '../../../packages/core/src/testing/branch-model.js';
import { randomInts } from '../../../packages/core/src/testing/fixture.js';
import { runBackups } from '../../model/backup-scene.js';
import { AsynchronousDriver, tinyTuning } from '../../model/environment.js';
import { below } from '../../model/operations.mjs';
import type { Random } from '../../model/operations.mjs';
import { runSequence, SETTINGS } from '../../model/sequence.js';
import { Walk } from '../../model/walk.js';
import type { Kind, Outcome, RunSeed } from '../kind.js';

type Place = 'memory' | 'asynchronous' | 'leveldb' | 'lmdb';
type Run = (seed: RunSeed, directory: string) => Promise<Outcome>;

const settings = Object.values(SETTINGS);
/** Steps of a walk. Those on disk cost more. */
const STEPS: Readonly<Record<Place, number>> = { memory: 8000, asynchronous: 2000, leveldb: 1500, lmdb: 1500 };
const BRANCH_STEPS = 60;

const drivers: Readonly<Record<Place, (path: string) => () => StorageDriver>> = {
  memory: () => {
    const driver = new MemoryDriver();
    return () => driver;
  },
  asynchronous: () => {
    const driver = new AsynchronousDriver(new MemoryDriver());
    return () => driver;
  },
  leveldb: (path) => () =>
    new LevelDirectory(path, {
      create: true,
      writeBufferBytes: 64 * 1024,
      journal: { fileBytes: 20_000, recordBytes: 4000 },
      blobs: { valueBytes: 200, batchBytes: 1000, fileBytes: 20_000 },
    }),
  lmdb: (path) => () => new LmdbDirectory(path, { create: true, noSync: true }),
};

/** Sizes of a walk: the least ones, or such that a few hundred commits make a run. */
const sizesOf = (random: Random): Partial<Tuning> =>
  random() < 0.3
    ? tinyTuning(random)
    : {
        memtableRows: 50 + below(random, 1000),
        tailTerms: 20 + below(random, 200),
        tierRuns: 2 + below(random, 4),
        deltaBytes: 20 + below(random, 1000),
        chunkRows: 20 + below(random, 100),
        checkpointRevisions: 5 + below(random, 200),
      };

const walk =
  (place: Place): Run =>
  async (seed, directory) => {
    const random = seed.random();
    const steps = STEPS[place] / 2 + below(random, STEPS[place]);
    const taken = new Walk(random, {
      driver: drivers[place](join(directory, 'store')),
      tuning: sizesOf(random),
      steps,
    });
    await taken.run();
    return { plan: [`a walk in ${place}`, ...taken.plan].join('\n'), operations: taken.operations };
  };

const sequence =
  (setting: number): Run =>
  async (seed) => {
    const { operations, journal } = await runSequence(settings[setting]!, seed.index, seed.number());
    // Steps on one repository have its name before them. Where several changes were under way at once, what follows depends on which of them came first.
    const steps = journal.filter((line) => !/^\w+\/\w+ /.test(line));
    return { operations, plan: [`sequence ${seed.index} of ${seed.number()}`, ...steps].join('\n') };
  };

const branches: Run = async (seed, directory) => {
  const place = (['memory', 'leveldb', 'lmdb'] as const)[seed.number('place') % 3]!;
  const model = await BranchModel.open(randomInts(seed.number()), drivers[place](join(directory, 'store')));
  await model.run(BRANCH_STEPS);
  await model.close();
  return { plan: `branches in ${place}, ${seed.number()}, ${model.trims} trims`, operations: BRANCH_STEPS };
};

const backups: Run = async (seed) => {
  const name = (['memory', 'leveldb', 'lmdb'] as const)[seed.number('place') % 3]!;
  const { operations } = await runBackups(name, seed.index, seed.number());
  return { plan: `backups in ${name}, ${seed.number()}`, operations };
};

/** Runs that take turns. Most of the operations are those of walks, most of the time is shared. */
const TURNS: readonly Run[] = [
  walk('memory'),
  sequence(0),
  walk('memory'),
  walk('leveldb'),
  sequence(1),
  walk('memory'),
  branches,
  walk('memory'),
  sequence(4),
  walk('memory'),
  walk('asynchronous'),
  sequence(2),
  walk('memory'),
  backups,
  walk('memory'),
  sequence(5),
  walk('memory'),
  walk('lmdb'),
  sequence(3),
  walk('memory'),
  sequence(6),
];

export const kind: Kind = {
  runs: 'sequences',
  operations: 'operations',
  promise:
    'Every revision holds exactly the quads that its changes say, whatever was merged, compacted, rebuilt, unloaded, trimmed, restored or opened again in between.',
  how: 'Runs take turns. A walk does thousands of operations on one repository. An operation is a change, a load, a transaction, a revert, or a read of any revision. What it says is compared at once, and whole revisions now and then, and at the end. A sequence works on up to three repositories, several of them at once; each step and at the end every revision are compared. Others make, trim, erase and delete branches, or write backups beside changes and restore them. Storages are memory, asynchronous storage, LevelDB, LMDB and a shared store, with tiny and with usual sizes, under load and without.',
  notPromised: 'Orders of concurrent writes beyond those that the seed makes.',
  goal: 1e8,
  async open() {
    return {
      async run(seed) {
        const directory = mkdtempSync(join(tmpdir(), 'quadrille-campaign-'));
        try {
          return await TURNS[seed.index % TURNS.length]!(seed, directory);
        } finally {
          rmSync(directory, { recursive: true, force: true });
        }
      },
    };
  },
};
