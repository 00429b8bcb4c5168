/** ORDER BY. */
import { Cost } from '../../plan/cost.js';
import { unary } from '../../plan/node.js';
import type { Plan, SortByRanges, SortKey, SortPlan } from '../../plan/plan.js';

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
