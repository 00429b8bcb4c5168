/** Terms in parameters: N-Triples, or an absolute IRI without brackets. */
import { badRequest } from '@quadrille/http';
import { isAbsoluteIri, isLongIri, LONG_IRI } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { iri, parseTerm, type QuadPattern } from 'quadrille';

/** @throws HttpError 400 where the text is no term. */
export function parameterTerm(text: string, name: string): RDF.Term {
  const trimmed = text.trim();
  try {
    if (/^(?:<|_:|")/.test(trimmed)) return parseTerm(trimmed);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw badRequest(`${name} is not an N-Triples term: ${trimmed.slice(0, 100)}: ${why}`);
  }
  if (isLongIri(trimmed)) throw badRequest(`${name}: ${LONG_IRI}`);
  if (isAbsoluteIri(trimmed)) return iri(trimmed);
  throw badRequest(`${name} is neither an N-Triples term nor an absolute IRI: ${trimmed.slice(0, 200)}`);
}

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
    if (values.length > 1) throw badRequest(`${names[0]} is given ${String(values.length)} times`);
    if (values[0] !== undefined) pattern[position] = termAt(position, parameterTerm(values[0], names[0]));
  }
  return pattern;
}

/** A term that is impossible in its position is refused. */
function termAt(position: (typeof POSITIONS)[number][0], term: RDF.Term): RDF.Term {
  const { termType } = term;
  const isWrong =
    position === 'predicate' ? termType !== 'NamedNode' : position === 'subject' && termType === 'Literal';
  if (isWrong) throw badRequest(`a ${termType} cannot be a ${position}`);
  return term;
}

/** The base IRI that a request names, else the given one. */
export function baseOf(parameters: URLSearchParams, fallback: string): string {
  const text = parameters.get('baseURI')?.trim() ?? '';
  if (text === '') return fallback;
  const term = parameterTerm(text, 'baseURI');
  if (term.termType !== 'NamedNode') throw badRequest('baseURI is not an IRI');
  return term.value;
}
