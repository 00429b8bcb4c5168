/** The terms that a plan mentions. Plans name them by number; their ids are found when a plan is opened. */
import type * as RDF from '@rdfjs/types';
import { termToText } from '@quadrille/model';

export interface Constant {
  readonly term: RDF.Term;
  /** Whether it needs an id even if the dataset does not have the term: it may become part of a solution. */
  readonly intern: boolean;
}

export class Constants {
  readonly all: Constant[] = [];
  readonly #numbers = new Map<string, number>();

  /** The number of a term. */
  add(term: RDF.Term, intern = false): number {
    const key = `${intern}${termToText(term)}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.all.length);
    return this.all.push({ term, intern }) - 1;
  }
}
