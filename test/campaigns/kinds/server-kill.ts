import { PostgresServer } from '../../postgres/server.js';
import { killPlans, runKills } from '../../servers/kills.js';
import type { Kind } from '../kind.js';

/** Kills of one run. */
const KILLS = 20;

export const kind: Kind = {
  runs: 'histories',
  operations: 'kills',
  promise:
    'Of several servers over one PostgreSQL any may be killed at any moment. What was acknowledged is there exactly once, and the history of each repository stays linearizable.',
  how: 'Three servers answer four clients that write and read two repositories. Every half second one of the servers gets SIGKILL, some get SIGTERM, and another one takes its place. At the end the whole history is compared with the log.',
  notPromised: 'The moments depend on the machine: a repetition has the same waits, not the same moments.',
  goal: 1000,
  async open() {
    const postgres = await PostgresServer.start();
    return {
      async run(seed) {
        const plans = killPlans(KILLS, seed.random());
        await runKills(postgres, `kills_${seed.index}`, plans, seed.random('clients'));
        return { plan: JSON.stringify(plans), operations: KILLS };
      },
      close: () => postgres.stop(),
    };
  },
};
