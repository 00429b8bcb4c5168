/** Makes plan nodes: each operator derives variables, rows, order and cost of its node from its inputs. */
export { applyPlan } from '../operators/apply/plan.js';
export { countPlan } from '../operators/count/plan.js';
export { distinctPlan } from '../operators/distinct/plan.js';
export { extendPlan } from '../operators/extend/plan.js';
export { filterPlan } from '../operators/filter/plan.js';
export { groupPlan } from '../operators/group/plan.js';
export { hashJoinPlan } from '../operators/hash-join/plan.js';
export { mergeJoinPlan } from '../operators/merge-join/plan.js';
export { projectPlan } from '../operators/project/plan.js';
export { scanPlan } from '../operators/scan/plan.js';
export { seekPlan } from '../operators/seek/plan.js';
export { servicePlan } from '../operators/service/plan.js';
export { slicePlan } from '../operators/slice/plan.js';
export { sortPlan, withRanges } from '../operators/sort/plan.js';
export { unionPlan } from '../operators/union/plan.js';
export { unitPlan, valuesPlan } from '../operators/values/plan.js';
export { costOf, looseNames, selectivity, unary, withBound, withLoose } from './node.js';
