/** A table as N-Triples, without a store. */
import type { LoadOptions, LoadSource } from '../api/index.js';
import { checkOptions } from '../options/check-options.js';
import type { Rules } from '../options/check-options.js';
import { LOAD_OPTIONS } from '../options/calls.js';
import { anObject } from '../options/rules.js';

/** Options of {@link mapTable}. They mean what they mean for `load`. */
export interface MapTableOptions extends Pick<
  LoadOptions,
  'format' | 'baseIRI' | 'onError' | 'maxErrors' | 'onProblem' | 'sourceName' | 'signal'
> {
  /** The text of the mapping. */
  readonly mapping: string;
  /**
   * Prefixes of the mapping, name to IRI, beside those that every repository has.
   * @defaultValue none
   */
  readonly prefixes?: Readonly<Record<string, string>> | undefined;
}

const { mapping, format, baseIRI, onError, maxErrors, onProblem, sourceName, signal } = LOAD_OPTIONS;
const OPTIONS: Rules<MapTableOptions> = {
  mapping,
  prefixes: anObject,
  format,
  baseIRI,
  onError,
  maxErrors,
  onProblem,
  sourceName,
  signal,
};

/**
 * What a mapping makes of a table, as N-Triples in pieces of text: what `load` with the same options would load. Nothing is read before the
 * iteration begins.
 * @throws ParseError `RDF_SYNTAX` for the table, `SPARQL_SYNTAX` for the mapping, through the iterator like all others
 * @throws InvalidArgumentError `INVALID_OPTION`
 * @throws EvaluationError `UNKNOWN_FUNCTION`, `ABORTED`
 * @throws NotFoundError `INPUT_NOT_FOUND`
 * @example
 * ```ts
 * import { mapTable } from 'quadrille';
 *
 * const mapping = 'CONSTRUCT { ?s <urn:name> ?name } WHERE { BIND(IRI(CONCAT("urn:person:", ?id)) AS ?s) }';
 * for await (const text of mapTable({ text: 'id,name\n1,Ann\n' }, { format: 'csv', mapping })) console.log(text);
 * // <urn:person:1> <urn:name> "Ann" .
 * ```
 * @since 0.1.0
 */
export async function* mapTable(source: LoadSource, options: MapTableOptions): AsyncGenerator<string, void, undefined> {
  checkOptions(options, OPTIONS, 'mapTable');
  // Programs without tables do not load what reads them.
  yield* (await import('./table-text.js')).tableText(source, options);
}
