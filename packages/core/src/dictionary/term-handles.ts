/**
 * Many terms of RDF/JS on their way to ids: each gets a handle at once, and all of them together get their ids, as the
 * terms of a load do.
 */
import type * as RDF from '@rdfjs/types';
import { termToText } from '@quadrille/model';
import type { Pacer } from '../runtime/env.js';
import { isWellFormed } from '../runtime/well-formed.js';
import { DEFAULT_GRAPH } from '../format/layout.js';
import { LoadTerms } from './bulk-terms.js';
import type { Dictionary } from './dictionary.js';

const utf8 = new TextEncoder();

export class TermHandles {
  readonly #terms: LoadTerms;
  #scratch = new Uint8Array(1024);

  constructor(dictionary: Dictionary) {
    // Blank nodes have the labels that they come with.
    this.#terms = new LoadTerms(dictionary, '');
  }

  /** Bytes of texts that are held. */
  get bytes(): number {
    return this.#terms.bytes;
  }

  /**
   * The handle of a term; 0 for one that UTF-8 has no text for, which no dictionary has.
   * @throws InvalidArgumentError `INVALID_TERM` for a text that is too long to be stored
   */
  handle(term: RDF.Term): number {
    if (term.termType === 'DefaultGraph') return DEFAULT_GRAPH;
    if (term.termType === 'Quad') return this.#triple(term);
    return this.#text(termToText(term));
  }

  #triple(term: RDF.BaseQuad): number {
    const s = this.handle(term.subject);
    const p = this.handle(term.predicate);
    const o = this.handle(term.object);
    return s === 0 || p === 0 || o === 0 ? 0 : this.#terms.tripleTerm(s, p, o);
  }

  #text(text: string): number {
    if (!isWellFormed(text)) return 0;
    if (this.#scratch.length < text.length * 3) this.#scratch = new Uint8Array(text.length * 3);
    return this.#terms.term(this.#scratch, 0, utf8.encodeInto(text, this.#scratch).written);
  }

  /** Finds the ids of all handles so far; `intern` gives new ones, else what the dictionary lacks has the id 0. */
  async resolve(pacer: Pacer, intern: boolean): Promise<void> {
    await this.#terms.resolve(pacer, undefined, intern);
  }

  /** The id of a handle, after {@link resolve}. */
  id(handle: number): number {
    return handle === 0 ? 0 : this.#terms.id(handle);
  }
}
