/** Makes plan nodes and derives their variables, rows, order and cost from their inputs. */
import type { Expression } from '../algebra/algebra.js';
import type { IdOrder } from '../dataset/id-dataset.js';
import { Cost } from './cost.js';
import { variablesOf } from './patterns.js';
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
  SortByRanges,
  SortKey,
  SortPlan,
  UnionPlan,
  UnitPlan,
} from './plan.js';
import { intersectionOf, namesWithout, unionOf } from '../algebra/name-sets.js';
import { isCertainTerm } from '../algebra/variables.js';

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
  within?: string,
): ScanPlan {
  const cost = Cost.open + rows * Cost.scanRow;
  return {
    type: 'scan',
    pattern,
    order,
    range,
    within,
    variables,
    certain: new Set(variables),
    rows,
    sorted,
    cost,
    first: Cost.open,
  };
}

/** `binds`: the variables that every row gets from the pattern. */
export function seekPlan(
  input: Plan,
  pattern: PlanPattern,
  mode: SeekPlan['mode'],
  variables: readonly string[],
  binds: readonly string[],
  rows: number,
  seekCost: number,
  order?: IdOrder,
): SeekPlan {
  const cost = input.cost + Cost.open + input.rows * seekCost + rows * Cost.outRow;
  const sorted = keptOrder(input, variables);
  const first = input.first + Cost.open;
  const node = { type: 'seek', input, pattern, mode, order, variables, rows, sorted, cost, first } as const;
  const loose = without(looseNames(input), binds);
  if (mode !== 'left') return withLoose(node, loose, input);
  const added = variablesOf(pattern).filter((name) => !input.variables.includes(name));
  return withLoose(node, unionOf([loose, new Set(added)]), input);
}

const looseOf = new WeakMap<object, ReadonlySet<string>>();

/** The variables that some row may lack: mostly none, where a set of the others would have to be made for each node. */
export function looseNames(plan: Plan): ReadonlySet<string> {
  let loose = looseOf.get(plan);
  if (loose === undefined) {
    loose = new Set(plan.variables.filter((name) => !plan.certain.has(name)));
    looseOf.set(plan, loose);
  }
  return loose;
}

function without(names: ReadonlySet<string>, others: readonly string[]): ReadonlySet<string> {
  if (!others.some((name) => names.has(name))) return names;
  const rest = new Set(names);
  for (const name of others) rest.delete(name);
  return rest;
}

/**
 * The node with those of its variables that every row has: all but these, which may have names that it has not. Its variables are
 * those of `input`, where none is left out, and others.
 */
export function withLoose<T extends { readonly variables: readonly string[] }>(
  node: T,
  names: ReadonlySet<string>,
  input: Plan,
): T & { readonly certain: ReadonlySet<string> } {
  const { variables } = node;
  const last = input.variables.length - 1;
  const isWhole = last >= 0 && variables[last] === input.variables[last];
  const loose = isWhole || names.size === 0 ? names : new Set(variables.filter((name) => names.has(name)));
  looseOf.set(node, loose);
  return Object.assign(node, { certain: namesWithout(variables, loose) });
}

/** The node with the certain variables of its input, and these where it has them. */
export const withBound = <T extends { readonly variables: readonly string[] }>(
  node: T,
  input: Plan,
  binds: readonly string[],
): T & { readonly certain: ReadonlySet<string> } => withLoose(node, without(looseNames(input), binds), input);

// Of an inner join: names that one side may lack and the other does not always have.
function looseOfBoth(left: Plan, right: Plan): ReadonlySet<string> {
  const missing = (own: Plan, other: Plan): Set<string> => {
    const names = new Set<string>();
    const otherLoose = looseNames(other);
    for (const name of looseNames(own)) if (otherLoose.has(name) || !other.variables.includes(name)) names.add(name);
    return names;
  };
  return unionOf([missing(left, right), missing(right, left)]);
}

export function hashJoinPlan(
  left: Plan,
  right: Plan,
  mode: HashJoinPlan['mode'],
  variables: readonly string[],
  rows: number,
  condition?: Expression,
): HashJoinPlan {
  const shared = sharedNames(left.variables, right.variables);
  const loose = shared.filter((name) => looseNames(left).has(name) || looseNames(right).has(name));
  const keys = loose.length === 0 ? shared : shared.filter((name) => !loose.includes(name));
  const first = left.first + right.cost + right.rows * Cost.buildRow + Cost.open;
  const cost = first + left.cost - left.first + left.rows * Cost.probeRow + rows * Cost.outRow;
  // A left join gives the rows without a match behind those with one.
  const sorted = mode === 'left' ? [] : keptOrder(left, variables);
  const node = { keys, loose, mode, condition, variables, rows, sorted, cost, first };
  const added = mode === 'left' ? right.variables.filter((name) => !left.variables.includes(name)) : [];
  const missing = mode === 'inner' ? looseOfBoth(left, right) : unionOf([looseNames(left), new Set(added)]);
  return withLoose({ type: 'hash-join', left, right, ...node }, missing, left);
}

function sharedNames(left: readonly string[], right: readonly string[]): string[] {
  const few = left.length < right.length ? left : right;
  const many = few === left ? right : left;
  // The side with fewer names says which can be shared; the order is that of the left side.
  const shared = few.filter((name) => many.includes(name));
  // Most share one; to go through thousands of columns for each join would be quadratic.
  if (few === left || shared.length < 2) return shared;
  return shared.toSorted((one, other) => left.indexOf(one) - left.indexOf(other));
}

export function mergeJoinPlan(
  left: Plan,
  right: Plan,
  key: string,
  variables: readonly string[],
  rows: number,
): MergeJoinPlan {
  const cost = left.cost + right.cost + (left.rows + right.rows) * Cost.mergeRow + rows * Cost.outRow + Cost.open;
  const first = left.first + right.first + Cost.open;
  // A column that is dropped orders nothing: outside of a sub-select its name may be that of another variable.
  const sorted = variables.includes(key) ? [key] : [];
  const node = { type: 'merge-join', left, right, key, variables, rows, sorted, cost, first } as const;
  return withLoose(node, looseOfBoth(left, right), left);
}

export function filterPlan(input: Plan, expressions: readonly Expression[], variables: readonly string[]): Plan {
  if (expressions.length === 0) return input;
  const rows = input.rows * expressions.reduce((share, expression) => share * selectivity(expression), 1);
  const cost = input.cost + input.rows * expressions.length * Cost.filterRow;
  const sorted = keptOrder(input, variables);
  const node = { type: 'filter', input, expressions, variables, rows, sorted, cost, first: input.first } as const;
  const plan: FilterPlan = withLoose(node, looseNames(input), input);
  return plan;
}

/** The share of rows that a filter is taken to keep. */
export function selectivity(expression: Expression): number {
  if (expression.subType !== 'operator') return 0.5;
  switch (expression.operator) {
    case '=':
    case 'sameterm':
      return 0.1;
    case '!=':
    case 'notin':
      return 0.9;
    default:
      return 0.4;
  }
}

export function extendPlan(input: Plan, variable: string, expression: Expression): ExtendPlan {
  const variables = [...input.variables, variable];
  const cost = input.cost + input.rows * Cost.filterRow;
  const isCertain = isCertainTerm(expression, input.certain);
  const certain = isCertain ? unionOf([input.certain, new Set([variable])]) : input.certain;
  return { ...unary(input), type: 'extend', variable, expression, variables, certain, cost };
}

export function unionPlan(inputs: readonly Plan[]): Plan {
  const variables = [...new Set(inputs.flatMap((input) => input.variables))];
  const rows = sum(inputs.map((input) => input.rows));
  const cost = sum(inputs.map((input) => input.cost));
  const certain = intersectionOf(inputs.map((input) => input.certain));
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

/** `values`: about how many rows differ. */
export function distinctPlan(input: Plan, values = Infinity): DistinctPlan {
  const cost = input.cost + input.rows * Cost.buildRow;
  return { ...unary(input), type: 'distinct', rows: Math.min(input.rows, values), cost };
}

/** `of`: the rows of each value of this column are counted by themselves. */
export function slicePlan(input: Plan, start: number, length: number | undefined, of?: string): SlicePlan {
  const { variables, certain, sorted, first } = input;
  if (of !== undefined) return { ...unary(input), type: 'slice', start, length, of };
  const rows = Math.min(Math.max(input.rows - start, 0), length ?? Infinity);
  const cost = costOf(input, length === undefined ? Infinity : start + length);
  return { type: 'slice', input, start, length, variables, certain, rows, sorted, cost, first };
}

export function sortPlan(input: Plan, keys: readonly SortKey[], limit: number | undefined): SortPlan {
  const cost = input.cost + input.rows * Cost.sortRow;
  const rows = Math.min(input.rows, limit ?? Infinity);
  return { ...unary(input), type: 'sort', keys, limit, rows, sorted: [], cost, first: cost };
}

/** A sort that finds its first rows by parts of an index. */
export const withRanges = (sort: SortPlan, byRanges: SortByRanges): SortPlan => ({
  ...sort,
  byRanges,
  first: byRanges.plan.cost + byRanges.plan.rows * Cost.sortRow,
});

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
  // Matches that come in the order of the rows need not be arranged.
  const waits = (mode === 'left' || mode === 'inner') && inner.sorted[0] !== rowNumber;
  const first = input.first + (waits ? inner.cost : inner.first) + Cost.open * 4;
  const sorted = keptOrder(input, variables);
  const node = {
    type: 'apply',
    input,
    inner,
    seed,
    seedVariables,
    rowNumber,
    mode,
    mark,
    variables,
    rows,
    sorted,
    cost,
    first: Math.min(first, cost),
    firstRows,
  } as const;
  const loose = looseNames(input);
  if (mode !== 'left' && mode !== 'inner') return withLoose(node, loose, input);
  const added = variables.filter((name) => !input.variables.includes(name));
  const always = mode === 'inner' ? inner.certain : NONE;
  const missing = new Set([...loose, ...added].filter((name) => !always.has(name)));
  return withLoose(node, missing, input);
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
