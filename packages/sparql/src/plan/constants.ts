/** The terms that a plan mentions. Plans name them by number; their ids are found when a plan is opened. */
import type * as RDF from '@rdfjs/types';
import { termToText } from '@quadrille/model';
import { placeholderIndex } from '../algebra/template.js';

export interface Constant {
  readonly term: RDF.Term;
  /** Whether it needs an id even if the dataset does not have the term: it may become part of a solution. */
  readonly intern: boolean;
  /** Which value of the request it stands for; -1 if it stands for itself. */
  readonly value: number;
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
    return this.all.push({ term, intern, value: valueIndex(term) }) - 1;
  }
}

const valueIndex = (term: RDF.Term): number =>
  (term.termType === 'NamedNode' ? placeholderIndex(term.value) : undefined) ?? -1;
