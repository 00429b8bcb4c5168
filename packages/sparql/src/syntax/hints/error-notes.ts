/** What the parser knows of an error beside its message, for callers that list errors. */
import type { ParseError } from '@quadrille/model';

export interface ErrorNote {
  /** Where it is, in UTF-16 units. */
  readonly offset: number;
  /** What the grammar has at this place. */
  readonly expected?: string | undefined;
  /** What can be written instead, or declared. */
  readonly suggestion?: string | undefined;
  /** The prefix that is not declared. */
  readonly prefix?: string | undefined;
}

const notes = new WeakMap<ParseError, ErrorNote>();

/** The error, with its note. */
export function noted(error: ParseError, note: ErrorNote): ParseError {
  notes.set(error, note);
  return error;
}

export const noteOf = (error: ParseError): ErrorNote | undefined => notes.get(error);
