/** One row without variables. */
import { NONE } from '../../plan/node.js';
import type { UnitPlan } from '../../plan/plan.js';

export const unitPlan: UnitPlan = {
  type: 'unit',
  variables: [],
  certain: NONE,
  rows: 1,
  sorted: [],
  cost: 0,
  first: 0,
};
