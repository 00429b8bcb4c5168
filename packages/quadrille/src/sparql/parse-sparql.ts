/** Checks the syntax of a query or an update, without a repository. */
import type { QueryOptions } from '../api/query.js';
import { DEFAULT_NAMESPACES } from '../names/namespaces.js';

/**
 * What kind of request a text is.
 * @since 0.1.0
 */
export interface ParsedText {
  /** The form of the query, or `'update'`. */
  readonly kind: 'select' | 'construct' | 'describe' | 'ask' | 'update';
}

/**
 * Options of {@link parseSparql}.
 * @since 0.1.0
 */
export interface ParseSparqlOptions extends Pick<QueryOptions, 'baseIRI'> {
  /** Further prefixes that hold without being declared. */
  readonly prefixes?: Readonly<Record<string, string>> | undefined;
}

/**
 * Parses a text with the prefixes that every account begins with, and those given.
 * @throws ParseError `SPARQL_SYNTAX` with line and column
 * @example
 * ```ts
 * import { parseSparql } from 'quadrille';
 *
 * console.log(await parseSparql('ASK { ?s foaf:name "Ann" }')); // { kind: 'ask' }
 * ```
 * @since 0.1.0
 */
export async function parseSparql(text: string, options: ParseSparqlOptions = {}): Promise<ParsedText> {
  const { preparePaced } = await import('@quadrille/sparql');
  const { kind } = await preparePaced(text, { ...options, prefixes: { ...DEFAULT_NAMESPACES, ...options.prefixes } });
  return { kind };
}
