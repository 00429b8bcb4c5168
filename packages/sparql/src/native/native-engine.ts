/** The evaluator in id space: plans requests, runs plans, and hands on what needs another evaluator. */
import type * as RDF from '@rdfjs/types';
import { dataFactory, DEFAULT_GRAPH, EvaluationError } from '@quadrille/model';
import { patternVariables, type Construct, type Describe, type Operation } from '../algebra.js';
import { EvaluationControl, toEvaluationError } from '../control.js';
import type { QueryableDataset, WritableDataset } from '../dataset.js';
import type { GraphSelection } from '../dataset-view.js';
import {
  parseWithPlaceholders,
  queryOf,
  updateOf,
  type Explanation,
  type ExplainOptions,
  type SparqlAnswer,
  type SparqlEngine,
  type SparqlRequest,
} from '../engine.js';
import type { Batch } from '../execute/batch.js';
import { IdTable } from '../execute/id-table.js';
import { Unsupported } from '../expression/unsupported.js';
import type { IdDataset } from '../id-dataset.js';
import { graphsFor, newBlankNodePrefix, type EvaluationOptions } from '../options.js';
import type { ParsedQuery } from '../parse.js';
import { Constants } from '../plan/constants.js';
import { explainPlan } from '../plan/explain-plan.js';
import { defaultGraphOf } from '../plan/graph-scope.js';
import { planOperation, type PlannedQuery } from '../plan/planner.js';
import { RunningQueries, type Running } from '../running.js';
import { columnsOf } from '../substitute-variables.js';
import { checkPlan } from './check-plan.js';
import { Template } from './construct.js';
import { Description } from './describe.js';
import { runPlan, startSession, type Session } from './execution.js';
import { Parameters, type Resolve } from './parameters.js';
import { PlanCache } from './plan-cache.js';
import { Profile } from './profile.js';
import { unwrapForm } from './query-form.js';
import { NativeUpdate } from './update.js';

export interface NativeEngineOptions {
  /** Evaluates what this one does not; asked for when it is first needed. Without it such requests are refused. */
  readonly fallback?: (() => Promise<SparqlEngine>) | undefined;
}

/** What one query needs to run. */
interface Prepared {
  readonly parsed: ParsedQuery;
  readonly algebra: Operation;
  readonly selection: GraphSelection;
  readonly planned: PlannedQuery;
  readonly resolve: Resolve;
}

export class NativeEngine implements SparqlEngine {
  readonly running = new RunningQueries();
  readonly #plans = new PlanCache();
  readonly #parameters = new Parameters();

  constructor(private readonly engineOptions: NativeEngineOptions = {}) {}

  async query(
    request: SparqlRequest,
    dataset: QueryableDataset,
    options: EvaluationOptions = {},
  ): Promise<SparqlAnswer> {
    let prepared: Prepared;
    try {
      prepared = await this.#prepare(request, dataset.ids, options);
    } catch (error) {
      return (await this.#fallback(error)).query(request, dataset, options);
    }
    const control = new EvaluationControl(options);
    const entry = this.running.add('query', textOf(request), control);
    const session = sessionOf(prepared, dataset.ids, control, options);
    const run = new Run(session, entry, options.maxRows ?? Infinity, () => {
      control.dispose();
      this.running.remove(entry);
    });
    return answer(prepared, run);
  }

  async update(request: SparqlRequest, dataset: WritableDataset, options: EvaluationOptions = {}): Promise<void> {
    const parsed = updateOf(parseWithPlaceholders(request, options));
    const control = new EvaluationControl(options);
    const entry = this.running.add('update', textOf(request), control);
    try {
      await new NativeUpdate(parsed, request, dataset, control, options).run();
      control.throwIfFailed();
    } catch (error) {
      throw control.failure ?? toEvaluationError(error);
    } finally {
      control.dispose();
      this.running.remove(entry);
    }
  }

  async explain(request: SparqlRequest, dataset: QueryableDataset, options: ExplainOptions = {}): Promise<Explanation> {
    const parsed = parseWithPlaceholders(request, options);
    if (parsed.kind === 'update')
      return (await this.#fallbackFor('an update has no plan')).explain(request, dataset, options);
    let prepared: Prepared;
    try {
      prepared = await this.#prepare(request, dataset.ids, options);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { ...(await (await this.#fallback(error)).explain(request, dataset, options)), reason };
    }
    const profile = options.analyze === true ? await this.#profile(prepared, dataset.ids, options) : undefined;
    const { text, plan } = explainPlan(prepared.planned, prepared.resolve, profile);
    return { evaluator: 'native', text, plan };
  }

  async #profile(prepared: Prepared, dataset: IdDataset, options: EvaluationOptions): Promise<Profile> {
    const control = new EvaluationControl(options);
    const profile = new Profile();
    try {
      const session = { ...sessionOf(prepared, dataset, control, options), watch: profile.watch };
      for await (const batch of runPlan(prepared.planned, session)) profile.rows += batch.length;
      return profile;
    } catch (error) {
      throw control.failure ?? toEvaluationError(error);
    } finally {
      control.dispose();
    }
  }

  async #prepare(request: SparqlRequest, dataset: IdDataset, options: EvaluationOptions): Promise<Prepared> {
    const parsed = queryOf(parseWithPlaceholders(request, options));
    const values = typeof request === 'string' ? [] : request.values;
    const { algebra, resolve } = this.#parameters.bind(parsed, values, options.bindings ?? {});
    const selection = graphsFor(resolveClause(parsed.dataset, values, resolve), options);
    const plan = async (): Promise<PlannedQuery> => {
      const { pattern, variables } = patternToRun(algebra);
      const result = await planOperation(pattern, variables, dataset, selection, resolve, {
        unoptimised: options.unoptimised,
      });
      checkPlan(result, options);
      return result;
    };
    const planned = await (options.unoptimised === true ? plan() : this.#plans.get(algebra, dataset, selection, plan));
    return { parsed, algebra, selection, planned, resolve };
  }

  /** The engine for a request that this one cannot evaluate; other errors go on. */
  async #fallback(error: unknown): Promise<SparqlEngine> {
    if (!(error instanceof Unsupported)) throw error;
    return this.#fallbackFor(error.what);
  }

  async #fallbackFor(reason: string): Promise<SparqlEngine> {
    const { fallback } = this.engineOptions;
    if (fallback !== undefined) return fallback();
    throw new EvaluationError('UNSUPPORTED', `${reason}: not available here`);
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

const textOf = (request: SparqlRequest): string => (typeof request === 'string' ? request : request.text);

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
    blankNodePrefix: options.blankNodePrefix ?? newBlankNodePrefix(),
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

/** One query that runs: its budget of rows, and what is freed at its end. */
class Run {
  constructor(
    readonly session: Session,
    private readonly entry: Running,
    private readonly maxRows: number,
    readonly end: () => void,
  ) {}

  /** Batches with their errors told as evaluation errors, and everything freed at the end. */
  async *guard<T>(batches: AsyncIterable<T>, rows: (batch: T) => number): AsyncGenerator<T> {
    const { control, memory } = this.session;
    try {
      for await (const batch of batches) {
        control.throwIfFailed();
        this.entry.rows += rows(batch);
        this.entry.memoryBytes = memory.used;
        if (this.entry.rows > this.maxRows) throw tooManyRows(this.maxRows);
        yield batch;
      }
      control.throwIfFailed();
    } catch (error) {
      throw control.failure ?? toEvaluationError(error);
    } finally {
      this.end();
    }
  }
}

const tooManyRows = (limit: number): EvaluationError =>
  new EvaluationError('RESULT_TOO_LARGE', `the result has more than ${limit} rows`, { details: { maxRows: limit } });

async function answer(prepared: Prepared, run: Run): Promise<SparqlAnswer> {
  const { planned, parsed, algebra } = prepared;
  const solutions = runPlan(planned, run.session);
  switch (parsed.kind) {
    case 'ask': {
      let value = false;
      for await (const batch of run.guard(solutions, () => 0)) {
        value = batch.length > 0;
        break;
      }
      return { type: 'boolean', value };
    }
    case 'construct': {
      const node = unwrapForm(algebra).node as Construct;
      const quads = constructed(node, planned.plan.variables, solutions, run.session);
      return { type: 'quads', batches: run.guard(quads, (batch) => batch.length) };
    }
    case 'describe': {
      const node = unwrapForm(algebra).node as Describe;
      return {
        type: 'quads',
        batches: run.guard(described(node, prepared, solutions, run.session), (batch) => batch.length),
      };
    }
    default:
      return bindings(prepared, solutions, run);
  }
}

function bindings({ planned }: Prepared, solutions: AsyncGenerator<Batch>, run: Run): SparqlAnswer {
  const { variables } = planned.plan;
  const { terms } = run.session;
  const batches = run.guard(solutions, (batch) => batch.length);
  return {
    type: 'bindings',
    variables,
    batches: rowsOf(batches, variables, run.session),
    ids: { batches: () => batches, term: (id) => run.session.dataset.term(id) ?? terms.term(id) },
  };
}

async function* rowsOf(
  batches: AsyncIterable<Batch>,
  variables: readonly string[],
  { dataset, terms }: Session,
): AsyncGenerator<readonly Record<string, RDF.Term>[]> {
  for await (const { columns, length } of batches) {
    const rows: Record<string, RDF.Term>[] = Array.from({ length }, () => ({}));
    for (const [i, name] of variables.entries()) {
      const column = columns[i]!;
      let lastId = 0;
      let term: RDF.Term | undefined;
      for (let row = 0; row < length; row++) {
        const id = column[row]!;
        if (id === 0) continue;
        if (id !== lastId) {
          term = dataset.term(id) ?? (await terms.term(id));
          lastId = id;
        }
        setTerm(rows[row]!, name, term!);
      }
    }
    yield rows;
  }
}

// A variable may be called __proto__.
function setTerm(row: Record<string, RDF.Term>, name: string, term: RDF.Term): void {
  if (name === '__proto__') Object.defineProperty(row, name, { value: term, enumerable: true, configurable: true });
  else row[name] = term;
}

/** Triples of a template, each once as long as remembering them is within the budget. */
async function* constructed(
  { template }: Construct,
  variables: readonly string[],
  solutions: AsyncIterable<Batch>,
  session: Session,
): AsyncGenerator<readonly RDF.Quad[]> {
  const filled = await Template.open(template, variables, session);
  const seen = new IdTable(4, session.memory);
  const row = [0, 0, 0, 0].map(() => new Uint32Array(1));
  for await (const batch of solutions) {
    const ids: number[] = [];
    await filled.fill(batch, (s, p, o, g) => {
      row[0]![0] = s;
      row[1]![0] = p;
      row[2]![0] = o;
      row[3]![0] = g;
      const before = seen.size;
      if (seen.insert(row, 0) === before) ids.push(s, p, o, g);
    });
    if (ids.length > 0) yield await toQuads(ids, session);
  }
}

async function* described(
  { terms: resources }: Describe,
  { planned, selection }: Prepared,
  solutions: AsyncIterable<Batch>,
  session: Session,
): AsyncGenerator<readonly RDF.Quad[]> {
  const constants = new Constants();
  const graph = defaultGraphOf(selection, constants);
  const ids: number[] = [];
  for (const { term } of constants.all) ids.push(await session.terms.find(term));
  const description = new Description({ ...session, constants: ids }, graph);
  const about = async function* (resource: number): AsyncGenerator<readonly RDF.Quad[]> {
    for await (const rows of description.triples(resource)) {
      yield await toQuads(
        rows.flatMap(({ s, p, o }) => [s, p, o, DEFAULT_GRAPH]),
        session,
      );
    }
  };
  for (const term of resources) {
    if (term.termType !== 'Variable') yield* about(await session.terms.find(session.resolve(term)));
  }
  if (planned.plan.variables.length === 0) return;
  for await (const batch of solutions) {
    for (let row = 0; row < batch.length; row++) for (const column of batch.columns) yield* about(column[row]!);
  }
}

async function toQuads(ids: readonly number[], { dataset, terms }: Session): Promise<RDF.Quad[]> {
  const quads: RDF.Quad[] = [];
  for (let i = 0; i < ids.length; i += 4) {
    const [s, p, o, g] = [0, 1, 2, 3].map((place) => dataset.term(ids[i + place]!));
    quads.push(
      dataFactory.quad(
        (s ?? (await terms.term(ids[i]!))) as RDF.Quad_Subject,
        (p ?? (await terms.term(ids[i + 1]!))) as RDF.Quad_Predicate,
        (o ?? (await terms.term(ids[i + 2]!))) as RDF.Quad_Object,
        (g ?? (await terms.term(ids[i + 3]!))) as RDF.Quad_Graph,
      ),
    );
  }
  return quads;
}
