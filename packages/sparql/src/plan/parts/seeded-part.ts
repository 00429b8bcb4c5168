/** Operations that run for rows of their surroundings: the rows stand in them as a seed, as deep as they can be moved. */
import type { Expression, Operation, Seed } from '../../algebra/algebra.js';
import { expressionVariables, hasExistence, visibleVariables } from '../../algebra/variables.js';
import { pushFilters } from '../../optimize/rules/push-filters.js';
import { seedPattern } from '../../optimize/rules/seed.js';
import { hasVolatile } from '../../algebra/volatile.js';
import { neededOf, type PlanContext } from '../context.js';
import { Cost } from '../cost.js';
import type { Extension } from '../join/join-part.js';
import * as make from '../nodes.js';
import type { ApplyPlan, Plan } from '../plan.js';
import type { SeededPart } from './group-part.js';
import { newSeed } from './new-seed.js';

/** An operation with a place for rows. */
export interface SeededPlan {
  readonly inner: Plan;
  readonly seed: string;
  readonly rowNumber: string;
  /** Whether the seed must have one row at a time. */
  readonly oneByOne?: boolean;
}

/** Plans are made for seeds of these sizes. */
const SEED_SIZES = [16, 64, 256, Cost.seedRows] as const;

/** The size of a seed for `rows` rows, of which `wanted` will be read. */
export function seedRowsFor(rows: number, wanted = Infinity): number {
  return SEED_SIZES.find((size) => size >= Math.min(rows, wanted)) ?? Cost.seedRows;
}

/** With how many rows an apply begins. */
export const firstRowsFor = (rows: number, wanted = Infinity): number =>
  Math.min(rows, Math.max(wanted, SEED_SIZES[0]));

export interface SeedRequest {
  readonly operation: Operation;
  /** Of the seed, with those that all its rows have. */
  readonly variables: readonly string[];
  readonly certain: ReadonlySet<string>;
  readonly rows: number;
  /** Variables of the operation that are used above. */
  readonly needed: readonly string[];
  /** A condition of OPTIONAL. */
  readonly condition?: Expression | undefined;
}

/** `undefined` where the operation would give other solutions with the rows in it. */
export async function planSeeded(planner: PlanContext, request: SeedRequest): Promise<SeededPlan | undefined> {
  const { operation, variables, certain, rows, needed, condition } = request;
  const bound = variables.map((name) => (certain.has(name) ? name : `${name}?`));
  const key = JSON.stringify(['seeded', bound, rows, needed, condition !== undefined]);
  const plan = async (): Promise<SeededPlan | undefined> => {
    const seed = newSeed(planner, variables, certain, rows);
    const { rowNumber } = seed;
    // A condition with EXISTS needs the seed. Beside the pattern it is always correct.
    const beside = condition !== undefined && hasExistence(condition) ? joined(seed, operation) : undefined;
    const seeded = seedPattern(operation, seed, planner.options.isVolatile) ?? beside;
    if (seeded === undefined) return undefined;
    const filtered: Operation =
      condition === undefined ? seeded : { type: 'filter', input: seeded, expression: condition };
    planner.seeding.add(operation);
    const rewritten = await planner.rewritten(pushFilters(filtered, planner.options.isVolatile));
    const inner = await planner.plan(rewritten, { needed: new Set([...needed, rowNumber]) });
    planner.seeding.delete(operation);
    return { inner, seed: seed.name, rowNumber };
  };
  return planner.memo(operation, key, plan);
}

const joined = (seed: Seed, operation: Operation): Operation => ({ type: 'join', input: [seed, operation] });

/** The rows of an input with those of the operation, as OPTIONAL or as a join. */
export async function planApplied(
  planner: PlanContext,
  input: Plan,
  { operation, condition }: Pick<SeedRequest, 'operation' | 'condition'>,
  mode: ApplyPlan['mode'],
  kept: ReadonlySet<string>,
  wanted?: number,
): Promise<ApplyPlan | undefined> {
  const own = visibleVariables(operation);
  const looked = new Set([...own, ...(condition === undefined ? [] : expressionVariables(condition))]);
  const variables = input.variables.filter((name) => looked.has(name));
  const rows = seedRowsFor(input.rows, wanted);
  const gives = mode === 'left' || mode === 'inner';
  const needed = gives ? neededOf([...own], kept) : [];
  const request = { operation, condition, variables, certain: input.certain, rows, needed };
  const seeded = await planSeeded(planner, request);
  if (seeded === undefined) return undefined;
  const all = gives ? [...new Set([...input.variables, ...own])] : input.variables;
  const columns = neededOf(all, kept);
  const { inner, seed, rowNumber } = seeded;
  const first = firstRowsFor(rows, wanted);
  const plan = make.applyPlan(input, inner, seed, variables, rowNumber, mode, undefined, columns, first);
  return hasVolatile(operation, planner.options.isVolatile) ? { ...plan, rowsAtOnce: 'all' } : plan;
}

/** Cheaper operations are read whole. Microseconds. */
const WORTH_SEEDING = 100;
const MOST_SINGLE_SEEDS = 3;

/** An operation of a group, for rows that bind some of the variables that it shares with the group. */
export async function seededPart(
  planner: PlanContext,
  operation: Operation,
  alone: Plan,
  shared: readonly string[],
  needed: ReadonlySet<string>,
  wanted: number | undefined,
): Promise<SeededPart | undefined> {
  const { steps, options } = planner;
  if (options.unoptimised === true || shared.length === 0 || alone.cost < WORTH_SEEDING) return undefined;
  // A seed that stands beside the operation goes no deeper.
  if (planner.seeding.has(operation)) return undefined;
  if (steps.used * 2 > steps.most) return undefined;
  const singles = shared.length > 1 && shared.length <= MOST_SINGLE_SEEDS ? shared.map((name) => [name]) : [];
  const costs: { readonly names: readonly string[]; readonly extension: Extension }[] = [];
  const [rows] = SEED_SIZES;
  for (const names of [shared, ...singles]) {
    const gives = neededOf([...visibleVariables(operation)], needed);
    const request = { operation, variables: names, certain: new Set(names), rows, needed: gives };
    const found = await planSeeded(planner, request);
    if (found === undefined) continue;
    const costPerRow = (found.inner.cost + Cost.open * 4) / rows;
    costs.push({ names, extension: { costPerRow, rowsPerRow: found.inner.rows / rows } });
  }
  if (costs.length === 0) return undefined;
  return {
    extension: (bound) => costs.find(({ names }) => names.every((name) => bound.has(name)))?.extension,
    apply: async (input, kept) => {
      const applied = await planApplied(planner, input, { operation }, 'inner', new Set(kept), wanted);
      return applied ?? make.hashJoinPlan(input, alone, 'inner', kept, input.rows);
    },
  };
}
