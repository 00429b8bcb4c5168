/** Joins with a pattern that change their method when they run, where the rows are far more or fewer than was estimated. */
import { Cost } from '../cost.js';
import * as make from '../nodes.js';
import type { HashJoinPlan, Plan, SeekPlan } from '../plan.js';

/** Inputs with more columns are left alone: planning thousands of joins must not look through thousands of columns for each. */
const MOST_COLUMNS = 64;
/** A table of more rows would take too much memory for what was planned without one. */
const MOST_HASHED = 500_000;

/** A pattern that could be read as a whole. */
export interface WholePattern {
  readonly variables: readonly string[];
  readonly rows: number;
  /** What reading it costs. */
  readonly cost: number;
  scan(names: readonly string[]): Plan;
}

/** A join by seeks that continues with a hash table of the pattern. It switches when its seeks have cost as much as the table. */
export function seekThenHash(seek: SeekPlan, seekCost: number, pattern: WholePattern): SeekPlan {
  const { rows, cost } = pattern;
  const hashed = hashInstead(seek, pattern);
  if (hashed === undefined) return seek;
  let made: HashJoinPlan | undefined;
  const afterwards = {
    rows: Math.max(Cost.leastSeeks, Math.ceil((cost + rows * Cost.buildRow) / seekCost)),
    plan: (): HashJoinPlan => (made ??= hashed()),
  };
  return Object.assign(seek, { afterwards });
}

/** Makes the plan that reads the whole pattern into a hash table in place of seeks; `undefined` where that cannot be done. */
export function hashInstead(seek: SeekPlan, pattern: WholePattern): (() => HashJoinPlan) | undefined {
  const { input, variables, mode } = seek;
  if (mode === 'left' || pattern.rows > MOST_HASHED || input.variables.length > MOST_COLUMNS) return undefined;
  const shared = pattern.variables.filter((name) => input.variables.includes(name));
  // The keys of the table: every row of the input has them.
  if (shared.length === 0 || !shared.every((name) => input.certain.has(name))) return undefined;
  // With keys that both sides always have, MINUS drops the rows that have a match.
  const hashMode = mode === 'anti' ? 'minus' : mode;
  return () => {
    const isRead = (name: string): boolean => shared.includes(name) || (mode === 'inner' && variables.includes(name));
    return make.hashJoinPlan(input, pattern.scan(pattern.variables.filter(isRead)), hashMode, variables, seek.rows);
  };
}

/** How the rows of a plan are looked up in a pattern. */
export interface LaterSeek {
  readonly seek: (input: Plan, variables: readonly string[], rows: number, seekCost: number) => SeekPlan;
  readonly input: Plan;
  readonly variables: readonly string[];
  readonly rows: number;
}

/**
 * A join by a hash table of its right side. If the right side has few rows, the join looks them up in the pattern of the left
 * side instead. Plans are cached, so the function that makes the other plan must not refer to the planner. The planner refers to
 * the dataset of its query, with all new terms.
 */
export function hashOrSeek(join: HashJoinPlan, seekCost: number, later: LaterSeek): HashJoinPlan {
  const { left, right, keys, loose } = join;
  if (keys.length === 0 || loose.length > 0 || right.variables.length > MOST_COLUMNS) return join;
  const scanCost = left.cost + left.rows * Cost.probeRow;
  const rows = Math.min(Math.floor((scanCost * Cost.seekShare) / seekCost), Cost.mostSought);
  const plan = (): SeekPlan => later.seek(later.input, later.variables, later.rows, seekCost);
  return rows === 0 ? join : Object.assign(join, { forFew: { rows, plan } });
}
