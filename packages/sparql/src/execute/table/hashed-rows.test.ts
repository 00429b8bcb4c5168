/** Rows found by keys whose ids are dense, so that they are numbered by themselves, or far apart. */
import { describe, expect, test } from 'vitest';
import { ArrayIdDataset } from '../../testing/array-id-dataset.js';
import { executionOn, randomNumbers, rowsPlan, RowsInput } from '../../testing/operators.js';
import { HashedRows } from './hashed-rows.js';
import { finish } from '../core/waiting.js';

const find = async (keys: readonly number[]): Promise<(key: number) => number[]> => {
  const execution = executionOn(new ArrayIdDataset());
  const rows = keys.map((key, i) => [key, i + 1]);
  const hashed = await finish(HashedRows.read(rowsPlan(['k', 'v']), ['k'], new RowsInput(rows, 2, 7), execution));
  return (key) => {
    const number = hashed.find([Uint32Array.of(key)], 0);
    if (number === -1) return [];
    return [...hashed.rows.subarray(hashed.offsets[number], hashed.offsets[number + 1])];
  };
};

const random = randomNumbers(7);
describe.each([
  ['dense', Array.from({ length: 200 }, () => 1000 + random(150))],
  ['far apart', Array.from({ length: 200 }, () => 1 + random(50) * 80_000_000)],
  ['the largest ids', [0xffff_ffff, 0xffff_fffe, 0xffff_ffff]],
  ['one', [5]],
  ['unbound', [0, 1, 0]],
  ['none', []],
])('%s', (_, keys) => {
  test('each key has its rows in order', async () => {
    const rowsOf = await find(keys);
    for (const key of [...keys, 0, 1, 4, 6, 999, 0xffff_ffff, 0x8000_0000]) {
      expect(rowsOf(key), String(key)).toEqual(keys.flatMap((other, row) => (other === key ? [row] : [])));
    }
  });
});
