/**
 * Text → id on disk. A hash run is a sorted list of (64-bit hash, id), cut into pages of 1,024 entries. A page
 * consists of three columns: the high halves of the hashes, the low halves, the ids.
 */
import type { ByteReader, ByteWriter } from '../format/byte-codec.js';
import type { ValueSource } from '../keyspace/block-cache.js';
import { MISS } from '../keyspace/block-cache.js';
import { HASH_PAGE_ENTRIES, Tag } from '../format/layout.js';
import type { BatchWriter } from '../keyspace/batch-writer.js';
import type { Keyspace } from '../keyspace/keyspace.js';

export interface HashRunEntry {
  readonly id: number;
  readonly entries: number;
  /** High half of the first hash of each page. */
  readonly fences: Uint32Array;
}

export function writeHashRunEntry(writer: ByteWriter, entry: HashRunEntry): void {
  writer.varint(entry.id).varint(entry.entries);
}

export function readHashRunEntry(reader: ByteReader): Omit<HashRunEntry, 'fences'> {
  return { id: reader.varint(), entries: reader.varint() };
}

/** How many high halves there are. */
const HASHES = 2 ** 32;

export class HashRun {
  readonly source: ValueSource;
  readonly pages: number;

  constructor(
    readonly keyspace: Keyspace,
    readonly entry: HashRunEntry,
  ) {
    this.pages = Math.ceil(entry.entries / HASH_PAGE_ENTRIES);
    this.source = keyspace.source(`hash page of run ${entry.id}`, (page) => keyspace.key(Tag.hashPage, entry.id, page));
  }

  /** The first page that can hold a hash with this high half. */
  firstPage(high: number): number {
    const { fences } = this.entry;
    return Math.max(0, lowerBound(fences, 0, fences.length, high, Math.floor((high / HASHES) * fences.length)) - 1);
  }

  /** About where on a page a hash with this high half stands. */
  #guess(high: number, page: number, count: number): number {
    const { fences } = this.entry;
    const least = fences[page]!;
    const range = (page + 1 < fences.length ? fences[page + 1]! : HASHES) - least;
    return range === 0 ? 0 : Math.floor(((high - least) / range) * count);
  }

  pageEntries(page: number): number {
    return Math.min(HASH_PAGE_ENTRIES, this.entry.entries - page * HASH_PAGE_ENTRIES);
  }

  /** Adds the ids with this hash to `out`. Returns {@link MISS} when done, or the page that must be fetched first. */
  candidates(high: number, low: number, out: number[]): number {
    const { cache } = this.keyspace;
    for (let page = this.firstPage(high); page < this.pages && this.entry.fences[page]! <= high; page++) {
      const offset = cache.find(this.source, page);
      if (offset === MISS) return page;
      const at = offset >>> 2;
      const count = this.pageEntries(page);
      const { words } = cache;
      let i = lowerBound(words, at, count, high, this.#guess(high, page, count));
      for (; i < count && words[at + i] === high; i++) {
        if (words[at + count + i] === low) out.push(words[at + 2 * count + i]!);
      }
      if (i < count) break;
    }
    return MISS;
  }
}

/** Looks up ascending hashes, as a load does. It finds each page once and continues the search from the hash before. */
export class HashRunCursor {
  #page = 0;
  /** Word offset of the present page in the cache, valid while `cache.arrivals` does not change. */
  #at = MISS;
  #arrivals = -1;
  #entry = 0;

  constructor(private readonly run: HashRun) {}

  get source(): ValueSource {
    return this.run.source;
  }

  /** Like {@link HashRun.candidates}. No hash may be less than the one before. */
  candidates(high: number, low: number, out: number[]): number {
    const { run } = this;
    const { fences } = run.entry;
    while (this.#page + 1 < run.pages && fences[this.#page + 1]! < high) this.#goTo(this.#page + 1);
    // Entries with this high half may continue on the next pages. The cursor stays, because the next hash may be on
    // this page.
    if (this.#page + 1 < run.pages && high === fences[this.#page + 1]) return run.candidates(high, low, out);
    if (fences[this.#page]! > high) return MISS;
    const { cache } = run.keyspace;
    if (this.#at === MISS || this.#arrivals !== cache.arrivals) {
      this.#at = cache.find(run.source, this.#page);
      if (this.#at === MISS) return this.#page;
      this.#arrivals = cache.arrivals;
    }
    this.#search(cache.words, high, low, out);
    return MISS;
  }

  #goTo(page: number): void {
    this.#page = page;
    this.#at = MISS;
    this.#entry = 0;
  }

  #search(words: Uint32Array, high: number, low: number, out: number[]): void {
    const at = this.#at >>> 2;
    const count = this.run.pageEntries(this.#page);
    let entry = this.#entry;
    let step = 1;
    while (entry + step <= count && words[at + entry + step - 1]! < high) {
      entry += step;
      step *= 2;
    }
    entry += binarySearch(words, at + entry, Math.min(step - 1, count - entry), high);
    this.#entry = entry;
    for (; entry < count && words[at + entry] === high; entry++) {
      if (words[at + count + entry] === low) out.push(words[at + 2 * count + entry]!);
    }
  }
}

/**
 * The first of `count` ascending words that is not less than `value`. Hashes are distributed evenly, so a search around
 * a guess touches less memory than a binary search.
 */
function lowerBound(words: Uint32Array, at: number, count: number, value: number, guess: number): number {
  let low = Math.max(0, Math.min(guess, count));
  let high = low;
  for (let step = 8; low > 0 && words[at + low - 1]! >= value; step *= 2) {
    high = low - 1;
    low = Math.max(0, low - step);
  }
  for (let step = 8; high < count && words[at + high]! < value; step *= 2) {
    low = high + 1;
    high = Math.min(count, high + step);
  }
  return low + binarySearch(words, at + low, high - low, value);
}

function binarySearch(words: Uint32Array, at: number, count: number, value: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (words[at + middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Entries of a run as columns, in any order. */
export interface HashColumns {
  readonly high: Uint32Array;
  readonly low: Uint32Array;
  readonly ids: Uint32Array;
}

/** Writes entries, which arrive in hash order, as the pages of a new run. */
export class HashRunWriter {
  readonly #page = new Uint32Array(HASH_PAGE_ENTRIES * 3);
  #filled = 0;
  #entries = 0;
  readonly #fences: number[] = [];

  constructor(
    private readonly keyspace: Keyspace,
    private readonly batch: BatchWriter,
    private readonly id: number,
  ) {}

  /** Appends the entries whose indexes are in `rows`, from `start` to `end`. */
  append(columns: HashColumns, rows: Uint32Array, start: number, end: number): void {
    for (let at = start; at < end;) {
      if (this.#filled === 0) this.#fences.push(columns.high[rows[at]!]!);
      const count = Math.min(end - at, HASH_PAGE_ENTRIES - this.#filled);
      gather(columns.high, rows, at, count, this.#page, this.#filled);
      gather(columns.low, rows, at, count, this.#page, HASH_PAGE_ENTRIES + this.#filled);
      gather(columns.ids, rows, at, count, this.#page, HASH_PAGE_ENTRIES * 2 + this.#filled);
      this.#filled += count;
      this.#entries += count;
      at += count;
      if (this.#filled === HASH_PAGE_ENTRIES) this.#writePage();
    }
  }

  get full(): boolean {
    return this.batch.full;
  }

  finish(): HashRun {
    if (this.#filled > 0) this.#writePage();
    return new HashRun(this.keyspace, { id: this.id, entries: this.#entries, fences: Uint32Array.from(this.#fences) });
  }

  #writePage(): void {
    const count = this.#filled;
    // In a partial page the second and third column move up, so that no gap is between them.
    for (let column = 1; column < 3; column++) {
      const first = column * HASH_PAGE_ENTRIES;
      this.#page.copyWithin(column * count, first, first + count);
    }
    const page = new Uint8Array(this.#page.buffer, 0, count * 3 * 4);
    this.batch.put(this.keyspace.key(Tag.hashPage, this.id, this.#fences.length - 1), page);
    this.#filled = 0;
  }
}

function gather(values: Uint32Array, rows: Uint32Array, at: number, count: number, out: Uint32Array, to: number): void {
  for (let i = 0; i < count; i++) out[to + i] = values[rows[at + i]!]!;
}

/** The newest hash runs of similar size, if there are enough of them to merge. Leaves out runs that cannot be read. */
export function mergeableHashRuns(
  all: readonly HashRun[],
  tierRuns: number,
  damaged: ReadonlySet<number>,
): readonly HashRun[] {
  const runs = all.filter((run) => !damaged.has(run.entry.id));
  const newest = hashTier(runs, tierRuns);
  return newest.length < 2 ? [] : newest;
}

// The newest runs, up to one that is more than `tierRuns` times larger than all newer ones together. Empty if there
// are too few runs.
function hashTier(runs: readonly HashRun[], tierRuns: number): readonly HashRun[] {
  if (runs.length < tierRuns) return [];
  let first = runs.length - 1;
  let size = runs[first]!.entry.entries;
  while (first > 0 && runs[first - 1]!.entry.entries <= size * tierRuns) {
    first--;
    size += runs[first]!.entry.entries;
  }
  return runs.slice(first);
}
