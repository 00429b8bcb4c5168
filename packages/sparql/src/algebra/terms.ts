/** Makes the terms of an algebra: variables and patterns beside the terms of the model. */
import type * as RDF from '@rdfjs/types';
import { dataFactory, termToText } from '@quadrille/model';
import type { Pattern } from './algebra.js';

/** The factory of the model with its method for variables, which is optional in RDF/JS. */
export const termFactory = dataFactory as RDF.DataFactory<RDF.Quad> & Required<Pick<RDF.DataFactory, 'variable'>>;

/** Gives the term that a term of the algebra stands for: another one for a placeholder. */
export type Resolve = (term: RDF.Term) => RDF.Term;

export const makeVariable = (name: string): RDF.Variable => termFactory.variable(name);

export const makePattern = (subject: RDF.Term, predicate: RDF.Term, object: RDF.Term, graph: RDF.Term): Pattern =>
  Object.assign(
    termFactory.quad(
      subject as RDF.Quad_Subject,
      predicate as RDF.Quad_Predicate,
      object as RDF.Quad_Object,
      graph as RDF.Quad_Graph,
    ),
    { type: 'pattern' as const },
  );

/** The triple term whose members are what `map` makes of those of this one. */
export const mapTripleTerm = (term: RDF.BaseQuad, map: (term: RDF.Term) => RDF.Term): RDF.Term =>
  dataFactory.quad(
    map(term.subject) as RDF.Quad_Subject,
    map(term.predicate) as RDF.Quad_Predicate,
    map(term.object) as RDF.Quad_Object,
  );

/** Terms without those that are equal to one before them. */
export const distinctTerms = <T extends RDF.Term>(terms: readonly T[]): T[] => [
  ...new Map(terms.map((term) => [termToText(term), term])).values(),
];

/** Whether these terms make a quad that RDF allows; patterns that ask for anything else match nothing. */
export function isLegalQuad(subject: RDF.Term, predicate: RDF.Term, object: RDF.Term, graph: RDF.Term): boolean {
  return (
    (subject.termType === 'NamedNode' || subject.termType === 'BlankNode') &&
    predicate.termType === 'NamedNode' &&
    isLegalObject(object) &&
    (graph.termType === 'NamedNode' || graph.termType === 'BlankNode' || graph.termType === 'DefaultGraph')
  );
}

function isLegalObject(object: RDF.Term): boolean {
  if (object.termType !== 'Quad') return object.termType !== 'Variable' && object.termType !== 'DefaultGraph';
  return isLegalQuad(object.subject, object.predicate, object.object, object.graph);
}

/** The global name is a getter, which takes longer than the call. */
const { crypto } = globalThis;

/** The beginning of labels of blank nodes that no stored one has. */
export const newBlankNodePrefix = (): string => `b${crypto.randomUUID().replaceAll('-', '')}`;
