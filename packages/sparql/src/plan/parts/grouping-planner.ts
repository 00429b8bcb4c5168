/** GROUP BY and aggregates. Some counts are read from the index or the statistics. */
import type { BoundAggregate, Expression, Group, Operation } from '../../algebra/algebra.js';
import * as make from '../nodes.js';
import { variablesOf } from '../patterns.js';
import type { Plan, PlanAggregate, PlanPattern } from '../plan.js';
import { isNewName, neededOf, type PlanContext } from '../context.js';
import { combinations, distinctValues } from './distinct-values.js';
import { matchesAllInGraphs, planGraphs, planPredicates } from '../../operators/statistics/plan.js';
import { patternOf } from './single-pattern.js';
import { countsSolutions, expressionVariables, hasExistence, visibleVariables } from '../../algebra/variables.js';
import { planExistence } from './existence-planner.js';
import { planSort } from './sort-planner.js';

export async function planGrouping(planner: PlanContext, group: Group): Promise<Plan> {
  const known = planner.options.unoptimised === true ? undefined : await fromIndex(planner, group);
  if (known !== undefined) return known;
  const keys = group.variables.map(({ value }) => value);
  const used = group.aggregates.flatMap((aggregate) => [...usedVariables(aggregate, group.input)]);
  const needed = new Set([...keys, ...used]);
  const distinct = group.aggregates.every(isIndifferent);
  const planned = (await extremes(planner, group)) ?? (await planner.plan(group.input, { needed, distinct }));
  const below = group.aggregates.some(countsSolutions)
    ? make.projectPlan(planned, neededOf(planned.variables, needed))
    : planned;
  const { input, aggregates } = await aggregatesOf(planner, below, group.aggregates);
  const counts = keys.length === 0 ? NO_COUNTS : await distinctValues(planner, group.input);
  const isCounted = keys.every((name) => counts.has(name));
  const ofGraphs = group.ofEachGraph === true ? { among: planner.listedGraphs } : undefined;
  const rows = isCounted ? combinations(keys, counts, Math.max(1, input.rows)) : Math.max(1, input.rows / 10);
  return make.groupPlan(input, keys, aggregates, rows, ofGraphs);
}

/** Where one group has nothing but the least and greatest values of a variable: the rows that have them, by an index in their order. */
async function extremes(planner: PlanContext, group: Group): Promise<Plan | undefined> {
  if (group.variables.length > 0 || group.ofEachGraph === true || group.aggregates.length > MOST_EXTREMES)
    return undefined;
  const sorts: Plan[] = [];
  let variable: string | undefined;
  for (const { aggregator, expression } of group.aggregates) {
    const isExtreme = aggregator === 'min' || aggregator === 'max';
    if (!isExtreme || expression.subType !== 'term' || expression.term.termType !== 'Variable') return undefined;
    // The row with the least value of one variable has no extreme of another one.
    if (variable !== undefined && variable !== expression.term.value) return undefined;
    variable = expression.term.value;
    const key: Expression =
      aggregator === 'min'
        ? expression
        : { type: 'expression', subType: 'operator', operator: 'desc', args: [expression] };
    const needed = new Set([variable]);
    const sort = await planSort(planner, group.input, [key], { needed, limit: 1 });
    if (sort.byRanges === undefined) return undefined;
    sorts.push(sort);
  }
  return sorts.length < 2 ? sorts[0] : make.unionPlan(sorts);
}

const MOST_EXTREMES = 4;

const NO_COUNTS: ReadonlyMap<string, number> = new Map();

/** Whether it does not matter how often a value comes. */
const isIndifferent = ({ aggregator, distinct }: BoundAggregate): boolean =>
  aggregator === 'min' || aggregator === 'max' || (distinct && aggregator !== 'custom');

async function aggregatesOf(
  planner: PlanContext,
  below: Plan,
  bound: readonly BoundAggregate[],
): Promise<{ input: Plan; aggregates: PlanAggregate[] }> {
  let input = below;
  const aggregates: PlanAggregate[] = [];
  for (const { variable, aggregator, iri, distinct, expression, separator } of bound) {
    let inner: Expression | undefined = expression.subType === 'wildcard' ? undefined : expression;
    if (inner !== undefined && hasExistence(inner)) {
      const planned = await planExistence(planner, input, [inner], { keepAll: true });
      input = planned.plan;
      inner = planned.expressions[0]!;
    }
    aggregates.push({ variable: variable.value, aggregator, iri, distinct, expression: inner, separator });
  }
  return { input, aggregates };
}

function usedVariables(aggregate: BoundAggregate, input: Operation): Iterable<string> {
  const { expression } = aggregate;
  if (expression.subType !== 'wildcard') return expressionVariables(expression);
  // What rules have named is hidden in a sub-select of the request.
  return countsSolutions(aggregate) ? [...visibleVariables(input)].filter((name) => !isNewName(name)) : [];
}

/** Counts of one pattern: of all its quads by the index, by predicate or graph from the statistics. */
async function fromIndex(planner: PlanContext, group: Group): Promise<Plan | undefined> {
  const pattern = patternOf(planner, group.input);
  if (pattern === undefined || group.aggregates.length === 0) return undefined;
  const names = variablesOf(pattern);
  const positions = [pattern.s, pattern.p, pattern.o, pattern.g].filter(
    ({ kind }) => kind === 'variable' || kind === 'each',
  );
  if (positions.length !== names.length || !group.aggregates.every((aggregate) => countsRows(aggregate, names))) {
    return undefined;
  }
  const variables = group.aggregates.map(({ variable }) => variable.value);
  const [key, ...others] = group.variables.map(({ value }) => value);
  if (key === undefined) return make.countPlan(pattern, variables);
  if (pattern.g.kind === 'each') {
    const isOfGraphs = others.length === 0 && pattern.g.name === key && matchesAllInGraphs(planner, pattern);
    return isOfGraphs ? planGraphs(planner, key, variables) : undefined;
  }
  const isAll = positions.length === 3 && others.length === 0;
  const isPredicate = pattern.p.kind === 'variable' && pattern.p.name === key;
  return isAll && isPredicate && readsDefaultGraphOnly(planner, pattern) ? planPredicates(key, variables) : undefined;
}

function countsRows({ aggregator, distinct, expression }: BoundAggregate, names: readonly string[]): boolean {
  if (aggregator !== 'count' || distinct) return false;
  if (expression.subType === 'wildcard') return true;
  return (
    expression.subType === 'term' && expression.term.termType === 'Variable' && names.includes(expression.term.value)
  );
}

// The statistics count all graphs together.
const readsDefaultGraphOnly = ({ dataset }: PlanContext, { g }: PlanPattern): boolean =>
  !dataset.hasNamedGraphs && g.kind === 'merged' && (g.sources.includes('default') || g.sources.includes('all'));
