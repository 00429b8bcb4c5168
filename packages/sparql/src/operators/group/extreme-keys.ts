/** What the index of order has of all literals, for MIN and MAX: most of them are compared without being decoded. */
import { EvaluationError } from '@quadrille/model';
import type { KeyedIds } from '../../dataset/id-dataset.js';
import type { Value } from '../../expression/values/value.js';
import { isNumeric, isTemporal } from '../../expression/values/value-types.js';
import { countKeys, keysBetween } from '../../execute/core/keyed-ids.js';
import type { Execution } from '../../execute/core/operator.js';
import { KEYED_RANGES, keyOf, Place, placeOf, PLACES } from '../../execute/core/order-places.js';
import { pauseOf, type Waiting } from '../../execute/core/waiting.js';

/** Fewer literals are decoded; and where the index has so many more for each of them. */
const LEAST_DECODED = 4096;
const MOST_LOOKED_AT = 8;
/** Ids from the first to the last one, for each that has a key: the table has an entry for each. */
const MOST_SPARSE = 16;
const ENTRY_BYTES = 9;
const LITERAL_BYTES = 16;
/** The part of the memory of an evaluation that may be used: without keys it needs none. */
const MEMORY_SHARE = 4;
const ROWS_AT_ONCE = 4096;

/** By id, from the first one on that has a key. */
class KeyTable {
  readonly #places: Uint8Array;
  readonly #keys: Float64Array;

  constructor(
    private readonly from: number,
    length: number,
  ) {
    this.#places = new Uint8Array(length);
    this.#keys = new Float64Array(length);
  }

  set(id: number, place: number, key: number): void {
    this.#places[id - this.from] = place;
    this.#keys[id - this.from] = key;
  }

  placeOf(id: number): number {
    return this.#places[id - this.from] ?? placeOf(id);
  }

  keyOf(id: number): number {
    return this.#keys[id - this.from] ?? keyOf(id);
  }
}

export class ExtremeKeys {
  #table: KeyTable | undefined;
  #bytes = 0;
  #decoded = 0;
  /** How many are decoded before keys are looked for. */
  #due = LEAST_DECODED;

  /** `rows`: about how many will be compared. */
  constructor(
    private readonly rows: number,
    private readonly execution: Execution,
  ) {}

  /** A value was decoded to compare it. */
  note(value: Value): void {
    if (isNumeric(value) || isTemporal(value)) this.#decoded++;
  }

  /** Reads the keys where that costs less than decoding. */
  *prepare(): Waiting<void> {
    if (this.#decoded < this.#due || this.#table !== undefined) return;
    try {
      yield* this.#readIfWorthIt();
    } catch (error) {
      // Values are decoded then.
      if (!(error instanceof EvaluationError) || error.code !== 'QUERY_MEMORY') throw error;
    }
  }

  *#readIfWorthIt(): Waiting<void> {
    const count = yield* countKeys(KEYED_RANGES, this.execution);
    const own = Math.max(this.#decoded, this.rows);
    this.#due = Infinity;
    if (count === undefined || this.#free < count * LITERAL_BYTES) return;
    if (count > own * MOST_LOOKED_AT) this.#due = count / MOST_LOOKED_AT;
    else yield* this.#read();
  }

  get #free(): number {
    const { budgetBytes, used } = this.execution.memory;
    return (budgetBytes - used) / MEMORY_SHARE;
  }

  *#read(): Waiting<void> {
    const found: KeyedIds[] = [];
    let [first, last, count] = [Infinity, 0, 0];
    for (const range of KEYED_RANGES) {
      const some = yield* keysBetween(range, this.execution);
      if (some === undefined) return;
      for (const id of some.ids) {
        if (id < first) first = id;
        if (id > last) last = id;
      }
      count += some.ids.length;
      found.push(some);
      yield* pauseOf(this.execution.control);
    }
    const length = Math.max(0, last - first + 1);
    if (length === 0 || length > count * MOST_SPARSE || length * ENTRY_BYTES > this.#free) return;
    this.execution.memory.reserve(length * ENTRY_BYTES);
    this.#bytes = length * ENTRY_BYTES;
    const table = new KeyTable(first, length);
    for (const [i, { ids, keys }] of found.entries()) {
      const place = PLACES.get(KEYED_RANGES[i]!.family)!;
      for (let row = 0; row < ids.length; row++) {
        table.set(ids[row]!, place, keys[row]!);
        if (row % ROWS_AT_ONCE === 0) yield* pauseOf(this.execution.control);
      }
    }
    this.#table = table;
  }

  /** How the value of an id is ordered to that of another one; 0 where their values tell. */
  compare(id: number, other: number): number {
    const table = this.#table;
    if (table === undefined) return 0;
    const [place, otherPlace] = [table.placeOf(id), table.placeOf(other)];
    if (place === Place.unknown || otherPlace === Place.unknown) return 0;
    return place === otherPlace ? Math.sign(table.keyOf(id) - table.keyOf(other)) : Math.sign(place - otherPlace);
  }

  free(): void {
    this.execution.memory.release(this.#bytes);
    this.#bytes = 0;
    this.#table = undefined;
  }
}
