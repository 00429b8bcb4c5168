/** The number of matches of one pattern, from the index. */
import { Cost } from '../../plan/cost.js';
import type { CountPlan, PlanPattern } from '../../plan/plan.js';

export function countPlan(pattern: PlanPattern, variables: readonly string[]): CountPlan {
  const certain = new Set(variables);
  return { type: 'count', pattern, variables, certain, rows: 1, sorted: [], cost: Cost.open, first: Cost.open };
}
