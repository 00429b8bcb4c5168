/**
 * Chains of copies over storage in memory and in directories. `npm run campaign -- copies` runs many more, over all kinds of stores.
 */
import { expect, test } from 'vitest';
import { Chain } from './chain.js';
import type { PlaceKind } from './places.js';

const KINDS: readonly PlaceKind[] = ['memory', 'leveldb', 'lmdb'];

test.each([1, 2, 3, 160])(
  'chain %i: every copy opens and has what its original has',
  async (seed) => {
    const chain = new Chain(KINDS, seed);
    await chain.run(4);
    expect(chain.plan.length).toBeGreaterThan(4);
  },
  60_000,
);
