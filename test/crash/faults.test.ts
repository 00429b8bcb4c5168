/**
 * Faults of the storage at the calls of a scenario (faults.ts).
 *
 * QUADRILLE_FAULTS=all tries every call with every fault. Otherwise a run samples them, with a QUADRILLE_SEED that changes
 * with every run. `npm run campaign -- fault` runs long.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '@quadrille/storage/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SEED } from '../model/environment.js';
import { CALLS, countCalls, driversIn, FAULTS, FILE_CALLS, runWith } from './faults.js';

const ALL = process.env['QUADRILLE_FAULTS'] === 'all';
/** Chance that a single failure is tried at a call of the first driver. */
const SHARE = 0.1;
/** Chance that another fault is tried at a call. */
const SAMPLE = 0.004;

const directory = mkdtempSync(join(tmpdir(), 'quadrille-faults-'));
const unhandled: unknown[] = [];
const collect = (reason: unknown): number => unhandled.push(reason);

describe(`faults of the storage (QUADRILLE_SEED=${SEED})`, () => {
  beforeAll(() => void process.on('unhandledRejection', collect));
  afterAll(() => {
    process.off('unhandledRejection', collect);
    rmSync(directory, { recursive: true });
  });

  for (const [kind, { makeDriver, share }] of Object.entries(driversIn(directory))) {
    it(
      `a driver ${kind}`,
      async () => {
        const random = seededRandom(SEED);
        const calls = await countCalls(makeDriver);
        let injected = 0;
        const sites = new Set<string>();
        const failures: string[] = [];
        for (const { effect, repeat, calls: operations, every } of FAULTS) {
          for (const operation of operations) {
            for (let at = 1; at <= calls[operation]; at++) {
              if (!ALL && random() > (every ? share * SHARE : SAMPLE)) continue;
              const name = `${effect} ${repeat} at ${operation} ${at} of ${calls[operation]}`;
              try {
                if ((await runWith(makeDriver, { effect, repeat, at, operation }, name)) > 0)
                  sites.add(`${operation} ${at}`);
                injected++;
              } catch (error) {
                failures.push(`${name}: ${(error as Error).stack?.slice(0, 1500)}`);
              }
            }
          }
        }
        const total = [...CALLS, ...FILE_CALLS].reduce((sum, operation) => sum + calls[operation], 0);
        console.log(`${kind}: ${injected} faults, ${sites.size} of ${total} calls hit: ${JSON.stringify(calls)}`);
        expect(failures.slice(0, 5), `${failures.length} of ${injected + failures.length} faults`).toEqual([]);
        if (ALL) expect(sites.size).toBe(total);
        await new Promise((resolve) => setTimeout(resolve, 20));
        expect(unhandled, 'unhandled rejections').toEqual([]);
      },
      ALL ? 3_600_000 : 120_000,
    );
  }
});
