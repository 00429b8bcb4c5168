/** Terms in parameters: N-Triples, or an absolute IRI without brackets. */
import { readIri, readTerm, refuseParameter } from '../http/index.js';
import type * as RDF from '@rdfjs/types';
import type { QuadPattern } from 'quadrille';

/** @throws HttpError 400 for a text that is no term */
export const parameterTerm = (text: string, name: string): RDF.Term => readTerm(text, name, refuseParameter(name));

const POSITIONS = [
  ['subject', ['subj', 'subject']],
  ['predicate', ['pred', 'predicate']],
  ['object', ['obj', 'object']],
] as const;

/** The pattern of `subj`, `pred` and `obj`, under either of their names. */
export function patternOf(parameters: URLSearchParams): QuadPattern {
  const pattern: { subject?: RDF.Term; predicate?: RDF.Term; object?: RDF.Term } = {};
  for (const [position, names] of POSITIONS) {
    const values = names.flatMap((name) => parameters.getAll(name));
    if (values.length > 1) throw refuseParameter(names[0])(`${names[0]} is given ${String(values.length)} times`);
    if (values[0] !== undefined) pattern[position] = termAt(position, names[0], parameterTerm(values[0], names[0]));
  }
  return pattern;
}

/** A term that is impossible in its position is refused. */
function termAt(position: (typeof POSITIONS)[number][0], name: string, term: RDF.Term): RDF.Term {
  const { termType } = term;
  const isWrong =
    position === 'predicate' ? termType !== 'NamedNode' : position === 'subject' && termType === 'Literal';
  if (isWrong) throw refuseParameter(name)(`a ${termType} cannot be a ${position}`);
  return term;
}

/** The base IRI that a request names, else the given one. */
export function baseOf(parameters: URLSearchParams, fallback: string): string {
  const text = parameters.get('baseURI')?.trim() ?? '';
  return text === '' ? fallback : readIri(text, 'baseURI', refuseParameter('baseURI'));
}
