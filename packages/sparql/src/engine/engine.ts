/** The engine: plans requests, runs plans over ids, and passes requests that it cannot evaluate to another engine. */
import type * as RDF from '@rdfjs/types';
import { EvaluationError, iterate, yieldTurn } from '@quadrille/model';
import { patternVariables, type Operation } from '../algebra/algebra.js';
import { EvaluationControl, toEvaluationError } from '../control/control.js';
import type { QueryableDataset, WritableDataset } from '../dataset/dataset.js';
import { readableText } from '../algebra/template.js';
import { parsePaced, parseWithPlaceholders, queryOf, updateOf, type SparqlRequest } from './prepare.js';
import type { Explanation, ExplainOptions, SparqlAnswer, SparqlEngine } from './sparql-engine.js';
import { Unsupported } from '../expression/unsupported.js';
import type { IdDataset } from '../dataset/id-dataset.js';
import { graphsFor, type EvaluationOptions } from './options.js';
import type { ParsedQuery } from '../algebra/request.js';
import { explainPlan } from '../plan/explain-plan.js';
import { planOperation, type PlannedQuery } from '../plan/planner.js';
import { RunningQueries } from './running.js';
import { columnsOf } from '../algebra/substitute-variables.js';
import { answerOf, type Prepared } from './forms/answer.js';
import { checkBindings } from './check-bindings.js';
import { checkPlan } from './check-plan.js';
import { PlanRun, startSession, type Session } from './execution.js';
import { fallbackAnswer } from './fallback-answer.js';
import { Parameters, type Resolve } from './parameters.js';
import { PlanCache } from './plan-cache.js';
import { Profile } from './profile.js';
import { unwrapForm } from './forms/query-form.js';
import { Run } from './run.js';
import { UpdateRun } from './update/update-run.js';

export interface EngineOptions {
  /** The engine for requests that this one cannot evaluate; loaded when it is first needed. Without it they are refused. */
  readonly fallback?: (() => Promise<SparqlEngine>) | undefined;
}

export class Engine implements SparqlEngine {
  readonly running = new RunningQueries();
  readonly #plans = new PlanCache();
  readonly #parameters = new Parameters();

  constructor(private readonly engineOptions: EngineOptions = {}) {}

  query(
    request: SparqlRequest,
    dataset: QueryableDataset,
    options: EvaluationOptions = {},
  ): SparqlAnswer | Promise<SparqlAnswer> {
    const answer = (prepared: Prepared): SparqlAnswer | Promise<SparqlAnswer> =>
      answerOf(prepared, this.#run(prepared, request, dataset.ids, options));
    const otherwise = async (error: unknown): Promise<SparqlAnswer> =>
      fallbackAnswer(await this.#fallback(error), this.running, request, dataset, options);
    let prepared: Prepared | Promise<Prepared>;
    try {
      prepared = this.#prepare(request, dataset.ids, options);
    } catch (error) {
      return otherwise(error);
    }
    return prepared instanceof Promise ? prepared.then(answer, otherwise) : answer(prepared);
  }

  async update(request: SparqlRequest, dataset: WritableDataset, options: EvaluationOptions = {}): Promise<void> {
    const control = new EvaluationControl(options);
    try {
      const parsed = updateOf(await parsePaced(request, options, control));
      checkBindings(parsed, options.bindings);
      const update = new UpdateRun(parsed, request, dataset, control, options);
      const entry = this.running.add('update', readableText(request), options.repository, control, update.memory);
      await update.run().finally(() => this.running.remove(entry));
      control.throwIfFailed();
    } catch (error) {
      throw control.failure ?? toEvaluationError(error);
    } finally {
      control.dispose();
    }
  }

  async explain(request: SparqlRequest, dataset: QueryableDataset, options: ExplainOptions = {}): Promise<Explanation> {
    queryOf(parseWithPlaceholders(request, options));
    let prepared: Prepared;
    try {
      prepared = await this.#prepare(request, dataset.ids, options);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { ...(await (await this.#fallback(error)).explain(request, dataset, options)), reason };
    }
    const profile = options.analyze === true ? new Profile() : undefined;
    if (profile !== undefined) {
      const { watch } = profile;
      const batches = this.#run(prepared, request, dataset.ids, options).batches(
        (session) => new PlanRun(prepared.planned, { ...session, watch }),
        (batch) => batch.length,
      );
      for await (const batch of iterate(batches)) profile.rows += batch.length;
    }
    const { text, plan } = explainPlan(prepared.planned, prepared.resolve, profile?.nodes);
    return { evaluator: 'native', text, plan };
  }

  #run(prepared: Prepared, request: SparqlRequest, dataset: IdDataset, options: EvaluationOptions): Run {
    const open = (control: EvaluationControl): Session => sessionOf(prepared, dataset, control, options);
    return new Run(this.running, readableText(request), options, open);
  }

  /** A request whose plan is cached needs no promise. */
  #prepare(request: SparqlRequest, dataset: IdDataset, options: EvaluationOptions): Prepared | Promise<Prepared> {
    const parsed = queryOf(parseWithPlaceholders(request, options));
    checkBindings(parsed, options.bindings);
    const values = typeof request === 'string' ? [] : request.values;
    const { algebra, resolve } = this.#parameters.bind(parsed, values, options.bindings ?? {});
    const selection = graphsFor(resolveClause(parsed.dataset, values, resolve), options);
    // A new request has just been parsed: the event loop runs before it is planned, and again before it is executed.
    const plan = async (): Promise<PlannedQuery> => {
      await yieldTurn();
      const { pattern, variables } = patternToRun(algebra);
      const result = await planOperation(pattern, variables, dataset, selection, resolve, {
        unoptimised: options.unoptimised,
      });
      checkPlan(result, options);
      await yieldTurn();
      return result;
    };
    const planned = options.unoptimised === true ? plan() : this.#plans.get(algebra, dataset, selection, plan);
    const rest = { parsed, algebra, selection, resolve };
    return planned instanceof Promise ? planned.then((ready) => ({ ...rest, planned: ready })) : { ...rest, planned };
  }

  /** The engine for a request that this one cannot evaluate; other errors go on. */
  async #fallback(error: unknown): Promise<SparqlEngine> {
    if (!(error instanceof Unsupported)) throw error;
    const { fallback } = this.engineOptions;
    if (fallback !== undefined) return fallback();
    throw new EvaluationError('UNSUPPORTED', `${error.what}: not available here`);
  }
}

// The dataset clause of a template may hold placeholders.
function resolveClause(
  clause: ParsedQuery['dataset'],
  values: readonly RDF.Term[],
  resolve: Resolve,
): ParsedQuery['dataset'] {
  if (clause === undefined || values.length === 0) return clause;
  const all = (graphs: readonly RDF.NamedNode[]): RDF.NamedNode[] =>
    graphs.map((graph) => resolve(graph) as RDF.NamedNode);
  return { default: all(clause.default), named: all(clause.named) };
}

function sessionOf(
  { parsed, resolve }: Prepared,
  dataset: IdDataset,
  control: EvaluationControl,
  options: EvaluationOptions,
): Session {
  return startSession({
    dataset,
    control,
    memoryBytes: options.memoryBytes,
    resolve,
    now: options.now ?? new Date(),
    baseIRI: parsed.baseIRI,
    blankNodePrefix: options.blankNodePrefix,
    remote: options.remote,
  });
}

/** The part of a query that gives solutions, and the variables that its form looks at. */
function patternToRun(algebra: Operation): { pattern: Operation; variables: readonly string[] } {
  const form = unwrapForm(algebra);
  switch (form.node?.type) {
    case 'construct': {
      const names = patternVariables(form.node.template).filter((name) => !name.startsWith('_:'));
      return { pattern: form.wrap(form.node.input), variables: names };
    }
    case 'describe': {
      const names = form.node.terms.flatMap((term) => (term.termType === 'Variable' ? [term.value] : []));
      return { pattern: form.wrap(form.node.input), variables: names };
    }
    case 'ask':
      return { pattern: { type: 'slice', input: form.node.input, start: 0, length: 1 }, variables: [] };
    default:
      return { pattern: algebra, variables: columnsOf(algebra) };
  }
}
