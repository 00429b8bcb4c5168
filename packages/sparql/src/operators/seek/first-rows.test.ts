import { expect, test } from 'vitest';
import { RowsInput, rowsOf } from '../../testing/operators.js';
import { FirstRows } from './first-rows.js';

class Counted extends RowsInput {
  times = 0;

  override close(): void {
    this.times++;
  }
}

const rows = Array.from({ length: 9 }, (_, n) => [n]);

test('an input is closed once, by the first rows or by the rest of them', async () => {
  const input = new Counted(rows, 1);
  const first = new FirstRows(input, 3);
  expect(await rowsOf(first)).toHaveLength(3);
  const rest = first.takeRest()!;
  expect(await rowsOf(rest)).toHaveLength(6);
  expect(first.takeRest()).toBeUndefined();
  rest.close();
  first.close();
  expect(input.times).toBe(1);
});

test('without a rest, the first rows close the input', async () => {
  const input = new Counted(rows.slice(0, 2), 1);
  const first = new FirstRows(input, 3);
  expect(await rowsOf(first)).toHaveLength(2);
  expect(first.takeRest()).toBeUndefined();
  first.close();
  expect(input.times).toBe(1);
});
