/** A join of two sorted inputs. */
import { Cost } from '../../plan/cost.js';
import { withLoose, looseOfBoth } from '../../plan/node.js';
import type { MergeJoinPlan, Plan } from '../../plan/plan.js';

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
