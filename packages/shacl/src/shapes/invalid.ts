/** What is wrong with a graph of shapes. */
import type * as RDF from '@rdfjs/types';
import { ShapesError, termToNTriples } from '@quadrille/model';

const LONGEST_TERM = 200;

/** A term in a message. */
export function shownTerm(term: RDF.Term): string {
  const text = termToNTriples(term);
  return text.length > LONGEST_TERM ? `${text.slice(0, LONGEST_TERM)}…` : text;
}

/** The error for a shape that is not well formed. */
export const invalid = (shape: RDF.Term, what: string): ShapesError =>
  new ShapesError('SHAPES_INVALID', `the shape ${shownTerm(shape)} cannot be used: ${what}`, {
    details: { shape: shownTerm(shape) },
  });
