import { expect, test } from 'vitest';
import { Pacer, platformEnv } from './env.js';
import { greatest, identityRows, radixSort } from './radix-sort.js';
import { randomInts } from './testing/fixture.js';

test('radix sort sorts as a stable comparison does', async () => {
  const int = randomInts(7);
  const pacer = new Pacer(platformEnv());
  for (const rows of [0, 1, 2, 100, 3000]) {
    for (const spread of [1, 3, 2048, 2 ** 22, 2 ** 32]) {
      const columns = [0, 1, 2].map(() => Uint32Array.from({ length: rows }, () => int(0, spread)));
      const keys = columns.map((values) => ({ values, max: greatest(values, rows) }));
      const expected = Array.from({ length: rows }, (_, i) => i).toSorted(
        (x, y) =>
          columns[0]![x]! - columns[0]![y]! || columns[1]![x]! - columns[1]![y]! || columns[2]![x]! - columns[2]![y]!,
      );
      expect([...(await radixSort(identityRows(rows), new Uint32Array(rows), keys, pacer))]).toEqual(expected);
    }
  }
});

test('a large sort lets the event loop have turns', async () => {
  let turns = 0;
  const env = { ...platformEnv(), yieldTurn: async () => void turns++ };
  const rows = 1 << 19;
  const values = Uint32Array.from({ length: rows }, (_, i) => Math.imul(i, 0x9e37_79b1));
  const sorted = await radixSort(
    identityRows(rows),
    new Uint32Array(rows),
    [{ values, max: 0xffff_ffff }],
    new Pacer(env, 0),
  );
  for (let i = 1; i < rows; i++) if (values[sorted[i - 1]!]! > values[sorted[i]!]!) expect.unreachable();
  expect(turns).toBeGreaterThan(10);
});
