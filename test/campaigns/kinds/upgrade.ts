import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { upgradedLife } from '../../crash/upgraded-life.js';
import type { Kind } from '../kind.js';

export const kind: Kind = {
  runs: 'stores',
  operations: 'operations',
  promise:
    'Stores of every earlier format open. Their revisions, tags and records are what they were, and go on with new revisions of the present format.',
  how: 'The bytes of a store of an earlier format are laid into memory, LevelDB or LMDB, with each marker that there was. Every revision is compared. Random operations, maintenance and new openings follow, and every old and new revision is compared with the model.',
  notPromised: 'That an earlier version opens a store after its upgrade: it refuses the store.',
  goal: 10_000,
  async open() {
    return {
      async run(seed) {
        const directory = mkdtempSync(join(tmpdir(), 'quadrille-campaign-'));
        try {
          return await upgradedLife(seed.random(), directory);
        } finally {
          rmSync(directory, { recursive: true, force: true });
        }
      },
    };
  },
};
