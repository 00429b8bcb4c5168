import { literal, quad, iri } from '@quadrille/model';
import { expect, test } from 'vitest';
import { TermCache } from './term-cache.js';

const BYTES = 256 * 1024;
/** Of a term beside its text. */
const OVERHEAD = 100;

test('long terms do not take more memory than short ones would', () => {
  const cache = new TermCache(BYTES);
  const term = (n: number): ReturnType<typeof literal> => literal(String(n).padStart(4000, 'x'));
  for (let n = 2; n < 2000; n++) cache.set(n, term(n));
  expect(cache.bytes).toBeLessThanOrEqual(BYTES);
  // There is room for 63 of them, and the newest is always kept.
  const kept = Array.from({ length: 2000 }, (_, n) => cache.get(n)).filter((found) => found !== undefined);
  expect(kept.length).toBeGreaterThan(32);
  expect(cache.get(1999)?.value).toBe(term(1999).value);
  cache.set(5, literal('x'.repeat(40_000)));
  expect(cache.get(5)).toBeUndefined();
});

test('a scan of more text than there is room for leaves most of the terms that are cached', () => {
  const cache = new TermCache(BYTES);
  const term = (n: number): ReturnType<typeof literal> => literal(String(n).padStart(2000, 'x'));
  for (let scan = 0; scan < 3; scan++) {
    let hits = 0;
    for (let n = 2; n < 300; n++) {
      if (cache.get(n) === undefined) cache.setSometimes(n, term(n));
      else hits++;
    }
    // There is room for 124 of the 298.
    if (scan > 0) expect(hits).toBeGreaterThan(80);
  }
});

test('counts what it holds, also of triple terms', () => {
  const cache = new TermCache(16 * 1024);
  const triple = quad(iri('http://e/s'), iri('http://e/p'), literal('x'.repeat(80)));
  for (let n = 2; n < 5000; n++) cache.set(n, n % 3 === 0 ? triple : literal('x'.repeat(n % 200)));
  let bytes = 0;
  for (let n = 0; n < 5000; n++) {
    const term = cache.get(n);
    if (term !== undefined) bytes += OVERHEAD + (term.termType === 'Quad' ? 100 : term.value.length);
  }
  expect(bytes).toBeGreaterThan(10_000);
  expect(cache.bytes).toBe(bytes);
});

test('keeps every term of a scan that there is room for, whatever their number', () => {
  const cache = new TermCache(BYTES);
  const terms = Array.from({ length: 2000 }, (_, n) => literal(`${n}`));
  for (const [n, term] of terms.entries()) cache.setSometimes(n + 2, term);
  expect(terms.filter((term, n) => cache.get(n + 2) === term)).toHaveLength(terms.length);
});
