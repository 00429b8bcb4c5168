/** Whether terms may stand in their places of a quad, by ids. What was found out is kept: many ids repeat. */
import type * as RDF from '@rdfjs/types';
import { DEFAULT_GRAPH, isLocal } from '@quadrille/model';
import { isLegalQuad } from '../../algebra/terms.js';
import type { IdDataset } from '../../dataset/id-dataset.js';

const SLOTS = 1024;
const LEGAL = 1;
const ILLEGAL = 2;

/** One place of a quad: what is known of the ids that stood there lately. */
class Place {
  readonly #ids = new Uint32Array(SLOTS);
  readonly #answers = new Uint8Array(SLOTS);

  constructor(private readonly fits: (term: RDF.Term) => boolean) {}

  /** `undefined` where the term has to be fetched first. */
  isLegal(id: number, dataset: IdDataset): boolean | undefined {
    const slot = id % SLOTS;
    if (this.#ids[slot] !== id) {
      const term = dataset.term(id);
      if (term === undefined) return undefined;
      this.#ids[slot] = id;
      this.#answers[slot] = this.fits(term) ? LEGAL : ILLEGAL;
    }
    return this.#answers[slot] === LEGAL;
  }
}

const isNode = ({ termType }: RDF.Term): boolean => termType === 'NamedNode' || termType === 'BlankNode';
const isIri = ({ termType }: RDF.Term): boolean => termType === 'NamedNode';

function isObject(term: RDF.Term): boolean {
  if (term.termType === 'Quad') return isLegalQuad(term.subject, term.predicate, term.object, DEFAULT);
  return term.termType !== 'Variable' && term.termType !== 'DefaultGraph';
}
const DEFAULT = { termType: 'DefaultGraph' } as RDF.DefaultGraph;

export class LegalIds {
  readonly #subjects = new Place(isNode);
  readonly #predicates = new Place(isIri);
  readonly #objects = new Place(isObject);
  readonly #graphs = new Place(isNode);

  constructor(private readonly dataset: IdDataset) {}

  /** `undefined` where a term has to be fetched first (`fetchTerm` of the dataset). */
  isLegal(s: number, p: number, o: number, g: number): boolean | undefined {
    const { dataset } = this;
    const subject = this.#subjects.isLegal(s, dataset);
    if (subject !== true) return subject;
    const predicate = this.#predicates.isLegal(p, dataset);
    if (predicate !== true) return predicate;
    // What the store has may be an object.
    const object = isLocal(o) ? this.#objects.isLegal(o, dataset) : o !== DEFAULT_GRAPH;
    if (object !== true || g === DEFAULT_GRAPH) return object;
    return this.#graphs.isLegal(g, dataset);
  }
}
