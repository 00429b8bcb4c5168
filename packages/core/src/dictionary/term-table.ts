/**
 * Texts of terms in memory: segments of bytes, and an open-addressing hash table. Every step is short, whatever the
 * number of texts. Segments are never copied. A larger table is filled a few entries at a time. A search has a
 * bounded number of probes, even if somebody prepared texts with equal hashes.
 */
import { StorageError } from '@quadrille/model';
import { copySpan, equalSpans, viewOf } from '../runtime/byte-views.js';

const INITIAL = 32;
const FIRST_BYTES = 2 * 1024;
/** An address consists of a segment number and, in this many low bits, the offset in the segment. */
const SEGMENT_BITS = 20;
const SEGMENT_BYTES = 1 << SEGMENT_BITS;
/** Addresses have 32 bits. */
const MOST_BYTES = 2 ** 32;
/**
 * Words of an entry: both halves of the hash, address, length. They are adjacent, because a search reads them
 * together.
 */
const ENTRY_WORDS = 4;
const HIGH = 0;
const LOW = 1;
const ADDRESS = 2;
const LENGTH = 3;
/** Texts longer than this are copied by the platform, shorter ones by {@link copySpan}. */
const LONG_COPY = 512;
/** Number of entries that move to the larger table with each added text. */
const MOVED_AT_ONCE = 4;
/**
 * Largest number of slots that a search looks at. With well-spread hashes, one text in 100,000 finds all of them
 * taken.
 */
const MAX_PROBES = 64;

/** Slots of the hash table. A slot holds 1 plus the index of a text, or 0 if it is free. */
class SlotTable {
  readonly slots: Uint32Array;
  readonly mask: number;
  /**
   * Texts that found no free slot, by content. The hash of the platform's map is secret, so its collisions cannot be
   * prepared.
   */
  crowded: Map<string, number> | undefined;

  constructor(size: number) {
    this.slots = new Uint32Array(size);
    this.mask = size - 1;
  }
}

export class TermTable {
  /** Bytes of all texts. */
  bytes = 0;
  size = 0;
  #entries: Uint32Array;
  readonly #segments: Uint8Array[];
  readonly #views: DataView[];
  #free = 0;
  #places: SlotTable;
  /** The smaller table, until all its entries have moved to `#places`. */
  #oldPlaces: SlotTable | undefined;
  #moved = 0;
  #toMove = 0;

  /** `firstBytes`: memory for texts at the start. `texts`: how many are expected, a power of two. */
  constructor(firstBytes = FIRST_BYTES, texts = INITIAL) {
    this.#entries = new Uint32Array(texts * ENTRY_WORDS);
    this.#places = new SlotTable(texts * 2);
    const first = new Uint8Array(firstBytes);
    this.#segments = [first];
    this.#views = [new DataView(first.buffer)];
  }

  /** The high half of a text's hash. */
  highOf(index: number): number {
    return this.#entries[index * ENTRY_WORDS + HIGH]!;
  }

  lowOf(index: number): number {
    return this.#entries[index * ENTRY_WORDS + LOW]!;
  }

  /** The segment that holds a text, from {@link startOf} to {@link endOf}. */
  segmentOf(index: number): Uint8Array {
    return this.#segments[this.#addressOf(index) >>> SEGMENT_BITS]!;
  }

  #addressOf(index: number): number {
    return this.#entries[index * ENTRY_WORDS + ADDRESS]!;
  }

  startOf(index: number): number {
    return this.#addressOf(index) & (SEGMENT_BYTES - 1);
  }

  endOf(index: number): number {
    return this.startOf(index) + this.lengthOf(index);
  }

  lengthOf(index: number): number {
    return this.#entries[index * ENTRY_WORDS + LENGTH]!;
  }

  text(index: number): Uint8Array {
    return this.segmentOf(index).subarray(this.startOf(index), this.endOf(index));
  }

  /** The index of a text, or -1. */
  find(bytes: Uint8Array, start: number, end: number, high: number, low: number): number {
    const index = this.#findIn(this.#places, bytes, start, end, high, low);
    return index === -1 && this.#oldPlaces !== undefined
      ? this.#findIn(this.#oldPlaces, bytes, start, end, high, low)
      : index;
  }

  #findIn(places: SlotTable, bytes: Uint8Array, start: number, end: number, high: number, low: number): number {
    const entries = this.#entries;
    const { slots, mask } = places;
    const view = viewOf(bytes);
    for (let probe = 0; probe < MAX_PROBES; probe++) {
      const index = slots[(low + probe) & mask]! - 1;
      if (index === -1) return -1;
      const at = index * ENTRY_WORDS;
      if (entries[at + LOW] !== low || entries[at + HIGH] !== high || entries[at + LENGTH] !== end - start) continue;
      const address = entries[at + ADDRESS]!;
      const text = this.#views[address >>> SEGMENT_BITS]!;
      if (equalSpans(text, address & (SEGMENT_BYTES - 1), view, start, end - start)) return index;
    }
    return places.crowded?.get(contentKey(bytes, start, end)) ?? -1;
  }

  /**
   * The index of the first text with this hash, whatever its content, or -1. Does not search the smaller table, nor
   * the texts without a slot.
   */
  candidate(high: number, low: number): number {
    const entries = this.#entries;
    const { slots, mask } = this.#places;
    for (let probe = 0; probe < MAX_PROBES; probe++) {
      const index = slots[(low + probe) & mask]! - 1;
      if (index === -1) return -1;
      const at = index * ENTRY_WORDS;
      if (entries[at + LOW] === low && entries[at + HIGH] === high) return index;
    }
    return -1;
  }

  /** Whether the text at an index equals the span. */
  holds(index: number, bytes: Uint8Array, start: number, end: number): boolean {
    const at = index * ENTRY_WORDS;
    if (this.#entries[at + LENGTH] !== end - start) return false;
    const address = this.#entries[at + ADDRESS]!;
    const text = this.#views[address >>> SEGMENT_BITS]!;
    return equalSpans(text, address & (SEGMENT_BYTES - 1), viewOf(bytes), start, end - start);
  }

  /** Adds a text that the table does not have. Returns its index; indexes count up from 0. */
  add(bytes: Uint8Array, start: number, end: number, high: number, low: number): number {
    if (this.size * ENTRY_WORDS === this.#entries.length) this.#grow();
    if (this.#oldPlaces !== undefined) this.#moveSome();
    const index = this.size++;
    const address = this.#reserve(end - start);
    this.#copy(bytes, start, end, address);
    const at = index * ENTRY_WORDS;
    this.#entries[at + HIGH] = high;
    this.#entries[at + LOW] = low;
    this.#entries[at + ADDRESS] = address;
    this.#entries[at + LENGTH] = end - start;
    this.#place(index);
    return index;
  }

  #copy(bytes: Uint8Array, start: number, end: number, address: number): void {
    const segment = address >>> SEGMENT_BITS;
    const at = address & (SEGMENT_BYTES - 1);
    if (end - start > LONG_COPY) this.#segments[segment]!.set(bytes.subarray(start, end), at);
    else copySpan(viewOf(bytes), start, this.#views[segment]!, at, end - start);
  }

  /** Reserves bytes in one segment and returns their address. */
  #reserve(count: number): number {
    this.bytes += count;
    const last = this.#segments.length - 1;
    if (this.#free + count >= this.#segments[last]!.length && !this.#enlarge(count)) return this.#newSegment(count);
    const address = last * SEGMENT_BYTES + this.#free;
    this.#free += count;
    return address;
  }

  // The first segment starts small and grows, because most tables hold few texts.
  #enlarge(count: number): boolean {
    if (this.#segments.length > 1 || this.#free + count >= SEGMENT_BYTES) return false;
    const [first] = this.#segments;
    const larger = new Uint8Array(Math.min(SEGMENT_BYTES, Math.max(first!.length, this.#free + count) * 2));
    larger.set(first!.subarray(0, this.#free));
    this.#segments[0] = larger;
    this.#views[0] = new DataView(larger.buffer);
    return true;
  }

  // A text longer than a segment gets a segment of its own, which takes as many segment numbers as it would fill.
  #newSegment(count: number): number {
    const address = this.#segments.length * SEGMENT_BYTES;
    if (address + Math.max(count, SEGMENT_BYTES) > MOST_BYTES)
      throw new StorageError(
        'STORAGE_LIMIT',
        'a load has at most 4 GiB of different texts at once, such as labels of blank nodes: load it in several pieces',
      );
    const segment = new Uint8Array(Math.max(count, SEGMENT_BYTES));
    const view = new DataView(segment.buffer);
    for (let left = segment.length; left > 0; left -= SEGMENT_BYTES) {
      this.#segments.push(segment);
      this.#views.push(view);
    }
    // No text is added to such a segment: addresses only reach its first megabyte.
    this.#free = count > SEGMENT_BYTES ? segment.length : count;
    return address;
  }

  #grow(): void {
    const grown = new Uint32Array(this.#entries.length * 2);
    grown.set(this.#entries);
    this.#entries = grown;
    this.#oldPlaces = this.#places;
    this.#toMove = this.size;
    this.#moved = 0;
    this.#places = new SlotTable(this.size * 4);
  }

  #moveSome(): void {
    const end = Math.min(this.#toMove, this.#moved + MOVED_AT_ONCE);
    for (let index = this.#moved; index < end; index++) this.#place(index);
    this.#moved = end;
    if (end === this.#toMove) this.#oldPlaces = undefined;
  }

  #place(index: number): void {
    const { slots, mask } = this.#places;
    const low = this.lowOf(index);
    for (let probe = 0; probe < MAX_PROBES; probe++) {
      const slot = (low + probe) & mask;
      if (slots[slot] !== 0) continue;
      slots[slot] = index + 1;
      return;
    }
    const key = contentKey(this.segmentOf(index), this.startOf(index), this.endOf(index));
    (this.#places.crowded ??= new Map()).set(key, index);
  }
}

/** Number of bytes that are converted to characters of a key at once. */
const KEY_PART = 4096;

// Turns bytes into a string key. The first character keeps the key from looking like a number, because the hash of
// numbers is not secret.
function contentKey(bytes: Uint8Array, start: number, end: number): string {
  let key = '=';
  for (let at = start; at < end; at += KEY_PART)
    key += String.fromCharCode(...bytes.subarray(at, Math.min(at + KEY_PART, end)));
  return key;
}
