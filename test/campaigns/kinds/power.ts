import { seededRandom } from '@quadrille/storage/testing';
import { BEFORE, PowerLoss } from '../../crash/power-loss.js';
import { type Kind, must } from '../kind.js';

/** Failures in one life. */
const MOMENTS = 12;

export const kind: Kind = {
  runs: 'lives of a store',
  operations: 'power losses',
  promise:
    'What was acknowledged as durable is there after the power has failed. Without durability there is an earlier revision or a clear error, and never wrong data. A store that is refused can be recovered.',
  how: `A random life of a store, on a simulated storage. The power fails at about ${MOMENTS} random writes or syncs of it: what each failure leaves is opened, verified, compared and written to. Unsynced writes are lost from the end, or any of them, with torn ones among them. A third has a journal before the storage, a third a journal and blob files. After the last failure every revision is compared, and a recovery is tried; after others a share of the revisions.`,
  notPromised: 'Disks that acknowledge a sync and lose it. Real machines were not switched off.',
  goal: 1e6,
  async open() {
    return {
      async run(seed) {
        const random = seededRandom(seed.number());
        const durable = random() < 0.7;
        const hostile = random() < 0.5;
        const before = BEFORE[seed.index % BEFORE.length]!;
        const life = new PowerLoss(random, durable, hostile, before, MOMENTS - 1);
        await life.run();
        must(!durable || life.lost === 0, () => `${life.lost} durable revisions are lost`);
        // What comes after the first operation depends on which changes met first.
        const [first] = life.jobs.values();
        const plan = `${durable} ${hostile} ${before} ${seed.number()} ${JSON.stringify(first?.operation)}`;
        return { plan, operations: life.losses };
      },
    };
  },
};
