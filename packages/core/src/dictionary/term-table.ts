/**
 * Texts of terms in memory: segments of bytes, and an open-addressing table that finds texts by hash and content. Nothing
 * here takes long however many texts there are: segments are never copied, and a larger table is filled step by step.
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

export class TermTable {
  /** Bytes that the texts take. */
  bytes = 0;
  size = 0;
  #entries = new Uint32Array(INITIAL * ENTRY_WORDS);
  readonly #segments: Uint8Array[];
  /** Views of the segments. */
  readonly #views: DataView[];
  #free = 0;
  /** Each holds an index, plus 1; 0 is free. */
  #slots = new Uint32Array(INITIAL * 2);
  /** The table before this one, as long as not all its entries are here too. */
  #oldSlots: Uint32Array | undefined;
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
    const view = viewOf(bytes);
    const index = this.#findIn(this.#slots, view, start, end, high, low);
    return index === -1 && this.#oldSlots !== undefined
      ? this.#findIn(this.#oldSlots, view, start, end, high, low)
      : index;
  }

  #findIn(slots: Uint32Array, view: DataView, start: number, end: number, high: number, low: number): number {
    const entries = this.#entries;
    const mask = slots.length - 1;
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const index = slots[slot]! - 1;
      if (index === -1) return -1;
      const at = index * ENTRY_WORDS;
      if (entries[at + LOW] !== low || entries[at + HIGH] !== high || entries[at + LENGTH] !== end - start) continue;
      const address = entries[at + ADDRESS]!;
      const text = this.#views[address >>> SEGMENT_BITS]!;
      if (equalSpans(text, address & (SEGMENT_BYTES - 1), view, start, end - start)) return index;
    }
  }

  /** Index of the first text with this hash, whatever it is, or -1; texts in the table before this one do not count. */
  candidate(high: number, low: number): number {
    const entries = this.#entries;
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const index = slots[slot]! - 1;
      if (index === -1) return -1;
      const at = index * ENTRY_WORDS;
      if (entries[at + LOW] === low && entries[at + HIGH] === high) return index;
    }
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
    if (this.#oldSlots !== undefined) this.#moveSome();
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
    this.#oldSlots = this.#slots;
    this.#toMove = this.size;
    this.#moved = 0;
    this.#slots = new Uint32Array(this.size * 4);
  }

  #moveSome(): void {
    const end = Math.min(this.#toMove, this.#moved + MOVED_AT_ONCE);
    for (let index = this.#moved; index < end; index++) this.#place(index);
    this.#moved = end;
    if (end === this.#toMove) this.#oldSlots = undefined;
  }

  #place(index: number): void {
    const mask = this.#slots.length - 1;
    let slot = this.lowOf(index) & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = index + 1;
  }
}
