/** From a plan to operators that run. */
import type { ApplyPlan, HashJoinPlan, Plan, SortPlan } from '../plan/plan.js';
import { HashOrSeek, SeekThenHash } from './join/adaptive-join.js';
import { Apply, followsInner } from './join/apply.js';
import type { Batch } from './core/batch.js';
import { Count } from './scan/count.js';
import { DistinctScan } from './scan/distinct-scan.js';
import { Distinct } from './group/distinct.js';
import { Extend } from './core/extend.js';
import { Filter } from './core/filter.js';
import { GraphLoop } from './join/graph-loop.js';
import { Group } from './group/group.js';
import { HashJoin } from './join/hash-join.js';
import { MergeJoin } from './join/merge-join.js';
import { Later } from './core/later.js';
import type { Execution, Operator } from './core/operator.js';
import { Path } from './path/path.js';
import { RepositoryPart } from './repository/repository-part.js';
import { Scan } from './scan/scan.js';
import { SeekJoin } from './join/seek-join.js';
import { Service } from './service/service.js';
import { Project, Rows, Slice, Union, unit, values } from './core/simple-operators.js';
import type { IdRange } from '../plan/id-ranges.js';
import { RangeSort, type OpenRanges } from './sort/range-sort.js';
import { Sort } from './sort/sort.js';
import { sortedBy } from './table/row-runs.js';
import { StatisticsScan } from './scan/statistics.js';
import { TripleMatch } from './scan/triple-match.js';

/** Operators in one another that are opened and read together. */
const MOST_OPERATORS = 128;

/** Where an operator stands. */
interface Surroundings {
  /** So many operators stand around it on the same stack. */
  readonly depth: number;
  /** Whether they rely on the order that its plan says its rows have. */
  readonly isOrdered: boolean;
}

/** Opens a plan; nothing is read before the first `next`. Its rows come in the order that the plan says they have. */
export const openPlan = (plan: Plan, execution: Execution): Operator =>
  openIn(plan, execution, { depth: 0, isOrdered: true });

/** As {@link openPlan}; the rows may come in any order. */
export const openUnordered = (plan: Plan, execution: Execution): Operator =>
  openIn(plan, execution, { depth: 0, isOrdered: false });

function openIn(plan: Plan, execution: Execution, { depth, isOrdered }: Surroundings): Operator {
  if (depth >= MOST_OPERATORS) {
    return new Later(() => openIn(plan, execution, { depth: 0, isOrdered }), execution.control);
  }
  const operator = create(plan, execution, { depth, isOrdered });
  return execution.watch === undefined ? operator : execution.watch(plan, operator);
}

function create(plan: Plan, execution: Execution, { depth, isOrdered }: Surroundings): Operator {
  const openAs = (input: Plan, isOrdered: boolean): Operator =>
    openIn(input, execution, { depth: depth + 1, isOrdered });
  const open = (input: Plan): Operator => openAs(input, isOrdered);
  switch (plan.type) {
    case 'unit':
      return unit();
    case 'seed':
      return new Rows(execution.seedRows(plan.seed));
    case 'values':
      return values(plan, execution);
    case 'scan':
      return new Scan(plan, execution);
    case 'distinct-scan':
      return new DistinctScan(plan, execution);
    case 'count':
      return new Count(plan, execution);
    case 'statistics':
      return new StatisticsScan(plan, execution);
    case 'seek':
      if (plan.afterwards === undefined) return new SeekJoin(plan, open(plan.input), execution);
      return new SeekThenHash(plan, plan.afterwards, open(plan.input), hashOf(execution, openAs), execution);
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
        (seed, rows) => openInner(plan, withSeed(execution, seed, rows)),
        execution,
      );
    case 'graph-loop':
      return new GraphLoop(
        plan,
        (graph) => openUnordered(plan.inner, { ...execution, currentGraph: graph }),
        execution,
      );
    case 'repository':
      return new RepositoryPart(plan, openPlan, execution);
    case 'union':
      return new Union(
        plan,
        plan.inputs.map((input) => openAs(input, false)),
      );
    case 'sort':
      return openSort(plan, execution, openAs, depth + 1);
    default:
      return openUnary(plan, openAs(plan.input, isOrdered || readsInOrder(plan)), execution);
  }
}

/** Only an apply that hands on the inner rows as they come looks at their order. Joins may adapt below any other. */
const openInner = (plan: ApplyPlan, execution: Execution): Operator =>
  followsInner(plan) ? openPlan(plan.inner, execution) : openUnordered(plan.inner, execution);

/** Opens a join by a hash table for rows that are being read. */
const hashOf =
  (execution: Execution, open: (plan: Plan, isOrdered: boolean) => Operator) =>
  (plan: HashJoinPlan, left: Operator): Operator =>
    new HashJoin(plan, left, open(plan.right, false), execution);

/** Whether equal rows are recognised by their neighbours. */
function readsInOrder(plan: Unary): boolean {
  if (plan.type === 'distinct') return sortedBy(plan.input.sorted, plan.input.variables);
  if (plan.type !== 'group') return false;
  const keys = plan.keys.filter((name) => plan.input.variables.includes(name));
  return keys.length > 0 && sortedBy(plan.input.sorted, keys);
}

type Unary = Extract<Plan, { input: Plan }>;

function openUnary(
  plan: Exclude<Unary, { type: 'seek' | 'apply' | 'sort' }>,
  input: Operator,
  execution: Execution,
): Operator {
  switch (plan.type) {
    case 'filter':
      return new Filter(plan, input, execution);
    case 'extend':
      return new Extend(plan, input, execution);
    case 'project':
      return new Project(plan, input);
    case 'distinct':
      return new Distinct(plan, input, execution);
    case 'slice':
      return new Slice(plan, input);
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

function openSort(
  plan: SortPlan,
  execution: Execution,
  openAs: (input: Plan, isOrdered: boolean) => Operator,
  depth: number,
): Operator {
  const openAll = (): Operator => openAs(plan.input, false);
  if (plan.byRanges === undefined) return new Sort(plan, openAll(), execution);
  const openRanges: OpenRanges = (inner, name, ranges) =>
    openIn(inner, withRanges(execution, name, ranges), { depth, isOrdered: false });
  return new RangeSort(plan, plan.byRanges, openAll, openRanges, execution);
}

const withRanges = (execution: Execution, name: string, ranges: readonly IdRange[]): Execution => ({
  ...execution,
  ranges: new Map([...(execution.ranges ?? []), [name, ranges]]),
});

function withSeed(execution: Execution, seed: string, rows: Batch): Execution {
  return { ...execution, seedRows: (name) => (name === seed ? rows : execution.seedRows(name)) };
}
