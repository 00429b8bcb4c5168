/** What the evaluator needs of other hosts, and does not know how to reach: SERVICE and LOAD. */
import type * as RDF from '@rdfjs/types';

/** Options of a call of another endpoint. */
export interface RemoteCallOptions {
  /** Ends the call, also while its result is iterated. */
  readonly signal: AbortSignal;
}

/** The solutions of another endpoint. */
export interface RemoteBindings {
  /** The names of the columns. */
  readonly variables: readonly string[];
  /** In batches, once; unbound variables have no member. Leaving the iteration ends the call. */
  readonly rows: AsyncIterable<readonly Readonly<Record<string, RDF.Term>>[]>;
}

/**
 * Calls to other hosts. Blank nodes of an answer have unique labels, so the engine uses them unchanged. A call fails with a
 * FetchError if the host cannot be reached or is not allowed. It fails with the EvaluationError `SERVICE_FAILED` if the answer is
 * unusable, and with `ABORTED`. SILENT suppresses all errors but `ABORTED`.
 */
export interface RemoteSources {
  /** Evaluates a query at an endpoint (SERVICE). */
  query(endpoint: string, query: string, options: RemoteCallOptions): Promise<RemoteBindings>;
  /** Reads a document (LOAD), in batches. */
  load(url: string, options: RemoteCallOptions): AsyncIterable<readonly RDF.Quad[]>;
}
