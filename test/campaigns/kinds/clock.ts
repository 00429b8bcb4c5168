import { Store } from '@quadrille/core';
import { MemoryDriver, StorageEngine } from '@quadrille/storage';
import { AsynchronousDriver, seededEnv, tinyTuning } from '../../model/environment.js';
import {
  applied,
  below,
  differenceText,
  perform,
  randomOperation,
  stateAt,
  vocabulary,
} from '../../model/operations.mjs';
import type { State } from '../../model/operations.mjs';
import { type Kind, must } from '../kind.js';

const NAME = 'campaign/clock';
const YEAR_MS = 365 * 24 * 3600 * 1000;

export const kind: Kind = {
  runs: 'lives of a store',
  operations: 'operations',
  promise:
    'Revisions keep their order and their content whatever the clock of the machine says. Times of revisions never go back.',
  how: 'Random operations, while the clock jumps by up to ten years, back and forth, and stands still, also while the store is closed. Each revision is compared with the model, and found again by its time.',
  notPromised: 'Times are as right as the clock was: a clock that was ahead holds back the times of later revisions.',
  goal: 10_000,
  async open() {
    return {
      async run(seed) {
        const random = seed.random();
        const words = vocabulary(random, { long: false });
        let now = Date.parse('2026-01-01T00:00:00Z');
        const jump = (): void => {
          const chance = random();
          if (chance < 0.3) now += Math.floor((random() - 0.5) * 20 * YEAR_MS);
          else if (chance < 0.7) now += Math.floor((random() - 0.5) * 10_000);
          now = Math.min(Math.max(now, 0), 100 * YEAR_MS);
        };
        const env = { ...seededEnv(seed.random('environment')), now: () => now };
        const driver = new AsynchronousDriver(new MemoryDriver());
        const tuning = tinyTuning(random);
        const opened = async (): Promise<Store> =>
          Store.open(await StorageEngine.open(driver), { env, tuning, cacheBytes: 1 });
        let store = await opened();
        const states: State[] = [new Set(), new Set()];
        const plan: string[] = [];
        const steps = 10 + below(random, 20);
        try {
          for (let n = 0; n < steps; n++) {
            jump();
            if (random() < 0.1) {
              await store.close();
              jump();
              store = await opened();
            }
            const operation = randomOperation(random, words, states);
            plan.push(`${now} ${JSON.stringify(operation)}`);
            await perform(await store.repository(NAME, true), operation, {}, `o${n}x`);
            const next = applied(states, operation, `o${n}x`);
            if (next !== states.at(-1)) states.push(next);
          }
          const repository = await store.repository(NAME);
          must(
            repository.head.number === states.length - 1,
            () => `head ${repository.head.number}, not ${states.length - 1}`,
          );
          let last = Number.NEGATIVE_INFINITY;
          for (let number = 1; number < states.length; number++) {
            const { time } = await repository.resolve(number);
            must(time >= last, () => `revision ${number} is of ${time}, the one before of ${last}`);
            last = time;
            const difference = differenceText(await stateAt(repository, number), states[number]!);
            must(difference === undefined, () => `revision ${number}: ${difference}`);
          }
          must((await store.verify()).ok, () => 'the store is not in order');
        } finally {
          await store.close();
        }
        return { plan: plan.join('\n'), operations: steps };
      },
    };
  },
};
