/** Each row once. */
import { Cost } from '../../plan/cost.js';
import { unary } from '../../plan/node.js';
import type { DistinctPlan, Plan } from '../../plan/plan.js';

/** `values`: about how many rows differ. */
export function distinctPlan(input: Plan, values = Infinity): DistinctPlan {
  const cost = input.cost + input.rows * Cost.buildRow;
  return { ...unary(input), type: 'distinct', rows: Math.min(input.rows, values), cost };
}
