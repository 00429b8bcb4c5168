/** Merge joins of batches that end anywhere, against a comparison of each row with each. */
import { describe, expect, test } from 'vitest';
import type { MergeJoinPlan } from '../../plan/plan.js';
import { ArrayIdDataset } from '../../testing/array-id-dataset.js';
import { executionOn, randomNumbers, rowsOf, rowsPlan, RowsInput } from '../../testing/operators.js';
import { FIRST_ROWS, type Batch } from '../../execute/core/batch.js';
import type { Operator } from '../../execute/core/operator.js';
import { MergeJoin } from './merge-join.js';

type Rows = readonly (readonly number[])[];

const LEFT = ['a', 'k'];
const RIGHT = ['k', 'b'];
const VARIABLES = ['k', 'a', 'b'];

const left = rowsPlan(LEFT, { sorted: ['k'] });
const right = rowsPlan(RIGHT, { sorted: ['k'] });
const plan: MergeJoinPlan = { ...left, type: 'merge-join', left, right, key: 'k', variables: VARIABLES };
const dataset = new ArrayIdDataset([]);

/** The same rows without promises. */
class RowsNow implements Operator {
  #row = 0;

  constructor(
    private readonly rows: Rows,
    private readonly batchRows: number,
  ) {}

  next(): Batch | undefined {
    const rows = this.rows.slice(this.#row, this.#row + this.batchRows);
    this.#row += rows.length;
    if (rows.length === 0) return undefined;
    return { columns: [0, 1].map((i) => Uint32Array.from(rows, (row) => row[i]!)), length: rows.length };
  }

  close(): void {
    this.#row = this.rows.length;
  }
}

const naive = (lefts: Rows, rights: Rows): number[][] =>
  lefts.flatMap(([a, k]) => rights.flatMap(([key, b]) => (key === k ? [[k!, a!, b!]] : [])));

/** Rows that ascend by their key, which is in place `at`. */
function ascending(count: number, keys: number, at: number, below: (limit: number) => number): Rows {
  const ids = Array.from({ length: count }, () => 1 + below(keys)).toSorted((x, y) => x - y);
  return ids.map((key, i) => (at === 0 ? [key, 1000 + i] : [1000 + i, key]));
}

describe.each([1, 2, 3, 7, 4096])('batches of %i rows', (batchRows) => {
  test.each([1, 5, 40, 300])('of %i keys at most', async (keys) => {
    const below = randomNumbers(batchRows * 1000 + keys);
    for (let round = 0; round < 20; round++) {
      const lefts = ascending(below(60), keys, 1, below);
      const rights = ascending(below(60), keys, 0, below);
      const expected = naive(lefts, rights);
      const now = new MergeJoin(
        plan,
        new RowsNow(lefts, batchRows),
        new RowsNow(rights, batchRows + 1),
        executionOn(dataset),
      );
      expect(await rowsOf(now)).toEqual(expected);
      const [first, second] = [new RowsInput(lefts, 2, batchRows), new RowsInput(rights, 2, batchRows)];
      const execution = executionOn(dataset);
      const later = new MergeJoin(plan, first, second, execution);
      expect(await rowsOf(later)).toEqual(expected);
      later.close();
      expect([first.closed, second.closed, execution.memory.usedBytes]).toEqual([true, true, 0]);
    }
  });
});

test('a key with many rows on both sides goes on behind each batch', async () => {
  const lefts = Array.from({ length: 5 }, (_, i) => [100 + i, 9]);
  const rights = Array.from({ length: FIRST_ROWS * 9 }, (_, i) => [9, 500 + i]);
  const join = new MergeJoin(plan, new RowsNow(lefts, 2), new RowsNow([[3, 1], ...rights], 10), executionOn(dataset));
  expect(await rowsOf(join)).toEqual(naive(lefts, rights));
});
