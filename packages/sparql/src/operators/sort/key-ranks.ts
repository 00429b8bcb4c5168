/** Ranks of many literals by the index of their order, which has all of them at once: nothing is decoded. */
import { FIRST_INLINE_ID, UNBOUND } from '@quadrille/model';
import { highOf, lowOf } from '@quadrille/model/order-key';
import type { Value } from '../../expression/values/value.js';
import { compareForOrder } from '../../expression/values/order.js';
import { countKeys, keysBetween } from '../../execute/core/keyed-ids.js';
import type { Execution } from '../../execute/core/operator.js';
import { KEYED_RANGES, keyOf, Place, placeOf, PLACES } from '../../execute/core/order-places.js';
import { pauseOf, type Waiting } from '../../execute/core/waiting.js';
import type { IdTable } from '../../execute/table/id-table.js';
import { radixSort } from './radix-sort.js';

/** Fewer literals are decoded; and where the index has so many more for each of them. */
const LEAST_RANKED = 4096;
const MOST_LOOKED_AT = 8;
/** Of a literal: its place in the order, its key in two words, and its rank. */
const RANKED_BYTES = 17;
const ROWS_AT_ONCE = 4096;

/** Where each id of a table is in the order. */
class Keys {
  readonly places: Uint32Array;
  readonly highs: Uint32Array;
  readonly lows: Uint32Array;

  constructor(count: number) {
    this.places = new Uint32Array(count);
    this.highs = new Uint32Array(count);
    this.lows = new Uint32Array(count);
  }

  set(at: number, place: number, key: number): void {
    this.places[at] = place;
    this.highs[at] = highOf(key);
    this.lows[at] = lowOf(key);
  }

  /** Of an id that contains its value. */
  setInline(at: number, id: number): void {
    const place = placeOf(id);
    if (place !== Place.unknown) this.set(at, place, place === Place.nothing ? 0 : keyOf(id));
  }

  equal(one: number, other: number): boolean {
    return (
      this.highs[one] === this.highs[other] &&
      this.lows[one] === this.lows[other] &&
      this.places[one] === this.places[other]
    );
  }
}

/** Ranks of the distinct ids of a table; `undefined` where one of them has no key, and where decoding costs less. */
export function* rankByKeys(table: IdTable, execution: Execution): Waiting<Uint32Array | undefined> {
  const { size } = table;
  const ids = table.keys[0]!.subarray(0, size);
  if (!(yield* isWorthIt(ids, execution))) return undefined;
  const bytes = size * RANKED_BYTES;
  execution.memory.reserve(bytes);
  try {
    const keys = yield* keysOf(table, ids, execution);
    if (keys.places.includes(Place.unknown)) return undefined;
    const column = (ranks: Uint32Array) => ({ ranks, greatest: 0xffff_ffff, descending: false });
    const places = { ...column(keys.places), greatest: Place.numbers };
    const order = yield* radixSort(size, [places, column(keys.highs), column(keys.lows)], execution.control);
    return yield* ranksOf(order, keys, ids, execution);
  } finally {
    execution.memory.release(bytes);
  }
}

function* isWorthIt(ids: Uint32Array, execution: Execution): Waiting<boolean> {
  let own = 0;
  for (const id of ids) if (id < FIRST_INLINE_ID && id !== UNBOUND) own++;
  if (own < LEAST_RANKED) return false;
  const all = yield* countKeys(KEYED_RANGES, execution);
  return all !== undefined && all >= own && all <= own * MOST_LOOKED_AT;
}

function* keysOf(table: IdTable, ids: Uint32Array, execution: Execution): Waiting<Keys> {
  const { control } = execution;
  const keys = new Keys(ids.length);
  for (let at = 0; at < ids.length; at++) {
    keys.setInline(at, ids[at]!);
    if (at % ROWS_AT_ONCE === 0) yield* pauseOf(control);
  }
  for (const range of KEYED_RANGES) {
    const place = PLACES.get(range.family)!;
    const found = yield* keysBetween(range, execution);
    if (found === undefined) return keys;
    const columns = [found.ids];
    for (let row = 0; row < found.ids.length; row++) {
      const at = table.find(columns, row);
      if (at !== -1) keys.set(at, place, found.keys[row]!);
      if (row % ROWS_AT_ONCE === 0) yield* pauseOf(control);
    }
  }
  return keys;
}

/** Equal keys may belong to different values. */
function* ranksOf(order: Uint32Array, keys: Keys, ids: Uint32Array, execution: Execution): Waiting<Uint32Array> {
  const ranks = new Uint32Array(order.length);
  let rank = 0;
  for (let start = 0, end = 0; start < order.length; start = end) {
    end = start + 1;
    while (end < order.length && keys.equal(order[start]!, order[end]!)) end++;
    if (end - start === 1) ranks[order[start]!] = rank++;
    else rank = yield* rankEqual(order.subarray(start, end), rank, ranks, ids, execution);
    if ((start & (ROWS_AT_ONCE - 1)) === 0) yield* pauseOf(execution.control);
  }
  return ranks;
}

function* rankEqual(
  some: Uint32Array,
  first: number,
  ranks: Uint32Array,
  ids: Uint32Array,
  { terms, control }: Execution,
): Waiting<number> {
  const values = new Map<number, Value | undefined>();
  for (const at of some) {
    values.set(at, ids[at] === UNBOUND ? undefined : ((yield terms.value(ids[at]!)) as Value));
    yield* pauseOf(control);
  }
  const sorted = Array.from(some).sort((one, other) => compareForOrder(values.get(one), values.get(other)));
  let rank = first;
  for (const [i, at] of sorted.entries()) {
    if (i > 0 && compareForOrder(values.get(sorted[i - 1]!), values.get(at)) !== 0) rank++;
    ranks[at] = rank;
  }
  return rank + 1;
}
