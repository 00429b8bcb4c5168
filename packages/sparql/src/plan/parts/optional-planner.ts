/** OPTIONAL and MINUS: a lookup for each row or a hash table, whichever is cheaper. */
import { EvaluationError } from '@quadrille/model';
import type { Expression, Operation, Seed } from '../../algebra/algebra.js';
import { visibleVariables } from '../../algebra/substitute-variables.js';
import { Cost } from '../cost.js';
import * as make from '../nodes.js';
import { variablesOf } from '../patterns.js';
import type { PatternGraph, Plan } from '../plan.js';
import { neededOf, withoutLimit, type PlanContext, type Scope } from '../context.js';
import { seedPattern } from '../../optimize/rules/seed.js';
import { patternOf } from './single-pattern.js';
import { certainVariables, expressionVariables, hasExistence } from '../../algebra/variables.js';
import { pushFilters } from '../../optimize/rules/push-filters.js';

export async function planLeftJoin(
  planner: PlanContext,
  operation: Operation & { type: 'leftjoin' },
  scope: Scope,
): Promise<Plan> {
  const [left, right] = operation.input;
  const { expression } = operation;
  const condition = expression === undefined ? new Set<string>() : expressionVariables(expression);
  const optional = visibleIn(right, scope.graph);
  const input = await planner.plan(left, {
    ...withoutLimit(scope),
    needed: new Set([...scope.needed, ...condition, ...optional]),
  });
  const pattern = expression === undefined ? patternOf(planner, right, scope.graph) : undefined;
  const plans = [
    pattern === undefined
      ? await applied(planner, input, right, expression, scope)
      : make.seekPlan(
          input,
          pattern,
          'left',
          neededOf(union(input.variables, variablesOf(pattern)), scope.needed),
          input.certain,
          input.rows,
          Cost.seek,
        ),
  ];
  const hashed = await hashedLeftJoin(planner, input, right, expression, condition, scope);
  return cheapest([...plans, hashed]);
}

async function hashedLeftJoin(
  planner: PlanContext,
  input: Plan,
  right: Operation,
  expression: Expression | undefined,
  condition: ReadonlySet<string>,
  scope: Scope,
): Promise<Plan | undefined> {
  if (expression !== undefined && hasExistence(expression)) return undefined;
  const needed = new Set([...scope.needed, ...condition, ...input.variables]);
  const table = await planner.plan(right, { graph: scope.graph, needed });
  const kept = new Set([...scope.needed, ...condition]);
  const variables = neededOf(union(input.variables, table.variables), kept);
  return make.hashJoinPlan(input, table, 'left', variables, Math.max(input.rows, table.rows / 10), expression);
}

// The rows of the left side as the seed of the right one.
async function applied(
  planner: PlanContext,
  input: Plan,
  right: Operation,
  expression: Expression | undefined,
  scope: Scope,
): Promise<Plan | undefined> {
  const optional = visibleIn(right, scope.graph);
  const condition = expression === undefined ? [] : [...expressionVariables(expression)];
  const seedVariables = input.variables.filter((name) => optional.has(name) || condition.includes(name));
  const rowNumber = planner.newName();
  const seed = seedOf(planner, input, seedVariables, rowNumber);
  // A condition with EXISTS needs the apply. A seed beside the pattern is always correct.
  const beside = expression !== undefined && hasExistence(expression) ? joined(seed, right) : undefined;
  const seeded = seedPattern(right, seed) ?? beside;
  if (seeded === undefined) return undefined;
  const filtered: Operation = expression === undefined ? seeded : { type: 'filter', input: seeded, expression };
  const needed = new Set([...neededOf([...optional], scope.needed), rowNumber]);
  const inner = await planner.plan(pushFilters(filtered), { graph: scope.graph, needed });
  const variables = neededOf(union(input.variables, [...optional]), scope.needed);
  return make.applyPlan(input, inner, seed.name, seedVariables, rowNumber, 'left', undefined, variables);
}

const joined = (seed: Seed, right: Operation): Operation => ({ type: 'join', input: [seed, right] });

function seedOf(planner: PlanContext, input: Plan, variables: readonly string[], rowNumber: string): Seed {
  return {
    type: 'seed',
    name: planner.newName(),
    variables: [...variables, rowNumber],
    certain: new Set([...variables.filter((name) => input.certain.has(name)), rowNumber]),
    rows: Math.min(input.rows, Cost.seedRows),
  };
}

export async function planMinus(
  planner: PlanContext,
  operation: Operation & { type: 'minus' },
  scope: Scope,
): Promise<Plan> {
  const [left, right] = operation.input;
  const removed = visibleIn(right, scope.graph);
  const needed = new Set([...scope.needed, ...removed]);
  const input = await planner.plan(left, { ...withoutLimit(scope), needed });
  const shared = input.variables.filter((name) => removed.has(name));
  if (shared.length === 0) return input;
  const variables = neededOf(input.variables, scope.needed);
  const table = await planner.plan(right, { graph: scope.graph, needed: new Set(shared) });
  const hashed = make.hashJoinPlan(input, table, 'minus', variables, input.rows / 2);
  const certain = certainVariables(right);
  // Where all that is shared is always bound, a row is removed exactly if the pattern has a solution for it.
  if (!shared.every((name) => input.certain.has(name) && certain.has(name))) return hashed;
  return cheapest([
    lookedUp(planner, input, right, scope, variables),
    await appliedMinus(planner, input, right, shared, scope),
    hashed,
  ]);
}

function lookedUp(
  planner: PlanContext,
  input: Plan,
  right: Operation,
  scope: Scope,
  variables: readonly string[],
): Plan | undefined {
  const pattern = patternOf(planner, right, scope.graph);
  if (pattern === undefined) return undefined;
  return make.seekPlan(input, pattern, 'anti', variables, input.certain, input.rows / 2, Cost.seek);
}

async function appliedMinus(
  planner: PlanContext,
  input: Plan,
  right: Operation,
  shared: readonly string[],
  scope: Scope,
): Promise<Plan | undefined> {
  const rowNumber = planner.newName();
  const seed = seedOf(planner, input, shared, rowNumber);
  const seeded = seedPattern(right, seed);
  if (seeded === undefined) return undefined;
  const inner = await planner.plan(pushFilters(seeded), { graph: scope.graph, needed: new Set([rowNumber]) });
  const variables = neededOf(input.variables, scope.needed);
  return make.applyPlan(input, inner, seed.name, shared, rowNumber, 'anti', undefined, variables);
}

function visibleIn(operation: Operation, graph: PatternGraph): Set<string> {
  const names = visibleVariables(operation);
  if (graph.kind === 'each') names.add(graph.name);
  return names;
}

function cheapest(plans: readonly (Plan | undefined)[]): Plan {
  const possible = plans.filter((plan): plan is Plan => plan !== undefined);
  const [first] = possible;
  if (first === undefined) throw new EvaluationError('UNSUPPORTED', 'this OPTIONAL cannot be evaluated');
  return possible.reduce((best, plan) => (plan.cost < best.cost ? plan : best), first);
}

const union = (left: readonly string[], right: readonly string[]): string[] => [...new Set([...left, ...right])];
