import { runPromotions, type PromotionPlan, type Trouble } from '../../servers/promotions.js';
import type { Kind } from '../kind.js';

/** Promotions of one run: two servers and a history that grows. */
const PROMOTIONS = 5;
const TROUBLES: readonly Trouble[] = ['none', 'none', 'stalled standby', 'cancelled waits'];

export const kind: Kind = {
  runs: 'histories',
  operations: 'promotions',
  promise:
    'Where PostgreSQL has a synchronous standby, its promotion loses no commit that was acknowledged, and doubles none. The history of each repository stays linearizable.',
  how: 'Two servers answer four clients that write and read two repositories. The primary server of PostgreSQL is killed under load, and its standby promoted, five times in a row. Before, in half of the promotions, the standby receives nothing for a while, and waits for it are cancelled.',
  notPromised: 'An asynchronous standby may lack commits; a server says so (HISTORY_LOST).',
  goal: 200,
  async open() {
    return {
      async run(seed) {
        const random = seed.random();
        const plans = Array.from({ length: PROMOTIONS }, (): PromotionPlan => ({
          afterMs: 300 + Math.floor(random() * 700),
          trouble: TROUBLES[Math.floor(random() * TROUBLES.length)]!,
        }));
        await runPromotions(plans, seed.random('clients'));
        return { plan: JSON.stringify(plans), operations: PROMOTIONS };
      },
    };
  },
};
