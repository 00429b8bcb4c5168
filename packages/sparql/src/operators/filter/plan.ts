/** Rows that pass conditions. */
import type { Expression } from '../../algebra/algebra.js';
import { Cost } from '../../plan/cost.js';
import { looseNames, withLoose, selectivity, keptOrder } from '../../plan/node.js';
import type { FilterPlan, Plan } from '../../plan/plan.js';

export function filterPlan(input: Plan, expressions: readonly Expression[], variables: readonly string[]): Plan {
  if (expressions.length === 0) return input;
  const rows = input.rows * expressions.reduce((share, expression) => share * selectivity(expression), 1);
  const cost = input.cost + input.rows * expressions.length * Cost.filterRow;
  const sorted = keptOrder(input, variables);
  const node = { type: 'filter', input, expressions, variables, rows, sorted, cost, first: input.first } as const;
  const plan: FilterPlan = withLoose(node, looseNames(input), input);
  return plan;
}
