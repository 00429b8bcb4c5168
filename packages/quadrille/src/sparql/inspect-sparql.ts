/** Parses a text without a repository, and returns all its errors. */
import type { Inspection } from '@quadrille/sparql';
import type { QueryOptions } from '../api/query.js';
import type { OfTask } from '../host/host-types.js';

/**
 * Options of {@link inspectSparql}.
 * @since 0.1.0
 */
export interface InspectOptions extends Pick<QueryOptions, 'baseIRI'> {
  /**
   * The prefixes that hold without being declared.
   * @defaultValue none
   */
  readonly prefixes?: Readonly<Record<string, string>> | undefined;
}

/**
 * Reads a query or an update for an editor: its kind, its variables, graphs and prefixes, and all its errors with their places, at most
 * 20. It goes on behind each statement that is wrong. Long texts are read in parts; the time grows with the length and with the number of
 * errors. Aggregates of `open` are read as functions.
 * @throws EvaluationError `ABORTED`, `QUERY_TIMEOUT` by the task
 * @example
 * ```ts
 * import { inspectSparql } from 'quadrille';
 *
 * const { kind, variables, errors } = await inspectSparql('SELECT ?name { ?person <urn:name> ?name');
 * console.log(kind, variables, errors.length); // 'select' [ 'name', 'person' ] 1
 * ```
 * @since 0.1.0
 */
export async function inspectSparql(text: string, options: InspectOptions = {}): Promise<Inspection> {
  const { prefixes = {}, baseIRI, task }: InspectOptions & OfTask = options;
  const { inspectText } = await import('@quadrille/sparql');
  return inspectText(text, { prefixes, baseIRI }, () => task?.control.checkpoint());
}
