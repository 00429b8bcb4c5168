/** Joins whose shared variables may be unbound, against a comparison of each row with each. */
import { describe, expect, test } from 'vitest';
import type { HashJoinPlan } from '../../plan/plan.js';
import { ArrayIdDataset } from '../../testing/array-id-dataset.js';
import { executionOn, randomNumbers, rowsOf, rowsPlan, RowsInput, sortedText } from '../../testing/operators.js';
import type { Execution } from '../../execute/core/operator.js';
import { finish } from '../../execute/core/waiting.js';
import { HashedRows } from '../../execute/table/hashed-rows.js';
import { HashJoin } from './hash-join.js';
import { MOST_NULLABLE, NullableKeys } from './nullable-keys.js';

type Mode = HashJoinPlan['mode'];
type Rows = readonly (readonly number[])[];

/** Left columns k a b, right columns k b a c. */
const LEFT = ['k', 'a', 'b'];
const RIGHT = ['k', 'b', 'a', 'c'];

interface Join {
  readonly mode: Mode;
  readonly keys: readonly string[];
  readonly loose: readonly string[];
}

/** Which of k, a and b both sides have here; the others have names of their own on the right. */
function planOf({ mode, keys, loose }: Join): HashJoinPlan {
  const shared = new Set([...keys, ...loose]);
  const left = rowsPlan(LEFT, { certain: keys });
  const right = rowsPlan(
    RIGHT.map((name) => (name === 'c' || shared.has(name) ? name : `${name}2`)),
    { certain: keys },
  );
  const variables = mode === 'minus' || mode === 'semi' ? LEFT : [...new Set([...LEFT, ...right.variables])];
  return { ...left, type: 'hash-join', mode, left, right, keys, loose, condition: undefined, variables };
}

function run(join: Join, left: Rows, right: Rows, execution: Execution): HashJoin {
  return new HashJoin(planOf(join), new RowsInput(left, 3, 7), new RowsInput(right, 4, 5), execution);
}

function naive(join: Join, left: Rows, right: Rows): number[][] {
  const { variables, right: rightPlan } = planOf(join);
  const shared = [...join.keys, ...join.loose];
  const solution = (names: readonly string[], row: readonly number[]): Map<string, number> =>
    new Map(names.flatMap((name, i) => (row[i] === 0 ? [] : [[name, row[i]!] as const])));
  const rights = right.map((row) => solution(rightPlan.variables, row));
  return left.flatMap((row) => {
    const of = solution(LEFT, row);
    const matches = rights.filter((other) =>
      shared.every((name) => !of.has(name) || !other.has(name) || of.get(name) === other.get(name)),
    );
    if (join.mode === 'minus') {
      const removes = matches.some((other) => shared.some((name) => of.has(name) && other.has(name)));
      return removes ? [] : [[...row]];
    }
    if (join.mode === 'semi') return matches.length > 0 ? [[...row]] : [];
    const found = matches.length === 0 && join.mode === 'left' ? [new Map<string, number>()] : matches;
    return found.map((other) => variables.map((name) => of.get(name) ?? other.get(name) ?? 0));
  });
}

const modes: readonly Mode[] = ['inner', 'left', 'minus'];
const joins = modes.flatMap((mode): Join[] => [
  { mode, keys: [], loose: ['a'] },
  { mode, keys: [], loose: ['a', 'b'] },
  { mode, keys: ['k'], loose: ['b'] },
  { mode, keys: ['k'], loose: [] },
]);
joins.push({ mode: 'semi', keys: ['k'], loose: [] });

describe.each(joins)('$mode by $keys, $loose where bound', (join) => {
  test('has the rows of a comparison of each with each', async () => {
    const random = randomNumbers(12);
    const rows = (count: number, width: number): number[][] =>
      Array.from({ length: count }, () => [1 + random(12), ...Array.from({ length: width - 1 }, () => random(9))]);
    const left = rows(200, 3);
    const right = rows(8, 4);
    const operator = run(join, left, right, executionOn(new ArrayIdDataset()));
    const found = await rowsOf(operator);
    operator.close();
    expect(sortedText(found)).toEqual(sortedText(naive(join, left, right)));
    expect(found.length).toBeGreaterThan(0);
  });
});

/** More variables than are looked up: the others are compared row by row. */
const MANY = Array.from({ length: MOST_NULLABLE + 2 }, (_, i) => `v${i}`);

function planOfMany(mode: Mode): HashJoinPlan {
  const left = rowsPlan([...MANY, 'l'], { certain: ['l'] });
  const right = rowsPlan([...MANY, 'r'], { certain: ['r'] });
  const variables = mode === 'minus' ? left.variables : [...MANY, 'l', 'r'];
  return { ...left, type: 'hash-join', mode, left, right, keys: [], loose: MANY, condition: undefined, variables };
}

const runMany = (mode: Mode, left: Rows, right: Rows, execution: Execution): HashJoin =>
  new HashJoin(
    planOfMany(mode),
    new RowsInput(left, MANY.length + 1, 7),
    new RowsInput(right, MANY.length + 1, 5),
    execution,
  );

/** Rows with a value of the last two variables. */
const lastOnly = (count: number, value: (row: number) => number): number[][] =>
  Array.from({ length: count }, (_, row) => [...MANY.map((__, i) => (i < MOST_NULLABLE ? 0 : value(row))), row + 1]);

describe.each(modes)('%s by many variables where bound', (mode) => {
  test('has the rows of a comparison of each with each', async () => {
    const random = randomNumbers(5);
    const rows = (count: number): number[][] =>
      Array.from({ length: count }, (_, row) => [...MANY.map(() => (random(4) === 0 ? 1 + random(2) : 0)), row + 1]);
    const [left, right] = [rows(80), rows(40)];
    const agree = (a: readonly number[], b: readonly number[]): boolean =>
      MANY.every((_, i) => a[i] === 0 || b[i] === 0 || a[i] === b[i]);
    const share = (a: readonly number[], b: readonly number[]): boolean =>
      MANY.some((_, i) => a[i] !== 0 && b[i] !== 0);
    const expected = left.flatMap((row) => {
      const matches = right.filter((other) => agree(row, other));
      if (mode === 'minus') return matches.some((other) => share(row, other)) ? [] : [row];
      if (matches.length === 0) return mode === 'left' ? [[...row, 0]] : [];
      return matches.map((other) => [...MANY.map((_, i) => row[i]! || other[i]!), row.at(-1)!, other.at(-1)!]);
    });
    const operator = runMany(mode, left, right, executionOn(new ArrayIdDataset()));
    const found = await rowsOf(operator);
    operator.close();
    expect(sortedText(found)).toEqual(sortedText(expected));
    expect(found.length).toBeGreaterThan(0);
  });

  test('looks at the clock between comparisons', async () => {
    const ROWS = 1000;
    const execution = executionOn(new ArrayIdDataset());
    let looks = 0;
    const { control } = execution;
    const looking = Object.create(control, {
      checkpoint: { value: () => (looks++, control.checkpoint()) },
    }) as typeof control;
    const [left, right] = [lastOnly(ROWS, () => 1), lastOnly(ROWS, () => 2)];
    const operator = runMany(mode, left, right, { ...execution, control: looking });
    let found = 0;
    const batches = Math.ceil(ROWS / 7) + 2;
    for (let batch = await operator.next(); batch !== undefined; batch = await operator.next()) found += batch.length;
    operator.close();
    expect(found).toBe(mode === 'inner' ? 0 : ROWS);
    // A million comparisons, 65,536 at a time.
    expect(looks - batches).toBeGreaterThan(10);
  });
});

test('a row that binds a variable is looked up by it: only its matches are looked at', async () => {
  const execution = executionOn(new ArrayIdDataset());
  const rights = Array.from({ length: 3000 }, (_, row) => [row < 10 ? 0 : row, row]);
  const right = await finish(
    HashedRows.read(rowsPlan(['a', 'c'], { certain: ['c'] }), [], new RowsInput(rights, 2, 64), execution),
  );
  const keys = await finish(NullableKeys.of(right, [], [[0, 0]], execution.control));
  const column = Uint32Array.of(500, 1, 0);
  const { of } = await finish(keys.probes({ columns: [column], length: 3 }, true));
  const looked = (row: number): number =>
    of(row)
      .map((probe) => ({ probe, group: probe.right.find(probe.keys, row) }))
      .filter(({ group }) => group !== -1)
      .reduce((sum, { probe, group }) => sum + probe.right.offsets[group + 1]! - probe.right.offsets[group]!, 0);
  // Ten rows leave it unbound, and match each. A row that leaves it unbound matches all.
  expect([looked(0), looked(1), looked(2)]).toEqual([11, 10, 3000]);
  keys.free();
  right.free();
});
