/** Makes plan nodes and derives their variables, rows, order and cost from their inputs. */
import type { Expression } from '../algebra/algebra.js';
import type { IdOrder } from '../dataset/id-dataset.js';
import { Cost } from './cost.js';
import type {
  ApplyPlan,
  DistinctPlan,
  ExtendPlan,
  FilterPlan,
  HashJoinPlan,
  MergeJoinPlan,
  Plan,
  PlanPattern,
  ProjectPlan,
  ScanPlan,
  ScanRange,
  SeekPlan,
  SlicePlan,
  SortKey,
  SortPlan,
  UnionPlan,
  UnitPlan,
} from './plan.js';
import { intersection } from '../algebra/variables.js';

const NONE: ReadonlySet<string> = new Set();

export const unitPlan: UnitPlan = {
  type: 'unit',
  variables: [],
  certain: NONE,
  rows: 1,
  sorted: [],
  cost: 0,
  first: 0,
};

export function scanPlan(
  pattern: PlanPattern,
  variables: readonly string[],
  order: IdOrder | undefined,
  sorted: readonly string[],
  rows: number,
  range?: ScanRange,
): ScanPlan {
  const cost = Cost.open + rows * Cost.scanRow;
  return {
    type: 'scan',
    pattern,
    order,
    range,
    variables,
    certain: new Set(variables),
    rows,
    sorted,
    cost,
    first: Cost.open,
  };
}

export function seekPlan(
  input: Plan,
  pattern: PlanPattern,
  mode: SeekPlan['mode'],
  variables: readonly string[],
  bound: ReadonlySet<string>,
  rows: number,
  seekCost: number,
): SeekPlan {
  const cost = input.cost + Cost.open + input.rows * seekCost + rows * Cost.outRow;
  const certain = new Set(variables.filter((name) => bound.has(name)));
  const sorted = keptOrder(input, variables);
  const first = input.first + Cost.open;
  return { type: 'seek', input, pattern, mode, variables, certain, rows, sorted, cost, first };
}

export function hashJoinPlan(
  left: Plan,
  right: Plan,
  mode: HashJoinPlan['mode'],
  variables: readonly string[],
  rows: number,
  condition?: Expression,
): HashJoinPlan {
  const shared = left.variables.filter((name) => right.variables.includes(name));
  const keys = shared.filter((name) => left.certain.has(name) && right.certain.has(name));
  const loose = shared.filter((name) => !keys.includes(name));
  const bound = mode === 'inner' ? new Set([...left.certain, ...right.certain]) : left.certain;
  const certain = new Set(variables.filter((name) => bound.has(name)));
  const first = left.first + right.cost + right.rows * Cost.buildRow + Cost.open;
  const cost = first + left.cost - left.first + left.rows * Cost.probeRow + rows * Cost.outRow;
  // A left join gives the rows without a match behind those with one.
  const sorted = mode === 'left' ? [] : keptOrder(left, variables);
  const node = { keys, loose, mode, condition, variables, certain, rows, sorted, cost, first };
  return { type: 'hash-join', left, right, ...node };
}

export function mergeJoinPlan(
  left: Plan,
  right: Plan,
  key: string,
  variables: readonly string[],
  rows: number,
): MergeJoinPlan {
  const certain = new Set(variables.filter((name) => left.certain.has(name) || right.certain.has(name)));
  const cost = left.cost + right.cost + (left.rows + right.rows) * Cost.mergeRow + rows * Cost.outRow + Cost.open;
  const first = left.first + right.first + Cost.open;
  return { type: 'merge-join', left, right, key, variables, certain, rows, sorted: [key], cost, first };
}

export function filterPlan(input: Plan, expressions: readonly Expression[], variables: readonly string[]): Plan {
  if (expressions.length === 0) return input;
  const rows = input.rows * expressions.reduce((share, expression) => share * selectivity(expression), 1);
  const certain = new Set(variables.filter((name) => input.certain.has(name)));
  const cost = input.cost + input.rows * expressions.length * Cost.filterRow;
  const plan: FilterPlan = {
    type: 'filter',
    input,
    expressions,
    variables,
    certain,
    rows,
    sorted: keptOrder(input, variables),
    cost,
    first: input.first,
  };
  return plan;
}

/** The share of rows that a filter is taken to keep. */
export function selectivity(expression: Expression): number {
  if (expression.subType !== 'operator') return 0.5;
  return expression.operator === '=' || expression.operator === 'sameterm' ? 0.1 : 0.4;
}

export function extendPlan(input: Plan, variable: string, expression: Expression): ExtendPlan {
  const variables = [...input.variables, variable];
  const cost = input.cost + input.rows * Cost.filterRow;
  return { ...unary(input), type: 'extend', variable, expression, variables, cost };
}

export function unionPlan(inputs: readonly Plan[]): Plan {
  const variables = [...new Set(inputs.flatMap((input) => input.variables))];
  const rows = sum(inputs.map((input) => input.rows));
  const cost = sum(inputs.map((input) => input.cost));
  const certain = intersection(inputs.map((input) => input.certain));
  const first = inputs[0]?.first ?? 0;
  const plan: UnionPlan = { type: 'union', inputs, variables, certain, rows, sorted: [], cost, first };
  return plan;
}

export function projectPlan(input: Plan, variables: readonly string[]): Plan {
  if (sameNames(input.variables, variables)) return input;
  const certain = new Set(variables.filter((name) => input.certain.has(name)));
  const plan: ProjectPlan = {
    ...unary(input),
    type: 'project',
    variables,
    certain,
    sorted: keptOrder(input, variables),
  };
  return plan;
}

export function distinctPlan(input: Plan): DistinctPlan {
  return { ...unary(input), type: 'distinct', cost: input.cost + input.rows * Cost.buildRow };
}

export function slicePlan(input: Plan, start: number, length: number | undefined): SlicePlan {
  const rows = Math.min(Math.max(input.rows - start, 0), length ?? Infinity);
  const cost = costOf(input, length === undefined ? Infinity : start + length);
  return { ...unary(input), type: 'slice', start, length, rows, cost };
}

export function sortPlan(input: Plan, keys: readonly SortKey[], limit: number | undefined): SortPlan {
  const cost = input.cost + input.rows * Cost.sortRow;
  const rows = Math.min(input.rows, limit ?? Infinity);
  return { ...unary(input), type: 'sort', keys, limit, rows, sorted: [], cost, first: cost };
}

export function applyPlan(
  input: Plan,
  inner: Plan,
  seed: string,
  seedVariables: readonly string[],
  rowNumber: string,
  mode: ApplyPlan['mode'],
  mark: string | undefined,
  variables: readonly string[],
  firstRows: number = Cost.seedRows,
): ApplyPlan {
  const runs = Math.max(1, input.rows / firstRows);
  const share = mode === 'semi' || mode === 'anti' ? 0.5 : 1;
  const matches = inner.rows * runs;
  const rows = mode === 'inner' ? matches : mode === 'left' ? Math.max(input.rows, matches) : input.rows * share;
  const cost = input.cost + runs * (inner.cost + Cost.open * 4) + input.rows * Cost.buildRow;
  const first = input.first + (mode === 'left' || mode === 'inner' ? inner.cost : inner.first) + Cost.open * 4;
  const bound = mode === 'inner' ? new Set([...input.certain, ...inner.certain]) : input.certain;
  const certain = new Set(variables.filter((name) => bound.has(name)));
  if (mark !== undefined) certain.add(mark);
  const sorted = keptOrder(input, variables);
  return {
    type: 'apply',
    input,
    inner,
    seed,
    seedVariables,
    rowNumber,
    mode,
    mark,
    variables,
    certain,
    rows,
    sorted,
    cost,
    first: Math.min(first, cost),
    firstRows,
  };
}

/** About how long the first `rows` rows of a plan take. Default: all of them. */
export function costOf({ first, cost, rows }: Plan, wanted = Infinity): number {
  return rows <= wanted ? cost : first + ((cost - first) * wanted) / rows;
}

/** The properties that a node shares with its only input. */
export function unary<T extends Plan>(
  input: T,
): {
  input: T;
  variables: readonly string[];
  certain: ReadonlySet<string>;
  rows: number;
  sorted: readonly string[];
  cost: number;
  first: number;
} {
  const { variables, certain, rows, sorted, cost, first } = input;
  return { input, variables, certain, rows, sorted, cost, first };
}

// The order that rows keep when only some of their columns are handed on.
function keptOrder(input: Plan, variables: readonly string[]): readonly string[] {
  const lost = input.sorted.findIndex((name) => !variables.includes(name));
  return lost === -1 ? input.sorted : input.sorted.slice(0, lost);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const sameNames = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((name, i) => name === right[i]);
