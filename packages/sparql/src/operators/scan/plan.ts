/** A scan of an index. */
import type { IdOrder } from '../../dataset/id-dataset.js';
import { Cost } from '../../plan/cost.js';
import type { PlanPattern, ScanPlan, ScanRange } from '../../plan/plan.js';

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
