/** Operators that plans of a few patterns do not have. They are loaded before the first plan that has one. */
import type { HashJoinPlan, Plan, SortPlan, StarPlan } from '../plan/plan.js';
import { Apply, followsInner } from '../operators/apply/apply.js';
import type { Batch } from './core/batch.js';
import { Count } from '../operators/count/count.js';
import { DistinctScan } from '../operators/distinct-scan/distinct-scan.js';
import { Distinct } from '../operators/distinct/distinct.js';
import { Extend } from '../operators/extend/extend.js';
import { Filter } from '../operators/filter/filter.js';
import { Group } from '../operators/group/group.js';
import { HashJoin } from '../operators/hash-join/hash-join.js';
import { HashOrSeek } from '../operators/hash-join/hash-or-seek.js';
import { MergeJoin } from '../operators/merge-join/merge-join.js';
import type { Execution, Operator } from './core/operator.js';
import { Path } from '../operators/path/path.js';
import { RepositoryPart } from '../operators/repository/repository-part.js';
import { Service } from '../operators/service/service.js';
import type { IdRange } from '../plan/id-ranges.js';
import { RangeSort, type OpenRanges } from '../operators/sort/range-sort.js';
import { Sort } from '../operators/sort/sort.js';
import { sortedBy } from './table/row-runs.js';
import { StarScan } from '../operators/star/star-scan.js';
import { StatisticsScan } from '../operators/statistics/statistics.js';
import { TripleMatch } from '../operators/triple-match/triple-match.js';
import type { SimplePlan } from './simple-plan.js';

export { compileInSteps } from '../expression/compile.js';
export { loadLibraries } from '../expression/libraries.js';

/** What opens the inputs of an operator. */
export interface Opening {
  /** Whether the operator relies on the order that its plan says its rows have. */
  readonly isOrdered: boolean;
  /** Opens an input that stands on the same stack. */
  openIn(input: Plan, isOrdered: boolean, execution: Execution): Operator;
  /** Opens a plan on a stack of its own. */
  openAlone(plan: Plan, isOrdered: boolean, execution: Execution): Operator;
}

export function createMore(plan: Exclude<Plan, SimplePlan>, execution: Execution, opening: Opening): Operator {
  const { isOrdered } = opening;
  const openAs = (input: Plan, isOrdered: boolean): Operator => opening.openIn(input, isOrdered, execution);
  const open = (input: Plan): Operator => openAs(input, isOrdered);
  const openPlan = (inner: Plan, within: Execution): Operator => opening.openAlone(inner, true, within);
  switch (plan.type) {
    case 'distinct-scan':
      return new DistinctScan(plan, execution);
    case 'count':
      return new Count(plan, execution);
    case 'statistics':
      return new StatisticsScan(plan, execution);
    case 'hash-join': {
      const { forFew } = plan;
      const right = openAs(plan.right, false);
      // Seeks give the rows in the order of the right side.
      if (forFew === undefined || isOrdered) return new HashJoin(plan, open(plan.left), right, execution);
      return new HashOrSeek(plan, forFew, () => open(plan.left), right, execution);
    }
    case 'merge-join':
      return new MergeJoin(plan, openAs(plan.left, true), openAs(plan.right, true), execution);
    case 'apply':
      return new Apply(
        plan,
        open(plan.input),
        (seed, rows) => opening.openAlone(plan.inner, followsInner(plan), withSeed(execution, seed, rows)),
        execution,
      );
    case 'repository':
      return new RepositoryPart(plan, openPlan, execution);
    case 'sort':
      return openSort(plan, execution, opening);
    default:
      return openUnary(plan, openAs(plan.input, isOrdered || readsInOrder(plan)), execution, openPlan);
  }
}

/** A join by a hash table for rows that are being read. */
export const joinByHash = (plan: HashJoinPlan, left: Operator, right: Operator, execution: Execution): Operator =>
  new HashJoin(plan, left, right, execution);

export const scanStars = (plan: StarPlan, execution: Execution): Operator => new StarScan(plan, execution);

/** Whether equal rows are recognised by their neighbours. */
function readsInOrder(plan: Unary): boolean {
  if (plan.type === 'distinct') return sortedBy(plan.input.sorted, plan.input.variables);
  if (plan.type !== 'group') return false;
  const keys = plan.keys.filter((name) => plan.input.variables.includes(name));
  return keys.length > 0 && sortedBy(plan.input.sorted, keys);
}

type Unary = Extract<Exclude<Plan, SimplePlan>, { input: Plan }>;

function openUnary(
  plan: Exclude<Unary, { type: 'apply' | 'sort' }>,
  input: Operator,
  execution: Execution,
  openPlan: (plan: Plan, execution: Execution) => Operator,
): Operator {
  switch (plan.type) {
    case 'filter':
      return new Filter(plan, input, execution);
    case 'extend':
      return new Extend(plan, input, execution);
    case 'distinct':
      return new Distinct(plan, input, execution);
    case 'group':
      return new Group(plan, input, execution);
    case 'path':
      return new Path(plan, input, execution);
    case 'triple-match':
      return new TripleMatch(plan, input, execution);
    default:
      return new Service(plan, input, openPlan, execution);
  }
}

function openSort(plan: SortPlan, execution: Execution, opening: Opening): Operator {
  const openAll = (): Operator => opening.openIn(plan.input, false, execution);
  if (plan.byRanges === undefined) return new Sort(plan, openAll(), execution);
  const openRanges: OpenRanges = (inner, name, ranges) =>
    opening.openIn(inner, false, withRanges(execution, name, ranges));
  return new RangeSort(plan, plan.byRanges, openAll, openRanges, execution);
}

const withRanges = (execution: Execution, name: string, ranges: readonly IdRange[]): Execution => ({
  ...execution,
  ranges: new Map([...(execution.ranges ?? []), [name, ranges]]),
});

function withSeed(execution: Execution, seed: string, rows: Batch): Execution {
  return { ...execution, seedRows: (name) => (name === seed ? rows : execution.seedRows(name)) };
}
