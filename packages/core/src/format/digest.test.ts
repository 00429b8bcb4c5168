import { expect, test } from 'vitest';
import { toHex } from './byte-codec.js';
import { Digest, digestOf, loadDigest } from './digest.js';

test('bytes have the same digest as a whole and in parts', async () => {
  await loadDigest();
  for (const length of [0, 1, 31, 32, 33, 100, 70_000]) {
    const bytes = Uint8Array.from({ length }, (_, i) => i * 7);
    for (const at of [0, 1, length >> 1, length]) {
      const parts = new Digest().update(bytes.subarray(0, at)).update(bytes.subarray(at));
      expect(toHex(digestOf(bytes))).toBe(toHex(parts.finish()));
    }
  }
});
