/** From algebra to a physical plan, over one dataset's figures. */
import type * as RDF from '@rdfjs/types';
import type { Expression, Operation, Service } from '../algebra/algebra.js';
import type { OperationType } from '../algebra/operations/record.js';
import { WHOLE_DATASET, type GraphSelection } from '../dataset/dataset-view.js';
import type { IdDataset } from '../dataset/id-dataset.js';
import { Constants } from './constants.js';
import {
  neededOf,
  newNameOf,
  type PlanContext,
  type PlannerOptions,
  type PlanOf,
  type Plans,
  type Scope,
} from './context.js';
import { planExistence } from './parts/existence-planner.js';
import { GROUP_PLANS } from './parts/group-plans.js';
import { defaultGraphOf, NamedGraphs } from './graph-scope.js';
import { MOST_PLANNING_STEPS, type PlanningSteps } from './join/planning-steps.js';
import { inputsOf } from './inputs.js';
import * as make from './nodes.js';
import { TWO_SIDED_PLANS } from './parts/two-sided-plans.js';
import { SELECT_PLANS } from './parts/select-plans.js';
import { type Estimate, Figures } from './figures.js';
import type { PatternGraph, Plan } from './plan.js';
import { repositoryPlan, seedsIn } from '../operators/repository/plan.js';
import { isOtherRepository } from '../algebra/repository-address.js';
import { inTurn, type Task } from '../algebra/rewrite.js';
import { patternTerms } from './pattern-terms.js';
import type { Resolve } from '../algebra/terms.js';
import { normalise, prepared } from '../optimize/normalise.js';
import type { RowsToPlanFor } from '../algebra/slice.js';
import { visibleVariables } from '../algebra/variables.js';

export interface PlannedQuery {
  readonly plan: Plan;
  readonly constants: Constants;
  /** About what it holds in the heap. */
  readonly bytes: number;
  /** What the plan was made for, where it has parameters. */
  readonly estimates: readonly Estimate[];
}

/** Constants whose ids are looked up before a plan is made, where that takes a round trip. */
const IDS_AT_ONCE = 64;

/** Without `most`, no row may be dropped. */
type PlannedRows = Pick<RowsToPlanFor, 'first'> & Partial<RowsToPlanFor>;

/** Plans an operation whose columns `variables` are asked for, of which `rows` are read. */
export async function planOperation(
  operation: Operation,
  variables: readonly string[],
  dataset: IdDataset,
  selection: GraphSelection,
  resolve: (term: RDF.Term) => RDF.Term,
  { rows, ...options }: PlannerOptions & { readonly rows?: PlannedRows | undefined } = {},
): Promise<PlannedQuery> {
  const planner = new Planner(dataset, selection, resolve, options);
  const rewriting =
    options.unoptimised === true
      ? prepared(operation, planner.newName)
      : normalise(operation, planner.newName, options.isVolatile);
  const optimised = await planner.rewritten(rewriting);
  if (dataset.fetchIds !== undefined)
    await dataset.fetchIds((await planner.rewritten(patternTerms(optimised, IDS_AT_ONCE))).map(resolve));
  const plan = await planner.plan(optimised, {
    needed: new Set(variables),
    limit: rows?.most,
    first: rows?.first,
  });
  const { constants, figures } = planner;
  planner.countBytes(constants.all.length * CONSTANT_BYTES);
  return { plan: make.projectPlan(plan, variables), constants, bytes: planner.bytes, estimates: figures.estimates };
}

const MOST_CALLS = 64;

/** About how many bytes the parts of a plan take. */
const NODE_BYTES = 512;
const NAME_BYTES = 16;
const CELL_BYTES = 24;
const CONSTANT_BYTES = 256;

/** Of CONSTRUCT and DESCRIBE the pattern is planned, and FROM has chosen the graphs before. */
const PLANS: Plans<Exclude<OperationType, 'construct' | 'describe' | 'from'>> = {
  ...GROUP_PLANS,
  ...TWO_SIDED_PLANS,
  ...SELECT_PLANS,
};

function planOf({ type }: Operation): PlanOf<OperationType> {
  const plan = (PLANS as Partial<Plans<OperationType>>)[type] as PlanOf<OperationType> | undefined;
  if (plan === undefined) throw new Error(`no plan for ${type}`);
  return plan;
}

class Planner implements PlanContext {
  /** About what all nodes hold, those that were only considered too. */
  bytes = 0;
  readonly constants = new Constants();
  readonly figures: Figures;
  readonly #defaultGraph: PatternGraph;
  readonly #namedGraphs: NamedGraphs;
  readonly steps: PlanningSteps;
  readonly seeding = new Set<Operation>();
  readonly #made = new Map<Operation, Map<string, Promise<unknown>>>();
  #names = 0;
  /** Calls of {@link plan} in one another that have not waited for anything yet. */
  #calls = 0;

  constructor(
    readonly dataset: IdDataset,
    selection: GraphSelection,
    readonly resolve: Resolve,
    readonly options: PlannerOptions,
  ) {
    this.figures = new Figures(dataset, this.constants, resolve, options.control);
    this.#defaultGraph = defaultGraphOf(selection, this.constants);
    this.#namedGraphs = new NamedGraphs(selection, this.constants, resolve);
    this.steps = options.steps ?? { used: 0, most: MOST_PLANNING_STEPS };
  }

  graphOf(graph: RDF.Term): PatternGraph {
    if (graph.termType === 'DefaultGraph') return this.#defaultGraph;
    if (graph.termType === 'Variable') return { kind: 'each', name: graph.value, among: this.listedGraphs };
    return this.#namedGraphs.of(graph);
  }

  get listedGraphs(): readonly number[] | undefined {
    return this.#namedGraphs.listed;
  }

  readonly newName = (): string => this.options.newName?.() ?? newNameOf(this.#names++);

  rewritten<T>(task: Task<T>): Promise<T> {
    return inTurn(task, this.options.control);
  }

  memo<T>(operation: Operation, key: string, make: () => Promise<T>): Promise<T> {
    const known = this.#made.get(operation) ?? new Map<string, Promise<unknown>>();
    this.#made.set(operation, known);
    const made = (known.get(key) as Promise<T> | undefined) ?? make();
    known.set(key, made);
    return made;
  }

  plan(operation: Operation, scope: Scope): Promise<Plan> {
    this.#calls++;
    try {
      // A chain of thousands of operations would overflow the stack.
      return this.#calls < MOST_CALLS ? this.#plan(operation, scope) : this.#planLater(operation, scope);
    } finally {
      this.#calls--;
    }
  }

  async #planLater(operation: Operation, scope: Scope): Promise<Plan> {
    await Promise.resolve();
    return this.plan(operation, scope);
  }

  async #plan(operation: Operation, scope: Scope): Promise<Plan> {
    const pause = this.options.control?.checkpoint();
    if (pause !== undefined) await pause;
    this.steps.used++;
    const plan =
      operation.type === 'service' && isOtherRepository(operation)
        ? await this.#planOther(operation, scope)
        : await planOf(operation)(this, operation, scope);
    this.count(plan);
    return plan;
  }

  count(plan: Plan): void {
    const [input] = inputsOf(plan);
    const own = input?.variables === plan.variables ? 0 : plan.variables.length * NAME_BYTES;
    const cells = plan.type === 'values' ? plan.rows * plan.variables.length * CELL_BYTES : 0;
    this.countBytes(NODE_BYTES + own + cells);
  }

  countBytes(bytes: number): void {
    this.bytes += bytes;
    this.options.memory?.reserveValues(bytes);
  }

  async filter(
    input: Plan,
    filters: readonly Expression[],
    needed: ReadonlySet<string>,
    first?: number,
  ): Promise<Plan> {
    const { plan, expressions } = await planExistence(this, input, filters, { first });
    return make.filterPlan(plan, expressions, neededOf(plan.variables, needed));
  }

  /** A part that another repository answers, by the figures of that repository. */
  async #planOther({ name, input }: Service, { needed, first }: Scope): Promise<Plan> {
    const { options, steps, newName, resolve } = this;
    const dataset = options.others?.get(name.value);
    if (dataset === undefined) throw new Error(`the repository ${name.value} is not open`);
    const columns = neededOf([...visibleVariables(input)], needed);
    const inner = await planOperation(input, columns, dataset, WHOLE_DATASET, resolve, {
      ...options,
      steps,
      newName,
      rows: first === undefined ? undefined : { first },
    });
    return repositoryPlan(name.value, inner, seedsIn(input));
  }
}
