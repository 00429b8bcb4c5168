/** Terms that only one transaction or query knows. Their ids start at {@link FIRST_LOCAL_ID} and end with it. */
import type * as RDF from '@rdfjs/types';
import { EvaluationError, TextMap, withCanonicalLanguage } from '@quadrille/model';
import { FIRST_LOCAL_ID } from '../format/layout.js';

const MAX_LOCAL_TERMS = 2 ** 28;
/** Memory of one term and its map and array entries, in bytes, excluding its text. */
const TERM_BYTES = 200;
/** Memory of a character, in bytes: the term and its canonical text have one each, of up to two bytes. */
const CHARACTER_BYTES = 4;

export class LocalTerms {
  /**
   * Ids of IRIs. The key is the term's own string: JavaScript remembers its hash, and no canonical text has to be
   * made.
   */
  readonly #iris = new TextMap<number>();
  /** Ids of other terms by their canonical text. */
  readonly #ids = new TextMap<number>();
  readonly #texts: string[] = [];
  readonly #terms: RDF.Term[] = [];
  #characters = 0;

  get size(): number {
    return this.#texts.length;
  }

  /** The local id of the canonical text of a term that is not an IRI; `undefined` if it has none. */
  find(text: string): number | undefined {
    return this.#ids.get(text);
  }

  /** The local id of an IRI; `undefined` if it has none. */
  findIri(iri: string): number | undefined {
    return this.#iris.get(iri);
  }

  add(text: string, term: RDF.Term): number {
    if (this.#texts.length >= MAX_LOCAL_TERMS) {
      throw new EvaluationError('QUERY_MEMORY', 'more than 268 million new terms in one transaction or query');
    }
    const id = FIRST_LOCAL_ID + this.#texts.length;
    if (term.termType === 'NamedNode') this.#iris.set(term.value, id);
    else this.#ids.set(text, id);
    this.#characters += text.length;
    this.#texts.push(text);
    this.#terms.push(withCanonicalLanguage(term));
    return id;
  }

  /** Estimated memory of all terms, in bytes. */
  get bytes(): number {
    return this.#characters * CHARACTER_BYTES + this.#texts.length * TERM_BYTES;
  }

  text(id: number): string {
    return this.#texts[id - FIRST_LOCAL_ID]!;
  }

  term(id: number): RDF.Term {
    return this.#terms[id - FIRST_LOCAL_ID]!;
  }
}
