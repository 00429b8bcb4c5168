/** Read access to the content of one revision. */
import type * as RDF from '@rdfjs/types';
import type { Revision } from '@quadrille/core';
import type { JsonLdWriteOptions } from '@quadrille/formats';
import type { Explanation } from '@quadrille/sparql';
import type { SearchAnswer, SearchOptions } from './search.js';
import type { BlameEntry, BlameOptions, LogOptions } from './history.js';
import type { Bindings, PrepareOptions, PreparedQuery } from './prepared.js';
import type {
  ExplainOptions,
  QuadPattern,
  QueryAnswer,
  ReadOptions,
  Results,
  Row,
  SelectCall,
  SparqlCall,
  SparqlText,
  SyncReadOptions,
} from './query.js';

/**
 * Options of `dump`.
 * @since 0.1.0
 */
export interface DumpOptions extends ReadOptions {
  /**
   * Only the quads of this graph, without its name if the format has no graphs.
   * @defaultValue all graphs
   */
  readonly graph?: RDF.NamedNode | RDF.BlankNode | RDF.DefaultGraph | undefined;
  /** `'drop'` omits graph names and writes each triple once, even if several graphs contain it. */
  readonly graphs?: 'drop' | undefined;
  /**
   * Canonical N-Triples or N-Quads of RDF 1.2: language tags in lower case. Otherwise they have the case of BCP 47, `en-GB`.
   * Quads keep the order of the indexes.
   * @defaultValue `false`
   */
  readonly canonical?: boolean | undefined;
  /** How JSON-LD is written: `rdfDirection`. Other formats ignore it. */
  readonly jsonLd?: JsonLdWriteOptions | undefined;
}

/**
 * The content of one revision. Each call reads one state. Calls of a repository read the head at the time of the call. Commits that
 * come later change no running call, and a reader never blocks a writer.
 *
 * Every call may also throw the errors below, those with a lazy sequence while it is read.
 * @throws StateError `STORE_NOT_OPEN` after `close()`
 * @throws NotFoundError `REPOSITORY_DELETED`; `REVISION_NOT_FOUND` on a view of a revision that does not exist
 * @throws InvalidArgumentError `INVALID_REF` on a view of a malformed ref
 * @throws StorageError `STORAGE_IO`
 * @throws CorruptionError `CHECKSUM`, `INDEX_DISAGREES`, `UNKNOWN_ID`, `LOG_BROKEN`
 * @since 0.1.0
 */
export interface ReadView {
  /** The revision that calls read at this moment. Constant time. */
  revision(): Promise<Revision>;
  /** The number of quads in all graphs. Constant time. */
  size(): Promise<number>;
  /**
   * The number of quads that match a pattern. It reads a range of an index and no terms.
   * @throws InvalidArgumentError `INVALID_PATTERN`, `INVALID_OPTION`
   * @throws EvaluationError `ABORTED`
   */
  count(pattern?: QuadPattern, options?: ReadOptions): Promise<number>;
  /**
   * Whether a quad is there, or one that matches a pattern. It reads one row of an index.
   * @throws InvalidArgumentError `INVALID_PATTERN`, `INVALID_OPTION`
   * @throws EvaluationError `ABORTED`
   */
  has(pattern: QuadPattern, options?: ReadOptions): Promise<boolean>;
  /**
   * The quads that match a pattern, each once, in the order of an index and not of their insertion. A lazy sequence: while it is read,
   * it holds a snapshot.
   * @throws InvalidArgumentError `INVALID_PATTERN`, `INVALID_OPTION`
   * @throws EvaluationError `ABORTED`
   */
  quads(pattern?: QuadPattern, options?: ReadOptions): Results<RDF.Quad>;
  /**
   * The quads of {@link quads} as an array, without a promise. It reads what is in memory, and what the storage gives at once: a store in
   * memory and LevelDB, LMDB too, give everything. Where anything must be waited for, it throws `WOULD_WAIT` and gives nothing. The event
   * loop has no turn meanwhile: read much by {@link quads}.
   * @throws InvalidArgumentError `INVALID_PATTERN`, `INVALID_OPTION`
   * @throws StateError `WOULD_WAIT`: await {@link quads} instead
   */
  quadsSync(pattern?: QuadPattern, options?: SyncReadOptions): RDF.Quad[];
  /**
   * Whether a quad matches, for a quad whether it is there, without a promise. It waits for nothing, as {@link quadsSync}.
   * @throws InvalidArgumentError `INVALID_PATTERN`
   * @throws StateError `WOULD_WAIT`: await {@link count} instead
   */
  hasSync(pattern: QuadPattern): boolean;
  /**
   * The matching quads, each with the revision that added it: one lookup each. With `removed` the quads that are gone too, which reads
   * their history.
   * @throws InvalidArgumentError `INVALID_PATTERN`, `INVALID_OPTION`, `INVALID_REF`
   * @throws NotFoundError `REVISION_NOT_FOUND`
   * @throws EvaluationError `ABORTED`
   */
  blame(pattern?: QuadPattern, options?: BlameOptions): Results<BlameEntry>;
  /**
   * The quads whose objects have words, the best ones first, where the settings have `search`. `text` is in the syntax of Lucene's classic
   * query parser: `moon -lunar`, `+dwarf +planet`, `"dwarf planet"`, `plu*`, `plto~1`. It searches literals without a datatype, and those
   * with a language.
   * @throws ParseError `TEXT_SYNTAX` with the column
   * @throws ConflictError `NO_INDEX` where the settings have no `search`
   * @throws InvalidArgumentError `INVALID_OPTION`, `INVALID_REF`
   * @throws NotFoundError `REVISION_NOT_FOUND`
   * @throws EvaluationError `ABORTED`
   */
  search(text: string, options?: SearchOptions): Promise<SearchAnswer>;
  /**
   * The names of the graphs with at least one quad, without the default graph. A lazy sequence in no defined order.
   * @throws InvalidArgumentError `INVALID_OPTION`
   * @throws EvaluationError `ABORTED`
   */
  graphs(options?: ReadOptions): Results<RDF.NamedNode | RDF.BlankNode>;
  /**
   * The rows of a SELECT, as a lazy sequence. All errors of the query come when the rows are read.
   * @throws ParseError `SPARQL_SYNTAX`
   * @throws InvalidArgumentError `INVALID_OPTION`, also for another kind of query; `NOT_A_QUERY` for an update;
   *   `INVALID_TERM` for a value that is no term
   * @throws EvaluationError `UNSUPPORTED`, `UNKNOWN_FUNCTION`, `SERVICE_FAILED`, `QUERY_TIMEOUT`, `QUERY_QUEUE_FULL`, `ABORTED`,
   *   `QUERY_MEMORY`, `RESULT_TOO_LARGE`
   * @throws FetchError `BLOCKED_ADDRESS` for a SERVICE that is not allowed
   */
  readonly select: SelectCall;
  /**
   * The triples of a CONSTRUCT, as a lazy sequence in no defined order.
   * @throws ParseError `SPARQL_SYNTAX`
   * @throws InvalidArgumentError `INVALID_OPTION`, `NOT_A_QUERY`, `INVALID_TERM`
   * @throws EvaluationError `UNSUPPORTED`, `UNKNOWN_FUNCTION`, `SERVICE_FAILED`, `QUERY_TIMEOUT`, `QUERY_QUEUE_FULL`, `ABORTED`,
   *   `QUERY_MEMORY`, `RESULT_TOO_LARGE`
   * @throws FetchError `BLOCKED_ADDRESS`
   */
  readonly construct: SparqlCall<Results<RDF.Quad>>;
  /**
   * The triples of a DESCRIBE, as a lazy sequence in no defined order.
   * @throws ParseError `SPARQL_SYNTAX`
   * @throws InvalidArgumentError `INVALID_OPTION`, `NOT_A_QUERY`, `INVALID_TERM`
   * @throws EvaluationError `UNSUPPORTED`, `UNKNOWN_FUNCTION`, `SERVICE_FAILED`, `QUERY_TIMEOUT`, `QUERY_QUEUE_FULL`, `ABORTED`,
   *   `QUERY_MEMORY`, `RESULT_TOO_LARGE`
   * @throws FetchError `BLOCKED_ADDRESS`
   */
  readonly describe: SparqlCall<Results<RDF.Quad>>;
  /**
   * Whether an ASK has a solution. The evaluation stops at the first one.
   * @throws ParseError `SPARQL_SYNTAX`
   * @throws InvalidArgumentError `INVALID_OPTION`, `NOT_A_QUERY`, `INVALID_TERM`
   * @throws EvaluationError `UNSUPPORTED`, `UNKNOWN_FUNCTION`, `SERVICE_FAILED`, `QUERY_TIMEOUT`, `QUERY_QUEUE_FULL`, `ABORTED`,
   *   `QUERY_MEMORY`
   * @throws FetchError `BLOCKED_ADDRESS`
   */
  readonly ask: SparqlCall<Promise<boolean>>;
  /**
   * The answer of a query of any kind. It holds a snapshot until its sequence has been read.
   * @throws ParseError `SPARQL_SYNTAX`
   * @throws InvalidArgumentError `INVALID_OPTION`, `NOT_A_QUERY`, `INVALID_TERM`
   * @throws EvaluationError `UNSUPPORTED`, `UNKNOWN_FUNCTION`, `SERVICE_FAILED`, `QUERY_TIMEOUT`, `QUERY_QUEUE_FULL`, `ABORTED`,
   *   `QUERY_MEMORY`, `RESULT_TOO_LARGE`
   * @throws FetchError `BLOCKED_ADDRESS`
   */
  readonly query: SparqlCall<Promise<QueryAnswer>>;
  /**
   * Parses a query for repeated calls: `(await repo.prepare('SELECT … ?id …')).select({ bindings: { id } })`. The type parameters are
   * those of a row and of `bindings`.
   * @throws ParseError `SPARQL_SYNTAX`
   * @throws InvalidArgumentError `INVALID_OPTION`, `NOT_A_QUERY`, `INVALID_TERM`
   * @throws EvaluationError `ABORTED`, `QUERY_TIMEOUT` by the task
   */
  prepare<R extends object = Row, B extends object = Bindings>(
    text: SparqlText,
    options?: PrepareOptions,
  ): Promise<PreparedQuery<R, B>>;
  /**
   * The plan of a query with the estimates of each step. With `analyze` it also has the actual rows and times, and costs as much as the
   * query.
   * @throws ParseError `SPARQL_SYNTAX`
   * @throws InvalidArgumentError `INVALID_OPTION`; `NOT_A_QUERY` for an update; `INVALID_TERM`
   * @throws EvaluationError `UNSUPPORTED`, `UNKNOWN_FUNCTION`, `SERVICE_FAILED`, `QUERY_TIMEOUT`, `QUERY_QUEUE_FULL`, `ABORTED`,
   *   `QUERY_MEMORY`, `RESULT_TOO_LARGE`
   */
  explain(text: SparqlText, options?: ExplainOptions): Promise<Explanation>;
  /**
   * The whole content as a document in chunks of text. Its memory does not depend on the number of quads.
   * @param mediaType an RDF media type or the name of a format; default N-Quads. If the format has no named graphs and the content does,
   *   the call fails with `INVALID_OPTION`, unless `graph` or `graphs` is given.
   * @throws InvalidArgumentError `INVALID_OPTION`, `INVALID_TERM`
   * @throws EvaluationError `UNSUPPORTED` for a term that the format cannot express; `ABORTED`
   */
  dump(mediaType?: string, options?: DumpOptions): Results<string>;
}

/**
 * The content of a revision, and the history up to it.
 * @since 0.1.0
 */
export interface RevisionView extends ReadView {
  /**
   * The revisions up to this one, the newest first. With the options of `Repository.log`.
   * @throws InvalidArgumentError `INVALID_OPTION`, `INVALID_REF`, `INVALID_PATTERN`
   * @throws NotFoundError `REVISION_NOT_FOUND`
   * @throws EvaluationError `ABORTED`
   */
  log(options?: LogOptions): Results<Revision>;
}
