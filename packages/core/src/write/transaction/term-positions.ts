/** Whether the terms of ids may stand in the places of a quad. Ids that were found good are remembered: many repeat. */
import type { QuadPosition } from '@quadrille/model';
import { checkTerm, termToText } from '@quadrille/model';
import { checkStorable } from '../../dictionary/term-encoder.js';
import type { KnownTerms } from '../../dictionary/known-terms.js';
import { DEFAULT_GRAPH, FIRST_INLINE_ID, FIRST_LOCAL_ID } from '../../format/layout.js';

const SLOTS = 1024;

export class TermPositions {
  readonly #subjects = new Uint32Array(SLOTS);
  readonly #predicates = new Uint32Array(SLOTS);
  readonly #objects = new Uint32Array(SLOTS);
  readonly #graphs = new Uint32Array(SLOTS);

  constructor(private readonly terms: KnownTerms) {}

  /**
   * False if a term has to be fetched first.
   * @throws InvalidArgumentError `INVALID_TERM`
   */
  check(s: number, p: number, o: number, g: number): boolean {
    return (
      this.#isGood(this.#subjects, s, 'subject') &&
      this.#isGood(this.#predicates, p, 'predicate') &&
      // Whatever is stored can be an object.
      ((o > DEFAULT_GRAPH && o < FIRST_LOCAL_ID) || this.#isGood(this.#objects, o, 'object')) &&
      (g === DEFAULT_GRAPH || this.#isGood(this.#graphs, g, 'graph'))
    );
  }

  #isGood(good: Uint32Array, id: number, position: QuadPosition): boolean {
    const slot = id % SLOTS;
    if (good[slot] === id && id !== 0) return true;
    const term = this.terms.term(id);
    if (term === undefined) return false;
    // Stored terms were checked when they came: only their kind matters.
    const fits = term.termType === 'NamedNode' || (term.termType === 'BlankNode' && position !== 'predicate');
    if (id >= FIRST_INLINE_ID || !fits) checkTerm(term, position);
    if (id >= FIRST_LOCAL_ID) checkStorable(termToText(term));
    good[slot] = id;
    return true;
  }
}
