/**
 * The 64-bit hash of a term's bytes, as two 32-bit halves. It is part of the form on disk: hash runs are sorted by
 * it. Each step hashes four bytes with plain multiplications. A native 64-bit hash would need BigInt, or a copy into
 * WebAssembly.
 */

import { viewOf } from '../runtime/byte-views.js';

/** The halves of the last {@link hashTerm}. Returning a pair of numbers would need an allocation. */
export let hashHigh = 0;
export let hashLow = 0;

export function hashTerm(bytes: Uint8Array, start: number, end: number, seed: number): void {
  const view = viewOf(bytes);
  let h1 = seed ^ 0x9368e53c;
  let h2 = (seed ^ 0x586dcd20) + (end - start);
  let i = start;
  for (; i + 4 <= end; i += 4) {
    const word = view.getInt32(i, true);
    h1 = Math.imul(h1 ^ word, 0x85ebca6b);
    h1 ^= h1 >>> 13;
    h2 = Math.imul(h2 + word, 0xc2b2ae35);
    h2 = (h2 << 15) | (h2 >>> 17);
  }
  for (; i < end; i++) {
    h1 = Math.imul(h1 ^ bytes[i]!, 0x27d4eb2f);
    h2 = Math.imul(h2 + bytes[i]!, 0x165667b1);
    h2 = (h2 << 11) | (h2 >>> 21);
  }
  h1 ^= h1 >>> 16;
  h1 = Math.imul(h1 ^ h2, 0x85ebca6b);
  h2 ^= h2 >>> 15;
  h2 = Math.imul(h2 + h1, 0x2c1b3c6d);
  h1 ^= h1 >>> 13;
  h1 = Math.imul(h1, 0xc2b2ae35);
  hashHigh = (h1 ^ (h1 >>> 16)) >>> 0;
  hashLow = (h2 ^ (h2 >>> 14)) >>> 0;
}
