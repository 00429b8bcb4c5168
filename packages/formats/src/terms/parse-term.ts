/** One term of a command line or a request parameter. */
import { ParseError } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { QuadCollector } from '../collector.js';
import { DEFAULT_LIMITS } from '../parser.js';
import { TermFault } from './term-fault.js';
import { TermReader } from './term-reader.js';

/**
 * The term that a text is in N-Triples: an IRI, a blank node, a literal or a triple term. The whole text must be that
 * one term; blanks around it, a second term or a comment are refused, so that a value cannot smuggle in a statement.
 * @throws ParseError `RDF_SYNTAX` with the column
 * @example
 * ```ts
 * import { parseTerm } from 'quadrille';
 *
 * console.log(parseTerm('"chat"@fr').termType); // 'Literal'
 * ```
 * @since 0.1.0
 */
export function parseTerm(text: string): RDF.Term {
  if (/\p{Surrogate}/u.test(text)) throw syntaxError('a lone surrogate is no character', 1);
  const bytes = new TextEncoder().encode(`${text}\n`);
  const collector = new QuadCollector();
  const reader = new TermReader(collector, DEFAULT_LIMITS.maxTermBytes, DEFAULT_LIMITS.maxDepth);
  reader.bytes = bytes;
  try {
    const handle = reader.object('term', 0);
    if (reader.position !== bytes.length - 1) {
      throw new TermFault(reader.position, `expected the end of the term, found ${reader.found()}`);
    }
    return collector.termOf(handle);
  } catch (error) {
    if (!(error instanceof TermFault)) throw error;
    throw syntaxError(error.reason, new TextDecoder().decode(bytes.subarray(0, error.at)).length + 1);
  }
}

function syntaxError(reason: string, column: number): ParseError {
  return new ParseError('RDF_SYNTAX', `not one RDF term: ${reason}`, { line: 1, column });
}
