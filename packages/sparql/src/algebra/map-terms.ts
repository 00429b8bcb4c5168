/** Goes through all terms of an algebra, wherever they stand. */
import type * as RDF from '@rdfjs/types';
import type { Pattern } from './algebra.js';
import { atOnce, type Task } from './rewrite.js';
import { makePattern } from './terms.js';

/** Gives the term that goes in the place of another; `place` is the name of the member that holds it. */
export type TermMapping = (term: RDF.Term, place: string) => RDF.Term;

/** A copy of any part of an algebra with every term mapped. Members of triple terms are left to the mapping. */
export const mapTerms = (value: unknown, place: string, map: TermMapping): unknown => atOnce(mapped(value, place, map));

/** A task, since an expression of thousands of operators is as deep as it is long. */
function* mapped(value: unknown, place: string, map: TermMapping): Task<unknown> {
  if (typeof value !== 'object' || value === null) return value;
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
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value as readonly unknown[]) items.push(isLeaf(item) ? item : yield mapped(item, place, map));
    return items;
  }
  // In a row of VALUES the members are variables, whatever they are called.
  const inRow = place === 'bindings';
  const members: [string, unknown][] = [];
  for (const [key, member] of Object.entries(value)) {
    members.push([key, isLeaf(member) ? member : yield mapped(member, inRow ? 'value' : key, map)]);
  }
  return Object.fromEntries(members);
}

const isLeaf = (value: unknown): boolean => typeof value !== 'object' || value === null;
