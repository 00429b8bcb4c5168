/** Prepared queries and updates. */
import type * as RDF from '@rdfjs/types';
import type { Revision } from '@quadrille/core';
import type { UpdateOptions } from './commit.js';
import type { SparqlTemplate } from '@quadrille/sparql';
import type { JsRow, QueryAnswer, QueryOptions, Results, Row, Rows, SelectOptions } from './query.js';

/**
 * Options of `prepare`.
 * @since 0.1.0
 */
export interface PrepareOptions extends Pick<QueryOptions, 'baseIRI'> {}
/**
 * The terms of variables by name: the default type of the `bindings` of a prepared query.
 * @since 0.1.0
 */
export type Bindings = Readonly<Record<string, RDF.Term>>;
/**
 * Options of a prepared query. Values that differ between calls are `bindings`.
 * @since 0.1.0
 */
export interface PreparedOptions<B extends object = Bindings> extends Omit<QueryOptions, 'baseIRI' | 'bindings'> {
  /** Values of variables that are bound before the query or update runs. A name that is not in the text is `INVALID_OPTION`. */
  readonly bindings?: B | undefined;
}
/**
 * Options of a prepared SELECT.
 * @since 0.1.0
 */
export interface PreparedSelectOptions<B extends object = Bindings>
  extends PreparedOptions<B>, Pick<SelectOptions, 'values'> {}
/**
 * Options of a prepared update.
 * @since 0.1.0
 */
export interface PreparedUpdateOptions<B extends object = Bindings>
  extends Omit<UpdateOptions, 'baseIRI' | 'bindings'>, Pick<PreparedOptions<B>, 'bindings'> {}
/**
 * A query that was parsed once, with the prefixes at that time. Its methods read the same state as those of the repository or
 * transaction at the time of each call. All values of the same bindings share one plan. `R` is the type of a row, and `B` the type
 * of `bindings`.
 *
 * Its methods throw what the methods of {@link ReadView} throw, except `SPARQL_SYNTAX`. A method for another kind of query throws
 * `INVALID_OPTION`.
 * @since 0.1.0
 */
export interface PreparedQuery<R extends object = Row, B extends object = Bindings> {
  /** The parsed request. Calls of other views accept it in place of a text, and do not parse it again. */
  readonly request: SparqlTemplate;
  /** The kind of the text. */
  readonly kind: 'select' | 'construct' | 'describe' | 'ask' | 'update';
  /** The names of the variables of the text, in its order: the names that `bindings` may have. */
  readonly bindings: readonly string[];
  /** The graphs of FROM and FROM NAMED, of USING, USING NAMED and WITH; `undefined` where the text has none of these. */
  readonly dataset:
    | {
        /** The IRIs of FROM, USING and WITH. */
        readonly default: readonly string[];
        /** The IRIs of FROM NAMED and USING NAMED. */
        readonly named: readonly string[];
      }
    | undefined;
  /** The IRIs of all graphs that the text names. */
  readonly graphs: readonly string[];
  /** The prefixes that the text uses, and their namespaces. */
  readonly prefixes: Readonly<Record<string, string>>;
  /** Whether a query reads more than the repository that it is for: by SERVICE, or by `repo:` in FROM and FROM NAMED. */
  readonly readsOthers: boolean;
  /**
   * The rows of a SELECT as JavaScript values.
   * @throws InvalidArgumentError `INVALID_OPTION`, `INVALID_TERM`, `INVALID_VECTOR`
   * @throws EvaluationError `UNSUPPORTED`, `UNKNOWN_FUNCTION`, `SERVICE_FAILED`, `QUERY_TIMEOUT`, `QUERY_QUEUE_FULL`, `ABORTED`,
   *   `QUERY_MEMORY`, `RESULT_TOO_LARGE`
   */
  select<J extends object = JsRow>(options: PreparedSelectOptions<B> & { readonly values: 'js' }): Rows<J>;
  /**
   * The rows of a SELECT as RDF/JS terms.
   * @throws InvalidArgumentError `INVALID_OPTION`, `INVALID_TERM`, `INVALID_VECTOR`
   * @throws EvaluationError `UNSUPPORTED`, `UNKNOWN_FUNCTION`, `SERVICE_FAILED`, `QUERY_TIMEOUT`, `QUERY_QUEUE_FULL`, `ABORTED`,
   *   `QUERY_MEMORY`, `RESULT_TOO_LARGE`
   */
  select(options?: PreparedSelectOptions<B> & { readonly values?: 'terms' | undefined }): Rows<R>;
  /**
   * The triples of a CONSTRUCT or DESCRIBE, in no defined order.
   * @throws InvalidArgumentError `INVALID_OPTION`, `INVALID_TERM`, `INVALID_VECTOR`
   * @throws EvaluationError `UNSUPPORTED`, `UNKNOWN_FUNCTION`, `SERVICE_FAILED`, `QUERY_TIMEOUT`, `QUERY_QUEUE_FULL`, `ABORTED`,
   *   `QUERY_MEMORY`, `RESULT_TOO_LARGE`
   */
  construct(options?: PreparedOptions<B>): Results<RDF.Quad>;
  /** The same as {@link PreparedQuery.construct}. */
  describe(options?: PreparedOptions<B>): Results<RDF.Quad>;
  /**
   * Whether an ASK has a solution.
   * @throws InvalidArgumentError `INVALID_OPTION`, `INVALID_TERM`, `INVALID_VECTOR`
   * @throws EvaluationError `UNSUPPORTED`, `UNKNOWN_FUNCTION`, `SERVICE_FAILED`, `QUERY_TIMEOUT`, `QUERY_QUEUE_FULL`, `ABORTED`,
   *   `QUERY_MEMORY`
   */
  ask(options?: PreparedOptions<B>): Promise<boolean>;
  /**
   * The answer of a query of any kind.
   * @throws InvalidArgumentError `INVALID_OPTION`, `INVALID_TERM`, `INVALID_VECTOR`
   * @throws EvaluationError `UNSUPPORTED`, `UNKNOWN_FUNCTION`, `SERVICE_FAILED`, `QUERY_TIMEOUT`, `QUERY_QUEUE_FULL`, `ABORTED`,
   *   `QUERY_MEMORY`, `RESULT_TOO_LARGE`
   */
  query(options?: PreparedOptions<B>): Promise<QueryAnswer>;
  /**
   * The answer as a document, in chunks of text of about 64 Ki characters, which never run ahead of the reader. With
   * `workers` of `open`, a thread may evaluate it.
   * @param mediaType the media type or the name of a format: SPARQL results in JSON, XML, CSV or TSV for SELECT and ASK, RDF for
   *   CONSTRUCT and DESCRIBE
   * @throws InvalidArgumentError `INVALID_OPTION`, `INVALID_TERM`, `INVALID_VECTOR`
   * @throws EvaluationError `UNSUPPORTED`, `UNKNOWN_FUNCTION`, `SERVICE_FAILED`, `QUERY_TIMEOUT`, `QUERY_QUEUE_FULL`, `ABORTED`,
   *   `QUERY_MEMORY`, `RESULT_TOO_LARGE`, `THREAD_FAILED`
   */
  serialize(mediaType: string, options?: PreparedOptions<B>): Results<string>;
}
/**
 * A prepared query or update of a repository.
 * @since 0.1.0
 */
export interface PreparedRequest<R extends object = Row, B extends object = Bindings> extends PreparedQuery<R, B> {
  /**
   * Runs an update as one revision. It throws what {@link Repository.update} throws.
   * @returns the new revision, or the head if nothing changed
   */
  update(options?: PreparedUpdateOptions<B>): Promise<Revision>;
}
/**
 * A prepared query or update of a transaction. It is valid while the transaction is open.
 * @since 0.1.0
 */
export interface PreparedInTransaction<R extends object = Row, B extends object = Bindings> extends Omit<
  PreparedQuery<R, B>,
  'serialize'
> {
  /** Stages the changes of an update. It throws what {@link Transaction.update} throws. */
  update(options?: PreparedOptions<B>): Promise<void>;
}
