/**
 * Checks whether the terms of ids may stand in their positions of a quad. Caches the ids that passed, because many
 * repeat.
 */
import type { QuadPosition } from '@quadrille/model';
import { checkTerm } from '@quadrille/model';
import { checkStorable } from '../../dictionary/term-encoder.js';
import type { KnownTerms } from '../../dictionary/known-terms.js';
import type { LocalTerms } from '../../dictionary/local-terms.js';
import { DEFAULT_GRAPH, FIRST_INLINE_ID, FIRST_LOCAL_ID } from '../../format/layout.js';

/** Every transaction allocates them. */
const SLOTS = 128;

export class TermPositions {
  readonly #subjects = new Uint32Array(SLOTS);
  readonly #predicates = new Uint32Array(SLOTS);
  readonly #objects = new Uint32Array(SLOTS);
  readonly #graphs = new Uint32Array(SLOTS);

  constructor(
    private readonly terms: KnownTerms,
    private readonly local: LocalTerms,
  ) {}

  /**
   * Returns false if a term must be fetched first.
   * @throws InvalidArgumentError `INVALID_TERM`
   */
  check(s: number, p: number, o: number, g: number): boolean {
    return (
      this.#isGood(this.#subjects, s, 'subject') &&
      this.#isGood(this.#predicates, p, 'predicate') &&
      // Any stored term can be an object.
      ((o > DEFAULT_GRAPH && o < FIRST_LOCAL_ID) || this.#isGood(this.#objects, o, 'object')) &&
      (g === DEFAULT_GRAPH || this.#isGood(this.#graphs, g, 'graph'))
    );
  }

  #isGood(good: Uint32Array, id: number, position: QuadPosition): boolean {
    const slot = id % SLOTS;
    if (good[slot] === id && id !== 0) return true;
    const term = this.terms.term(id);
    if (term === undefined) return false;
    // Stored terms were checked when they were stored, so only their kind is checked.
    const fits = term.termType === 'NamedNode' || (term.termType === 'BlankNode' && position !== 'predicate');
    if (id >= FIRST_INLINE_ID || !fits) checkTerm(term, position);
    if (id >= FIRST_LOCAL_ID) checkStorable(this.local.text(id));
    good[slot] = id;
    return true;
  }
}
