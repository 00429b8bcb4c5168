/**
 * A run of a text index: the words of the literals with ids in one range. It has pages of words in the order of their bytes, the
 * postings of all words, and the length of each literal. A run is never changed.
 */
import { ByteReader } from '../format/byte-codec.js';
import { MISS, type BlockCache, type ValueSource } from '../keyspace/block-cache.js';
import type { Pacer } from '../runtime/env.js';
import type { RunEntry } from '../values/value-index.js';
import { LENGTHS } from './postings.js';

/** Bytes of postings in one value. */
export const CHUNK_BYTES = 16 * 1024;

/** Words whose postings are read before the event loop may get its turn. */
const ENTRIES_AT_ONCE = 256;

/** How many literals, and words in them, there are. */
export interface Totals {
  readonly literals: number;
  readonly words: number;
}

/** The parts of a run, each of which has values of its own. */
export const PARTS = ['words', 'postings', 'lengths', 'fences'] as const;
export type Part = (typeof PARTS)[number];

/** Where the values of a run are. */
export interface RunValues {
  readonly cache: BlockCache;
  readonly words: ValueSource;
  readonly postings: ValueSource;
  /** Reads a whole part. */
  read(part: 'lengths' | 'fences'): Promise<Uint8Array>;
}

/** A word of a run: how many literals have it, and where its postings are. */
export interface WordEntry {
  readonly count: number;
  readonly start: number;
  readonly length: number;
}

/** Compares bytes as the pages are ordered. */
export function compareWords(x: Uint8Array, y: Uint8Array): number {
  const shared = Math.min(x.length, y.length);
  for (let i = 0; i < shared; i++) if (x[i] !== y[i]) return x[i]! - y[i]!;
  return x.length - y.length;
}

/** The words of a page, one after the other. The word is good until the next one. */
export class PageReader {
  /** Its first `size` bytes are the word. */
  buffer = new Uint8Array(256);
  size = 0;
  count = 0;
  start = 0;
  length = 0;
  readonly #reader: ByteReader;

  constructor(page: Uint8Array) {
    this.#reader = new ByteReader(page);
    this.start = this.#reader.varint();
  }

  next(): boolean {
    const reader = this.#reader;
    if (reader.remaining === 0) return false;
    const shared = reader.varint();
    const own = reader.varint();
    if (shared + own > this.buffer.length) {
      const grown = new Uint8Array((shared + own) * 2);
      grown.set(this.buffer);
      this.buffer = grown;
    }
    reader.copyTo(this.buffer, shared, own);
    this.size = shared + own;
    this.count = reader.varint();
    this.start += this.length;
    this.length = reader.varint();
    return true;
  }

  get word(): Uint8Array {
    return this.buffer.subarray(0, this.size);
  }

  get entry(): WordEntry {
    const { count, start, length } = this;
    return { count, start, length };
  }
}

export class TextRun {
  /** Searches that read it. */
  readers = 0;
  #head: Promise<Head> | undefined;
  #lengths: Promise<Lengths> | undefined;

  constructor(
    readonly entry: RunEntry,
    private readonly values: RunValues,
  ) {}

  /** The entry of a word; `undefined` if no literal has it. */
  async find(word: Uint8Array): Promise<WordEntry | undefined> {
    const { fences } = await this.#readHead();
    const page = pageOf(fences, word);
    if (page === -1) return undefined;
    const reader = new PageReader(await this.page(page));
    while (reader.next()) {
      const order = compareWords(reader.word, word);
      if (order === 0) return reader.entry;
      if (order > 0) return undefined;
    }
    return undefined;
  }

  /** Goes through the words of a page. */
  async eachWord(page: number, take: (reader: PageReader) => void): Promise<void> {
    const reader = new PageReader(await this.page(page));
    while (reader.next()) take(reader);
  }

  /** Reads words from one on, until `visit` returns false. */
  async visit(from: Uint8Array, visit: (reader: PageReader) => boolean, pacer?: Pacer): Promise<void> {
    const { fences } = await this.#readHead();
    let isBefore = true;
    for (let page = Math.max(0, pageOf(fences, from)); page < this.entry.pages; page++) {
      const reader = new PageReader(await this.page(page));
      while (reader.next()) {
        isBefore &&= compareWords(reader.word, from) < 0;
        if (!isBefore && !visit(reader)) return;
      }
      if (pacer?.due() === true) await pacer.pause();
    }
  }

  /** A copy of a page of words. */
  async page(page: number): Promise<Uint8Array> {
    return this.#copy(await this.#offsetOf(this.values.words, page));
  }

  /** The postings of a word. */
  async postings({ start, length }: WordEntry): Promise<Uint8Array> {
    const { cache, postings } = this.values;
    const bytes = new Uint8Array(length);
    for (let at = 0; at < length;) {
      const chunk = await this.#offsetOf(postings, Math.floor((start + at) / CHUNK_BYTES));
      const from = (start + at) % CHUNK_BYTES;
      const count = Math.min(length - at, cache.lengthAt(chunk) - from);
      bytes.set(cache.bytes.subarray(chunk + from, chunk + from + count), at);
      at += count;
    }
    return bytes;
  }

  /** Calls `take` with where the postings of words are: within `bytes`, which are good until it returns. */
  async eachPostings(
    entries: readonly WordEntry[],
    take: (bytes: Uint8Array, start: number, end: number, entry: WordEntry) => void,
    pacer?: Pacer,
  ): Promise<void> {
    const { cache, postings } = this.values;
    // Where a chunk is, until something else is read.
    let known = -1;
    let offset = 0;
    for (let i = 0; i < entries.length; i++) {
      const entry = entries[i]!;
      const { start, length } = entry;
      const index = Math.floor(start / CHUNK_BYTES);
      const from = start - index * CHUNK_BYTES;
      if (from + length > CHUNK_BYTES) {
        take(await this.postings(entry), 0, length, entry);
        known = -1;
      } else {
        if (index !== known) {
          const found = this.#offsetOf(postings, index);
          offset = typeof found === 'number' ? found : await found;
          known = index;
        }
        take(cache.bytes, offset + from, offset + from + length, entry);
      }
      if (i % ENTRIES_AT_ONCE !== 0 || pacer?.due() !== true) continue;
      await pacer.pause();
      known = -1;
    }
  }

  /** A copy of a chunk of postings. */
  async chunk(index: number): Promise<Uint8Array> {
    return this.#copy(await this.#offsetOf(this.values.postings, index));
  }

  #copy(offset: number): Uint8Array {
    const { cache } = this.values;
    return cache.bytes.slice(offset, offset + cache.lengthAt(offset));
  }

  // Where a value is in the cache, until the next one is read.
  #offsetOf(source: ValueSource, index: number): number | Promise<number> {
    const offset = this.values.cache.find(source, index);
    return offset === MISS ? this.#fetch(source, index) : offset;
  }

  async #fetch(source: ValueSource, index: number): Promise<number> {
    const { cache } = this.values;
    for (;;) {
      await cache.fetch(source, [index]);
      const offset = cache.find(source, index);
      if (offset !== MISS) return offset;
    }
  }

  #readHead(): Promise<Head> {
    return (this.#head ??= this.values.read('fences').then(decodeHead, (error: unknown) => {
      this.#head = undefined;
      throw error;
    }));
  }

  /** The totals of the literals before `mark`. */
  async totals(mark: number): Promise<Totals> {
    return mark >= this.entry.to ? (await this.#readHead()).totals : (await this.lengths()).before(mark);
  }

  /** The lengths of all literals. */
  lengths(): Promise<Lengths> {
    return (this.#lengths ??= this.values.read('lengths').then(
      (bytes) => new Lengths(bytes, this.entry.from),
      (error: unknown) => {
        this.#lengths = undefined;
        throw error;
      },
    ));
  }
}

/** What is read of a run first. */
interface Head {
  /** Of all literals. */
  readonly totals: Totals;
  /** The first word of each page. */
  readonly fences: readonly Uint8Array[];
}

function decodeHead(bytes: Uint8Array): Head {
  const reader = new ByteReader(bytes);
  const totals = { literals: reader.varint(), words: reader.varint() };
  const fences: Uint8Array[] = [];
  while (reader.remaining > 0) fences.push(reader.bytes(reader.varint()).slice());
  return { totals, fences };
}

/** The last page that does not begin behind the word; -1 if all do. */
function pageOf(fences: readonly Uint8Array[], word: Uint8Array): number {
  let low = 0;
  let high = fences.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareWords(fences[middle]!, word) <= 0) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Literals between two sums. */
const STEP = 4096;

/** The number of words of each literal of a run, in a byte. */
export class Lengths {
  /** The totals before each step, as far as they were asked for. */
  readonly #sums: Totals[] = [NO_TOTALS];

  constructor(
    readonly bytes: Uint8Array,
    private readonly from: number,
  ) {}

  /** The totals of the literals before `mark`. */
  before(mark: number): Totals {
    const end = Math.min(Math.max(mark - this.from, 0), this.bytes.length);
    const step = Math.floor(end / STEP);
    for (let known = this.#sums.length; known <= step; known++)
      this.#sums.push(addLengths(this.#sums[known - 1]!, this.bytes, (known - 1) * STEP, known * STEP));
    return addLengths(this.#sums[step]!, this.bytes, step * STEP, end);
  }
}

const NO_TOTALS: Totals = { literals: 0, words: 0 };

export const totalsOf = (lengths: Uint8Array): Totals => addLengths(NO_TOTALS, lengths, 0, lengths.length);

function addLengths({ literals, words }: Totals, bytes: Uint8Array, start: number, end: number): Totals {
  let own = 0;
  let sum = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === 0) continue;
    own++;
    sum += LENGTHS[byte]!;
  }
  return { literals: literals + own, words: words + sum };
}
