/** From a plan to operators that run. */
import { LazyLibrary } from '../expression/library.js';
import { project } from '../operators/project/project.js';
import { scan } from '../operators/scan/scan.js';
import { seek } from '../operators/seek/seek-join.js';
import { slice } from '../operators/slice/slice.js';
import { star } from '../operators/star/star-join.js';
import { union } from '../operators/union/union.js';
import { seed, unit, values } from '../operators/values/values.js';
import type { Plan } from '../plan/plan.js';
import { Later } from './core/later.js';
import type { Execution, Operator } from './core/operator.js';
import type { LateOperators, Opening, PlanOperator } from './core/plan-operator.js';

/** Operators that are always loaded: those of joins of patterns by seeks. */
const OPERATORS = { unit, seed, values, scan, seek, star, union, project, slice };

export type OtherPlan = Exclude<Plan, { type: keyof typeof OPERATORS }>;

/** All other operators, and expressions: a third of the code of the engine. Whoever plans a request loads it if the plan needs it. */
export const moreOperators = new LazyLibrary(() => import('./more-operators.js'));

const later = (execution: Execution, create: (more: LateOperators) => Operator): Operator =>
  moreOperators.isLoaded
    ? create(moreOperators.get())
    : new Later(() => moreOperators.load().then(() => create(moreOperators.get())), execution.control);

/** Whether the code of a node is loaded only when it is needed. */
export const isLate = (plan: Plan): plan is OtherPlan => !Object.hasOwn(OPERATORS, plan.type);

/** The operator of a node, where its code is loaded. */
export const operatorOf = (plan: Plan): PlanOperator<Plan> =>
  (isLate(plan) ? moreOperators.get().OPERATORS[plan.type] : OPERATORS[plan.type]) as PlanOperator<Plan>;

/** Operators in one another that are opened and read together. So many columns are as much work as an operator. */
const MOST_OPERATORS = 128;
const COLUMNS_OF_OPERATOR = 32;

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
  // What was not loaded before, because it was planned while the request ran, is loaded with its first rows.
  const operator =
    isLate(plan) && !moreOperators.isLoaded
      ? later(execution, () => create(plan, execution, { depth: 0, isOrdered }))
      : create(plan, execution, { depth, isOrdered });
  return execution.watch === undefined ? operator : execution.watch(plan, operator);
}

function create(plan: Plan, execution: Execution, { depth, isOrdered }: Surroundings): Operator {
  const within = depth + 1 + Math.floor(plan.variables.length / COLUMNS_OF_OPERATOR);
  const openAs: Opening['openAs'] = (input, isOrdered, before = 0, inside = execution) =>
    openIn(input, inside, { depth: within + before, isOrdered });
  return operatorOf(plan).open(plan, {
    execution,
    isOrdered,
    openAs,
    open: (input) => openAs(input, isOrdered),
    openAlone: (inner, isOrdered, within) => openIn(inner, within, { depth: 0, isOrdered }),
    later: (make) => later(execution, make),
  });
}
