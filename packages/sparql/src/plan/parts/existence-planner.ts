/** EXISTS and NOT EXISTS: rows of the input are looked up in the pattern, many at a time. */
import type { Expression, Operation, Seed } from '../../algebra/algebra.js';
import { mentionedVariables } from '../../algebra/variables.js';
import { Cost } from '../cost.js';
import * as make from '../nodes.js';
import { readOrders, variablesOf } from '../patterns.js';
import type { ApplyPlan, Plan, SeekPlan } from '../plan.js';
import type { PlanContext } from '../context.js';
import { hashInstead, seekThenHash, type WholePattern } from './adaptive-join.js';
import { newSeed } from './new-seed.js';
import { firstRowsFor, seedRowsFor, type SeededPlan } from './seeded-part.js';
import { sizeOfStars, withRay } from '../../operators/star/plan.js';
import { patternOf } from './single-pattern.js';
import {
  markExistence,
  seedExistence,
  type Existence,
  type MarkedExistence,
  type SeededExistence,
} from '../../optimize/rules/existence.js';
import { normalise, prepared } from '../../optimize/normalise.js';
import { anyRowOf } from '../../optimize/rules/any-row.js';
import { conjuncts, pushFilters } from '../../optimize/rules/push-filters.js';

/** How many rows are tested for one that passes, where only some are wanted. A plan for too many costs little, one for too few much. */
const TESTS_PER_ROW = 4;

export interface ExistencePlan {
  readonly plan: Plan;
  /** What is left to be evaluated: without EXISTS. */
  readonly expressions: readonly Expression[];
}

export interface ExistenceOptions {
  /** The expressions are not conditions: no row may be dropped. */
  readonly keepAll?: boolean;
  /** The number of input rows that will be read, approximately. */
  readonly first?: number | undefined;
}

/**
 * Takes EXISTS out of expressions. One that a row has to pass drops rows at once; one inside a larger expression becomes a
 * variable.
 */
export async function planExistence(
  planner: PlanContext,
  input: Plan,
  filters: readonly Expression[],
  { keepAll = false, first }: ExistenceOptions = {},
): Promise<ExistencePlan> {
  let plan = input;
  const expressions: Expression[] = [];
  for (const expression of filters) {
    for (const conjunct of keepAll ? [expression] : await planner.rewritten(conjuncts(expression))) {
      const pause = planner.options.control?.checkpoint();
      if (pause !== undefined) await pause;
      if (conjunct.subType === 'existence' && !keepAll) {
        plan = await test(planner, plan, conjunct, conjunct.not ? 'anti' : 'semi', { first });
        continue;
      }
      const found: MarkedExistence[] = [];
      expressions.push(await planner.rewritten(markExistence(conjunct, planner.newName, found)));
      for (const { existence, mark } of found) plan = await test(planner, plan, existence, 'mark', { mark, first });
    }
  }
  return { plan, expressions };
}

/** About what it costs to ask an EXISTS for one row that binds these variables, in microseconds. */
export async function costOfTest(
  planner: PlanContext,
  { input: operation }: Existence,
  names: readonly string[],
): Promise<number> {
  if (patternOf(planner, operation) !== undefined) return Cost.seek;
  const rows = seedRowsFor(1);
  const { inner } = await planInner(planner, { operation, apart: false }, names, new Set(names), rows);
  return (inner.cost + Cost.open * 4) / rows;
}

async function test(
  planner: PlanContext,
  input: Plan,
  { input: operation, apart = false }: Existence,
  mode: Exclude<ApplyPlan['mode'], 'left'>,
  { mark, first }: { readonly mark?: string; readonly first: number | undefined },
): Promise<Plan> {
  const pattern = mode === 'mark' ? undefined : patternOf(planner, operation);
  if (pattern !== undefined && mode !== 'mark') {
    const star =
      mode === 'inner'
        ? undefined
        : withRay(input, pattern, mode, input.variables, input.rows / 2, sizeOfStars(planner));
    if (star !== undefined) return star;
    const seek = make.seekPlan(input, pattern, mode, input.variables, [], input.rows / 2, Cost.seek);
    return planner.options.unoptimised === true ? seek : seekOrHash(planner, seek, first);
  }
  const seedVariables = input.variables.filter((name) => mentions(operation, name));
  const rows = seedRowsFor(input.rows, first === undefined ? undefined : first * TESTS_PER_ROW);
  const within = { operation, apart };
  const { inner, seed, rowNumber, oneByOne } = await planInner(planner, within, seedVariables, input.certain, rows);
  const variables = mark === undefined ? input.variables : [...input.variables, mark];
  const firstRows = oneByOne === true ? 1 : firstRowsFor(rows, first);
  const plan = make.applyPlan(input, inner, seed, seedVariables, rowNumber, mode, mark, variables, firstRows);
  return oneByOne === true ? { ...plan, rowsAtOnce: 'one' } : plan;
}

/** Looks rows up one after the other, or in a table of all that the pattern matches. */
async function seekOrHash({ figures }: PlanContext, seek: SeekPlan, first = Infinity): Promise<Plan> {
  const { pattern } = seek;
  const { rows } = await figures.of(pattern);
  const [order] = readOrders(pattern);
  const whole: WholePattern = {
    variables: variablesOf(pattern),
    rows,
    cost: Cost.open + rows * Cost.scanRow,
    scan: (names) => make.scanPlan(pattern, names, order?.order, [], rows),
  };
  const hashed = hashInstead(seek, whole)?.();
  if (hashed !== undefined && make.costOf(hashed, first) < make.costOf(seek, first)) return hashed;
  return seekThenHash(seek, Cost.seek, whole);
}

// Filters that are planned again, alone or with a seed around them, share the plans of their patterns.
function planInner(
  planner: PlanContext,
  { operation, apart }: { readonly operation: Operation; readonly apart: boolean },
  variables: readonly string[],
  certain: ReadonlySet<string>,
  most: number,
): Promise<SeededPlan> {
  const bound = variables.map((name) => (certain.has(name) ? name : `${name}?`));
  return planner.memo(operation, JSON.stringify(['exists', bound, most, apart]), async () => {
    const { unoptimised, isVolatile } = planner.options;
    const any = anyRowOf(operation);
    const within = (seed: Seed): SeededExistence =>
      apart
        ? { operation: { type: 'join', input: [seed, any] }, oneByOne: false }
        : seedExistence(any, seed, isVolatile);
    let seed = newSeed(planner, variables, certain, most);
    let seeded = within(seed);
    const { oneByOne } = seeded;
    // The plan is made for the rows that it gets.
    if (oneByOne) seeded = within((seed = { ...seed, rows: 1 }));
    const { rowNumber, rows } = seed;
    const rewritten =
      unoptimised === true
        ? await planner.rewritten(
            pushFilters(await planner.rewritten(prepared(seeded.operation, planner.newName)), isVolatile),
          )
        : await planner.rewritten(normalise(seeded.operation, planner.newName, isVolatile));
    const inner = await planner.plan(rewritten, { needed: new Set([rowNumber]), first: rows });
    return { inner, seed: seed.name, rowNumber, oneByOne };
  });
}

/** Variables that only a filter of the pattern uses count too: each group of it begins with the row. */
const mentions = (operation: Operation, name: string): boolean => mentionedVariables(operation).has(name);
