/**
 * Texts of terms in memory: segments of bytes, and an open-addressing table that finds texts by hash and content. No step
 * takes long, however many texts there are: segments are never copied, a larger table is filled entry by entry, and a
 * search looks at a bounded number of places, also where somebody made up texts with equal hashes.
 */
import { copySpan, equalSpans, viewOf } from '../runtime/byte-views.js';

const INITIAL = 32;
/** Addresses of texts are the number of a segment and, in so many low bits, the place in it. */
const SEGMENT_BITS = 20;
const SEGMENT_BYTES = 1 << SEGMENT_BITS;
/** Words of an entry, in one place, since whoever looks at one needs the others: half a cache line. */
const ENTRY_WORDS = 4;
const HIGH = 0;
const LOW = 1;
const ADDRESS = 2;
const LENGTH = 3;
/** Longer texts are copied by the platform. */
const LONG_COPY = 512;
/** Entries that move to a larger table with each that is added. */
const MOVED_AT_ONCE = 4;
/** Places that a search looks at. With hashes that spread, one text in 100,000 finds all of them taken. */
const MAX_PROBES = 64;

/** Places of texts: each holds an index, plus 1; 0 is free. */
class SlotTable {
  readonly slots: Uint32Array;
  readonly mask: number;
  /** Texts that found no free place among their {@link MAX_PROBES}, by content. The platform's map has a secret hash. */
  crowded: Map<string, number> | undefined;

  constructor(size: number) {
    this.slots = new Uint32Array(size);
    this.mask = size - 1;
  }
}

export class TermTable {
  /** Bytes that the texts take. */
  bytes = 0;
  size = 0;
  #entries = new Uint32Array(INITIAL * ENTRY_WORDS);
  readonly #segments: Uint8Array[];
  /** Views of the segments. */
  readonly #views: DataView[];
  #free = 0;
  #places = new SlotTable(INITIAL * 2);
  /** The places before these, as long as not all their entries are here too. */
  #oldPlaces: SlotTable | undefined;
  #moved = 0;
  #toMove = 0;

  constructor(firstBytes = 64 * 1024) {
    const first = new Uint8Array(firstBytes);
    this.#segments = [first];
    this.#views = [new DataView(first.buffer)];
  }

  /** The halves of a text's hash. */
  highOf(index: number): number {
    return this.#entries[index * ENTRY_WORDS + HIGH]!;
  }

  lowOf(index: number): number {
    return this.#entries[index * ENTRY_WORDS + LOW]!;
  }

  /** The bytes that a text stands in, from {@link startOf} to {@link endOf}. */
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

  /** Index of a text, or -1. */
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
   * Index of the first text with this hash, whatever it is, or -1. Not of those in the table before this one, nor of those
   * that found no place.
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

  /** Whether the text at an index is this one. */
  holds(index: number, bytes: Uint8Array, start: number, end: number): boolean {
    const at = index * ENTRY_WORDS;
    if (this.#entries[at + LENGTH] !== end - start) return false;
    const address = this.#entries[at + ADDRESS]!;
    const text = this.#views[address >>> SEGMENT_BITS]!;
    return equalSpans(text, address & (SEGMENT_BYTES - 1), viewOf(bytes), start, end - start);
  }

  /** Adds a text that is not there; its index counts up from 0. */
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

  /** The address of so many bytes in one segment. */
  #reserve(count: number): number {
    this.bytes += count;
    const last = this.#segments.length - 1;
    if (this.#free + count >= this.#segments[last]!.length && !this.#enlarge(count)) return this.#newSegment(count);
    const address = last * SEGMENT_BYTES + this.#free;
    this.#free += count;
    return address;
  }

  // The first segment begins small: most tables hold little.
  #enlarge(count: number): boolean {
    if (this.#segments.length > 1 || this.#free + count >= SEGMENT_BYTES) return false;
    const [first] = this.#segments;
    const larger = new Uint8Array(Math.min(SEGMENT_BYTES, Math.max(first!.length, this.#free + count) * 2));
    larger.set(first!.subarray(0, this.#free));
    this.#segments[0] = larger;
    this.#views[0] = new DataView(larger.buffer);
    return true;
  }

  // A text that is longer than a segment has one of its length, and as many numbers as it would fill.
  #newSegment(count: number): number {
    const address = this.#segments.length * SEGMENT_BYTES;
    const segment = new Uint8Array(Math.max(count, SEGMENT_BYTES));
    const view = new DataView(segment.buffer);
    for (let left = segment.length; left > 0; left -= SEGMENT_BYTES) {
      this.#segments.push(segment);
      this.#views.push(view);
    }
    // Such a one is not filled up: what stands behind its first megabyte has no address.
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

/** Parts of this length become characters of a key at once. */
const KEY_PART = 4096;

// Bytes as characters. The first one keeps the key from being a number, whose hash is no secret.
function contentKey(bytes: Uint8Array, start: number, end: number): string {
  let key = '=';
  for (let at = start; at < end; at += KEY_PART)
    key += String.fromCharCode(...bytes.subarray(at, Math.min(at + KEY_PART, end)));
  return key;
}
