/** EXISTS and NOT EXISTS: rows of the input are looked up in the pattern, many at a time. */
import type { Expression, Operation, Seed } from '../../algebra/algebra.js';
import { visibleVariables } from '../../algebra/substitute-variables.js';
import { Cost } from '../cost.js';
import * as make from '../nodes.js';
import type { ApplyPlan, PatternGraph, Plan } from '../plan.js';
import type { GroupFilter, PlanContext } from '../context.js';
import { firstRowsFor, seedRowsFor } from './seeded-part.js';
import { patternOf } from './single-pattern.js';
import { markExistence, seedExistence, type MarkedExistence } from '../../optimize/rules/seed.js';
import { conjuncts } from '../../optimize/rules/push-filters.js';
import { pushFilters } from '../../optimize/rules/push-filters.js';

export interface ExistencePlan {
  readonly plan: Plan;
  /** What is left to be evaluated: without EXISTS. */
  readonly expressions: readonly Expression[];
}

export interface ExistenceOptions {
  /** The expressions are not conditions: no row may be dropped. */
  readonly keepAll?: boolean;
  /** About so many rows of the input are read. */
  readonly first?: number | undefined;
}

/**
 * Takes EXISTS out of expressions. One that a row has to pass drops rows at once; one inside a larger expression becomes a
 * variable.
 */
export async function planExistence(
  planner: PlanContext,
  input: Plan,
  filters: readonly GroupFilter[],
  { keepAll = false, first }: ExistenceOptions = {},
): Promise<ExistencePlan> {
  let plan = input;
  const expressions: Expression[] = [];
  for (const { expression, graph } of filters) {
    for (const conjunct of keepAll ? [expression] : conjuncts(expression)) {
      if (conjunct.subType === 'existence' && !keepAll) {
        plan = await test(planner, plan, conjunct.input, graph, conjunct.not ? 'anti' : 'semi', { first });
        continue;
      }
      const found: MarkedExistence[] = [];
      expressions.push(markExistence(conjunct, planner.newName, found));
      for (const { input: pattern, mark } of found)
        plan = await test(planner, plan, pattern, graph, 'mark', { mark, first });
    }
  }
  return { plan, expressions };
}

async function test(
  planner: PlanContext,
  input: Plan,
  operation: Operation,
  graph: PatternGraph,
  mode: Exclude<ApplyPlan['mode'], 'left'>,
  { mark, first }: { readonly mark?: string; readonly first: number | undefined },
): Promise<Plan> {
  const pattern = mode === 'mark' ? undefined : patternOf(planner, operation, graph);
  if (pattern !== undefined && mode !== 'mark') {
    return make.seekPlan(input, pattern, mode, input.variables, input.certain, input.rows / 2, Cost.seek);
  }
  const rowNumber = planner.newName();
  const seedVariables = input.variables.filter((name) => mentions(operation, graph, name));
  const seed: Seed = {
    type: 'seed',
    name: planner.newName(),
    variables: [...seedVariables, rowNumber],
    certain: new Set([...seedVariables.filter((name) => input.certain.has(name)), rowNumber]),
    rows: seedRowsFor(input.rows, first),
  };
  const seeded = pushFilters(seedExistence(operation, seed));
  const inner = await planner.plan(seeded, { graph, needed: new Set([rowNumber]), first: seed.rows });
  const variables = mark === undefined ? input.variables : [...input.variables, mark];
  return make.applyPlan(
    input,
    inner,
    seed.name,
    seedVariables,
    rowNumber,
    mode,
    mark,
    variables,
    firstRowsFor(seed.rows, first),
  );
}

// Variables that only a filter of the pattern uses count too: the values of the row are substituted there.
function mentions(operation: Operation, graph: PatternGraph, name: string): boolean {
  if (graph.kind === 'each' && graph.name === name) return true;
  return visibleVariables(operation).has(name) || JSON.stringify(operation).includes(JSON.stringify(name));
}
