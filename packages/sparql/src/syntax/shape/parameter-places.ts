/** Where in a query a term may be another one, and the same plan still answers it. */
import type * as RDF from '@rdfjs/types';
import type { Pattern } from '../../algebra/algebra.js';

const COMPARISONS: ReadonlySet<string> = new Set(['=', '!=', '<', '<=', '>', '>=']);

/** Calls `see` with each term of a part of an algebra, and with the name of the member that holds it. */
export function forEachTerm(value: unknown, place: string, see: (term: RDF.Term, place: string) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) forEachTerm(item, place, see);
  } else if (!('termType' in value)) {
    for (const [key, member] of Object.entries(value)) forEachTerm(member, placeOf(value, key, place), see);
  } else if ('type' in value) {
    const { subject, predicate, object, graph } = value as Pattern;
    for (const [name, term] of Object.entries({ subject, predicate, object, graph })) forEachTerm(term, name, see);
  } else {
    const term = value as RDF.Term;
    see(term, place);
    if (term.termType === 'Quad') {
      for (const member of [term.subject, term.predicate, term.object]) forEachTerm(member, 'triple term', see);
    }
  }
}

/** The place of a term that names a graph, in GRAPH or in FROM. */
export const GRAPH_NAME = 'graph name';

/** The rules of the planner look at most terms of expressions. */
export function isParameter({ termType }: RDF.Term, place: string): boolean {
  switch (place) {
    case GRAPH_NAME:
    case 'subject':
    case 'predicate':
    case 'object':
    case 'value':
    case 'bound':
      return true;
    case 'compared':
      // An IRI that a variable equals is its only value.
      return termType === 'Literal';
    default:
      return false;
  }
}

function placeOf(holder: object, key: string, place: string): string {
  // In a row of VALUES the members are variables, whatever they are called.
  if (place === 'bindings') return 'value';
  if (key === 'name' && 'type' in holder && holder.type === 'graph') return GRAPH_NAME;
  if (key === 'iri' && 'type' in holder && holder.type === 'link') return 'predicate';
  // The term of an expression that is nothing else stands where the expression does.
  if (key === 'term' && (place === 'compared' || place === 'bound')) return place;
  if (key === 'args' && 'operator' in holder && COMPARISONS.has(String(holder.operator))) return 'compared';
  if (key === 'expression' && 'type' in holder && holder.type === 'extend') return 'bound';
  return key;
}
