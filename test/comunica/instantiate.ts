/** Templates of CONSTRUCT and of updates filled with solutions (SPARQL 1.2, section 16.2). */
import type * as RDF from '@rdfjs/types';
import { dataFactory } from '@quadrille/model';
import type { Pattern } from '../../packages/sparql/src/algebra/algebra.js';
import type { Solution } from './evaluator.js';
import { isLegalQuad, mapTripleTerm } from '../../packages/sparql/src/algebra/terms.js';

/** Fills one template for one solution after another, with new blank nodes for each. */
export class Instantiation {
  readonly #template: readonly Pattern[];
  readonly #blankNodePrefix: string;
  #solutions = 0;

  constructor(template: readonly Pattern[], blankNodePrefix: string) {
    this.#template = template;
    this.#blankNodePrefix = blankNodePrefix;
  }

  /** The quads of one solution, without those that are incomplete or not RDF. */
  quads(solution: Solution): RDF.Quad[] {
    const number = this.#solutions++;
    const labels = new Map<string, RDF.BlankNode>();
    const fill = (term: RDF.Term): RDF.Term => {
      if (term.termType === 'Quad') return mapTripleTerm(term, fill);
      if (term.termType !== 'Variable') return term;
      return term.value.startsWith('_:') ? this.#blankNode(term.value, number, labels) : (solution[term.value] ?? term);
    };
    return this.#template.flatMap((pattern) => {
      const [subject, predicate, object, graph] = [
        pattern.subject,
        pattern.predicate,
        pattern.object,
        pattern.graph,
      ].map(fill) as [RDF.Term, RDF.Term, RDF.Term, RDF.Term];
      if (!isLegalQuad(subject, predicate, object, graph)) return [];
      return [
        dataFactory.quad(
          subject as RDF.Quad_Subject,
          predicate as RDF.Quad_Predicate,
          object as RDF.Quad_Object,
          graph as RDF.Quad_Graph,
        ),
      ];
    });
  }

  #blankNode(name: string, solution: number, labels: Map<string, RDF.BlankNode>): RDF.BlankNode {
    let node = labels.get(name);
    if (node === undefined) {
      node = dataFactory.blankNode(`${this.#blankNodePrefix}s${solution}n${labels.size}`);
      labels.set(name, node);
    }
    return node;
  }
}
