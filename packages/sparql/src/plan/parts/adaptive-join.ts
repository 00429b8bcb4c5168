/** Joins with a pattern that change their method when they run, where the rows are far more or fewer than was estimated. */
import { Cost } from '../cost.js';
import * as make from '../nodes.js';
import type { HashJoinPlan, Plan, SeekPlan } from '../plan.js';

/** Inputs with more columns are left alone: planning thousands of joins must not look through thousands of columns for each. */
const MOST_COLUMNS = 64;
/** A table of more rows would take too much memory for what was planned without one. */
const MOST_HASHED = 500_000;

/** A join by seeks that goes on with a hash table of `alone`, once that would have cost no more than the seeks so far. */
export function seekThenHash(seek: SeekPlan, rows: number, seekCost: number, alone: () => Plan): SeekPlan {
  const { input, variables } = seek;
  if (rows > MOST_HASHED || input.variables.length > MOST_COLUMNS) return seek;
  let made: HashJoinPlan | undefined;
  const tableCost = Cost.open + rows * (Cost.scanRow + Cost.buildRow);
  const afterwards = {
    rows: Math.max(Cost.leastSeeks, Math.ceil(tableCost / seekCost)),
    plan: (): HashJoinPlan => (made ??= make.hashJoinPlan(input, alone(), 'inner', variables, seek.rows)),
  };
  return Object.assign(seek, { afterwards });
}

/** How the rows of a plan are looked up in a pattern. */
export interface LaterSeek {
  readonly seek: (input: Plan, variables: readonly string[], rows: number, seekCost: number) => SeekPlan;
  readonly input: Plan;
  readonly variables: readonly string[];
  readonly rows: number;
}

/**
 * A join by a hash table of its right side that looks those rows up in the pattern of the left side, where they are few. Plans are
 * kept, so what makes the other plan must not hold the planner: that knows the dataset of its query, with all new terms.
 */
export function hashOrSeek(join: HashJoinPlan, seekCost: number, later: LaterSeek): HashJoinPlan {
  const { left, right, keys, loose } = join;
  if (keys.length === 0 || loose.length > 0 || right.variables.length > MOST_COLUMNS) return join;
  const scanCost = left.cost + left.rows * Cost.probeRow;
  const rows = Math.min(Math.floor((scanCost * Cost.seekShare) / seekCost), Cost.mostSought);
  const plan = (): SeekPlan => later.seek(later.input, later.variables, later.rows, seekCost);
  return rows === 0 ? join : Object.assign(join, { forFew: { rows, plan } });
}
