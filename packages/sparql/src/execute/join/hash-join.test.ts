/** Joins whose shared variables may be unbound, against a comparison of each row with each. */
import { describe, expect, test } from 'vitest';
import type { HashJoinPlan } from '../../plan/plan.js';
import { ArrayIdDataset } from '../../testing/array-id-dataset.js';
import { executionOn, randomNumbers, rowsOf, rowsPlan, RowsInput, sortedText } from '../../testing/operators.js';
import type { Execution } from '../core/operator.js';
import { HashJoin } from './hash-join.js';

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

describe.each(modes)('%s of rows that never agree', (mode) => {
  test('looks at the clock between comparisons', async () => {
    const ROWS = 1000;
    const rows = (first: number, width: number): number[][] =>
      Array.from({ length: ROWS }, () => Array.from({ length: width }, (_, i) => first + i));
    const execution = executionOn(new ArrayIdDataset());
    let looks = 0;
    const { control } = execution;
    const looking = Object.create(control, {
      checkpoint: { value: () => (looks++, control.checkpoint()) },
    }) as typeof control;
    const join: Join = { mode, keys: [], loose: ['a', 'b'] };
    const operator = run(join, rows(1, 3), rows(11, 4), { ...execution, control: looking });
    let found = 0;
    const batches = Math.ceil(ROWS / 7) + 2;
    for (let batch = await operator.next(); batch !== undefined; batch = await operator.next()) found += batch.length;
    operator.close();
    expect(found).toBe(mode === 'inner' ? 0 : ROWS);
    // A million comparisons, 65,536 at a time.
    expect(looks - batches).toBeGreaterThan(10);
  });
});
