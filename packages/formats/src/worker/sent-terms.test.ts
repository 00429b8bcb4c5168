import { describe, expect, it } from 'vitest';
import { encode } from '../testing.js';
import { hashOf, SentTerms } from './sent-terms.js';
import type { HashSeed } from './sent-terms.js';

const SEED: HashSeed = { first: 1, low: 0x9e3779b1, high: 0x85ebca6b };
const MAX_BYTES = 1 << 24;
const ENTRIES = 1024;
const SLOTS_VISITED = 16;

/** The terms that a table takes, in their order. */
function kept(table: SentTerms, terms: readonly Uint8Array[]): Uint8Array[] {
  terms.forEach((term, index) => {
    if (table.find(term, 0, term.length) === 0) table.add(term, 0, term.length, index + 2);
  });
  return terms.filter((term, index) => table.find(term, 0, term.length) === index + 2);
}

/** Terms that have one slot in tables with the seed. */
function colliding(count: number, seed: HashSeed): Uint8Array[] {
  const found: Uint8Array[] = [];
  for (let i = 0; found.length < count; i++) {
    const term = encode(`<a:${i}>`);
    const hash = hashOf(new DataView(term.buffer, term.byteOffset), term, 0, term.length, seed);
    if ((hash & (2 * ENTRIES - 1)) === 0) found.push(term);
  }
  return found;
}

describe('the table of terms that crossed', () => {
  it('finds what it keeps, also after its memory grew', () => {
    // 1.4 MB. One slot in 20 is taken, so that no seed makes a term lose its place.
    const terms = Array.from({ length: 1500 }, (_, i) => encode(`<a:${'x'.repeat(900 + (i % 100))}${i}>`));
    const table = new SentTerms(16 * ENTRIES, MAX_BYTES);
    expect(kept(table, terms)).toHaveLength(terms.length);
    expect(table.find(encode('<a:none>'), 0, 8)).toBe(0);
    expect(table.find(encode(`<a:${'x'.repeat(2000)}>`), 0, 2004)).toBe(0);
  });

  it('terms that collide under one seed cost a bounded search there, and do not collide under another one', () => {
    const terms = colliding(200, SEED);
    expect(kept(new SentTerms(ENTRIES, MAX_BYTES, SEED), terms)).toHaveLength(SLOTS_VISITED);
    expect(kept(new SentTerms(ENTRIES, MAX_BYTES, { ...SEED, first: 2 }), terms).length).toBeGreaterThan(190);
    expect(kept(new SentTerms(ENTRIES, MAX_BYTES), terms).length).toBeGreaterThan(190);
  });

  it('bits that cancel out in a product do not make terms collide', () => {
    // The difference of two words at the top, and what a shift by 15 bits makes of it in the next word.
    const terms = Array.from({ length: 200 }, (_, n) => {
      const words = new Uint32Array(16).fill(0x41414141);
      for (let bit = 0; bit < 8; bit++) {
        if ((n & (1 << bit)) === 0) continue;
        words[2 * bit]! ^= 0x8000_0000;
        words[2 * bit + 1]! ^= 0x8001_0000;
      }
      return new Uint8Array(words.buffer);
    });
    expect(kept(new SentTerms(ENTRIES, MAX_BYTES), terms).length).toBeGreaterThan(190);
  });
});
