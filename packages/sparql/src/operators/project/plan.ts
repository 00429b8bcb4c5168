/** Some of the columns. */
import { unary, keptOrder } from '../../plan/node.js';
import type { Plan, ProjectPlan } from '../../plan/plan.js';

export function projectPlan(input: Plan, variables: readonly string[]): Plan {
  if (sameNames(input.variables, variables)) return input;
  const certain = new Set(variables.filter((name) => input.certain.has(name)));
  const plan: ProjectPlan = {
    ...unary(input),
    type: 'project',
    variables,
    certain,
    sorted: keptOrder(input, variables),
  };
  return plan;
}

const sameNames = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((name, i) => name === right[i]);
