/**
 * Power losses (power-loss.ts): nothing that was acknowledged as durable is lost, and few lives refuse to open.
 *
 * QUADRILLE_POWER_SEEDS: how many lives. QUADRILLE_SEED: the first of them. `npm run campaign -- power` runs long.
 */
import { seededRandom } from '@quadrille/storage/testing';
import { describe, expect, it } from 'vitest';
import { SEED } from '../model/environment.js';
import { BEFORE, PowerLoss } from './power-loss.js';

const LIVES = Number(process.env['QUADRILLE_POWER_SEEDS'] ?? 250);
/** Fewer say little about a share of them. */
const ENOUGH_LIVES = 100;

/** A few lives differ by chance: three standard deviations are left to that. */
const mostRefused = (share: number, lives: number): number => share + 3 * Math.sqrt((share * (1 - share)) / lives);

describe(`power loss (QUADRILLE_SEED=${SEED})`, () => {
  const modes = [
    { name: 'durable, logs end early', durable: true, hostile: false, share: 0.35, mayRefuse: 0 },
    { name: 'durable, any unsynced batch may be lost', durable: true, hostile: true, share: 0.35, mayRefuse: 0 },
    // Logs that are far shorter than in real life: the power fails near to where one ends.
    { name: 'not durable, logs end early', durable: false, hostile: false, share: 0.15, mayRefuse: 1 / 3 },
    { name: 'not durable, any batch may be lost', durable: false, hostile: true, share: 0.15, mayRefuse: 3 / 4 },
  ];
  for (const { name, durable, hostile, share, mayRefuse } of modes) {
    it(
      name,
      async () => {
        const lives = Math.ceil(LIVES * share);
        const errors: Record<string, number> = {};
        let revisions = 0;
        let lost = 0;
        let recovered = 0;
        for (let n = 0; n < lives; n++) {
          const seed = (SEED + n) >>> 0;
          const life = new PowerLoss(seededRandom(seed), durable, hostile, BEFORE[n % 3]!);
          try {
            await life.run();
          } catch (error) {
            throw new Error(`life ${n} (QUADRILLE_SEED=${seed}): ${(error as Error).message}`, { cause: error });
          }
          revisions += life.acknowledged;
          lost += life.lost;
          recovered += life.recovered;
          if (life.refused !== undefined) errors[life.refused.code] = (errors[life.refused.code] ?? 0) + 1;
        }
        console.log(
          `${name}: ${lives} lives, ${revisions} revisions acknowledged, ${lost} lost, refused with ${JSON.stringify(errors)}; recovery keeps ${recovered} more`,
        );
        if (durable) expect(lost).toBe(0);
        const refused = Object.values(errors).reduce((sum, count) => sum + count, 0);
        if (durable || lives >= ENOUGH_LIVES)
          expect(refused / lives, 'share of lives that refuse to open').toBeLessThanOrEqual(
            mostRefused(mayRefuse, lives),
          );
      },
      60_000 + LIVES * 50,
    );
  }
});
