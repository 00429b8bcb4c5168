/**
 * Texts of terms in memory: segments of bytes, and an open-addressing table that finds texts by hash and content. Nothing
 * here takes long however many texts there are: segments are never copied, and a larger table is filled step by step.
 */

const INITIAL = 256;
/** Addresses of texts are the number of a segment and, in so many low bits, the place in it. */
const SEGMENT_BITS = 20;
const SEGMENT_BYTES = 1 << SEGMENT_BITS;
/** Entries that move to a larger table with each that is added. */
const MOVED_AT_ONCE = 4;

export class TermTable {
  /** Bytes that the texts take. */
  bytes = 0;
  size = 0;
  high = new Uint32Array(INITIAL);
  low = new Uint32Array(INITIAL);
  #starts = new Uint32Array(INITIAL);
  #lengths = new Uint32Array(INITIAL);
  readonly #segments: Uint8Array[];
  #free = 0;
  /** Each holds an index, plus 1; 0 is free. */
  #slots = new Uint32Array(INITIAL * 2);
  /** The table before this one, as long as not all its entries are here too. */
  #oldSlots: Uint32Array | undefined;
  #moved = 0;
  #toMove = 0;

  constructor(firstBytes = 64 * 1024) {
    this.#segments = [new Uint8Array(firstBytes)];
  }

  /** The bytes that a text stands in, from {@link startOf} to {@link endOf}. */
  segmentOf(index: number): Uint8Array {
    return this.#segments[this.#starts[index]! >>> SEGMENT_BITS]!;
  }

  startOf(index: number): number {
    return this.#starts[index]! & (SEGMENT_BYTES - 1);
  }

  endOf(index: number): number {
    return this.startOf(index) + this.#lengths[index]!;
  }

  text(index: number): Uint8Array {
    return this.segmentOf(index).subarray(this.startOf(index), this.endOf(index));
  }

  /** Index of a text, or -1. */
  find(bytes: Uint8Array, start: number, end: number, high: number, low: number): number {
    const index = this.#findIn(this.#slots, bytes, start, end, high, low);
    return index === -1 && this.#oldSlots !== undefined
      ? this.#findIn(this.#oldSlots, bytes, start, end, high, low)
      : index;
  }

  #findIn(slots: Uint32Array, bytes: Uint8Array, start: number, end: number, high: number, low: number): number {
    const mask = slots.length - 1;
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const index = slots[slot]! - 1;
      if (index === -1) return -1;
      if (this.low[index] === low && this.high[index] === high && this.#sameText(index, bytes, start, end))
        return index;
    }
  }

  /** Adds a text that is not there; its index counts up from 0. */
  add(bytes: Uint8Array, start: number, end: number, high: number, low: number): number {
    if (this.size === this.#starts.length) this.#grow();
    if (this.#oldSlots !== undefined) this.#moveSome();
    const index = this.size++;
    const address = this.#reserve(end - start);
    // A short copy by hand beats subarray and set.
    const segment = this.#segments[address >>> SEGMENT_BITS]!;
    for (let i = start, to = address & (SEGMENT_BYTES - 1); i < end; i++, to++) segment[to] = bytes[i]!;
    this.#starts[index] = address;
    this.#lengths[index] = end - start;
    this.high[index] = high;
    this.low[index] = low;
    this.#place(index);
    return index;
  }

  #sameText(index: number, bytes: Uint8Array, start: number, end: number): boolean {
    if (this.#lengths[index] !== end - start) return false;
    const address = this.#starts[index]!;
    const segment = this.#segments[address >>> SEGMENT_BITS]!;
    let at = address & (SEGMENT_BYTES - 1);
    for (let i = start; i < end; i++) if (segment[at++] !== bytes[i]) return false;
    return true;
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
    return true;
  }

  // A text that is longer than a segment has one of its length, and as many numbers as it would fill.
  #newSegment(count: number): number {
    const address = this.#segments.length * SEGMENT_BYTES;
    const segment = new Uint8Array(Math.max(count, SEGMENT_BYTES));
    for (let left = segment.length; left > 0; left -= SEGMENT_BYTES) this.#segments.push(segment);
    // Such a one is not filled up: what stands behind its first megabyte has no address.
    this.#free = count > SEGMENT_BYTES ? segment.length : count;
    return address;
  }

  #grow(): void {
    const capacity = this.#starts.length * 2;
    const larger = (column: Uint32Array): Uint32Array<ArrayBuffer> => {
      const grown = new Uint32Array(capacity);
      grown.set(column);
      return grown;
    };
    this.#starts = larger(this.#starts);
    this.#lengths = larger(this.#lengths);
    this.high = larger(this.high);
    this.low = larger(this.low);
    this.#oldSlots = this.#slots;
    this.#toMove = this.size;
    this.#moved = 0;
    this.#slots = new Uint32Array(capacity * 2);
  }

  #moveSome(): void {
    const end = Math.min(this.#toMove, this.#moved + MOVED_AT_ONCE);
    for (let index = this.#moved; index < end; index++) this.#place(index);
    this.#moved = end;
    if (end === this.#toMove) this.#oldSlots = undefined;
  }

  #place(index: number): void {
    const mask = this.#slots.length - 1;
    let slot = this.low[index]! & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = index + 1;
  }
}
