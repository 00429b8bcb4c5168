/**
 * A sorted map from bytes to bytes with cheap snapshots: a list of sorted chunks, copied on write. Made for 10^5 to
 * 10^6 keys.
 */

import { compareBytes } from './bytes.js';
import type { Bytes, KeyRange } from './contract.js';

/** Chunks with more entries are split. A larger limit makes insertions slower, a smaller one makes the list longer. */
const MAX_CHUNK = 256;

interface Chunk {
  readonly keys: Bytes[];
  readonly values: Bytes[];
  /** The epoch in which the chunk was created or copied. Snapshots of earlier epochs do not contain it. */
  readonly epoch: number;
}

/** An immutable state of a {@link SortedTable}. */
export type TableSnapshot = readonly Chunk[];

/** The value of a key in a state; `undefined` if there is none. */
export function getFromSnapshot(chunks: TableSnapshot, key: Bytes): Bytes | undefined {
  const chunk = chunks[findChunk(chunks, key)];
  if (chunk === undefined) return undefined;
  const index = findKey(chunk.keys, key);
  return index >= 0 ? chunk.values[index] : undefined;
}

/** An ordered table of bytes in memory. Snapshots of it cost nothing until the next change. */
export class SortedTable {
  /** Never contains an empty chunk. */
  #chunks: Chunk[] = [];
  /** Increases with each snapshot. A chunk of an older epoch belongs to a snapshot and is copied before a change. */
  #epoch = 0;
  #listEpoch = 0;

  /** The value of a key; `undefined` if there is none. */
  get(key: Bytes): Bytes | undefined {
    return getFromSnapshot(this.#chunks, key);
  }

  /** Stores a value. Keeps both arrays without copying them. */
  set(key: Bytes, value: Bytes): void {
    const list = this.#ownList();
    if (list.length === 0) {
      list.push({ keys: [key], values: [value], epoch: this.#epoch });
      return;
    }
    const at = findChunk(list, key);
    const chunk = this.#ownChunk(at);
    const index = findKey(chunk.keys, key);
    if (index >= 0) {
      chunk.values[index] = value;
      return;
    }
    chunk.keys.splice(~index, 0, key);
    chunk.values.splice(~index, 0, value);
    if (chunk.keys.length > MAX_CHUNK) this.#split(at, ~index);
  }

  /** Deletes a key, if it is there. */
  delete(key: Bytes): void {
    const at = findChunk(this.#chunks, key);
    const held = this.#chunks[at];
    if (held === undefined) return;
    const index = findKey(held.keys, key);
    if (index >= 0) this.#cut(at, index, index + 1);
  }

  /** Deletes all keys from `gte` up to, but without, `lt`. */
  deleteRange(gte: Bytes, lt: Bytes): void {
    let at = findChunk(this.#chunks, gte);
    for (;;) {
      const chunk = this.#chunks[at];
      if (chunk === undefined) return;
      const from = lowerBound(chunk.keys, gte);
      const to = lowerBound(chunk.keys, lt);
      const ends = to < chunk.keys.length;
      const dropped = from < to && this.#cut(at, from, to);
      if (ends) return;
      if (!dropped) at++;
    }
  }

  /** The present state. Takes no time now, but later writes copy each chunk that they change. */
  snapshot(): TableSnapshot {
    this.#epoch++;
    return this.#chunks;
  }

  #split(at: number, inserted: number): void {
    const chunk = this.#chunks[at]!;
    // If keys arrive in ascending order, this leaves full chunks behind.
    const middle = inserted === chunk.keys.length - 1 ? chunk.keys.length - 1 : chunk.keys.length >>> 1;
    const keys = chunk.keys.splice(middle);
    const values = chunk.values.splice(middle);
    this.#chunks.splice(at + 1, 0, { keys, values, epoch: this.#epoch });
  }

  /** Removes the entries `from` to `to` of a chunk. Returns whether the chunk is removed with them. */
  #cut(at: number, from: number, to: number): boolean {
    const list = this.#ownList();
    if (from === 0 && to === list[at]!.keys.length) {
      list.splice(at, 1);
      return true;
    }
    const chunk = this.#ownChunk(at);
    chunk.keys.splice(from, to - from);
    chunk.values.splice(from, to - from);
    return false;
  }

  #ownList(): Chunk[] {
    if (this.#listEpoch !== this.#epoch) {
      this.#chunks = this.#chunks.slice();
      this.#listEpoch = this.#epoch;
    }
    return this.#chunks;
  }

  #ownChunk(at: number): Chunk {
    const chunk = this.#chunks[at]!;
    if (chunk.epoch === this.#epoch) return chunk;
    const copy = { keys: chunk.keys.slice(), values: chunk.values.slice(), epoch: this.#epoch };
    this.#ownList()[at] = copy;
    return copy;
  }
}

/** The entries of a range, in its direction and within its limit. */
export function* scanSnapshot(chunks: TableSnapshot, range: KeyRange): Generator<readonly [Bytes, Bytes]> {
  if (chunks.length === 0) return;
  let left = range.limit ?? Infinity;
  const step = range.reverse === true ? -1 : 1;
  const first = range.gte === undefined ? 0 : findChunk(chunks, range.gte);
  const last = range.lt === undefined ? chunks.length - 1 : findChunk(chunks, range.lt);
  for (let at = step === 1 ? first : last; at >= first && at <= last; at += step) {
    const { keys, values } = chunks[at]!;
    const from = at === first && range.gte !== undefined ? lowerBound(keys, range.gte) : 0;
    const to = at === last && range.lt !== undefined ? lowerBound(keys, range.lt) : keys.length;
    for (let i = step === 1 ? from : to - 1; i >= from && i < to; i += step) {
      if (left-- <= 0) return;
      yield [keys[i]!, values[i]!];
    }
  }
}

/** Index of the last chunk whose first key is not above `key`; 0 if there is none. */
function findChunk(chunks: readonly Chunk[], key: Bytes): number {
  let low = 0;
  let high = chunks.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (compareBytes(chunks[middle]!.keys[0]!, key) <= 0) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Index of `key`; if it is missing, the bitwise complement of the index where it belongs. */
function findKey(keys: readonly Bytes[], key: Bytes): number {
  const index = lowerBound(keys, key);
  return index < keys.length && compareBytes(keys[index]!, key) === 0 ? index : ~index;
}

/** Index of the first key that is not below `key`. */
function lowerBound(keys: readonly Bytes[], key: Bytes): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareBytes(keys[middle]!, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
