/** What kind of term an id stands for, of terms that were read before. A byte for each id, where their values may not all be kept. */
import { isInline, isLocal } from '@quadrille/model';
import { processMemory } from '../../control/process-memory.js';
import type { Value } from '../../expression/values/value.js';

export const UNKNOWN_KIND = 0;
export const IRI = 1;
export const BLANK_NODE = 2;
export const LITERAL = 3;
export const TRIPLE = 4;

const FIRST_IDS = 1024;
/** Of terms with larger ids nothing is kept. */
const MOST_IDS = 1 << 22;

export class TermKinds {
  #kinds = new Uint8Array(FIRST_IDS);

  /** The kind of an id; {@link UNKNOWN_KIND} where its term was not read. */
  of(id: number): number {
    return isInline(id) ? LITERAL : (this.#kinds[id] ?? UNKNOWN_KIND);
  }

  note(id: number, { kind }: Value): void {
    if (isInline(id) || isLocal(id) || id >= MOST_IDS) return;
    if (id >= this.#kinds.length) this.#grow(id);
    this.#kinds[id] = kind === 'iri' ? IRI : kind === 'blankNode' ? BLANK_NODE : kind === 'triple' ? TRIPLE : LITERAL;
  }

  #grow(id: number): void {
    let length = this.#kinds.length * 2;
    while (length <= id) length *= 2;
    const grown = new Uint8Array(length);
    grown.set(this.#kinds);
    this.#kinds = grown;
  }
}

// Kept beyond the query, as values are.
let shared = new WeakMap<object, TermKinds>();
processMemory.onPressure(() => {
  shared = new WeakMap();
});

export function sharedKinds(key: object): TermKinds {
  let kinds = shared.get(key);
  if (kinds === undefined) shared.set(key, (kinds = new TermKinds()));
  return kinds;
}
