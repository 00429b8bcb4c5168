/** Puts the values of a template in the place of their placeholders, everywhere in an algebra where a term may stand. */
import type * as RDF from '@rdfjs/types';
import { InvalidArgumentError, printTerm, termToText } from '@quadrille/model';
import { mapTerms } from './map-terms.js';
import type { ParsedSparql, ParsedText } from './request.js';
import { withSlice } from './slice.js';
import { placeholderIndex } from './template.js';
import { distinctTerms, mapTripleTerm, termFactory } from './terms.js';

const NODES: ReadonlySet<string> = new Set(['NamedNode', 'BlankNode']);
const IRIS: ReadonlySet<string> = new Set(['NamedNode']);
// By the member that holds the term; members not named here take every term.
const ALLOWED: Readonly<Record<string, ReadonlySet<string>>> = {
  subject: NODES,
  predicate: IRIS,
  graph: NODES,
  name: NODES,
  iri: IRIS,
  iris: IRIS,
  source: IRIS,
  destination: IRIS,
  default: IRIS,
  named: IRIS,
  terms: NODES,
};

/**
 * A parsed request with its values.
 * @throws InvalidArgumentError `INVALID_TERM` where a value of a template cannot stand in its place
 */
export function substituteValues<T extends ParsedSparql>({ parsed: given, values, byShape, slice }: ParsedText<T>): T {
  const parsed = given.kind === 'update' ? given : { ...given, algebra: withSlice(given.algebra, slice) };
  if (values.length === 0) return parsed;
  // The parser has seen the terms of a text in their places.
  if (byShape) return withEachGraphOnce(mapTerms(parsed, 'term', (term) => valueOf(term, values) ?? term) as T);
  checkValues(given, values);
  return withEachGraphOnce(mapTerms(parsed, 'term', (term) => replace(term, values)) as T);
}

/** A place of a value: the member that holds it. */
interface Place {
  readonly index: number;
  readonly place: string;
}
/** Where the placeholders of a template stand. It has the same ones with other values. */
const placesIn = new WeakMap<ParsedSparql, readonly Place[]>();

/**
 * Whether values can stand in the places of a template.
 * @throws InvalidArgumentError `INVALID_TERM` where one cannot
 */
export function checkValues(parsed: ParsedSparql, values: readonly RDF.Term[]): void {
  let places = placesIn.get(parsed);
  if (places === undefined) placesIn.set(parsed, (places = findPlaces(parsed)));
  const used = new Set<number>();
  for (const { index, place } of places) {
    const value = values[index];
    if (value === undefined)
      throw new InvalidArgumentError('INVALID_TERM', 'a value of a template cannot be a part of an IRI');
    used.add(index);
    if (ALLOWED[place]?.has(value.termType) === false) throw invalid(value, index, `it cannot be a ${place}`);
  }
  values.forEach((value, index) => {
    if (!used.has(index)) throw invalid(value, index, 'it is not in the position of a term (inside a string?)');
  });
}

function findPlaces(parsed: ParsedSparql): readonly Place[] {
  const places: Place[] = [];
  mapTerms(parsed, 'term', (term, place) => {
    notePlaces(term, place, places);
    return term;
  });
  return places;
}

function notePlaces(term: RDF.Term, place: string, places: Place[]): void {
  if (term.termType === 'Quad') {
    notePlaces(term.subject, 'subject', places);
    notePlaces(term.predicate, 'predicate', places);
    notePlaces(term.object, 'object', places);
  } else if (term.termType === 'Literal') notePlaces(term.datatype, 'iri', places);
  else if (term.termType === 'NamedNode') {
    const index = placeholderIndex(term.value);
    if (index !== undefined) places.push({ index, place });
  }
}

/** The graphs that a request names, of which only some may be placeholders: the algebra is left as it is. */
export function graphsOf({ parsed, values }: ParsedText): Pick<ParsedSparql, 'dataset' | 'graphs'> {
  const { dataset, graphs } = parsed;
  const fill = (term: RDF.NamedNode): RDF.NamedNode => (valueOf(term, values) ?? term) as RDF.NamedNode;
  return {
    dataset: dataset && { default: dataset.default.map(fill), named: dataset.named.map(fill) },
    graphs: distinctTerms(graphs.map(fill)),
  };
}

const withEachGraphOnce = <T extends ParsedSparql>(parsed: T): T => ({
  ...parsed,
  graphs: distinctTerms(parsed.graphs),
});

function replace(term: RDF.Term, values: readonly RDF.Term[]): RDF.Term {
  if (term.termType === 'Quad') return mapTripleTerm(term, (member) => replace(member, values));
  if (term.termType === 'Literal') {
    const datatype = replace(term.datatype, values);
    return datatype === term.datatype ? term : termFactory.literal(term.value, datatype as RDF.NamedNode);
  }
  return (term.termType === 'NamedNode' && valueOf(term, values)) || term;
}

const valueOf = ({ termType, value }: RDF.Term, values: readonly RDF.Term[]): RDF.Term | undefined =>
  termType === 'NamedNode' || termType === 'Literal' ? values[placeholderIndex(value) ?? -1] : undefined;

function invalid(value: RDF.Term, index: number, reason: string): InvalidArgumentError {
  const text = value.termType === 'Variable' ? termToText(value) : printTerm(value);
  return new InvalidArgumentError('INVALID_TERM', `value ${index + 1} of the template (${text}): ${reason}`, {
    details: { index },
  });
}
