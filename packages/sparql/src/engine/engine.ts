/** The engine: plans requests, and runs plans over ids. */
import { iterate, type Place } from '@quadrille/model';
import { findAsked, knownAsked, type AskedRepositories } from '../algebra/asked-repositories.js';
import { inTurn } from '../algebra/rewrite.js';
import { patternVariables, type Operation } from '../algebra/algebra.js';
import { EvaluationControl } from '../control/control.js';
import { Memory } from '../control/memory.js';
import { processMemory } from '../control/process-memory.js';
import type { QueryableDataset, WritableDataset } from '../dataset/dataset.js';
import { parseInTurn, queryOf, updateOf, type SparqlRequest } from './prepare.js';
import type { Explanation, ExplainOptions, SparqlAnswer, SparqlEngine } from './sparql-engine.js';
import { findExtension, type ExtensionAggregates, type ExtensionFunctions } from '../expression/extension-functions.js';
import type { IdDataset } from '../dataset/id-dataset.js';
import { graphsFor, volatileFunctions, type EvaluationOptions } from './options.js';
import type { ParsedQuery, ParsedText, ParsedUpdate } from '../algebra/request.js';
import { slicePlan } from '../plan/nodes.js';
import { planOperation, type PlannedQuery } from '../plan/planner.js';
import { type Running, RunningQueries } from './running.js';
import { rowsToPlanFor, sliceOf, type Slice } from '../algebra/slice.js';
import { columnsOf } from '../algebra/substitute-variables.js';
import { answerOf, type Prepared } from './forms/answer.js';
import { Admission, type EngineLimits, limited } from './admission.js';
import type { Elsewhere, WrittenAnswer } from './elsewhere.js';
import { checkBindings } from './check-bindings.js';
import { checkPlan } from './check-plan.js';
import { notAvailable } from '../operators/service/not-available.js';
import type { RemoteSources } from '../dataset/remote.js';
import { makeVariable } from '../algebra/terms.js';
import { PlanRun, startSession, withGraphs, type Session } from './execution.js';
import { moreOperators } from '../execute/open.js';
import { OpenedRepositories } from '../operators/repository/opened-repositories.js';
import { namesOthers, openOthers, planningDataset } from './other-repositories.js';
import { graphsKey } from './graph-parameters.js';
import { Parameters, type BoundQuery } from './parameters.js';
import { PlanCache } from './plan-cache.js';
import { Profile } from './profile.js';
import { toPublicError } from './unknown-function.js';
import { ShapePlans } from './shape-plans.js';
import { formNode, unwrapForm } from './forms/query-form.js';
import { Run } from './run.js';
import { UpdateRun } from './update/update-run.js';

const NEVER_ASKED: RemoteSources = {
  query: (endpoint) => Promise.reject(notAvailable(makeVariable(endpoint))),
  load: () => {
    throw new Error('a plan loads nothing');
  },
};

/** Options of an engine. */
export interface EngineOptions {
  /** Of all queries and updates that are not part of a task. */
  readonly limits?: EngineLimits | undefined;
  /** Functions by IRI that every query and update may call. */
  readonly functions?: ExtensionFunctions | undefined;
  /** Aggregates by IRI that every query and update may call. */
  readonly aggregates?: ExtensionAggregates | undefined;
}

/** The evaluator in id space, with the list of what runs and the limits of it. */
export class Engine implements SparqlEngine {
  /** What runs at present. */
  readonly running = new RunningQueries();
  readonly #plans = new PlanCache();
  readonly #shapes = new ShapePlans();
  readonly #parameters = new Parameters();
  readonly #limits: EngineLimits;
  readonly #admission: Admission | undefined;
  /** The constants of plans that need a function of the caller or another host. */
  readonly #dependent = new WeakSet<PlannedQuery['constants']>();

  constructor(private readonly engineOptions: EngineOptions = {}) {
    this.#limits = engineOptions.limits ?? {};
    this.#admission = Admission.of(this.#limits);
  }

  query(
    request: SparqlRequest,
    dataset: QueryableDataset,
    given: EvaluationOptions = {},
  ): SparqlAnswer | Promise<SparqlAnswer> {
    return this.#answer(request, dataset, this.#complete(given), (prepared, run) => answerOf(prepared, run));
  }

  /** As {@link query}, for a caller who wants a document. `elsewhere` may take the query, with its writing. */
  document(
    request: SparqlRequest,
    dataset: QueryableDataset,
    given: EvaluationOptions,
    elsewhere: Elsewhere,
  ): SparqlAnswer | WrittenAnswer | Promise<SparqlAnswer | WrittenAnswer> {
    const options = this.#complete(given);
    return this.#answer<SparqlAnswer | WrittenAnswer>(request, dataset, options, (prepared, run) => {
      const { planned } = prepared;
      const costMs = planned.plan.cost / 1000;
      const taken =
        given.extensionFunctions !== undefined || this.#dependent.has(planned.constants)
          ? undefined
          : elsewhere({ kind: prepared.parsed.kind, request, options, control: run.control, costMs });
      return taken === undefined ? answerOf(prepared, run) : { type: 'document', pieces: run.written(taken) };
    });
  }

  #answer<A>(
    request: SparqlRequest,
    dataset: QueryableDataset,
    options: EvaluationOptions,
    make: (prepared: Prepared, run: Run) => A | Promise<A>,
  ): A | SparqlAnswer | Promise<A | SparqlAnswer> {
    const control = controlOf(options);
    const answer = (prepared: Prepared): A | Promise<A> => {
      // A query alone is timed while it is read.
      if (options.task === undefined) control.stopClock();
      return make(prepared, this.#run(prepared, request, dataset.ids, options, control));
    };
    const refuse = (error: unknown): never => {
      throw toPublicError(error);
    };
    let prepared: Prepared | Promise<Prepared>;
    try {
      prepared = this.#prepare(request, dataset.ids, options, control);
    } catch (error) {
      return Promise.reject(toPublicError(error));
    }
    return prepared instanceof Promise ? prepared.then(answer, refuse) : answer(prepared);
  }

  async update(request: SparqlRequest, dataset: WritableDataset, given: EvaluationOptions = {}): Promise<void> {
    const options = this.#complete(given);
    const { task, repository } = options;
    const control = controlOf(options);
    const entry: Running = task ?? this.running.add('update', request, repository, control);
    entry.state = 'parsing';
    let place: Place | undefined;
    let update: UpdateRun | undefined;
    try {
      const text = await parseInTurn(request, options, control);
      const parsed = updateOf(text.parsed);
      checkBindings(parsed, options.bindings);
      if (task === undefined) place = await this.#admission?.enter(entry, control);
      update = new UpdateRun(text as ParsedText<ParsedUpdate>, dataset, control, options);
      entry.memory = update.memory;
      entry.state = 'running';
      await update.run();
      control.throwIfFailed();
    } catch (error) {
      throw control.failure ?? toPublicError(error);
    } finally {
      update?.memory.close();
      control.release();
      place?.leave(control.clock.busyMs);
      if (entry !== task) this.running.remove(entry);
    }
  }

  async explain(request: SparqlRequest, dataset: QueryableDataset, given: ExplainOptions = {}): Promise<Explanation> {
    const completed: ExplainOptions = { ...given, ...this.#complete(given) };
    // Where nothing runs, no host is asked, so the plan is shown also where that is not allowed.
    const mayAsk = given.analyze === true || completed.remote !== undefined;
    const options = mayAsk ? completed : { ...completed, remote: NEVER_ASKED };
    const control = controlOf(options);
    queryOf((await parseInTurn(request, options, control)).parsed);
    let prepared: Prepared;
    try {
      prepared = await this.#prepare(request, dataset.ids, options, control);
    } catch (error) {
      throw toPublicError(error);
    }
    const profile = options.analyze === true ? new Profile() : undefined;
    if (profile !== undefined) {
      const { watch } = profile;
      const batches = this.#run(prepared, request, dataset.ids, options, control).batches(
        (session) => new PlanRun(prepared.planned, { ...session, watch }),
        (batch) => batch.length,
      );
      for await (const batch of iterate(batches)) profile.rows += batch.length;
    }
    if (!moreOperators.isLoaded) await moreOperators.load();
    const { text, plan } = moreOperators.get().explainPlan(prepared.planned, prepared.resolve, profile?.nodes);
    return { evaluator: 'native', text, plan };
  }

  /** The options of a call with what the engine gives to all. */
  #complete(given: EvaluationOptions): EvaluationOptions {
    const options = limited(given, this.#limits);
    const { functions, aggregates } = this.engineOptions;
    if (functions === undefined && aggregates === undefined) return options;
    return { ...options, aggregates, extensionFunctions: { ...functions, ...options.extensionFunctions } };
  }

  #run(
    prepared: Prepared,
    request: SparqlRequest,
    dataset: IdDataset,
    options: EvaluationOptions,
    control: EvaluationControl,
  ): Run {
    const open = (): Session => sessionOf(prepared, dataset, control, options);
    return new Run(this.running, request, options, control, this.#admission, open);
  }

  /** A short request whose plan is cached needs no promise. */
  #prepare(
    request: SparqlRequest,
    dataset: IdDataset,
    options: EvaluationOptions,
    control: EvaluationControl,
  ): Prepared | Promise<Prepared> {
    if (options.task !== undefined) options.task.state = 'parsing';
    const plan = (text: ParsedText): Prepared | Promise<Prepared> => this.#plan(text, dataset, options, control);
    const text = parseInTurn(request, options, control);
    return text instanceof Promise ? text.then(plan) : plan(text);
  }

  #plan(
    sent: ParsedText,
    dataset: IdDataset,
    options: EvaluationOptions,
    control: EvaluationControl,
  ): Prepared | Promise<Prepared> {
    const parsed = queryOf(sent.parsed);
    const text = sent as ParsedText<ParsedQuery>;
    checkBindings(parsed, options.bindings);
    const bound = this.#parameters.bind(text, options.bindings ?? {});
    const { algebra, resolve, ids, request, byFigures, kept } = bound;
    const selection = graphsFor(bound.dataset, options);
    const opened = new OpenedRepositories(options.repositories, control);
    const rest = { parsed, algebra, selection, resolve, ids, opened, slice: sent.slice };
    const given = { dataset, options, control };
    const plan = (asked: AskedRepositories): Prepared | Promise<Prepared> =>
      namesOthers(asked, selection)
        ? this.#planWithOthers(rest, request, given)
        : this.#planAlone(rest, { request, byFigures, kept }, given);
    const asked = knownAsked(algebra);
    return asked === undefined ? inTurn(findAsked(algebra), control).then(plan) : plan(asked);
  }

  #planAlone(
    rest: ToPlan,
    { request, byFigures, kept }: Pick<BoundQuery, 'request' | 'byFigures' | 'kept'>,
    given: Planning,
  ): Prepared | Promise<Prepared> {
    const { algebra, selection, resolve } = rest;
    const { dataset } = given;
    const graphs = graphsKey(algebra, selection, resolve);
    const make = (): Promise<PlannedQuery> => this.#makePlan(rest, given);
    let planned: PlannedQuery | Promise<PlannedQuery>;
    if (given.options.unoptimised === true) planned = make();
    else if (byFigures) planned = this.#shapes.get({ algebra, dataset, graphs, resolve, kept }, make);
    else planned = request === undefined ? make() : this.#plans.get(request, dataset, graphs, make);
    return planned instanceof Promise ? planned.then((whole) => sliced(rest, whole)) : sliced(rest, planned);
  }

  /** A query that names other repositories, which are opened first: rights and revisions may differ with each call. */
  async #planWithOthers(rest: ToPlan, request: object | undefined, given: Planning): Promise<Prepared> {
    const { algebra, selection, resolve, opened } = rest;
    const { options, control } = given;
    const { operation, datasets, graphs } = await openOthers(algebra, selection, opened, control);
    const dataset = await planningDataset(given.dataset, graphs, control);
    const make = async (): Promise<PlannedQuery> => {
      try {
        return await this.#makePlan({ ...rest, algebra: operation }, { ...given, dataset });
      } catch (error) {
        // Another engine does not know other repositories.
        throw toPublicError(error);
      }
    };
    const isWhole = operation === algebra && options.unoptimised !== true;
    const key = graphsKey(algebra, selection, resolve);
    const planned = await (isWhole && request !== undefined
      ? this.#plans.get(request, dataset, key, make, datasets)
      : make());
    // Also a query whose default graph only is one of another repository.
    this.#dependent.add(planned.constants);
    return { ...sliced(rest, planned), graphs };
  }

  async #makePlan(
    { algebra, selection, resolve, opened, slice: given }: ToPlan,
    { dataset, options, control }: Planning,
  ): Promise<PlannedQuery> {
    if (options.task !== undefined) options.task.state = 'planning';
    await control.checkpoint();
    control.throwIfFailed();
    const { pattern, variables, slice } = patternToRun(algebra, given);
    const { unoptimised } = options;
    const rows = slice && rowsToPlanFor(slice);
    const memory = new Memory({ process: processMemory, budgetBytes: options.memoryBytes });
    let result: PlannedQuery;
    try {
      const isVolatile = volatileFunctions(options);
      const planning = { unoptimised, control, rows, memory, isVolatile, others: opened.datasets };
      result = await planOperation(pattern, variables, dataset, selection, resolve, planning);
    } finally {
      memory.close();
    }
    if (!(await checkPlan(result, options, control))) this.#dependent.add(result.constants);
    await control.checkpoint();
    control.throwIfFailed();
    return result;
  }
}

/** What a query is planned with. */
interface Planning {
  readonly dataset: IdDataset;
  readonly options: EvaluationOptions;
  readonly control: EvaluationControl;
}

/** A query without its plan. */
interface ToPlan extends Omit<Prepared, 'planned'> {
  /** What its text says of LIMIT and OFFSET, where the algebra does not. */
  readonly slice: Slice | undefined;
}

/** Which solutions are asked for: those of `given`, where the algebra has the LIMIT and OFFSET of another text. */
function rowsAskedFor(algebra: Operation, given: Slice | undefined): Slice | undefined {
  const slice = given ?? sliceOf(algebra);
  if (formNode(algebra)?.type !== 'ask') return slice;
  return { start: slice?.start ?? 0, length: Math.min(1, slice?.length ?? 1) };
}

/** A plan of all rows, for the rows that are asked for. */
function sliced(
  { parsed, algebra, selection, resolve, ids, opened, graphs, slice: given }: ToPlan,
  whole: PlannedQuery,
): Prepared {
  const slice = rowsAskedFor(algebra, given);
  const planned = slice === undefined ? whole : { ...whole, plan: slicePlan(whole.plan, slice.start, slice.length) };
  return { parsed, algebra, selection, resolve, ids, opened, graphs, planned };
}

const controlOf = (options: EvaluationOptions): EvaluationControl =>
  options.task?.control ?? new EvaluationControl(options);

function sessionOf(
  { parsed, resolve, ids, opened, graphs }: Prepared,
  dataset: IdDataset,
  control: EvaluationControl,
  options: EvaluationOptions,
): Session {
  const session = startSession({
    dataset,
    control,
    memoryBytes: options.memoryBytes,
    resolve,
    ids,
    now: options.now ?? new Date(),
    baseIRI: parsed.baseIRI,
    blankNodePrefix: options.blankNodePrefix,
    remote: options.remote,
    opened,
    extension: (iri) => findExtension(iri, options.extensionFunctions),
    aggregate: (iri) => options.aggregates?.[iri],
  });
  return graphs === undefined ? session : withGraphs(session, graphs);
}

interface PatternToRun {
  readonly pattern: Operation;
  readonly variables: readonly string[];
  readonly slice: Slice | undefined;
}

/** The part of a query that gives solutions, the variables that its form looks at, and which of the solutions are asked for. */
function patternToRun(algebra: Operation, given: Slice | undefined): PatternToRun {
  const form = unwrapForm(algebra);
  const slice = rowsAskedFor(algebra, given);
  const wrap = (input: Operation): Operation => {
    const whole = form.wrap(input);
    // A slice that stands in the pattern, as that of a sub-select alone, is a part of it.
    return algebra.type === 'slice' && whole.type === 'slice' ? whole.input : whole;
  };
  switch (form.node?.type) {
    case 'construct': {
      const names = patternVariables(form.node.template).filter((name) => !name.startsWith('_:'));
      return { pattern: wrap(form.node.input), variables: names, slice };
    }
    case 'describe': {
      const names = form.node.terms.flatMap((term) => (term.termType === 'Variable' ? [term.value] : []));
      return { pattern: wrap(form.node.input), variables: names, slice };
    }
    case 'ask':
      return { pattern: form.node.input, variables: [], slice };
    default:
      return { pattern: algebra.type === 'slice' ? algebra.input : algebra, variables: columnsOf(algebra), slice };
  }
}
