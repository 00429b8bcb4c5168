/**
 * A sorted map from bytes to values with cheap snapshots: a list of sorted chunks, copied on write. Made for 10^5 to
 * 10^6 keys.
 */

import { compareBytes } from './bytes.js';
import type { Bytes, KeyRange } from './contract.js';

/** Chunks with more entries are split. A larger limit makes insertions slower, a smaller one makes the list longer. */
const MAX_CHUNK = 256;

/** Neighbouring entries of a table, in the order of their keys. How it stores them is its own affair. */
export interface Chunk<V> {
  /** The epoch in which the chunk was created or copied. Snapshots of earlier epochs do not contain it. */
  readonly epoch: number;
  /** Number of entries. */
  readonly length: number;
  /** How full it is. Above 1 it should be split. */
  readonly fill: number;
  /** Negative, zero or positive if the key of an entry is below, equal to or above another one. */
  compare(index: number, key: Bytes): number;
  /** The key of an entry. It never changes. */
  key(index: number): Bytes;
  /** The value of an entry. */
  value(index: number): V;
  /** Adds an entry before the one at an index. */
  insert(index: number, key: Bytes, value: V): void;
  /** Gives an entry another value. */
  replace(index: number, value: V): void;
  /** Deletes the entries `from` up to, but without, `to`. */
  cut(from: number, to: number): void;
  /** The same entries, for changes in a later epoch. */
  copy(epoch: number): Chunk<V>;
  /** Moves the entries from an index on to a chunk of their own. */
  split(index: number, epoch: number): Chunk<V>;
}

/** An immutable state of a {@link SortedTable}. */
export type TableSnapshot<V = Bytes> = readonly Chunk<V>[];

/** Keys and values as objects, without copies of them. */
class ArrayChunk<V> implements Chunk<V> {
  constructor(
    readonly epoch: number,
    private readonly keys: Bytes[] = [],
    private readonly values: V[] = [],
  ) {}

  get length(): number {
    return this.keys.length;
  }

  get fill(): number {
    return this.keys.length / MAX_CHUNK;
  }

  compare(index: number, key: Bytes): number {
    return compareBytes(this.keys[index]!, key);
  }

  key(index: number): Bytes {
    return this.keys[index]!;
  }

  value(index: number): V {
    return this.values[index]!;
  }

  insert(index: number, key: Bytes, value: V): void {
    this.keys.splice(index, 0, key);
    this.values.splice(index, 0, value);
  }

  replace(index: number, value: V): void {
    this.values[index] = value;
  }

  cut(from: number, to: number): void {
    this.keys.splice(from, to - from);
    this.values.splice(from, to - from);
  }

  copy(epoch: number): Chunk<V> {
    return new ArrayChunk(epoch, this.keys.slice(), this.values.slice());
  }

  split(index: number, epoch: number): Chunk<V> {
    return new ArrayChunk(epoch, this.keys.splice(index), this.values.splice(index));
  }
}

/** The value of a key in a state; `undefined` if there is none. */
export function getFromSnapshot<V>(chunks: TableSnapshot<V>, key: Bytes): V | undefined {
  const chunk = chunks[findChunk(chunks, key)];
  if (chunk === undefined) return undefined;
  const index = findKey(chunk, key);
  return index >= 0 ? chunk.value(index) : undefined;
}

/** An ordered table in memory. Snapshots of it cost nothing until the next change. */
export class SortedTable<V = Bytes> {
  /** Never contains an empty chunk. */
  #chunks: Chunk<V>[] = [];
  /** Increases with each snapshot. A chunk of an older epoch belongs to a snapshot and is copied before a change. */
  #epoch = 0;
  #listEpoch = 0;

  constructor(
    /** Makes the first chunk. Default: one of objects. */
    private readonly first: (epoch: number) => Chunk<V> = (epoch): Chunk<V> => new ArrayChunk(epoch),
  ) {}

  /** The value of a key; `undefined` if there is none. */
  get(key: Bytes): V | undefined {
    return getFromSnapshot(this.#chunks, key);
  }

  /** Stores a value. */
  set(key: Bytes, value: V): void {
    const list = this.#ownList();
    if (list.length === 0) list.push(this.first(this.#epoch));
    const at = findChunk(list, key);
    const chunk = this.#ownChunk(at);
    const index = findKey(chunk, key);
    if (index >= 0) chunk.replace(index, value);
    else chunk.insert(~index, key, value);
    // If keys arrive in ascending order, this leaves full chunks behind.
    const last = chunk.length - 1;
    if (chunk.fill > 1 && last > 0)
      list.splice(at + 1, 0, chunk.split(~index === last ? last : (last + 1) >>> 1, this.#epoch));
    else if (index >= 0) this.#join(at);
  }

  /** Deletes a key, if it is there. */
  delete(key: Bytes): void {
    const at = findChunk(this.#chunks, key);
    const held = this.#chunks[at];
    if (held === undefined) return;
    const index = findKey(held, key);
    if (index >= 0 && !this.#cut(at, index, index + 1)) this.#join(at);
  }

  /** Deletes all keys from `gte` up to, but without, `lt`. */
  deleteRange(gte: Bytes, lt: Bytes): void {
    let at = findChunk(this.#chunks, gte);
    for (;;) {
      const chunk = this.#chunks[at];
      if (chunk === undefined) return;
      const from = lowerBound(chunk, gte);
      const to = lowerBound(chunk, lt);
      const ends = to < chunk.length;
      const dropped = from < to && this.#cut(at, from, to);
      if (ends) return;
      if (!dropped) at++;
    }
  }

  /** The present state. Takes no time now, but later writes copy each chunk that they change. */
  snapshot(): TableSnapshot<V> {
    this.#epoch++;
    return this.#chunks;
  }

  /** Removes the entries `from` to `to` of a chunk. Returns whether the chunk is removed with them. */
  #cut(at: number, from: number, to: number): boolean {
    const list = this.#ownList();
    if (from === 0 && to === list[at]!.length) {
      list.splice(at, 1);
      return true;
    }
    this.#ownChunk(at).cut(from, to);
    return false;
  }

  /** Joins a chunk with the one before, where both are nearly empty. */
  #join(at: number): void {
    const before = this.#chunks[at - 1];
    const chunk = this.#chunks[at]!;
    if (before === undefined || before.fill + chunk.fill > 0.5) return;
    const joined = this.#ownChunk(at - 1);
    for (let i = 0; i < chunk.length; i++) joined.insert(joined.length, chunk.key(i), chunk.value(i));
    this.#ownList().splice(at, 1);
  }

  #ownList(): Chunk<V>[] {
    if (this.#listEpoch !== this.#epoch) {
      this.#chunks = this.#chunks.slice();
      this.#listEpoch = this.#epoch;
    }
    return this.#chunks;
  }

  #ownChunk(at: number): Chunk<V> {
    const chunk = this.#chunks[at]!;
    if (chunk.epoch === this.#epoch) return chunk;
    const copy = chunk.copy(this.#epoch);
    this.#ownList()[at] = copy;
    return copy;
  }
}

/** The entries of a range, in its direction and within its limit. */
export function* scanSnapshot<V>(chunks: TableSnapshot<V>, range: KeyRange): Generator<readonly [Bytes, V]> {
  if (chunks.length === 0) return;
  let left = range.limit ?? Infinity;
  const step = range.reverse === true ? -1 : 1;
  const first = range.gte === undefined ? 0 : findChunk(chunks, range.gte);
  const last = range.lt === undefined ? chunks.length - 1 : findChunk(chunks, range.lt);
  for (let at = step === 1 ? first : last; at >= first && at <= last; at += step) {
    const chunk = chunks[at]!;
    const from = at === first && range.gte !== undefined ? lowerBound(chunk, range.gte) : 0;
    const to = at === last && range.lt !== undefined ? lowerBound(chunk, range.lt) : chunk.length;
    for (let i = step === 1 ? from : to - 1; i >= from && i < to; i += step) {
      if (left-- <= 0) return;
      yield [chunk.key(i), chunk.value(i)];
    }
  }
}

/** Index of the last chunk whose first key is not above `key`; 0 if there is none. */
function findChunk(chunks: TableSnapshot<unknown>, key: Bytes): number {
  let low = 0;
  let high = chunks.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (chunks[middle]!.compare(0, key) <= 0) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Index of `key`; if it is missing, the bitwise complement of the index where it belongs. */
function findKey(chunk: Chunk<unknown>, key: Bytes): number {
  const index = lowerBound(chunk, key);
  return index < chunk.length && chunk.compare(index, key) === 0 ? index : ~index;
}

/** Index of the first key that is not below `key`. */
function lowerBound(chunk: Chunk<unknown>, key: Bytes): number {
  let low = 0;
  let high = chunk.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (chunk.compare(middle, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
