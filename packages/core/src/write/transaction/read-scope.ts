/** The part of its base that a transaction has read: nothing, quads with certain predicates, or any quads. */
import type * as RDF from '@rdfjs/types';
import { termToText } from '@quadrille/model';

export class ReadScope {
  #everything = false;
  readonly #predicates = new Map<string, RDF.Term>();

  get any(): boolean {
    return this.#everything || this.#predicates.size > 0;
  }

  /** The predicates of all quads that were read; `undefined` if any quad may have been read. */
  get predicates(): Iterable<RDF.Term> | undefined {
    return this.#everything ? undefined : this.#predicates.values();
  }

  /** Adds a read of quads with these predicates; `undefined` stands for any quad. */
  add(predicates: readonly RDF.Term[] | undefined): void {
    if (predicates === undefined) this.#everything = true;
    for (const predicate of predicates ?? []) this.#predicates.set(termToText(predicate), predicate);
  }
}
