import { describe, expect, it } from 'vitest';
import { ArrayIdDataset } from '../../testing/array-id-dataset.js';
import { executionOn, randomNumbers, rowsOf, rowsPlan, RowsInput } from '../../testing/operators.js';
import { Distinct } from './distinct.js';

async function distinct(rows: number[][], width: number, sorted: string[] = []): Promise<number[][]> {
  const input = rowsPlan(['a', 'b', 'c'].slice(0, width), { sorted });
  const plan = { ...input, type: 'distinct', input } as const;
  const execution = executionOn(new ArrayIdDataset());
  const operator = new Distinct(plan, new RowsInput(rows, width, 5), execution);
  const out = await rowsOf(operator);
  operator.close();
  return out;
}

const unique = (rows: number[][]): number[][] => [...new Map(rows.map((row) => [row.join(' '), row])).values()];

describe('Distinct', () => {
  it('gives each row at its first coming', async () => {
    const random = randomNumbers(1);
    const rows = Array.from({ length: 3000 }, () => [random(10), random(10), random(10)]);
    expect(await distinct(rows, 3)).toEqual(unique(rows));
  });

  it('needs no memory of rows that come sorted', async () => {
    const random = randomNumbers(2);
    const rows = Array.from({ length: 1000 }, () => [random(20), random(20)]).sort(
      (a, b) => a[1]! - b[1]! || a[0]! - b[0]!,
    );
    expect(await distinct(rows, 2, ['b', 'a', 'x'])).toEqual(unique(rows));
  });

  it('does not take rows for sorted that are so by some of their columns only', async () => {
    const rows = [
      [1, 1],
      [1, 2],
      [1, 1],
    ];
    expect(await distinct(rows, 2, ['a'])).toEqual([
      [1, 1],
      [1, 2],
    ]);
  });

  it('gives one row without columns', async () => {
    expect(await distinct([[], [], []], 0)).toEqual([[]]);
    expect(await distinct([], 0)).toEqual([]);
  });
});
