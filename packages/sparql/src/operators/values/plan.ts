/** Rows that a text lists: those of VALUES, and one row without variables. */
import { Cost } from '../../plan/cost.js';
import { NO_NAMES } from '../../algebra/name-sets.js';
import type { UnitPlan, ValuesPlan } from '../../plan/plan.js';

export const unitPlan: UnitPlan = {
  type: 'unit',
  variables: [],
  certain: NO_NAMES,
  rows: 1,
  sorted: [],
  cost: 0,
  first: 0,
};

/** `certain`: the variables that every row has. */
export function valuesPlan(
  variables: readonly string[],
  constants: ValuesPlan['constants'],
  certain: ReadonlySet<string>,
): ValuesPlan {
  const rows = constants.length;
  return { type: 'values', constants, variables, certain, rows, sorted: [], cost: Cost.open, first: Cost.open };
}
