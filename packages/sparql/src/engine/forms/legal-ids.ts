/** Whether terms may stand in their places of a quad, by ids. A direct-mapped cache holds the answers: many ids repeat. */
import type * as RDF from '@rdfjs/types';
import { DEFAULT_GRAPH, isLocal } from '@quadrille/model';
import { isLegalQuad } from '../../algebra/terms.js';
import type { IdDataset } from '../../dataset/id-dataset.js';

const SLOTS = 32;
const LEGAL = 1;
const ILLEGAL = 2;

const isNode = ({ termType }: RDF.Term): boolean => termType === 'NamedNode' || termType === 'BlankNode';
const isIri = ({ termType }: RDF.Term): boolean => termType === 'NamedNode';

function isObject(term: RDF.Term): boolean {
  if (term.termType === 'Quad') return isLegalQuad(term.subject, term.predicate, term.object, DEFAULT);
  return term.termType !== 'Variable' && term.termType !== 'DefaultGraph';
}
const DEFAULT = { termType: 'DefaultGraph' } as RDF.DefaultGraph;

/** By place: subject, predicate, object, graph. */
const FITS = [isNode, isIri, isObject, isNode] as const;

export class LegalIds {
  /** For each place and slot: an id, and the answer for it. */
  #cache: Uint32Array | undefined;

  constructor(private readonly dataset: IdDataset) {}

  /** `undefined` where a term has to be fetched first (`fetchTerm` of the dataset). */
  isLegal(s: number, p: number, o: number, g: number): boolean | undefined {
    const subject = this.#fits(0, s);
    if (subject !== true) return subject;
    const predicate = this.#fits(1, p);
    if (predicate !== true) return predicate;
    // Every stored term may be an object.
    const object = isLocal(o) ? this.#fits(2, o) : o !== DEFAULT_GRAPH;
    if (object !== true || g === DEFAULT_GRAPH) return object;
    return this.#fits(3, g);
  }

  #fits(place: 0 | 1 | 2 | 3, id: number): boolean | undefined {
    const cache = (this.#cache ??= new Uint32Array(FITS.length * SLOTS * 2));
    const slot = (place * SLOTS + (id % SLOTS)) * 2;
    if (cache[slot] !== id) {
      const term = this.dataset.term(id);
      if (term === undefined) return undefined;
      cache[slot] = id;
      cache[slot + 1] = FITS[place](term) ? LEGAL : ILLEGAL;
    }
    return cache[slot + 1] === LEGAL;
  }
}
