/** Converts the quads of INSERT DATA and DELETE DATA to ids; the blank nodes of the text become new ones. */
import type * as RDF from '@rdfjs/types';
import { DEFAULT_GRAPH, TextMap } from '@quadrille/model';
import type { Pattern } from '../../algebra/algebra.js';
import { isLegalQuad, mapTripleTerm } from '../../algebra/terms.js';
import { MISS } from '../../dataset/id-dataset.js';
import type { Session } from '../execution.js';
import type { QuadBuffer } from './quad-buffer.js';

/** Units of work between two looks at the clock: a quad is one unit, and so are this many characters. */
const WORK_PER_CHECKPOINT = 64;
const CHARS_PER_WORK = 256;

export class DataQuads {
  readonly #blankNodes = new TextMap<RDF.BlankNode>();
  /** The last term at each place, and its id: subjects, predicates and graphs repeat. */
  readonly #last: { term: RDF.Term | undefined; id: number }[] = Array.from({ length: 4 }, () => ({
    term: undefined,
    id: 0,
  }));
  #work = 0;

  constructor(private readonly session: Session) {}

  /** Appends the quads that are legal RDF. */
  async read(patterns: readonly Pattern[], into: QuadBuffer): Promise<void> {
    for (const pattern of patterns) {
      if (this.#work >= WORK_PER_CHECKPOINT) {
        this.#work = 0;
        const pause = this.session.control.checkpoint();
        if (pause !== undefined) await pause;
      }
      this.#work++;
      const [subject, predicate, object, graph] = [
        this.#ground(pattern.subject),
        this.#ground(pattern.predicate),
        this.#ground(pattern.object),
        this.#ground(pattern.graph),
      ];
      if (!isLegalQuad(subject, predicate, object, graph)) continue;
      const s = this.#known(0, subject) ?? (await this.#fetched(0, subject));
      const p = this.#known(1, predicate) ?? (await this.#fetched(1, predicate));
      const o = this.#known(2, object) ?? (await this.#fetched(2, object));
      const g = this.#known(3, graph) ?? (await this.#fetched(3, graph));
      into.push(s, p, o, g);
    }
  }

  /** Blank nodes stand as variables in the patterns. */
  #ground(term: RDF.Term): RDF.Term {
    if (term.termType === 'Quad') return mapTripleTerm(term, (member) => this.#ground(member));
    if (term.termType !== 'Variable' || !term.value.startsWith('_:')) return this.session.resolve(term);
    let node = this.#blankNodes.get(term.value);
    if (node === undefined) this.#blankNodes.set(term.value, (node = this.session.newBlankNode()));
    return node;
  }

  /** The id of a term; `undefined` where something has to be fetched first. */
  #known(place: number, term: RDF.Term): number | undefined {
    if (term.termType === 'DefaultGraph') return DEFAULT_GRAPH;
    const last = this.#last[place]!;
    if (last.term === term) return last.id;
    const id = this.session.terms.tryTerm(term, true);
    if (id === MISS) return undefined;
    this.#work += term.value.length / CHARS_PER_WORK;
    last.term = term;
    last.id = id;
    return id;
  }

  async #fetched(place: number, term: RDF.Term): Promise<number> {
    for (;;) {
      await this.session.terms.fetch();
      const id = this.#known(place, term);
      if (id !== undefined) return id;
    }
  }
}
