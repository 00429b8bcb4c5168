/** Terms that only one transaction or query knows: ids from {@link FIRST_LOCAL_ID} up, given up when it ends. */
import type * as RDF from '@rdfjs/types';
import { EvaluationError, withCanonicalLanguage } from '@quadrille/model';
import { FIRST_LOCAL_ID } from '../format/layout.js';

const MAX_LOCAL_TERMS = 2 ** 28;
/** A term, and its places here, beside its text. */
const TERM_BYTES = 200;

export class LocalTerms {
  readonly #ids = new Map<string, number>();
  readonly #texts: string[] = [];
  readonly #terms: RDF.Term[] = [];
  #characters = 0;

  get size(): number {
    return this.#texts.length;
  }

  /** The id of a text, where it has one here. */
  find(text: string): number | undefined {
    return this.#ids.get(text);
  }

  add(text: string, term: RDF.Term): number {
    if (this.#texts.length >= MAX_LOCAL_TERMS) {
      throw new EvaluationError('QUERY_MEMORY', 'more than 268 million new terms in one transaction');
    }
    const id = FIRST_LOCAL_ID + this.#texts.length;
    this.#ids.set(text, id);
    this.#characters += text.length;
    this.#texts.push(text);
    this.#terms.push(withCanonicalLanguage(term));
    return id;
  }

  /** About how many bytes they take. */
  get bytes(): number {
    return this.#characters * 2 + this.#texts.length * TERM_BYTES;
  }

  text(id: number): string {
    return this.#texts[id - FIRST_LOCAL_ID]!;
  }

  term(id: number): RDF.Term {
    return this.#terms[id - FIRST_LOCAL_ID]!;
  }
}
