/** The clauses of a SELECT around its pattern. */
import type { Project, Slice } from '../../algebra/algebra.js';
import type { PlanContext, Plans, Scope } from '../context.js';
import * as make from '../nodes.js';
import type { Plan } from '../plan.js';
import { planDistinct } from './distinct-planner.js';
import { planGrouping } from './grouping-planner.js';
import { planSort } from './sort-planner.js';

async function planProject(planner: PlanContext, { input, variables }: Project, scope: Scope): Promise<Plan> {
  const names = variables.map(({ value }) => value).filter((name) => scope.needed.has(name));
  // A variable that it does not project is another one inside.
  const part = scope.part !== undefined && names.includes(scope.part.variable) ? scope.part : undefined;
  const below = await planner.plan(input, { ...scope, needed: new Set(names), part });
  return make.projectPlan(below, names);
}

async function planSlice(planner: PlanContext, { input, start, length, of }: Slice, scope: Scope): Promise<Plan> {
  if (of !== undefined) {
    const needed = new Set([...scope.needed, of.value]);
    return make.slicePlan(await planner.plan(input, { needed }), start, length, of.value);
  }
  const limit = length === undefined ? undefined : start + length;
  const first = limit ?? scope.first;
  const below = { ...scope, limit, first, part: undefined, distinct: undefined };
  return make.slicePlan(await planner.plan(input, below), start, length);
}

export const SELECT_PLANS: Plans<'project' | 'group' | 'distinct' | 'reduced' | 'ask' | 'slice' | 'orderby'> = {
  project: planProject,
  group: planGrouping,
  distinct: (planner, { input }, scope) => planDistinct(planner, input, scope),
  reduced: (planner, { input }, scope) => planner.plan(input, scope),
  ask: (planner, { input }, scope) => planner.plan(input, scope),
  slice: planSlice,
  orderby: (planner, { input, expressions }, scope) => planSort(planner, input, expressions, scope),
};
