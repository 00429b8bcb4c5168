/** What is wrong with the text of a mapping. */
import { ParseError } from '@quadrille/model';

/** The error of a mapping says in which file it is. */
export function inMapping(error: unknown, file: string | undefined): unknown {
  if (file === undefined || !(error instanceof ParseError) || error.code !== 'SPARQL_SYNTAX') return error;
  const { line, column, offset, reason } = error;
  return new ParseError('SPARQL_SYNTAX', reason, { source: file, line, column, offset }, { cause: error });
}
