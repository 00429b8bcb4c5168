/** Lookups of a pattern for each row. */
import type { IdOrder } from '../../dataset/id-dataset.js';
import { Cost } from '../../plan/cost.js';
import { variablesOf } from '../../plan/patterns.js';
import { unionOf } from '../../algebra/name-sets.js';
import { looseNames, without, withLoose, keptOrder } from '../../plan/node.js';
import type { Plan, PlanPattern, SeekPlan } from '../../plan/plan.js';

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
