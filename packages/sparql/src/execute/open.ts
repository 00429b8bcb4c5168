/** From a plan to operators that run. */
import { LazyLibrary } from '../expression/library.js';
import type { HashJoinPlan, Plan, StarPlan } from '../plan/plan.js';
import { Later } from './core/later.js';
import type { Execution, Operator } from './core/operator.js';
import { Project, Rows, Slice, SliceOfEach, Union, unit, Values } from './core/simple-operators.js';
import { SeekJoin } from '../operators/seek/seek-join.js';
import { SeekThenHash } from '../operators/seek/seek-then-hash.js';
import { Scan } from '../operators/scan/scan.js';
import { StarJoin } from '../operators/star/star-join.js';
import { isSimple, type SimplePlan } from './simple-plan.js';

/** All other operators, and expressions: a third of the code of the engine. Whoever plans a request loads it if the plan needs it. */
export const moreOperators = new LazyLibrary(() => import('./more-operators.js'));

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
  const operator = isSimple(plan)
    ? createSimple(plan, execution, { depth, isOrdered })
    : createOther(plan, execution, { depth, isOrdered });
  return execution.watch === undefined ? operator : execution.watch(plan, operator);
}

const depthWithin = (depth: number, { variables }: Plan): number =>
  depth + 1 + Math.floor(variables.length / COLUMNS_OF_OPERATOR);

function createSimple(plan: SimplePlan, execution: Execution, { depth, isOrdered }: Surroundings): Operator {
  const within = depthWithin(depth, plan);
  const openAs = (input: Plan, isOrdered: boolean): Operator => openIn(input, execution, { depth: within, isOrdered });
  const open = (input: Plan): Operator => openAs(input, isOrdered);
  switch (plan.type) {
    case 'unit':
      return unit();
    case 'seed':
      return new Rows(execution.seedRows(plan.seed));
    case 'values':
      return new Values(plan, execution);
    case 'scan':
      return new Scan(plan, execution);
    case 'seek':
      if (plan.afterwards === undefined) return new SeekJoin(plan, open(plan.input), execution);
      return new SeekThenHash(
        plan.afterwards,
        open(plan.input),
        (input) => new SeekJoin(plan, input, execution),
        hashOf(execution, openAs),
      );
    case 'star':
      return openStar(plan, execution, open, openAs);
    case 'union':
      return new Union(
        plan,
        // Of thousands most are opened when it is their turn.
        plan.inputs.map((input, i) => openIn(input, execution, { depth: within + i, isOrdered: false })),
        execution,
      );
    case 'project':
      return new Project(plan, open(plan.input));
    default:
      if (plan.of !== undefined) return new SliceOfEach(plan, open(plan.input), execution);
      return new Slice(plan, open(plan.input));
  }
}

/** What was not loaded before, because it was planned while the request ran, is loaded with its first rows. */
function createOther(plan: Exclude<Plan, SimplePlan>, execution: Execution, around: Surroundings): Operator {
  const create = (depth: number): Operator =>
    moreOperators.get().createMore(plan, execution, {
      isOrdered: around.isOrdered,
      openIn: (input, isOrdered, within) => openIn(input, within, { depth: depthWithin(depth, plan), isOrdered }),
      openAlone: (inner, isOrdered, within) => openIn(inner, within, { depth: 0, isOrdered }),
    });
  if (moreOperators.isLoaded) return create(around.depth);
  return new Later(() => moreOperators.load().then(() => create(0)), execution.control);
}

function openStar(
  plan: StarPlan,
  execution: Execution,
  open: (plan: Plan) => Operator,
  openAs: (plan: Plan, isOrdered: boolean) => Operator,
): Operator {
  const { input, afterwards } = plan;
  if (input.type === 'unit') {
    const create = (): Operator => moreOperators.get().scanStars(plan, execution);
    return moreOperators.isLoaded ? create() : new Later(() => moreOperators.load().then(create), execution.control);
  }
  if (afterwards === undefined) return new StarJoin(plan, open(input), execution);
  const join = (rows: Operator): Operator => new StarJoin(plan, rows, execution);
  return new SeekThenHash(afterwards, open(input), join, hashOf(execution, openAs));
}

/** Opens a join by a hash table for rows that are being read. */
const hashOf =
  (execution: Execution, open: (plan: Plan, isOrdered: boolean) => Operator) =>
  (plan: HashJoinPlan, left: Operator): Operator => {
    const create = (): Operator => moreOperators.get().joinByHash(plan, left, open(plan.right, false), execution);
    return moreOperators.isLoaded ? create() : new Later(() => moreOperators.load().then(create), execution.control);
  };
