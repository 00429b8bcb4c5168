/** Operators that plans of a few patterns do not have. They are loaded before the first plan that has one. */
import { apply } from '../operators/apply/apply.js';
import { count } from '../operators/count/count.js';
import { distinct } from '../operators/distinct/distinct.js';
import { distinctScan } from '../operators/distinct-scan/distinct-scan.js';
import { extend } from '../operators/extend/extend.js';
import { filter } from '../operators/filter/filter.js';
import { group } from '../operators/group/group.js';
import { HashJoin } from '../operators/hash-join/hash-join.js';
import { hashJoin } from '../operators/hash-join/hash-or-seek.js';
import { mergeJoin } from '../operators/merge-join/merge-join.js';
import { path } from '../operators/path/path.js';
import { repository } from '../operators/repository/repository-part.js';
import { nearest } from '../operators/search/nearest.js';
import { search } from '../operators/search/search.js';
import { valueRange } from '../operators/search/value-range.js';
import { words } from '../operators/search/words.js';
import { service } from '../operators/service/service.js';
import { sort } from '../operators/sort/range-sort.js';
import { StarScan } from '../operators/star/star-scan.js';
import { statistics } from '../operators/statistics/statistics.js';
import { tripleMatch } from '../operators/triple-match/triple-match.js';
import type { LateOperators, PlanOperator } from './core/plan-operator.js';
import type { OtherPlan } from './open.js';

export { compileInSteps } from '../expression/compile.js';
export { loadLibraries } from '../expression/libraries.js';
export { DatasetWithGraphs } from '../operators/repository/dataset-with-graphs.js';
export { explainPlan } from './explain-plan.js';

export const OPERATORS: { readonly [T in OtherPlan['type']]: PlanOperator<Extract<OtherPlan, { type: T }>> } = {
  apply,
  count,
  distinct,
  'distinct-scan': distinctScan,
  extend,
  filter,
  group,
  'hash-join': hashJoin,
  'merge-join': mergeJoin,
  nearest,
  path,
  repository,
  search,
  service,
  sort,
  statistics,
  'triple-match': tripleMatch,
  'value-range': valueRange,
  words,
};

export const joinByHash: LateOperators['joinByHash'] = (plan, left, right, execution) =>
  new HashJoin(plan, left, right, execution);

export const scanStars: LateOperators['scanStars'] = (plan, execution) => new StarScan(plan, execution);
