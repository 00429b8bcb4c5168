/**
 * Branches against the model over storage in directories, with small files, so that values and journals move all the time.
 *
 * QUADRILLE_SEED repeats a run. QUADRILLE_BRANCH_STEPS: more operations.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StorageDriver } from '@quadrille/storage';
import { LevelDirectory } from '@quadrille/storage-level';
import { LmdbDirectory } from '@quadrille/lmdb';
import { describe, it } from 'vitest';
import { BranchModel } from '../../packages/core/src/testing/branch-model.js';
import { randomInts } from '../../packages/core/src/testing/fixture.js';
import { SEED } from './environment.js';

const STEPS = Number(process.env['QUADRILLE_BRANCH_STEPS'] ?? 40);

const drivers: Record<string, (path: string) => StorageDriver> = {
  leveldb: (path) =>
    new LevelDirectory(path, {
      create: true,
      writeBufferBytes: 64 * 1024,
      journal: { fileBytes: 1000, recordBytes: 400 },
      blobs: { valueBytes: 40, batchBytes: 100, fileBytes: 4000 },
    }),
  lmdb: (path) => new LmdbDirectory(path, { create: true, noSync: true }),
};

describe(`branches against the model (QUADRILLE_SEED=${SEED})`, () => {
  it.each(Object.keys(drivers))(
    '%s',
    async (name) => {
      const directory = await mkdtemp(join(tmpdir(), 'quadrille-branch-model-'));
      try {
        const model = await BranchModel.open(randomInts(SEED), () => drivers[name]!(join(directory, 'store')));
        await model.run(STEPS);
        await model.close();
      } finally {
        await rm(directory, { recursive: true, force: true });
      }
    },
    60_000 + STEPS * 1000,
  );
});
