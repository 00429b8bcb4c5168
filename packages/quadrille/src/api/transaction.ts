/** Transactions: staged changes that are invisible to other readers until the commit. */
import type * as RDF from '@rdfjs/types';
import type { Bindings, PrepareOptions, PreparedInTransaction } from './prepared.js';
import type { QuadPattern, Row, SparqlCall, SparqlText } from './query.js';
import type { ReadView } from './read-view.js';

/**
 * Staged changes on a snapshot of the head. Reads of the transaction see them; other readers see them after the commit. The changes
 * are in memory until then.
 * @throws StateError `SNAPSHOT_CLOSED` after the end of the transaction; `STORE_NOT_OPEN`
 * @throws NotFoundError `REPOSITORY_DELETED`
 * @since 0.1.0
 */
export interface Transaction extends Pick<
  ReadView,
  'size' | 'count' | 'quads' | 'graphs' | 'select' | 'construct' | 'describe' | 'ask' | 'query'
> {
  /**
   * Stages quads. Labels of blank nodes are kept. Quads that are there already have no effect.
   * @throws InvalidArgumentError `INVALID_TERM`
   * @throws EvaluationError `QUERY_MEMORY` if the changes of all open transactions take too much memory
   */
  add(quads: RDF.Quad | Iterable<RDF.Quad> | AsyncIterable<RDF.Quad>): Promise<void>;
  /**
   * Stages the removal of quads, or of the matches of a pattern. Quads that are not there have no effect.
   * @throws InvalidArgumentError `INVALID_TERM`, `INVALID_PATTERN`
   * @throws EvaluationError `QUERY_MEMORY`
   */
  remove(quads: RDF.Quad | Iterable<RDF.Quad> | AsyncIterable<RDF.Quad> | QuadPattern): Promise<void>;
  /**
   * Stages the changes of an update. After an error the transaction may have a part of them: roll it back.
   * @throws ParseError `SPARQL_SYNTAX`
   * @throws InvalidArgumentError `INVALID_OPTION`; `NOT_AN_UPDATE` for a query; `INVALID_TERM`
   * @throws EvaluationError `UNSUPPORTED`, `UNKNOWN_FUNCTION`, `SERVICE_FAILED`, `QUERY_TIMEOUT`, `QUERY_QUEUE_FULL`, `ABORTED`,
   *   `QUERY_MEMORY`
   * @throws NotFoundError `INPUT_NOT_FOUND`
   * @throws FetchError `BLOCKED_ADDRESS` for a LOAD or SERVICE that is not allowed; `URL_NOT_ALLOWED`, `FETCH_FAILED`, `FETCH_TIMEOUT`,
   *   `FETCH_TOO_LARGE` of a LOAD
   */
  readonly update: SparqlCall<Promise<void>>;
  /**
   * Parses a query or an update for repeated calls while the transaction is open.
   * @throws ParseError `SPARQL_SYNTAX`
   * @throws InvalidArgumentError `INVALID_OPTION`, `INVALID_TERM`
   * @throws EvaluationError `ABORTED`, `QUERY_TIMEOUT` by the task
   */
  prepare<R extends object = Row, B extends object = Bindings>(
    text: SparqlText,
    options?: PrepareOptions,
  ): Promise<PreparedInTransaction<R, B>>;
}
