/**
 * Converts many RDF/JS terms to ids, as a load does: each term gets a handle at once, and all handles are resolved to
 * ids together.
 */
import type * as RDF from '@rdfjs/types';
import { isWellFormed, termToText } from '@quadrille/model';
import type { Pacer } from '../runtime/env.js';
import { DEFAULT_GRAPH } from '../format/layout.js';
import { LoadTerms } from './bulk-terms.js';
import type { Dictionary } from './dictionary.js';
import { TermTable } from './term-table.js';
import { RecentTexts } from '../runtime/recent-texts.js';

const utf8 = new TextEncoder();
/** Memory is made at once for up to this many texts, and for this many bytes of each. */
const MOST_EXPECTED = 8192;
const USUAL_BYTES = 32;

export class TermHandles {
  readonly #terms: LoadTerms;
  readonly #recent = new RecentTexts();
  #scratch = new Uint8Array(1024);

  /** `quads`: how many the terms are of. */
  constructor(dictionary: Dictionary, quads = 16) {
    const texts = 2 ** Math.ceil(Math.log2(Math.min(quads * 2, MOST_EXPECTED)));
    // An empty prefix: blank nodes keep the labels of the caller.
    this.#terms = new LoadTerms(dictionary, '', new TermTable(texts * USUAL_BYTES, texts));
  }

  /** Bytes of the texts in memory. */
  get bytes(): number {
    return this.#terms.bytes;
  }

  /**
   * The handle of a term. Returns 0 for a text that UTF-8 cannot encode: no dictionary has it.
   * @throws InvalidArgumentError `INVALID_TERM` for a text that is too long to be stored
   */
  handle(term: RDF.Term): number {
    if (term.termType === 'NamedNode') return this.#iri(term);
    if (term.termType === 'DefaultGraph') return DEFAULT_GRAPH;
    if (term.termType === 'Quad') return this.#triple(term);
    return this.ofText(termToText(term));
  }

  #iri(iri: RDF.NamedNode): number {
    const known = this.#recent.get(iri.value);
    if (known !== 0) return known;
    const handle = this.ofText(termToText(iri));
    this.#recent.set(iri.value, handle);
    return handle;
  }

  /** Like {@link handle}, for the canonical text of a term that is no triple term. */
  ofText(text: string): number {
    if (!isWellFormed(text)) return 0;
    if (this.#scratch.length < text.length * 3) this.#scratch = new Uint8Array(text.length * 3);
    return this.#terms.term(this.#scratch, 0, utf8.encodeInto(text, this.#scratch).written);
  }

  #triple(term: RDF.BaseQuad): number {
    const s = this.handle(term.subject);
    const p = this.handle(term.predicate);
    const o = this.handle(term.object);
    return s === 0 || p === 0 || o === 0 ? 0 : this.#terms.tripleTerm(s, p, o);
  }

  /** Finds the ids of all handles made so far. With `intern`, new terms get ids; without it, they get the id 0. */
  async resolve(pacer: Pacer, intern: boolean): Promise<void> {
    await this.#terms.resolve(pacer, undefined, intern);
  }

  /** The id of a handle. Call {@link resolve} first. */
  id(handle: number): number {
    return handle === 0 ? 0 : this.#terms.id(handle);
  }
}
