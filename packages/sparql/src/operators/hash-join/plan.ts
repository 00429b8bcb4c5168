/** A join by a hash table. */
import type { Expression } from '../../algebra/algebra.js';
import { Cost } from '../../plan/cost.js';
import { unionOf } from '../../algebra/name-sets.js';
import { looseNames, withLoose, looseOfBoth, keptOrder } from '../../plan/node.js';
import type { HashJoinPlan, Plan } from '../../plan/plan.js';

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
