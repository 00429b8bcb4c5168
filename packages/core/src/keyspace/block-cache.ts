/**
 * The cache of encoded values (blocks of quads, terms, hashes): one preallocated slab used as a ring, oldest out first.
 * Freshly allocated arrays in a map cost four times as much a miss, all of it garbage collection.
 *
 * An offset that `find` gave is good until the next value comes in, so within one synchronous step only.
 */
import { CorruptionError } from '@quadrille/model';

/** Where the values of one numbered family come from: a run's blocks, a repository's term blocks, … */
export interface ValueSource {
  /** Unique among all sources of a cache; from {@link BlockCache.newSource}. */
  readonly id: number;
  /** The value now, `undefined` if only {@link read} can get it. Missing data are a CorruptionError. */
  readSync(index: number): Uint8Array | undefined;
  read(indexes: readonly number[]): Promise<Uint8Array[]>;
}

const HEADER_BYTES = 16;
// index < 2^24, source < 2^29: together below 2^53.
const INDEX_SPAN = 2 ** 24;

/** Answer of `find` when the value has to be fetched first. */
export const MISS = -1;

export class BlockCache {
  /** The slab, as words and as bytes. */
  readonly words: Uint32Array;
  readonly bytes: Uint8Array;
  readonly #offsets = new Map<number, number>();
  #head = 0;
  /** First offset after the entries that still stand behind the head in this lap. */
  #tail = 0;
  #nextSource = 1;
  /** Values that came in so far: while it stays the same, all offsets do. */
  arrivals = 0;
  hits = 0;
  misses = 0;

  constructor(capacityBytes: number) {
    const buffer = new ArrayBuffer(Math.max(capacityBytes, 4 * 1024 * 1024) & ~15);
    this.words = new Uint32Array(buffer);
    this.bytes = new Uint8Array(buffer);
  }

  newSource(): number {
    return this.#nextSource++;
  }

  /** Byte offset of a value in the slab, or {@link MISS}. */
  find(source: ValueSource, index: number): number {
    const offset = this.#offsets.get(source.id * INDEX_SPAN + index);
    if (offset !== undefined) {
      this.hits++;
      return offset;
    }
    this.misses++;
    const value = source.readSync(index);
    return value === undefined ? MISS : this.#insert(source.id * INDEX_SPAN + index, value);
  }

  lengthAt(offset: number): number {
    return this.words[(offset >>> 2) - 2]!;
  }

  /** Brings values in, for a step that found them missing. */
  async fetch(source: ValueSource, indexes: readonly number[]): Promise<void> {
    const values = await source.read(indexes);
    for (let i = 0; i < values.length; i++) {
      const key = source.id * INDEX_SPAN + indexes[i]!;
      if (!this.#offsets.has(key)) this.#insert(key, values[i]!);
    }
  }

  #insert(key: number, value: Uint8Array): number {
    const size = (HEADER_BYTES + value.length + 15) & ~15;
    if (size > this.bytes.length)
      throw new CorruptionError('CHECKSUM', `a stored value of ${value.length} bytes is too large`);
    if (this.#head + size > this.bytes.length) {
      this.#evictTo(this.bytes.length);
      if (this.#head < this.bytes.length) this.words[(this.#head >>> 2) + 3] = 0;
      this.#head = 0;
      this.#tail = 0;
    }
    this.#evictTo(this.#head + size);
    this.arrivals++;
    const word = this.#head >>> 2;
    this.words[word] = key % 2 ** 32;
    this.words[word + 1] = Math.floor(key / 2 ** 32);
    this.words[word + 2] = value.length;
    this.words[word + 3] = size;
    const offset = this.#head + HEADER_BYTES;
    this.bytes.set(value, offset);
    this.#offsets.set(key, offset);
    this.#head += size;
    if (this.#tail < this.#head) this.#tail = this.#head;
    return offset;
  }

  // Entries of the last lap stand from #tail on, until a header of size 0 (never written, or the end of the lap).
  #evictTo(end: number): void {
    while (this.#tail < end) {
      const word = this.#tail >>> 2;
      const size = this.words[word + 3] ?? 0;
      if (size === 0) {
        this.#tail = this.bytes.length;
        return;
      }
      const key = this.words[word]! + this.words[word + 1]! * 2 ** 32;
      if (this.#offsets.get(key) === this.#tail + HEADER_BYTES) this.#offsets.delete(key);
      this.#tail += size;
    }
  }
}
