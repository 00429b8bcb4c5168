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
  const used = new Set<number>();
  const result = mapTerms(parsed, 'term', (term, place) => replace(term, place, values, used)) as T;
  values.forEach((value, index) => {
    if (!used.has(index)) throw invalid(value, index, 'it is not in the position of a term (inside a string?)');
  });
  return withEachGraphOnce(result);
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

function replace(term: RDF.Term, place: string, values: readonly RDF.Term[], used: Set<number>): RDF.Term {
  if (term.termType === 'Quad') {
    const { subject, predicate, object } = term;
    const places = new Map<RDF.Term, string>([
      [object, 'object'],
      [predicate, 'predicate'],
      [subject, 'subject'],
    ]);
    return mapTripleTerm(term, (member) => replace(member, places.get(member) ?? 'object', values, used));
  }
  if (term.termType === 'Literal') {
    const datatype = replace(term.datatype, 'iri', values, used);
    return datatype === term.datatype ? term : termFactory.literal(term.value, datatype as RDF.NamedNode);
  }
  if (term.termType !== 'NamedNode') return term;
  const index = placeholderIndex(term.value);
  if (index === undefined) return term;
  const value = values[index];
  if (value === undefined) {
    throw new InvalidArgumentError('INVALID_TERM', 'a value of a template cannot be a part of an IRI');
  }
  used.add(index);
  if (ALLOWED[place]?.has(value.termType) === false) throw invalid(value, index, `it cannot be a ${place}`);
  return value;
}

const valueOf = ({ termType, value }: RDF.Term, values: readonly RDF.Term[]): RDF.Term | undefined =>
  termType === 'NamedNode' || termType === 'Literal' ? values[placeholderIndex(value) ?? -1] : undefined;

function invalid(value: RDF.Term, index: number, reason: string): InvalidArgumentError {
  const text = value.termType === 'Variable' ? termToText(value) : printTerm(value);
  return new InvalidArgumentError('INVALID_TERM', `value ${index + 1} of the template (${text}): ${reason}`, {
    details: { index },
  });
}
