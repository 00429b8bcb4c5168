import { FullLife } from '../../crash/full-life.js';
import { fillDisk } from '../../crash/full-tmpfs.js';
import type { Kind } from '../kind.js';

/** One in so many runs fills a file system. */
const REAL = 25;

export const kind: Kind = {
  runs: 'lives of a store',
  operations: 'changes that found no room',
  promise:
    'A change that finds no room fails with STORAGE_FULL and changes nothing. What was acknowledged stays, reads go on, and writes work again once there is room, without a new opening.',
  how: `Random operations on a storage with a few thousand bytes, which gets room back now and then. It answers that it is full, or throws ENOSPC. The head is compared after each step, and some revisions in between. All of them are compared while it is full, after there is room, and after a new opening. One in ${REAL} runs fills a file system (tmpfs, where one can be mounted) below a store of LevelDB or LMDB.`,
  notPromised: 'Room for the copies that a compaction makes.',
  goal: 100_000,
  async open() {
    return {
      async run(seed) {
        const random = seed.random();
        if (seed.index % REAL === 0) {
          const backend = (['leveldb', 'lmdb'] as const)[(seed.index / REAL) % 2]!;
          return { plan: `${backend} ${seed.number()}`, operations: await fillDisk(random, backend) };
        }
        const life = new FullLife(random);
        await life.run();
        return { plan: life.plan.join('\n'), operations: life.refused };
      },
    };
  },
};
