import { runSequence, SETTINGS } from '../../model/sequence.js';
import type { Kind } from '../kind.js';

/** One in so many sequences is in each setting; those on disk cost more. */
const TURNS = [0, 1, 4, 2, 0, 1, 5, 3, 0, 1, 4, 2, 0, 1, 6, 5, 0, 1, 4, 3];
const settings = Object.values(SETTINGS);

export const kind: Kind = {
  runs: 'sequences',
  operations: 'operations',
  promise:
    'Every revision holds exactly the quads that its changes say, whatever was merged, compacted, rebuilt, unloaded or opened again in between.',
  how: 'Random operations on up to three repositories, several of them at once. A naive set of quads is the model. Each step is compared, and at the end every revision. Seven settings: memory, asynchronous storage, LevelDB, LMDB and a shared store, with tiny and with usual sizes, under load and without.',
  notPromised: 'Orders of concurrent writes beyond those that the seed makes.',
  goal: 1e8,
  async open() {
    return {
      async run(seed) {
        const setting = settings[TURNS[seed.index % TURNS.length]!]!;
        const { operations, journal } = await runSequence(setting, seed.index, seed.number());
        // Steps on one repository have its name before them. Where several changes were under way at once, what follows depends on which of them came first.
        const steps = journal.filter((line) => !/^\w+\/\w+ /.test(line));
        return { operations, plan: [`sequence ${seed.index} of ${seed.number()}`, ...steps].join('\n') };
      },
    };
  },
};
