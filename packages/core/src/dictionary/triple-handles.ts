/** The triple terms of a running load: handles while parsing, ids when a chunk of quads is complete. */
import { StorageError } from '@quadrille/model';
import { FIRST_INLINE_ID } from '../format/layout.js';
import type { Pacer } from '../runtime/env.js';
import { flushTerms } from './dictionary-flush.js';
import type { Dictionary } from './dictionary.js';
import { tripleEntry } from './term-block.js';

/** Handles of triple terms start here. */
export const FIRST_TRIPLE = 0x4000_0000;
/**
 * Largest number of remembered triple terms. One that appears again later gets a second handle, which finds the same
 * id.
 */
const REMEMBERED = 1 << 18;
/** Triple terms resolved between two looks at the clock. */
const TRIPLES_AT_ONCE = 256;

export class TripleHandles {
  readonly #known = new Map<string, number>();
  /** Subject, predicate and object of the unresolved triple terms, as handles. */
  #open: number[] = [];
  #ids = new Uint32Array(0);
  #resolved = 0;

  /** The handle of a triple term whose components have these handles. */
  handle(subject: number, predicate: number, object: number): number {
    const key = `${subject} ${predicate} ${object}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const handle = FIRST_TRIPLE + this.#resolved + this.#open.length / 3;
    if (handle >= FIRST_INLINE_ID)
      throw new StorageError(
        'STORAGE_LIMIT',
        'a load has at most 1,073 million triple terms: load it in several pieces',
      );
    this.#known.set(key, handle);
    this.#open.push(subject, predicate, object);
    return handle;
  }

  /** Whether there are handles without ids. */
  get areOpen(): boolean {
    return this.#open.length > 0;
  }

  /** The id of a handle. Call {@link resolve} first. */
  id(handle: number): number {
    return this.#ids[handle - FIRST_TRIPLE]!;
  }

  /**
   * Assigns an id to every handle made so far; without `intern`, new triple terms get 0. `idOf` returns the id of a
   * component. The caller holds the dictionary's lock.
   */
  async resolve(
    dictionary: Dictionary,
    idOf: (handle: number) => number,
    pacer: Pacer,
    intern: boolean,
  ): Promise<void> {
    this.#reserve(this.#resolved + this.#open.length / 3);
    for (let at = 0; at < this.#open.length; at += 3) {
      const [s, p, o] = [idOf(this.#open[at]!), idOf(this.#open[at + 1]!), idOf(this.#open[at + 2]!)];
      this.#ids[this.#resolved++] = s === 0 || p === 0 || o === 0 ? 0 : await idOfTriple(dictionary, s, p, o, intern);
      if (dictionary.tailOverfull) await flushTerms(dictionary, pacer);
      if (at % (TRIPLES_AT_ONCE * 3) === 0 && pacer.due()) await pacer.pause();
    }
    this.#open = [];
    if (this.#known.size > REMEMBERED) this.#known.clear();
  }

  #reserve(count: number): void {
    if (this.#ids.length >= count) return;
    const grown = new Uint32Array(Math.max(count, this.#ids.length * 2));
    grown.set(this.#ids);
    this.#ids = grown;
  }
}

async function idOfTriple(dictionary: Dictionary, s: number, p: number, o: number, intern: boolean): Promise<number> {
  const entry = tripleEntry(s, p, o);
  const known = await dictionary.find(entry);
  return known !== 0 || !intern ? known : dictionary.assign(entry, 0, entry.length);
}
