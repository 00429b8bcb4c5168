/** Rows with a computed column more. */
import type { Expression } from '../../algebra/algebra.js';
import { Cost } from '../../plan/cost.js';
import { isCertainTerm } from '../../algebra/operations/groups.js';
import { unionOf } from '../../algebra/name-sets.js';
import { unary } from '../../plan/node.js';
import type { ExtendPlan, Plan } from '../../plan/plan.js';

export function extendPlan(input: Plan, variable: string, expression: Expression): ExtendPlan {
  const variables = [...input.variables, variable];
  const cost = input.cost + input.rows * Cost.filterRow;
  const isCertain = isCertainTerm(expression, input.certain);
  const certain = isCertain ? unionOf([input.certain, new Set([variable])]) : input.certain;
  return { ...unary(input), type: 'extend', variable, expression, variables, certain, cost };
}
