/** Goes through all terms of an algebra, wherever they stand. */
import type * as RDF from '@rdfjs/types';
import type { Pattern } from './algebra.js';
import { makePattern } from './terms.js';

/** Gives the term that goes in the place of another; `place` is the name of the member that holds it. */
export type TermMapping = (term: RDF.Term, place: string) => RDF.Term;

/** A copy of any part of an algebra with every term mapped. Members of triple terms are left to the mapping. */
export function mapTerms(value: unknown, place: string, map: TermMapping): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => mapTerms(item, place, map));
  if ('termType' in value) {
    const term = value as RDF.Term;
    if (!('type' in value)) return map(term, place);
    const pattern = value as Pattern;
    return makePattern(
      map(pattern.subject, 'subject'),
      map(pattern.predicate, 'predicate'),
      map(pattern.object, 'object'),
      map(pattern.graph, 'graph'),
    );
  }
  // In a row of VALUES the members are variables, whatever they are called.
  const inRow = place === 'bindings';
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, mapTerms(member, inRow ? 'value' : key, map)]),
  );
}
