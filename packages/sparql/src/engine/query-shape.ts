/** Queries that differ only in the terms of their patterns have the same shape: one plan can serve them. */
import type * as RDF from '@rdfjs/types';
import { iri, termToText } from '@quadrille/model';
import type { Operation, Pattern } from '../algebra/algebra.js';
import { mapTerms } from '../algebra/map-terms.js';
import { isPlaceholder, valuePlaceholder } from '../algebra/template.js';

export interface QueryShape {
  /** Equal for queries of the same shape. */
  readonly key: string;
  /** The terms in which they differ, in the order of the text. */
  readonly values: readonly RDF.Term[];
}

/** Longer requests are seldom written again with other terms. */
const MOST_CHARACTERS = 4096;
const PARAMETER_PLACES: ReadonlySet<string> = new Set(['subject', 'object', 'value']);

/** `undefined` for a query that is long, has no such terms, or sends a part of itself to another host. */
export function shapeOf(operation: Operation, variables: readonly string[]): QueryShape | undefined {
  const writer = new ShapeWriter();
  writer.write(operation, 'input');
  writer.write(variables, 'variables');
  const { key, values, fits } = writer;
  return fits && values.length > 0 ? { key, values } : undefined;
}

/** The query with a placeholder for each of its values. */
export function withPlaceholders(operation: Operation): Operation {
  let count = 0;
  const replace = (term: RDF.Term, place: string): RDF.Term =>
    isParameter(term, place) ? iri(valuePlaceholder(count++)) : term;
  return mapTerms(operation, 'input', replace) as Operation;
}

// Predicates, graphs, and the terms of expressions decide too much about a plan.
function isParameter(term: RDF.Term, place: string): boolean {
  if (!PARAMETER_PLACES.has(place)) return false;
  return term.termType === 'Literal' || (term.termType === 'NamedNode' && !isPlaceholder(term.value));
}

/** Goes through an operation in the order of {@link mapTerms}. */
class ShapeWriter {
  key = '';
  fits = true;
  readonly values: RDF.Term[] = [];

  write(value: unknown, place: string): void {
    if (this.key.length > MOST_CHARACTERS) this.fits = false;
    if (!this.fits) return;
    if (typeof value !== 'object' || value === null) this.key += `${JSON.stringify(value)},`;
    else if (Array.isArray(value)) this.#list(value, place);
    else if (!('termType' in value)) this.#node(value, place);
    else if ('type' in value) this.#pattern(value as Pattern);
    else this.#term(value as RDF.Term, place);
  }

  #list(items: readonly unknown[], place: string): void {
    this.key += '[';
    for (const item of items) this.write(item, place);
    this.key += ']';
  }

  #node(node: object, place: string): void {
    if ('type' in node && node.type === 'service') this.fits = false;
    const inRow = place === 'bindings';
    this.key += '{';
    for (const [name, member] of Object.entries(node)) {
      this.key += `${name}:`;
      this.write(member, inRow ? 'value' : name);
    }
    this.key += '}';
  }

  #pattern({ subject, predicate, object, graph }: Pattern): void {
    this.#term(subject, 'subject');
    this.#term(predicate, 'predicate');
    this.#term(object, 'object');
    this.#term(graph, 'graph');
    this.key += ';';
  }

  #term(term: RDF.Term, place: string): void {
    if (isParameter(term, place)) {
      this.values.push(term);
      this.key += '$ ';
    } else this.key += `${termToText(term)} `;
  }
}
