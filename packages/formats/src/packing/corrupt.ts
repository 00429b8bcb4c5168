/** The errors of unpacking. */
import { ParseError } from '@quadrille/model';

export function corrupt(format: string, cause: unknown, source: string | undefined): ParseError {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new ParseError('RDF_SYNTAX', `corrupt ${format} data: ${message}`, { source }, { cause });
}

export const truncated = (format: string, source: string | undefined): ParseError =>
  new ParseError('RDF_SYNTAX', `truncated ${format} data: unexpected end of file`, { source });
