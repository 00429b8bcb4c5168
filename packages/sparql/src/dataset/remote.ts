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
 * Blank nodes that come from outside have labels that nothing else has, so that they can be taken as they are.
 * They fail with FetchError where the host cannot or may not be asked, with EvaluationError `SERVICE_FAILED` where its answer
 * is of no use, and with `ABORTED`. SILENT may pass over all but the last.
 */
export interface RemoteSources {
  /** Evaluates a query at an endpoint (SERVICE). */
  query(endpoint: string, query: string, options: RemoteCallOptions): Promise<RemoteBindings>;
  /** Reads a document (LOAD), in batches. */
  load(url: string, options: RemoteCallOptions): AsyncIterable<readonly RDF.Quad[]>;
}
