/** From algebra to a physical plan, over one dataset's figures. */
import type * as RDF from '@rdfjs/types';
import type { Expression, Extend, Graph, Operation, Project, Seed, Service, Values } from '../algebra/algebra.js';
import { WHOLE_DATASET, type GraphSelection } from '../dataset/dataset-view.js';
import type { IdDataset } from '../dataset/id-dataset.js';
import { Constants } from './constants.js';
import { neededOf, newNameOf, withoutLimit, type PlanContext, type PlannerOptions, type Scope } from './context.js';
import { planDistinct } from './parts/distinct-planner.js';
import { planExistence } from './parts/existence-planner.js';
import { defaultGraphOf, NamedGraphs } from './graph-scope.js';
import { planGraphs } from '../operators/statistics/plan.js';
import { planGroupOfPatterns } from './parts/group-planner.js';
import { MOST_PLANNING_STEPS, type PlanningSteps } from './join/planning-steps.js';
import { planGrouping } from './parts/grouping-planner.js';
import { inputsOf } from './inputs.js';
import { NO_NAMES } from '../algebra/name-sets.js';
import * as make from './nodes.js';
import { planLeftJoin, planMinus } from './parts/optional-planner.js';
import { planSort } from './parts/sort-planner.js';
import { type Estimate, Figures } from './figures.js';
import type { PatternGraph, Plan, ValuesPlan } from './plan.js';
import { repositoryPlan, seedsIn } from '../operators/repository/plan.js';
import { isOtherRepository } from '../algebra/repository-address.js';
import { inTurn, type Task } from '../algebra/rewrite.js';
import { normalise, prepared } from '../optimize/normalise.js';
import type { RowsToPlanFor } from '../algebra/slice.js';
import { expressionVariables, visibleVariables } from '../algebra/variables.js';
import { isVolatile } from '../algebra/volatile.js';

export interface PlannedQuery {
  readonly plan: Plan;
  readonly constants: Constants;
  /** About what it holds in the heap. */
  readonly bytes: number;
  /** What the plan was made for, where it has parameters. */
  readonly estimates: readonly Estimate[];
}

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
    private readonly resolve: (term: RDF.Term) => RDF.Term,
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
    const plan = await this.#planByType(operation, scope);
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

  #planByType(operation: Operation, scope: Scope): Plan | Promise<Plan> {
    switch (operation.type) {
      case 'nop':
        return make.unitPlan;
      case 'bgp':
      case 'join':
      case 'path':
        return planGroupOfPatterns(this, operation, scope);
      case 'service':
        return isOtherRepository(operation)
          ? this.#planOther(operation, scope)
          : planGroupOfPatterns(this, operation, scope);
      case 'filter':
        return this.#planFilter(operation, scope);
      case 'graph':
        return this.#planGraphs(operation);
      case 'leftjoin':
        return planLeftJoin(this, operation, scope);
      case 'minus':
        return planMinus(this, operation, scope);
      case 'union':
        return this.#planUnion(operation.input, withoutLimit(scope));
      case 'extend':
        return this.#planExtend(operation, scope);
      case 'project':
        return this.#planProject(operation, scope);
      case 'group':
        return planGrouping(this, operation);
      case 'seed':
        return seedPlan(operation);
      case 'values':
        return this.#planValues(operation);
      default:
        return this.#planModifier(operation, scope);
    }
  }

  // One after the other: thousands at once would all go on in the same turn of the event loop.
  async #planUnion(branches: readonly Operation[], scope: Scope): Promise<Plan> {
    const plans: Plan[] = [];
    for (const branch of branches) plans.push(await this.plan(branch, scope));
    return make.unionPlan(plans);
  }

  async #planModifier(operation: Operation, scope: Scope): Promise<Plan> {
    switch (operation.type) {
      case 'distinct':
        return planDistinct(this, operation.input, scope);
      case 'reduced':
      case 'ask':
        return this.plan(operation.input, scope);
      case 'slice': {
        const { start, length, of } = operation;
        if (of !== undefined) {
          const needed = new Set([...scope.needed, of.value]);
          return make.slicePlan(await this.plan(operation.input, { needed }), start, length, of.value);
        }
        const limit = length === undefined ? undefined : start + length;
        const input = await this.plan(operation.input, {
          ...scope,
          limit,
          first: limit ?? scope.first,
          part: undefined,
          distinct: undefined,
        });
        return make.slicePlan(input, start, length);
      }
      case 'orderby':
        return planSort(this, operation.input, operation.expressions, scope);
      default:
        throw new Error(`no plan for ${operation.type}`);
    }
  }

  // A filter over patterns takes part in ordering them; over anything else it comes after.
  async #planFilter(operation: Operation & { type: 'filter' }, scope: Scope): Promise<Plan> {
    const filters: Expression[] = [];
    let inner: Operation = operation;
    for (; inner.type === 'filter'; inner = inner.input) {
      filters.push(inner.expression);
    }
    // One with volatile conditions comes after, too: they have one outcome for each solution.
    const isMovable = !filters.some((expression) => isVolatile(expression, this.options.isVolatile));
    if (isMovable && ['bgp', 'join', 'path', 'service', 'nop'].includes(inner.type))
      return planGroupOfPatterns(this, operation, scope);
    const needed = new Set([...scope.needed, ...filters.flatMap((filter) => [...expressionVariables(filter)])]);
    const first = scope.first === undefined ? undefined : scope.first * 2 ** filters.length;
    const input = await this.plan(inner, { needed, first, part: scope.part });
    return this.filter(input, filters, scope.needed, first);
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

  /** The graphs that there are: all named ones, or one where it exists. */
  async #planGraphs({ name }: Graph): Promise<Plan> {
    const graph = this.graphOf(name);
    // Sets of graphs always exist, but for that of a graph which the request does not list.
    if (graph.kind === 'merged' && graph.sources.length > 0) return make.unitPlan;
    if (graph.kind === 'merged') return make.valuesPlan([], [], NO_NAMES);
    if (graph.kind === 'each') return planGraphs(this, graph.name);
    return make.projectPlan(await planGraphs(this, this.newName(), [], [graph.constant]), []);
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

  // Not recursive, and with one set for all: there may be thousands of BINDs around one another.
  async #planExtend(operation: Extend, scope: Scope): Promise<Plan> {
    const needed = new Set(scope.needed);
    const binds: Extend[] = [];
    let inner: Operation = operation;
    for (; inner.type === 'extend'; inner = inner.input) {
      binds.push(inner);
      for (const name of expressionVariables(inner.expression)) needed.add(name);
      needed.delete(inner.variable.value);
    }
    // One with a volatile expression has a value for each row, however often the row comes.
    const isVaried = binds.some(({ expression }) => isVolatile(expression, this.options.isVolatile));
    let plan = await this.plan(inner, { ...scope, needed, distinct: isVaried ? undefined : scope.distinct });
    for (const { variable, expression } of binds.toReversed()) {
      const pause = this.options.control?.checkpoint();
      if (pause !== undefined) await pause;
      const bound = await planExistence(this, plan, [expression], { keepAll: true });
      plan = make.extendPlan(bound.plan, variable.value, bound.expressions[0]!);
      this.count(plan);
    }
    return plan;
  }

  async #planProject({ input, variables }: Project, scope: Scope): Promise<Plan> {
    const names = variables.map(({ value }) => value).filter((name) => scope.needed.has(name));
    // A variable that it does not project is another one inside.
    const part = scope.part !== undefined && names.includes(scope.part.variable) ? scope.part : undefined;
    const below = await this.plan(input, { ...scope, needed: new Set(names), part });
    return make.projectPlan(below, names);
  }

  async #planValues({ variables, bindings }: Values): Promise<ValuesPlan> {
    const names = variables.map(({ value }) => value);
    const constants: (number | undefined)[][] = [];
    const certain = new Set(names);
    for (const row of bindings) {
      const pause = this.options.control?.checkpoint();
      if (pause !== undefined) await pause;
      const cells = names.map((name) => (row[name] === undefined ? undefined : this.constants.add(row[name], true)));
      constants.push(cells);
      if (cells.includes(undefined))
        for (const [i, cell] of cells.entries()) if (cell === undefined) certain.delete(names[i]!);
    }
    return make.valuesPlan(names, constants, certain);
  }
}

function seedPlan({ name, variables, certain, rows, rowNumber }: Seed): Plan {
  return { type: 'seed', seed: name, variables, certain, rows, sorted: [rowNumber], cost: 0, first: 0 };
}
