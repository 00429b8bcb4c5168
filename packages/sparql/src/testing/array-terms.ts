/** A dictionary in memory, for tests: terms by ids and ids by terms, with steps that miss where that is asked for. */
import type * as RDF from '@rdfjs/types';
import {
  dataFactory,
  DEFAULT_GRAPH,
  FIRST_LOCAL_ID,
  FIRST_TERM_ID,
  isInline,
  isLocal,
  termToText,
} from '@quadrille/model';
import { MISS } from '../dataset/id-dataset.js';
import { inlineIdOf, inlineTermOf } from './inline-ids.js';

interface Entry {
  readonly term: RDF.Term;
  readonly triple: readonly [number, number, number] | null;
}

export class ArrayTerms {
  readonly #ids = new Map<string, number>();
  readonly #stored: Entry[] = [];
  readonly #local: Entry[] = [];
  /** Ids and texts that do not miss; `undefined`: nothing does. */
  readonly #fetched: Set<number | string> | undefined;
  #wanted: number | string | undefined;
  /** Steps that missed. */
  misses = 0;

  constructor(misses: boolean) {
    this.#fetched = misses ? new Set() : undefined;
  }

  /** The id of a term of the data. */
  store(term: RDF.Term): number {
    return this.#known(term) ?? this.#add(term, this.#stored, FIRST_TERM_ID, (part) => this.store(part));
  }

  find(term: RDF.Term): number {
    const id = this.#known(term) ?? 0;
    return isInline(id) || id === DEFAULT_GRAPH || this.#has(termToText(term)) ? id : MISS;
  }

  intern(term: RDF.Term): number {
    const found = this.find(term);
    return found === 0 ? this.#internLocal(term) : found;
  }

  #internLocal(term: RDF.Term): number {
    return this.#known(term) ?? this.#add(term, this.#local, FIRST_LOCAL_ID, (part) => this.#internLocal(part));
  }

  term(id: number): RDF.Term | undefined {
    return isInline(id) || isLocal(id) || this.#has(id) ? this.termNow(id) : undefined;
  }

  triple(id: number): readonly [number, number, number] | null | undefined {
    if (id === DEFAULT_GRAPH || isInline(id)) return null;
    return isLocal(id) || this.#has(id) ? this.#entry(id).triple : undefined;
  }

  cachedTerm(id: number): RDF.Term | undefined {
    return this.#fetched === undefined || isInline(id) || isLocal(id) || this.#fetched.has(id)
      ? this.termNow(id)
      : undefined;
  }

  /** The term, never missing. */
  termNow(id: number): RDF.Term {
    if (id === DEFAULT_GRAPH) return dataFactory.defaultGraph();
    return isInline(id) ? inlineTermOf(id) : this.#entry(id).term;
  }

  async fetchTerm(): Promise<void> {
    await Promise.resolve();
    if (this.#wanted !== undefined) this.#fetched?.add(this.#wanted);
    this.#wanted = undefined;
  }

  #entry(id: number): Entry {
    const entry = isLocal(id) ? this.#local[id - FIRST_LOCAL_ID] : this.#stored[id - FIRST_TERM_ID];
    if (entry === undefined) throw new RangeError(`no term has the id ${id}`);
    return entry;
  }

  #known(term: RDF.Term): number | undefined {
    if (term.termType === 'DefaultGraph') return DEFAULT_GRAPH;
    return inlineIdOf(term) || this.#ids.get(termToText(term));
  }

  #add(term: RDF.Term, entries: Entry[], first: number, idOf: (part: RDF.Term) => number): number {
    const triple =
      term.termType === 'Quad' ? ([idOf(term.subject), idOf(term.predicate), idOf(term.object)] as const) : null;
    const id = first + entries.push({ term, triple }) - 1;
    this.#ids.set(termToText(term), id);
    return id;
  }

  #has(wanted: number | string): boolean {
    if (this.#fetched === undefined || this.#fetched.has(wanted)) return true;
    this.#wanted = wanted;
    this.misses++;
    return false;
  }
}
