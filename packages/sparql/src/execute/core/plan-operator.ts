/** One record for each kind of node: how it runs, and what explain says of it. */
import type { Expression, PropertyPath } from '../../algebra/algebra.js';
import type { HashJoinPlan, PatternGraph, PatternTerm, Plan, PlanPattern, StarPlan } from '../../plan/plan.js';
import type { Execution, Operator } from './operator.js';

export interface PlanOperator<P extends Plan> {
  /** What explain says beside its name. Default: nothing. */
  detail?(plan: P, print: Printer): string;
  /** An operator; nothing is read before its first `next`. Its rows come in the order that the plan says they have. */
  open(plan: P, opening: Opening): Operator;
}

/** What opens the inputs of an operator. */
export interface Opening {
  readonly execution: Execution;
  /** Whether operators around it rely on the order that its plan says its rows have. */
  readonly isOrdered: boolean;
  /** Opens an input that has to keep its order where the operator has to. */
  readonly open: (input: Plan) => Operator;
  /** `before`: so many inputs are open at the same time. */
  readonly openAs: (input: Plan, isOrdered: boolean, before?: number, execution?: Execution) => Operator;
  /** Opens a plan on a stack of its own. */
  readonly openAlone: (plan: Plan, isOrdered: boolean, execution: Execution) => Operator;
  /** Opens what has its code in a part that may not be loaded yet. */
  readonly later: (create: (more: LateOperators) => Operator) => Operator;
}

/** What operators that are always loaded open of the others. */
export interface LateOperators {
  /** A join by a hash table for rows that are being read. */
  joinByHash(plan: HashJoinPlan, left: Operator, right: Operator, execution: Execution): Operator;
  scanStars(plan: StarPlan, execution: Execution): Operator;
}

/** Makes text of what stands in a node. */
export interface Printer {
  readonly names: (variables: readonly string[]) => string;
  readonly pattern: (pattern: PlanPattern) => string;
  readonly graph: (graph: PatternGraph) => string;
  readonly term: (term: PatternTerm) => string;
  readonly constant: (constant: number) => string;
  readonly expression: (expression: Expression) => string;
  readonly path: (path: PropertyPath) => string;
}
