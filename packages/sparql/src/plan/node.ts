/** What makers of nodes share: the columns that every row has, the order that is kept, and costs. */
import type { Expression } from '../algebra/algebra.js';
import { namesWithout, unionOf } from '../algebra/name-sets.js';
import type { Plan } from './plan.js';

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

export function without(names: ReadonlySet<string>, others: readonly string[]): ReadonlySet<string> {
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
export function looseOfBoth(left: Plan, right: Plan): ReadonlySet<string> {
  const missing = (own: Plan, other: Plan): Set<string> => {
    const names = new Set<string>();
    const otherLoose = looseNames(other);
    for (const name of looseNames(own)) if (otherLoose.has(name) || !other.variables.includes(name)) names.add(name);
    return names;
  };
  return unionOf([missing(left, right), missing(right, left)]);
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
export function keptOrder(input: Pick<Plan, 'sorted'>, variables: readonly string[]): readonly string[] {
  const lost = input.sorted.findIndex((name) => !variables.includes(name));
  return lost === -1 ? input.sorted : input.sorted.slice(0, lost);
}
