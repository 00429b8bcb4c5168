/**
 * Random operations on repositories that come and go and on a naive model of each, compared at every step (universe.ts).
 *
 * QUADRILLE_SEED repeats a run, with QUADRILLE_MODEL_ONLY one sequence of it. `npm run campaign -- model` runs long.
 */
import { MemoryDriver } from '@quadrille/storage';
import { describe, it } from 'vitest';
import { randomOf, SEED, tinyTuning } from './environment.js';
import { runSequence, SETTINGS } from './sequence.js';
import { Walk } from './walk.js';

const OPERATIONS = Number(process.env['QUADRILLE_MODEL_OPERATIONS'] ?? 3_600);
const ONLY = process.env['QUADRILLE_MODEL_ONLY'];
const SUITES = Object.keys(SETTINGS).length;
const PER_SUITE = OPERATIONS / SUITES;
const TIMEOUT = 60_000 + OPERATIONS * 6;

describe(`random operations against the model (QUADRILLE_SEED=${SEED})`, () => {
  Object.entries(SETTINGS).forEach(([name, setting], suite) => {
    it(
      `${name}`,
      async () => {
        if (ONLY !== undefined) {
          if (Number(ONLY) % SUITES === suite) await runSequence(setting, Number(ONLY), SEED);
          return;
        }
        let done = 0;
        // A store on disk a sequence has its cost: there are fewer of them, and of large loads.
        const share = /^(?:LevelDB|LMDB|a shared)|loads$/.test(name) ? 0.4 : 1.5;
        for (let n = 0; done < PER_SUITE * share; n++)
          done += (await runSequence(setting, n * SUITES + suite, SEED)).operations;
      },
      TIMEOUT,
    );
  });

  it('a long walk with cheap checks', async () => {
    const random = randomOf(1, SEED);
    const driver = new MemoryDriver();
    await new Walk(random, { driver: () => driver, tuning: tinyTuning(random), steps: 1000 }).run();
  });
});
