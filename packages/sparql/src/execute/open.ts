/** From a plan to operators that run. */
import type { Plan } from '../plan/plan.js';
import { Apply } from './join/apply.js';
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
import { empty, Project, Rows, Slice, Union, unit, values } from './core/simple-operators.js';
import { Sort } from './sort/sort.js';
import { StatisticsScan } from './scan/statistics.js';
import { TripleMatch } from './scan/triple-match.js';

/** Operators in one another that are opened and read together. */
const MOST_OPERATORS = 128;

/** Opens a plan; nothing is read before the first `next`. `depth`: so many operators stand around it on the same stack. */
export function openPlan(plan: Plan, execution: Execution, depth = 0): Operator {
  if (depth >= MOST_OPERATORS) return new Later(() => openPlan(plan, execution), execution.control);
  const operator = create(plan, execution, depth);
  return execution.watch === undefined ? operator : execution.watch(plan, operator);
}

function create(plan: Plan, execution: Execution, depth: number): Operator {
  const open = (input: Plan): Operator => openPlan(input, execution, depth + 1);
  switch (plan.type) {
    case 'unit':
      return unit();
    case 'empty':
      return empty();
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
      return new SeekJoin(plan, open(plan.input), execution);
    case 'hash-join':
      return new HashJoin(plan, open(plan.left), open(plan.right), execution);
    case 'merge-join':
      return new MergeJoin(plan, open(plan.left), open(plan.right), execution);
    case 'apply':
      return new Apply(
        plan,
        open(plan.input),
        (seed, rows) => openPlan(plan.inner, withSeed(execution, seed, rows)),
        execution,
      );
    case 'graph-loop':
      return new GraphLoop(plan, (graph) => openPlan(plan.inner, { ...execution, currentGraph: graph }), execution);
    case 'repository':
      return new RepositoryPart(plan, openPlan, execution);
    case 'union':
      return new Union(plan, plan.inputs.map(open));
    default:
      return openUnary(plan, open(plan.input), execution);
  }
}

type Unary = Extract<Plan, { input: Plan }>;

function openUnary(plan: Exclude<Unary, { type: 'seek' | 'apply' }>, input: Operator, execution: Execution): Operator {
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
    case 'sort':
      return new Sort(plan, input, execution);
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

function withSeed(execution: Execution, seed: string, rows: Batch): Execution {
  return { ...execution, seedRows: (name) => (name === seed ? rows : execution.seedRows(name)) };
}
