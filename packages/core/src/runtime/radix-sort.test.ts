import { expect, test } from 'vitest';
import { Pacer, platformEnv } from './env.js';
import { sortedRows, sortRows } from './radix-sort.js';
import { randomInts } from '../testing/fixture.js';

test('radix sort sorts as a stable comparison does', async () => {
  const int = randomInts(7);
  const pacer = new Pacer(platformEnv());
  for (const rows of [0, 1, 2, 100, 3000]) {
    for (const spread of [1, 3, 2048, 2 ** 22, 2 ** 32]) {
      const columns = [0, 1, 2].map(() => Uint32Array.from({ length: rows }, () => int(0, spread)));
      const expected = Array.from({ length: rows }, (_, i) => i).toSorted(
        (x, y) =>
          columns[0]![x]! - columns[0]![y]! || columns[1]![x]! - columns[1]![y]! || columns[2]![x]! - columns[2]![y]!,
      );
      expect([...(await sortedRows(rows, columns, pacer))]).toEqual(expected);
    }
  }
});

test('a large sort lets the event loop have turns', async () => {
  let turns = 0;
  const env = { ...platformEnv(), yieldTurn: async () => void turns++ };
  const rows = 1 << 19;
  const values = Uint32Array.from({ length: rows }, (_, i) => Math.imul(i, 0x9e37_79b1));
  const sorted = await sortedRows(rows, [values], new Pacer(env, 0));
  for (let i = 1; i < rows; i++) if (values[sorted[i - 1]!]! > values[sorted[i]!]!) expect.unreachable();
  expect(turns).toBeGreaterThan(10);
});

test('rows that are equal in the first column, few or many, are sorted by the others; some rows of all are sorted alone', async () => {
  const int = randomInts(11);
  const pacer = new Pacer(platformEnv());
  const groups = [1, 2, 63, 64, 65, 66, 300, 5000, 1];
  for (const shuffled of [false, true]) {
    const first = Uint32Array.from(
      groups.flatMap((size, group) => Array.from({ length: size }, () => group * 0x1000_0000)),
    );
    if (shuffled) for (let i = first.length - 1; i > 0; i--) swap(first, i, int(0, i + 1));
    const second = Uint32Array.from(first, () => int(0, 40));
    const third = Uint32Array.from(first, () => int(0, 2 ** 32));
    const byAll = (x: number, y: number): number =>
      first[x]! - first[y]! || second[x]! - second[y]! || third[x]! - third[y]!;
    const odd = Uint32Array.from({ length: first.length >> 1 }, (_, i) => 2 * i + 1);
    const expected = [...odd].toSorted(byAll);
    expect([...(await sortRows(odd, [first, second, third], pacer))]).toEqual(expected);
  }
});

function swap(values: Uint32Array, i: number, j: number): void {
  [values[i], values[j]] = [values[j]!, values[i]!];
}
