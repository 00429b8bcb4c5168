/** What stands in a group: patterns with their conditions, BIND, VALUES, UNION, and the graphs that there are. */
import type { Expression, Extend, Filter, Graph, Operation, Seed, Values } from '../../algebra/algebra.js';
import { NO_NAMES } from '../../algebra/name-sets.js';
import type { OperationOf } from '../../algebra/operations/record.js';
import { expressionVariables } from '../../algebra/variables.js';
import { isVolatile } from '../../algebra/volatile.js';
import { planGraphs } from '../../operators/statistics/plan.js';
import { withoutLimit, type PlanContext, type Plans, type Scope } from '../context.js';
import { planNearest, planSearch } from '../../operators/search/plan.js';
import * as make from '../nodes.js';
import type { Plan, ValuesPlan } from '../plan.js';
import { planExistence } from './existence-planner.js';
import { planGroupOfPatterns } from './group-planner.js';

// One after the other: thousands at once would all go on in the same turn of the event loop.
async function planUnion(planner: PlanContext, { input: branches }: OperationOf<'union'>, scope: Scope): Promise<Plan> {
  const inside = withoutLimit(scope);
  const plans: Plan[] = [];
  for (const branch of branches) plans.push(await planner.plan(branch, inside));
  return make.unionPlan(plans);
}

// A filter over patterns takes part in ordering them; over anything else it comes after.
async function planFilter(planner: PlanContext, operation: Filter, scope: Scope): Promise<Plan> {
  const filters: Expression[] = [];
  let inner: Operation = operation;
  for (; inner.type === 'filter'; inner = inner.input) {
    filters.push(inner.expression);
  }
  // One with volatile conditions comes after, too: they have one outcome for each solution.
  const isMovable = !filters.some((expression) => isVolatile(expression, planner.options.isVolatile));
  if (isMovable && ['bgp', 'join', 'path', 'service', 'nop'].includes(inner.type))
    return planGroupOfPatterns(planner, operation, scope);
  const needed = new Set([...scope.needed, ...filters.flatMap((filter) => [...expressionVariables(filter)])]);
  const first = scope.first === undefined ? undefined : scope.first * 2 ** filters.length;
  const input = await planner.plan(inner, { needed, first, part: scope.part });
  return planner.filter(input, filters, scope.needed, first);
}

/** The graphs that there are: all named ones, or one where it exists. */
async function planGraph(planner: PlanContext, { name }: Graph): Promise<Plan> {
  const graph = planner.graphOf(name);
  // Sets of graphs always exist, but for that of a graph which the request does not list.
  if (graph.kind === 'merged' && graph.sources.length > 0) return make.unitPlan;
  if (graph.kind === 'merged') return make.valuesPlan([], [], NO_NAMES);
  if (graph.kind === 'each') return planGraphs(planner, graph.name);
  return make.projectPlan(await planGraphs(planner, planner.newName(), [], [graph.constant]), []);
}

// Not recursive, and with one set for all: there may be thousands of BINDs around one another.
async function planExtend(planner: PlanContext, operation: Extend, scope: Scope): Promise<Plan> {
  const needed = new Set(scope.needed);
  const binds: Extend[] = [];
  let inner: Operation = operation;
  for (; inner.type === 'extend'; inner = inner.input) {
    binds.push(inner);
    for (const name of expressionVariables(inner.expression)) needed.add(name);
    needed.delete(inner.variable.value);
  }
  // One with a volatile expression has a value for each row, however often the row comes.
  const isVaried = binds.some(({ expression }) => isVolatile(expression, planner.options.isVolatile));
  let plan = await planner.plan(inner, { ...scope, needed, distinct: isVaried ? undefined : scope.distinct });
  for (const { variable, expression } of binds.toReversed()) {
    const pause = planner.options.control?.checkpoint();
    if (pause !== undefined) await pause;
    const bound = await planExistence(planner, plan, [expression], { keepAll: true });
    plan = make.extendPlan(bound.plan, variable.value, bound.expressions[0]!);
    planner.count(plan);
  }
  return plan;
}

async function planValues(planner: PlanContext, { variables, bindings }: Values): Promise<ValuesPlan> {
  const names = variables.map(({ value }) => value);
  const constants: (number | undefined)[][] = [];
  const certain = new Set(names);
  for (const row of bindings) {
    const pause = planner.options.control?.checkpoint();
    if (pause !== undefined) await pause;
    const cells = names.map((name) => (row[name] === undefined ? undefined : planner.constants.add(row[name], true)));
    constants.push(cells);
    if (cells.includes(undefined))
      for (const [i, cell] of cells.entries()) if (cell === undefined) certain.delete(names[i]!);
  }
  return make.valuesPlan(names, constants, certain);
}

const planSeed = (_: PlanContext, { name, variables, certain, rows, rowNumber }: Seed): Plan => ({
  type: 'seed',
  seed: name,
  variables,
  certain,
  rows,
  sorted: [rowNumber],
  cost: 0,
  first: 0,
});

export const GROUP_PLANS: Plans<
  | 'nop'
  | 'bgp'
  | 'join'
  | 'path'
  | 'service'
  | 'filter'
  | 'graph'
  | 'union'
  | 'extend'
  | 'seed'
  | 'values'
  | 'search'
  | 'nearest'
> = {
  nop: () => make.unitPlan,
  bgp: planGroupOfPatterns,
  join: planGroupOfPatterns,
  path: planGroupOfPatterns,
  service: planGroupOfPatterns,
  filter: planFilter,
  graph: planGraph,
  union: planUnion,
  extend: planExtend,
  seed: planSeed,
  search: planSearch,
  nearest: planNearest,
  values: planValues,
};
