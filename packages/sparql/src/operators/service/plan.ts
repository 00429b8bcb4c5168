/** A pattern that another host answers, for the rows of an input. */
import type { Service } from '../../algebra/algebra.js';
import { visibleVariables } from '../../algebra/variables.js';
import { Cost } from '../../plan/cost.js';
import type { Plan, ServicePlan } from '../../plan/plan.js';

export function servicePlan(
  { input: pattern, silent }: Service,
  how: Pick<ServicePlan, 'endpoint' | 'whole'>,
  input: Plan,
  variables: readonly string[],
  rows: number,
): ServicePlan {
  return {
    type: 'service',
    input,
    ...how,
    silent,
    pattern,
    serviceVariables: [...visibleVariables(pattern)],
    variables,
    certain: new Set(variables.filter((name) => input.certain.has(name))),
    rows,
    sorted: [],
    cost: input.cost + input.rows * Cost.serviceRow,
    first: input.first + Cost.serviceRow,
  };
}
