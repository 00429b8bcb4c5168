/** The evaluator behind an interface: what the library calls, and what another evaluator would have to offer. */
import type * as RDF from '@rdfjs/types';
import { InvalidArgumentError, termToText } from '@quadrille/model';
import type { Construct, Describe, Operation, Project } from './algebra.js';
import { patternVariables } from './algebra.js';
import { withoutServices } from './check-support.js';
import { ComunicaEvaluator, type EvaluationContext, type Solution } from './comunica.js';
import { EvaluationControl, toEvaluationError } from './control.js';
import type { QueryableDataset, WritableDataset } from './dataset.js';
import { DatasetView } from './dataset-view.js';
import { describeResources } from './describe.js';
import { explainOperation } from './explain.js';
import { Instantiation } from './instantiate.js';
import { graphsFor, newBlankNodePrefix, type EvaluationOptions } from './options.js';
import { parseSparql, type ParsedQuery, type ParsedSparql, type ParsedUpdate } from './parse.js';
import { substituteValues } from './substitute-values.js';
import { bindQuery, bindUpdate, visibleVariables } from './substitute-variables.js';
import { isSparqlTemplate, type SparqlTemplate } from './template.js';
import { makeVariable } from './terms.js';
import { UpdateRunner } from './update.js';

/** A text, or a template of the `sparql` tag. */
export type SparqlRequest = string | SparqlTemplate;

/**
 * The answer of a query. The iterables are lazy (nothing is read before they are iterated), run once, and free what they hold
 * when they are left; a failure comes through them.
 */
export type SparqlAnswer =
  | {
      readonly type: 'bindings';
      /** The columns, in the order of the query. */
      readonly variables: readonly string[];
      /** Unbound variables have no member. */
      readonly rows: AsyncIterable<Record<string, RDF.Term>>;
    }
  | { readonly type: 'quads'; readonly quads: AsyncIterable<RDF.Quad> }
  | { readonly type: 'boolean'; readonly value: boolean };

export interface SparqlEngine {
  /**
   * Evaluates a query over one state.
   * @throws ParseError `SPARQL_SYNTAX`, InvalidArgumentError, EvaluationError
   */
  query(request: SparqlRequest, dataset: QueryableDataset, options?: EvaluationOptions): Promise<SparqlAnswer>;
  /**
   * Runs an update on a staged transaction. After an error the transaction is half done, and the caller must drop it.
   * @throws ParseError `SPARQL_SYNTAX`, InvalidArgumentError, EvaluationError, NotFoundError
   */
  update(request: SparqlRequest, dataset: WritableDataset, options?: EvaluationOptions): Promise<void>;
  /** How a request would run, as text. */
  explain(request: SparqlRequest, dataset: QueryableDataset, options?: EvaluationOptions): Promise<string>;
}

/** An engine that evaluates through Comunica, which is loaded at the first query. */
export function createComunicaEngine(): SparqlEngine {
  return new ComunicaSparqlEngine();
}

/** Parses a request and puts the values of a template in their places. */
export function parseRequest(request: SparqlRequest, options: EvaluationOptions = {}): ParsedSparql {
  const { prefixes, baseIRI } = options;
  if (typeof request === 'string') return parseSparql(request, { prefixes, baseIRI });
  if (!isSparqlTemplate(request)) {
    throw new InvalidArgumentError('INVALID_OPTION', 'a request is a text or a template of the sparql tag');
  }
  return substituteValues(parseSparql(request.text, { prefixes, baseIRI }), request.values);
}

class ComunicaSparqlEngine implements SparqlEngine {
  readonly #evaluator = new ComunicaEvaluator();

  async query(
    request: SparqlRequest,
    dataset: QueryableDataset,
    options: EvaluationOptions = {},
  ): Promise<SparqlAnswer> {
    const parsed = queryOf(parseRequest(request, options));
    const algebra = withoutServices(bindQuery(parsed.algebra, options.bindings ?? {}));
    const control = new EvaluationControl(options);
    const view = new DatasetView(dataset, graphsFor(parsed.dataset, options));
    const context = { ...contextOf(parsed, options, control), view };
    if (parsed.kind === 'ask') return { type: 'boolean', value: await this.#ask(algebra, context) };
    if (parsed.kind === 'construct') {
      const quads = construct(algebra, (pattern) => this.#evaluator.solutions(pattern, context), context);
      return { type: 'quads', quads: guarded(quads, control) };
    }
    if (parsed.kind === 'describe') return { type: 'quads', quads: guarded(this.#describe(algebra, context), control) };
    const rows = guarded(this.#evaluator.solutions(algebra, context), control);
    return { type: 'bindings', variables: columns(algebra), rows };
  }

  async update(request: SparqlRequest, dataset: WritableDataset, options: EvaluationOptions = {}): Promise<void> {
    const parsed = updateOf(parseRequest(request, options));
    const control = new EvaluationControl(options);
    const runner = new UpdateRunner(dataset, this.#evaluator, options, contextOf(parsed, options, control));
    try {
      for (const operation of parsed.operations) await runner.run(bindUpdate(operation, options.bindings ?? {}));
      control.throwIfFailed();
    } catch (error) {
      throw control.failure ?? toEvaluationError(error);
    } finally {
      control.dispose();
    }
  }

  async explain(request: SparqlRequest, dataset: QueryableDataset, options: EvaluationOptions = {}): Promise<string> {
    const parsed = parseRequest(request, options);
    if (parsed.kind === 'update') {
      const plans = parsed.operations.map((operation) =>
        explainOperation(bindUpdate(operation, options.bindings ?? {}), new DatasetView(dataset)),
      );
      return (await Promise.all(plans)).join('\n');
    }
    const view = new DatasetView(dataset, graphsFor(parsed.dataset, options));
    return explainOperation(bindQuery(parsed.algebra, options.bindings ?? {}), view);
  }

  async #ask(algebra: Operation, context: EvaluationContext): Promise<boolean> {
    const input = algebra.type === 'ask' ? algebra.input : algebra;
    const first: Operation = { type: 'slice', input, start: 0, length: 1 };
    for await (const _ of guarded(this.#evaluator.solutions(first, context), context.control)) return true;
    return false;
  }

  #describe(algebra: Operation, context: EvaluationContext): AsyncGenerator<RDF.Quad> {
    const { node, wrap } = unwrap<Describe>(algebra, 'describe');
    const variables = node.terms.filter((term): term is RDF.Variable => term.termType === 'Variable');
    const evaluate = (): AsyncGenerator<Solution> => {
      const selected: Operation = { type: 'project', input: node.input, variables };
      return this.#evaluator.solutions(wrap(selected), context);
    };
    return describeResources(resourcesOf(node.terms, evaluate), context.view, context.control);
  }
}

async function* resourcesOf(
  terms: readonly RDF.Term[],
  evaluate: () => AsyncGenerator<Solution>,
): AsyncGenerator<RDF.Term> {
  yield* terms.filter((term) => term.termType !== 'Variable');
  if (terms.every((term) => term.termType !== 'Variable')) return;
  for await (const solution of evaluate()) yield* Object.values(solution);
}

// Graphs are sets: repeated quads are left out as long as remembering them is cheap. Beyond that they may come again.
const REMEMBERED_QUADS = 65_536;

async function* construct(
  algebra: Operation,
  evaluate: (pattern: Operation) => AsyncGenerator<Solution>,
  context: EvaluationContext,
): AsyncGenerator<RDF.Quad> {
  const { node, wrap } = unwrap<Construct>(algebra, 'construct');
  const names = patternVariables(node.template).filter((name) => !name.startsWith('_:'));
  const pattern: Operation = { type: 'project', input: node.input, variables: names.map(makeVariable) };
  const instantiation = new Instantiation(node.template, `${context.blankNodePrefix}c`);
  const seen = new Set<string>();
  for await (const solution of evaluate(wrap(pattern))) {
    for (const quad of instantiation.quads(solution)) {
      const key = termToText(quad) + termToText(quad.graph);
      if (seen.has(key)) continue;
      if (seen.size < REMEMBERED_QUADS) seen.add(key);
      yield quad;
    }
  }
}

/** Finds the node of a query form below LIMIT and OFFSET, which then go around what is put in its place. */
function unwrap<T extends Operation>(
  algebra: Operation,
  type: T['type'],
): { readonly node: T; readonly wrap: (inner: Operation) => Operation } {
  if (algebra.type === type) return { node: algebra as T, wrap: (inner) => inner };
  if (algebra.type === 'slice' || algebra.type === 'distinct' || algebra.type === 'reduced') {
    const { node, wrap } = unwrap<T>(algebra.input, type);
    return { node, wrap: (inner) => ({ ...algebra, input: wrap(inner) }) };
  }
  throw new Error(`the algebra has no ${type}`);
}

function columns(algebra: Operation): string[] {
  if (algebra.type === 'slice' || algebra.type === 'distinct' || algebra.type === 'reduced')
    return columns(algebra.input);
  if (algebra.type === 'project') return (algebra as Project).variables.map(({ value }) => value);
  return [...visibleVariables(algebra)];
}

/** Gives the control back its timer and its listener, however the iteration ends. */
async function* guarded<T>(items: AsyncIterable<T>, control: EvaluationControl): AsyncGenerator<T> {
  try {
    for await (const item of items) {
      control.throwIfFailed();
      yield item;
    }
    control.throwIfFailed();
  } catch (error) {
    throw control.failure ?? toEvaluationError(error);
  } finally {
    control.dispose();
  }
}

function contextOf(
  parsed: ParsedSparql,
  options: EvaluationOptions,
  control: EvaluationControl,
): Omit<EvaluationContext, 'view'> {
  return {
    control,
    baseIRI: parsed.baseIRI,
    now: options.now ?? new Date(),
    blankNodePrefix: options.blankNodePrefix ?? newBlankNodePrefix(),
  };
}

function queryOf(parsed: ParsedSparql): ParsedQuery {
  if (parsed.kind !== 'update') return parsed;
  throw new InvalidArgumentError('INVALID_OPTION', 'this is an update, where a query is expected');
}

function updateOf(parsed: ParsedSparql): ParsedUpdate {
  if (parsed.kind === 'update') return parsed;
  throw new InvalidArgumentError('INVALID_OPTION', `this is a ${parsed.kind} query, where an update is expected`);
}
