/**
 * The cache of encoded values: blocks of quads, terms and hashes. It is one slab, used as a ring that drops the oldest
 * value first. One array per value would make a miss four times as expensive, because of garbage collection. The slab
 * grows up to its capacity as values arrive: 64 MB for each of many small stores would make V8 collect all the time.
 *
 * An offset that `find` returns is valid until the next value is inserted, so only within one synchronous step.
 */
import { CorruptionError, StorageError } from '@quadrille/model';

/** Default size of the block cache, in bytes. */
export const DEFAULT_CACHE_BYTES = 64 * 1024 * 1024;

/** Reads the values of one numbered family, such as the blocks of a run or the term blocks of a repository. */
export interface ValueSource {
  /** Unique among the sources of a cache; from {@link BlockCache.newSource}. */
  readonly id: number;
  /**
   * Returns the value, or `undefined` if only {@link read} can read it. Throws a CorruptionError if the value is
   * missing.
   */
  readSync(index: number): Uint8Array | undefined;
  read(indexes: readonly number[]): Promise<Uint8Array[]>;
}

const HEADER_BYTES = 16;
const MIN_CAPACITY_BYTES = 4 * 1024 * 1024;
const FIRST_SLAB_BYTES = 1024 * 1024;
// index < 2^24 and source < 2^29, so a cache key is below 2^53.
const INDEX_SPAN = 2 ** 24;
const MOST_SOURCES = 2 ** 29;

/** Returned by `find` if the value must be fetched first. */
export const MISS = -1;

export class BlockCache {
  /** The slab as 32-bit words, and as bytes. A slab that grows is replaced, so read them again after each `find`. */
  words: Uint32Array;
  bytes: Uint8Array;
  readonly capacityBytes: number;
  readonly #offsets = new Map<number, number>();
  #head = 0;
  /** Offset of the oldest entry of the previous lap. Entries of that lap lie from here to the end of the slab. */
  #tail = 0;
  #nextSource = 1;
  /** Number of values inserted so far. All offsets stay valid while it does not change. */
  arrivals = 0;
  hits = 0;
  misses = 0;

  constructor(capacityBytes: number) {
    this.capacityBytes = Math.max(capacityBytes, MIN_CAPACITY_BYTES) & ~15;
    const buffer = new ArrayBuffer(FIRST_SLAB_BYTES);
    this.words = new Uint32Array(buffer);
    this.bytes = new Uint8Array(buffer);
  }

  newSource(): number {
    if (this.#nextSource === MOST_SOURCES)
      throw new StorageError(
        'STORAGE_LIMIT',
        'this process has opened 536 million runs: close the store and open it again',
      );
    return this.#nextSource++;
  }

  /** Returns the byte offset of a value in the slab, or {@link MISS}. */
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

  /** Reads values from the storage and inserts them. Call it after {@link find} returned {@link MISS}. */
  async fetch(source: ValueSource, indexes: readonly number[]): Promise<void> {
    const values = await source.read(indexes);
    for (let i = 0; i < values.length; i++) {
      const key = source.id * INDEX_SPAN + indexes[i]!;
      if (!this.#offsets.has(key)) this.#insert(key, values[i]!);
    }
  }

  #insert(key: number, value: Uint8Array): number {
    const size = (HEADER_BYTES + value.length + 15) & ~15;
    if (size > this.capacityBytes)
      throw new CorruptionError('CHECKSUM', `a stored value of ${value.length} bytes is larger than the block cache`);
    if (this.#head + size > this.bytes.length && this.bytes.length < this.capacityBytes) this.#grow(this.#head + size);
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

  // Only in the first lap, in which nothing was dropped: the offsets of all values stay the same.
  #grow(leastBytes: number): void {
    const length = Math.min(this.capacityBytes, Math.max(leastBytes + 15, this.bytes.length * 2)) & ~15;
    const bytes = new Uint8Array(length);
    bytes.set(this.bytes);
    this.bytes = bytes;
    this.words = new Uint32Array(bytes.buffer);
  }

  // Entries of the previous lap lie from #tail to the first header with size 0, which was never written or ends the
  // lap.
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
