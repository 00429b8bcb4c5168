import { FORMS } from '../../simulation/disk.js';
import { runSchedule } from '../../simulation/run.js';
import type { Kind } from '../kind.js';

export const kind: Kind = {
  runs: 'schedules',
  operations: 'steps',
  promise:
    'Whatever callers of a store do at the same time, and whatever call of its storage fails meanwhile: what was acknowledged is there once, also after a restart. No log has a hole. Each snapshot, range, backup and copy is one published state. Every call ends. When all is quiet, what is stored and in memory has bounds.',
  how: `The whole stack runs over simulated files, backends and services: engine, journal, blob files, and shared stores with up to three servers. A seed decides when each call of the storage takes effect and when it is answered. It also decides which calls fail, before or after their effect, and which end with an unknown outcome or find no room. Time is simulated too. Callers commit, load, import, merge, name, read, copy, move, trim, erase and maintain beside each other, and servers are closed, killed and replaced. A guest shares the store of the others by the protocol of the product, and its requests are lost when the holder ends. Half of the schedules have shapes, which refuse some changes or report them; each answer of the guard is compared with a model. Each of the ${FORMS.length} forms of storage gets a quarter of the schedules. At the end each revision is compared with a model, and the store is verified.`,
  notPromised:
    'Real files and services: LevelDB, LMDB, PostgreSQL and S3 have kinds of their own. Loss of power has the kind `power`.',
  goal: 1e7,
  async open() {
    return {
      async run(seed) {
        const { journal, steps } = await runSchedule(seed.number());
        return { plan: journal.join('\n'), operations: steps };
      },
    };
  },
};
