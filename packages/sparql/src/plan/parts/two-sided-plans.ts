/** OPTIONAL and MINUS: a lookup for each row or a hash table, whichever is cheaper for the rows that are wanted. */
import { EvaluationError } from '@quadrille/model';
import type { Operation } from '../../algebra/algebra.js';
import { Cost } from '../cost.js';
import * as make from '../nodes.js';
import { variablesOf } from '../patterns.js';
import type { Plan, PlanPattern } from '../plan.js';
import { NO_NAMES, unionOf } from '../../algebra/name-sets.js';
import { keptColumns, type KeptColumns } from '../kept-columns.js';
import { withoutLimit, type PlanContext, type Plans, type Scope } from '../context.js';
import { distinctValues } from './distinct-values.js';
import { patternOf } from './single-pattern.js';
import { sizeOfStars, withRay } from '../../operators/star/plan.js';
import { planApplied } from './seeded-part.js';
import { certainVariables, expressionVariables, hasExistence, visibleVariables } from '../../algebra/variables.js';

async function planLeftJoin(
  planner: PlanContext,
  operation: Operation & { type: 'leftjoin' },
  scope: Scope,
): Promise<Plan> {
  const [left, right] = operation.input;
  const { expression } = operation;
  const condition = expression === undefined ? NO_NAMES : expressionVariables(expression);
  const optional = visibleVariables(right);
  const below = unionOf([scope.needed, condition, optional]);
  const input = await planner.plan(left, { ...withoutLimit(scope), needed: below, part: scope.part });
  const pattern = expression === undefined ? patternOf(planner, right) : undefined;
  const own = { operation: right, condition: expression };
  const columns = { input: input.variables, below, perhaps: [condition, optional], needed: scope.needed };
  const lookedUp =
    pattern === undefined
      ? await planApplied(planner, input, own, 'left', scope.needed, scope.first)
      : optionalPattern(planner, input, pattern, keptColumns({ ...columns, added: variablesOf(pattern) }));
  const hashed = await hashedLeftJoin(planner, input, operation, columns, condition, scope);
  const best = cheapest([lookedUp, hashed], scope);
  const rows = await joinedRows(planner, input, operation, hashed);
  return rows === undefined ? best : { ...best, rows: Math.max(best.rows, rows) };
}

const optionalPattern = (planner: PlanContext, input: Plan, pattern: PlanPattern, variables: readonly string[]): Plan =>
  withRay(input, pattern, 'left', variables, input.rows, sizeOfStars(planner)) ??
  make.seekPlan(input, pattern, 'left', variables, [], input.rows, Cost.seek);

/** About how many rows an OPTIONAL gives, where the values of what it shares are counted. */
async function joinedRows(
  planner: PlanContext,
  input: Plan,
  { input: [left, right] }: Operation & { type: 'leftjoin' },
  hashed: Plan | undefined,
): Promise<number | undefined> {
  if (hashed?.type !== 'hash-join') return undefined;
  const table = hashed.right;
  const [own, others] = [await distinctValues(planner, left), await distinctValues(planner, right)];
  let values = 1;
  let isCounted = false;
  for (const name of table.variables) {
    if (!input.variables.includes(name)) continue;
    const count = others.get(name);
    if (count === undefined) return undefined;
    isCounted = true;
    values *= Math.max(count, own.get(name) ?? 1);
  }
  return isCounted ? (input.rows * table.rows) / Math.max(1, Math.min(values, table.rows)) : undefined;
}

async function hashedLeftJoin(
  planner: PlanContext,
  input: Plan,
  { input: [, right], expression }: Operation & { type: 'leftjoin' },
  columns: Omit<KeptColumns, 'added'>,
  condition: ReadonlySet<string>,
  scope: Scope,
): Promise<Plan | undefined> {
  if (expression !== undefined && hasExistence(expression)) return undefined;
  const kept = unionOf([scope.needed, condition]);
  const table = await planTable(planner, right, (name) => kept.has(name) || input.variables.includes(name));
  const variables = keptColumns({ ...columns, added: table.variables, needed: kept });
  return make.hashJoinPlan(input, table, 'left', variables, Math.max(input.rows, table.rows / 10), expression);
}

// All rows of the right side. Those around it that are planned again share the plan.
function planTable(planner: PlanContext, right: Operation, isNeeded: (name: string) => boolean): Promise<Plan> {
  const needed = [...visibleVariables(right)].filter(isNeeded);
  const key = JSON.stringify(['table', needed]);
  return planner.memo(right, key, () => planner.plan(right, { needed: new Set(needed) }));
}

async function planMinus(planner: PlanContext, operation: Operation & { type: 'minus' }, scope: Scope): Promise<Plan> {
  const [left, right] = operation.input;
  const removed = visibleVariables(right);
  const needed = unionOf([scope.needed, removed]);
  const first = scope.first === undefined ? undefined : scope.first * 2;
  const input = await planner.plan(left, { needed, first, part: scope.part });
  const column = operation.column?.value;
  const shared = [...removed].filter((name) => input.variables.includes(name));
  if (!shared.some((name) => name !== column)) return input;
  const columns = { input: input.variables, below: needed, perhaps: [removed], added: [], needed: scope.needed };
  const variables = keptColumns(columns);
  const table = await planTable(planner, right, (name) => shared.includes(name));
  const hashed = { ...make.hashJoinPlan(input, table, 'minus', variables, input.rows / 2), column };
  const certain = certainVariables(right);
  // Where all that is shared is always bound, a row is removed exactly if the pattern has a solution for it.
  if (!shared.every((name) => input.certain.has(name) && certain.has(name))) return hashed;
  const own = { operation: right };
  return cheapest(
    [
      lookedUp(planner, input, right, variables),
      await planApplied(planner, input, own, 'anti', scope.needed, first),
      hashed,
    ],
    scope,
  );
}

function lookedUp(planner: PlanContext, input: Plan, right: Operation, variables: readonly string[]): Plan | undefined {
  const pattern = patternOf(planner, right);
  if (pattern === undefined) return undefined;
  return (
    withRay(input, pattern, 'anti', variables, input.rows / 2, sizeOfStars(planner)) ??
    make.seekPlan(input, pattern, 'anti', variables, [], input.rows / 2, Cost.seek)
  );
}

function cheapest(plans: readonly (Plan | undefined)[], { first }: Scope): Plan {
  const possible = plans.filter((plan): plan is Plan => plan !== undefined);
  const [start] = possible;
  if (start === undefined) throw new EvaluationError('UNSUPPORTED', 'this OPTIONAL cannot be evaluated');
  return possible.reduce((best, plan) => (make.costOf(plan, first) < make.costOf(best, first) ? plan : best), start);
}

export const TWO_SIDED_PLANS: Plans<'leftjoin' | 'minus'> = { leftjoin: planLeftJoin, minus: planMinus };
