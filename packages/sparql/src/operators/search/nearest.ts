/** Questions for vectors, whose code is loaded by the first one. */
import { Later } from '../../execute/core/later.js';
import type { PlanOperator } from '../../execute/core/plan-operator.js';
import type { NearestPlan } from '../../plan/plan.js';

export const nearest: PlanOperator<NearestPlan> = {
  detail: ({ pattern, vector }, print) =>
    `${print.pattern(pattern)}, index of vectors, nearest to ${vector === undefined ? 'a vector' : `?${vector}`}`,
  open: (plan, { execution, open }) =>
    new Later(async () => {
      const { NearestJoin } = await import('./nearest-join.js');
      return new NearestJoin(plan, open(plan.input), execution);
    }, execution.control),
};
