/** DISTINCT of one variable by an index in which its values are adjacent: each is found by one seek. */
import type { Operation } from '../../algebra/algebra.js';
import { Cost } from '../cost.js';
import * as make from '../nodes.js';
import { readOrders, variablesOf } from '../patterns.js';
import type { DistinctScanPlan, Plan, StatisticsPlan } from '../plan.js';
import type { PlanContext, Scope } from '../context.js';
import { combinations, distinctValues } from './distinct-values.js';
import { matchesAllInGraphs, planGraphs } from '../../operators/statistics/plan.js';
import { patternOf } from './single-pattern.js';
import { visibleVariables } from '../../algebra/variables.js';

export async function planDistinct(planner: PlanContext, input: Operation, scope: Scope): Promise<Plan> {
  const scan = planner.options.unoptimised === true ? undefined : await distinctScan(planner, input);
  if (scan !== undefined) return scan;
  // DISTINCT compares all columns, also those that are not used above.
  const needed = visibleVariables(input);
  const plan = await planner.plan(input, { needed, first: scope.first, distinct: true });
  if (input.type !== 'project' || planner.options.unoptimised === true) return make.distinctPlan(plan);
  const pattern = patternOf(planner, input.input);
  // Quads that match one pattern differ in its variables.
  if (pattern !== undefined && variablesOf(pattern).every((name) => needed.has(name))) return plan;
  const counts = await distinctValues(planner, input);
  return make.distinctPlan(plan, combinations(needed, counts, plan.rows));
}

async function distinctScan(
  planner: PlanContext,
  input: Operation,
): Promise<DistinctScanPlan | StatisticsPlan | undefined> {
  if (input.type !== 'project' || input.variables.length !== 1) return undefined;
  const name = input.variables[0]!.value;
  const pattern = patternOf(planner, input.input);
  if (pattern?.g.kind === 'each' && pattern.g.name === name && matchesAllInGraphs(planner, pattern)) {
    return planGraphs(planner, name);
  }
  const read = pattern && readOrders(pattern).find(({ sorted }) => sorted[0] === name);
  if (pattern === undefined || read === undefined) return undefined;
  const { rows, distinct } = await planner.figures.of(pattern);
  const values = distinct.get(name) ?? rows;
  const cost = Cost.open + values * Cost.seek * 2;
  if (cost > rows * (Cost.scanRow + Cost.buildRow)) return undefined;
  const variables = [name];
  return {
    type: 'distinct-scan',
    pattern,
    order: read.order,
    variables,
    certain: new Set(variables),
    rows: values,
    sorted: variables,
    cost,
    first: Cost.open,
  };
}
