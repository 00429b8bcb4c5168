/** RDF/JS: a repository as a store of streams and emitters, for programs and libraries that know that interface. */
import { platform } from '#platform';
import type { EventEmitter } from 'node:events';
import type * as RDF from '@rdfjs/types';
import { blankNode, defaultGraph, iri } from '@quadrille/model';
import type {
  AddOptions,
  QuadPattern,
  QueryAnswer,
  QueryOptions,
  ReadView,
  Repository,
  Results,
  UpdateOptions,
} from '../api/index.js';
import { ADD_OPTIONS, QUERY_OPTIONS, UPDATE_OPTIONS } from '../options/calls.js';
import { checkOptions } from '../options/check-options.js';
import { checkTerms } from '../read/quads.js';
import { type BatchSource, inBatchesOf, type ResultEnds } from '../read/results.js';
import { moreData } from '../sparql/query-pins.js';
import { quadLength } from '../write/quad-input.js';
import { itemsOf } from './stream-items.js';
import { emitterFor } from './streams.js';

/**
 * The reading interfaces of RDF/JS: Source, and the query interfaces for strings. A query context may have the options of
 * {@link QueryOptions}. Its other members are ignored.
 * @since 0.1.0
 */
export interface RdfjsSource extends RDF.Source {
  /**
   * A copy of the matching quads in memory, which later commits do not change.
   * @throws InvalidArgumentError `INVALID_PATTERN`
   */
  toDataset(pattern?: QuadPattern): Promise<RDF.DatasetCore>;
  /**
   * The solutions of a SELECT as a stream of RDF/JS. Destroying the stream frees the query.
   * @throws ParseError `SPARQL_SYNTAX`
   * @throws InvalidArgumentError `INVALID_OPTION`, `NOT_A_QUERY`, `INVALID_TERM`
   * @throws EvaluationError `UNSUPPORTED`, `UNKNOWN_FUNCTION`, `SERVICE_FAILED`, `QUERY_TIMEOUT`, `QUERY_QUEUE_FULL`, `ABORTED`,
   *   `QUERY_MEMORY`, `RESULT_TOO_LARGE`
   */
  queryBindings(query: string, context?: RDF.QueryContext & QueryOptions): Promise<RDF.ResultStream<RDF.Bindings>>;
  /**
   * The triples of a CONSTRUCT or DESCRIBE as a stream of RDF/JS. Destroying the stream frees the query.
   * @throws ParseError `SPARQL_SYNTAX`
   * @throws InvalidArgumentError `INVALID_OPTION`, `NOT_A_QUERY`, `INVALID_TERM`
   * @throws EvaluationError `UNSUPPORTED`, `UNKNOWN_FUNCTION`, `SERVICE_FAILED`, `QUERY_TIMEOUT`, `QUERY_QUEUE_FULL`, `ABORTED`,
   *   `QUERY_MEMORY`, `RESULT_TOO_LARGE`
   */
  queryQuads(query: string, context?: RDF.QueryContext & QueryOptions): Promise<RDF.ResultStream<RDF.Quad>>;
  /**
   * The answer of an ASK.
   * @throws ParseError `SPARQL_SYNTAX`
   * @throws InvalidArgumentError `INVALID_OPTION`, `NOT_A_QUERY`, `INVALID_TERM`
   * @throws EvaluationError `UNSUPPORTED`, `UNKNOWN_FUNCTION`, `SERVICE_FAILED`, `QUERY_TIMEOUT`, `QUERY_QUEUE_FULL`, `ABORTED`,
   *   `QUERY_MEMORY`
   */
  queryBoolean(query: string, context?: RDF.QueryContext & QueryOptions): Promise<boolean>;
  /**
   * Runs an update. It throws what {@link Repository.update} throws.
   * @throws StateError `READ_ONLY` on the view of a revision
   */
  queryVoid(query: string, context?: RDF.QueryContext & UpdateOptions): Promise<void>;
  /**
   * Whether a quad is there.
   * @throws InvalidArgumentError `INVALID_PATTERN`
   */
  has(quad: RDF.Quad): Promise<boolean>;
}

/**
 * A repository as the Store of RDF/JS. Its emitters say `end` when everything is stored, or `error`: an `await` of them waits for nothing.
 * @since 0.1.0
 */
export interface RdfjsStore extends RdfjsSource, RDF.Store {
  /**
   * Adds the quads of a stream as one revision. Each label of a blank node becomes a new node of this stream, unless `blankNodes` is
   * `'keep'`. The emitter emits `end` or `error`.
   * @throws InvalidArgumentError `INVALID_TERM`, `INVALID_OPTION`, `INVALID_REF`, as an event
   * @throws LimitError `INPUT_TOO_LARGE` for an emitter that is far ahead and cannot pause, as an event
   * @throws EvaluationError `ABORTED`, as an event
   * @throws ConflictError `REVISION_CONFLICT` if `ifRevision` is not the head, as an event
   * @throws NotFoundError `REVISION_NOT_FOUND` for `ifRevision`, as an event
   * @throws StateError `READ_ONLY`, as an event
   * @throws StorageError `STORAGE_FULL`, `STORAGE_LIMIT`, as an event
   */
  import(stream: RDF.Stream<RDF.Quad>, options?: AddOptions): ReturnType<RDF.Store['import']>;
}

/**
 * A repository, or a view of a revision, as RDF/JS has it. Making one costs nothing, and reads nothing.
 * @example
 * ```ts
 * import { asStore, open } from 'quadrille';
 *
 * const db = await open(':memory:');
 * const repo = await db.repository('people', { create: true });
 * await repo.update('INSERT DATA { <urn:ann> <urn:knows> <urn:bob> }');
 * const dataset = await asStore(repo).toDataset();
 * console.log(dataset.size); // 1
 * await db.close();
 * ```
 * @since 0.1.0
 */
export function asStore(repository: Repository): RdfjsStore;
export function asStore(view: ReadView): RdfjsSource;
export function asStore(view: ReadView | Repository): RdfjsStore {
  // A view refuses what writes, with `READ_ONLY`.
  return new RepositoryStore(view as Repository);
}

class RepositoryStore implements RdfjsStore {
  readonly #repository: Repository;

  constructor(repository: Repository) {
    this.#repository = repository;
  }

  has(quad: RDF.Quad): Promise<boolean> {
    return this.#repository.has(quad);
  }

  match(
    subject?: RDF.Term | null,
    predicate?: RDF.Term | null,
    object?: RDF.Term | null,
    graph?: RDF.Term | null,
  ): RDF.Stream<RDF.Quad> {
    const pattern = { subject, predicate, object, graph };
    checkTerms(pattern);
    return streamed(this.#repository.quads(pattern));
  }

  async toDataset(pattern: QuadPattern = {}): Promise<RDF.DatasetCore> {
    const { toDataset } = await import('./to-dataset.js');
    return toDataset(this.#repository.quads(pattern));
  }

  async queryBindings(
    query: string,
    context?: RDF.QueryContext & QueryOptions,
  ): Promise<RDF.ResultStream<RDF.Bindings>> {
    const asked = this.#repository.query(query, knownOptions<QueryOptions>(context, QUERY_OPTIONS));
    // Most pages ask in other ways.
    const [{ rows }, { RowBindings }] = await Promise.all([ofKind('bindings', asked), import('./bindings.js')]);
    return streamed(rows, RowBindings.fromRow);
  }

  async queryQuads(query: string, context?: RDF.QueryContext & QueryOptions): Promise<RDF.ResultStream<RDF.Quad>> {
    const asked = this.#repository.query(query, knownOptions<QueryOptions>(context, QUERY_OPTIONS));
    return streamed((await ofKind('quads', asked)).quads);
  }

  queryBoolean(query: string, context?: RDF.QueryContext & QueryOptions): Promise<boolean> {
    return this.#repository.ask(query, knownOptions<QueryOptions>(context, QUERY_OPTIONS));
  }

  async queryVoid(query: string, context?: RDF.QueryContext & UpdateOptions): Promise<void> {
    await this.#repository.update(query, knownOptions<UpdateOptions>(context, UPDATE_OPTIONS));
  }

  import(stream: RDF.Stream<RDF.Quad>, options: AddOptions = {}): EventEmitter {
    const items = itemsOf<RDF.Quad>(stream, quadLength);
    return emitterFor(async () => {
      checkOptions(options, ADD_OPTIONS, 'import');
      await this.#repository.add(items, { blankNodes: 'scope', ...options });
    });
  }

  remove(stream: RDF.Stream<RDF.Quad>): EventEmitter {
    const items = itemsOf<RDF.Quad>(stream, quadLength);
    return emitterFor(() => this.#repository.remove(items));
  }

  removeMatches(
    subject?: RDF.Term | null,
    predicate?: RDF.Term | null,
    object?: RDF.Term | null,
    graph?: RDF.Term | null,
  ): EventEmitter {
    const pattern = { subject, predicate, object, graph };
    checkTerms(pattern);
    return emitterFor(() => this.#repository.remove(pattern));
  }

  deleteGraph(graph: RDF.Quad_Graph | string): EventEmitter {
    const term = typeof graph === 'string' ? graphTerm(graph) : graph;
    return this.removeMatches(null, null, null, term);
  }
}

/** Results as a stream; each item by `map`, if there is one. Destroying the stream frees them. */
function streamed<T, R = T>(results: Results<T>, map?: (item: T) => R): RDF.ResultStream<R> & RDF.Stream<never> {
  const { batches, ends } = inBatchesOf(results);
  return platform.streamOf(() => (map === undefined ? (batches as BatchSource<never>) : mapped(batches, map)), {
    ...ends,
    unread: async () => void (await batches.close()),
  } satisfies ResultEnds) as never;
}

function mapped<T, R>(batches: BatchSource<T>, map: (item: T) => R): BatchSource<R> {
  const items = (batch: readonly T[] | undefined): readonly R[] | undefined => batch?.map(map);
  return {
    next() {
      const batch = batches.next();
      return batch instanceof Promise ? batch.then(items) : items(batch);
    },
    close: () => batches.close(),
  };
}

async function ofKind<K extends QueryAnswer['type']>(
  kind: K,
  asked: Promise<QueryAnswer>,
): Promise<Extract<QueryAnswer, { type: K }>> {
  const answer = await asked;
  if (answer.type === kind) return answer as Extract<QueryAnswer, { type: K }>;
  if (answer.type === 'bindings') await inBatchesOf(answer.rows).batches.close();
  if (answer.type === 'quads') await inBatchesOf(answer.quads).batches.close();
  throw (await moreData()).wrongKind(kind, answer.type);
}

function graphTerm(name: string): RDF.Quad_Graph {
  return name === '' ? defaultGraph() : name.startsWith('_:') ? blankNode(name.slice(2)) : iri(name);
}

/** The options of ours in a query context of RDF/JS, which may hold those of other engines too. */
function knownOptions<Options>(context: object | undefined, known: object): Options {
  return Object.fromEntries(Object.entries(context ?? {}).filter(([key]) => Object.hasOwn(known, key))) as Options;
}
