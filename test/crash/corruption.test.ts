/**
 * One flipped bit in any stored value, below the engine, is found: by the call that reads it, with a CorruptionError, and
 * by verify(). No answer is ever wrong (questions.ts). `npm run campaign -- corruption` runs long.
 */
import { seededRandom } from '@quadrille/storage/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { SEED } from '../model/environment.js';
import { below } from '../model/operations.mjs';
import { ask } from './questions.js';
import { flipped, KINDS, makeSample } from './sample-store.js';
import type { Sample } from './sample-store.js';

/** Without these the store or its catalogue does not open: verify has nothing to look at. */
const UNOPENABLE = new Set(['store record', 'repository record']);

describe(`one flipped bit (QUADRILLE_SEED=${SEED})`, () => {
  let sample: Sample;

  beforeAll(async () => {
    sample = await makeSample();
    expect(await ask(sample.driver, sample.states)).toEqual([]);
  });

  for (const [kind, isKind] of Object.entries(KINDS)) {
    it(`in a ${kind}`, async () => {
      const random = seededRandom(SEED);
      const { driver, states, entries } = sample;
      const values = entries.filter(({ key }) => isKind(key));
      expect(values.length, 'values of this kind').toBeGreaterThan(0);
      for (const { key, value } of values) {
        const bit = below(random, value.length * 8);
        await driver.write([{ type: 'put', key, value: flipped(value, bit) }], { durable: true });
        const found = await ask(driver, states);
        await driver.write([{ type: 'put', key, value }], { durable: true });
        expect(
          found.length,
          `bit ${bit} of ${value.length * 8} under ${Buffer.from(key).toString('hex')}`,
        ).toBeGreaterThan(0);
        // By verify, or nothing that verify needs could be opened.
        const byVerify = found.some(({ message }) => message.startsWith('verify'));
        expect(
          byVerify || UNOPENABLE.has(kind),
          `verify does not find bit ${bit}: ${found.map(String).join('; ')}`,
        ).toBe(true);
      }
      expect(await ask(driver, states), 'all is well again').toEqual([]);
    }, 60_000);
  }
});
