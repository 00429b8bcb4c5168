import { describe, expect, test } from 'vitest';
import { orderJoins } from './join-order.js';
import type { JoinPart, JoinStep } from './join-part.js';
import { MinHeap } from './min-heap.js';

const part = (variables: readonly string[], rows = 1000): JoinPart => ({
  variables,
  rows,
  cost: rows * 0.012,
  distinct: new Map(variables.map((name) => [name, rows])),
  alone: { first: 2, orders: [variables] },
  seekable: true,
  extend: undefined,
});
const order = async (
  parts: readonly JoinPart[],
  { wanted = Infinity, most = 200_000 } = {},
): Promise<{ steps: readonly JoinStep[]; used: number }> => {
  const steps = { used: 0, most };
  const { steps: found } = await orderJoins(parts, [], { wanted, steps, control: undefined });
  return { steps: found, used: steps.used };
};
// How many steps join what shares no variable with anything before them.
function products(parts: readonly JoinPart[], steps: readonly JoinStep[]): number {
  const bound = new Set<string>();
  let count = 0;
  for (const [i, { part: at }] of steps.entries()) {
    if (i > 0 && !parts[at]!.variables.some((name) => bound.has(name))) count++;
    for (const name of parts[at]!.variables) bound.add(name);
  }
  return count;
}
const many = (count: number, make: (i: number) => JoinPart): JoinPart[] =>
  Array.from({ length: count }, (_, i) => make(i));

describe.each([3, 40, 3000])('of %i parts', (count) => {
  test.each([
    ['a chain', many(count, (i) => part([`v${i}`, `v${i + 1}`], 10 + ((i * 37) % 1000))), 0],
    ['a star', many(count, (i) => part(['s', `o${i}`], 10 + ((i * 37) % 1000))), 0],
    ['a clique', many(count, (i) => part(['a', 'b', 'c'], 10 + i)), 0],
    ['parts without shared variables', many(count, (i) => part([`v${i}`], 10)), count - 1],
    ['two chains', many(count, (i) => part([`v${i}`, `v${i + 2}`], 10)), 1],
  ])('%s is ordered within the steps', async (_, parts, expected) => {
    for (const most of [200_000, 20_000, 0]) {
      const { steps, used } = await order(parts, { most });
      expect(steps.map((step) => step.part).toSorted((a, b) => a - b)).toEqual(parts.map((_part, i) => i));
      expect(products(parts, steps)).toBe(expected);
      expect(used).toBeLessThanOrEqual(Math.max(most, 12 * count));
    }
  });
});

test('few wanted rows are looked up, all rows are joined by a table', async () => {
  const parts = [part(['a'], 100_000), part(['a', 'b'], 90_000)];
  const unsorted = parts.map((one): JoinPart => ({ ...one, alone: { first: 2, orders: [] } }));
  expect((await order(unsorted)).steps[1]!.method.kind).toBe('hash');
  expect((await order(unsorted, { wanted: 10 })).steps[1]!.method.kind).toBe('seek');
});

test('what only extends rows waits for what it needs', async () => {
  const extending: JoinPart = {
    ...part(['z', 'y'], 1),
    alone: undefined,
    extend: (bound) => (bound.has('z') ? { costPerRow: 1, rowsPerRow: 1 } : undefined),
  };
  for (const most of [200_000, 0]) {
    const { steps } = await order([extending, part(['y']), part(['y', 'z'])], { most });
    expect(steps.findIndex((step) => step.part === 0)).toBeGreaterThan(steps.findIndex((step) => step.part === 2));
  }
});

test('the heap gives the least first', () => {
  const heap = new MinHeap();
  const weights = many(200, (i) => part([], (i * 7919) % 211)).map(({ rows }) => rows);
  for (const [item, weight] of weights.entries()) heap.push(item, weight);
  const found = weights.map(() => weights[heap.pop()!]);
  expect(found).toEqual(weights.toSorted((a, b) => a - b));
  expect(heap.pop()).toBeUndefined();
});

test('orders that cost more than the best one so far are given up, and the best one is found', async () => {
  const rows = [3, 900, 900, 900, 900, 900, 900, 900];
  const parts = rows.map((count, i) => part([`v${i}`, `v${i + 1}`], count));
  const { steps, used } = await order(parts);
  expect(steps[0]!.part).toBe(0);
  // All eight orders together have four times as many candidates.
  expect(used).toBeLessThan(80);
  // Whichever part is the small one.
  const last = await order(parts.toReversed());
  expect(last.steps[0]!.part).toBe(parts.length - 1);
});

test('where few rows are wanted, orders whose first row comes late are given up', async () => {
  const late = (at: number): JoinPart => ({
    ...part([`v${at}`, `v${at + 1}`], 1000),
    alone: { first: 500_000, orders: [] },
    cost: 500_001,
  });
  const { steps } = await order([late(0), part(['v1', 'v2'], 2000), late(2)], { wanted: 1 });
  expect(steps[0]!.part).toBe(1);
});
