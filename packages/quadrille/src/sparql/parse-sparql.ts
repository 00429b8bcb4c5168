/** Checks the syntax of a query or an update, without a repository. */
import { DEFAULT_NAMESPACES } from '../names/namespaces.js';

/** What kind of request a text is. */
export interface ParsedText {
  readonly kind: 'select' | 'construct' | 'describe' | 'ask' | 'update';
}

/**
 * Parses a text with the prefixes that every account begins with, and those given.
 * @throws ParseError `SPARQL_SYNTAX` with line and column
 */
export async function parseSparql(
  text: string,
  options: { prefixes?: Readonly<Record<string, string>>; baseIRI?: string } = {},
): Promise<ParsedText> {
  const { preparePaced } = await import('@quadrille/sparql');
  const { kind } = await preparePaced(text, { ...options, prefixes: { ...DEFAULT_NAMESPACES, ...options.prefixes } });
  return { kind };
}
