/**
 * The first keys of the rows that a sort with a limit has taken, as far as they decide which rows come: one that sorts behind all of
 * them is dropped as it comes, so that most rows are never stored and ranked.
 */
import type { Memory } from '../../control/memory.js';
import { ValueMemory } from '../../control/value-memory.js';
import { compareForOrder } from '../../expression/values/order.js';
import { valueBytes } from '../../expression/values/value-bytes.js';
import type { Value } from '../../expression/values/value.js';
import type { SolutionTerms } from '../../execute/core/solution-terms.js';
import type { Waiting } from '../../execute/core/waiting.js';
import { inlineClass } from './sort-ranks.js';

/** With a larger limit, inserting keys would cost more than sorting rows. */
const MOST_KEYS = 256;

interface Surroundings {
  readonly terms: SolutionTerms;
  readonly memory: Memory;
}

export class FirstKeys {
  /** From the first to the last. */
  readonly #ids: number[] = [];
  /** The values of those whose ids do not contain them. */
  readonly #values: (Value | undefined)[] = [];
  /** The class of all ids so far, 0 where some have to be compared by their values. */
  #kind = 0;
  readonly #terms: SolutionTerms;
  readonly #memory: ValueMemory;

  private constructor(
    private readonly limit: number,
    private readonly descending: boolean,
    /** Whether it is the last row of all that were taken: keys before it change nothing. */
    private readonly isLast: boolean,
    { terms, memory }: Surroundings,
  ) {
    this.#terms = terms;
    this.#memory = new ValueMemory(memory);
  }

  /** For a limit; `undefined` where it is too large. */
  static of(limit: number | undefined, descending: boolean, around: Surroundings): FirstKeys | undefined {
    if (limit === undefined || limit === 0 || limit > MOST_KEYS) return undefined;
    return new FirstKeys(limit, descending, false, around);
  }

  /** For the key of the last row of as many as are wanted. */
  static behind(id: number, value: Value | undefined, descending: boolean, around: Surroundings): FirstKeys {
    const keys = new FirstKeys(1, descending, true, around);
    keys.#kind = inlineClass(id);
    keys.#insert(id, value);
    return keys;
  }

  /** Selects the rows that may be among the first ones, and returns their number. */
  *select(ids: Uint32Array, rows: number, selection: Uint32Array): Waiting<number> {
    if (this.#areAlike(ids, rows)) return this.#selectByIds(ids, rows, selection);
    this.#kind = 0;
    let count = 0;
    // All keys before the first choice: where they come from the last to the first, each is better than those before.
    const read = this.#terms.eachPiece(ids, rows, (values, start) => {
      for (let i = 0; i < values.length; i++) this.#add(ids[start + i]!, values[i]);
      for (let i = 0; i < values.length; i++) {
        if (this.#admits(ids[start + i]!, values[i])) selection[count++] = start + i;
      }
    });
    if (read !== undefined) yield read;
    return count;
  }

  /** Whether the ids and those before are in one order. */
  #areAlike(ids: Uint32Array, rows: number): boolean {
    const kind = this.#ids.length === 0 ? inlineClass(ids[0]!) : this.#kind;
    if (kind === 0) return false;
    for (let row = 0; row < rows; row++) if (inlineClass(ids[row]!) !== kind) return false;
    this.#kind = kind;
    return true;
  }

  #selectByIds(ids: Uint32Array, rows: number, selection: Uint32Array): number {
    let count = 0;
    for (let row = 0; row < rows; row++) this.#add(ids[row]!, undefined);
    for (let row = 0; row < rows; row++) if (this.#admits(ids[row]!, undefined)) selection[count++] = row;
    return count;
  }

  /** Takes a key in that is before the last one. */
  #add(id: number, value: Value | undefined): void {
    if (this.#ids.length === this.limit) {
      if (this.isLast || this.#order(id, value, this.limit - 1) >= 0) return;
      this.#ids.pop();
      this.#memory.shrinkTo(this.#memory.used - valueBytes(this.#values.pop()));
    }
    this.#insert(id, value);
  }

  /** Whether a row may be among the first ones. Where its key is the last one, other keys decide. */
  #admits(id: number, value: Value | undefined): boolean {
    return this.#ids.length < this.limit || this.#order(id, value, this.limit - 1) <= 0;
  }

  #insert(id: number, value: Value | undefined): void {
    this.#memory.reserve(valueBytes(value));
    let low = 0;
    let high = this.#ids.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#order(id, value, middle) < 0) high = middle;
      else low = middle + 1;
    }
    this.#ids.splice(low, 0, id);
    this.#values.splice(low, 0, value);
  }

  /** How a key is ordered to that at a place. */
  #order(id: number, value: Value | undefined, place: number): number {
    const other = this.#ids[place]!;
    const order = this.#kind === 0 ? compareForOrder(value, this.#valueAt(place)) : id - other;
    return this.descending ? -order : order;
  }

  #valueAt(place: number): Value | undefined {
    const known = this.#values[place];
    const id = this.#ids[place]!;
    // A key that was taken by its id contains its value.
    return known === undefined && id !== 0 ? this.#terms.tryValue(id) : known;
  }

  free(): void {
    this.#memory.free();
  }
}
