/**
 * Terms that were handed over, by their bytes, so that each crosses once. Bounded: a full table is begun anew, and what
 * comes again then crosses again, under another number.
 */
import type { TermHandle } from '@quadrille/model';

/** Longer ones hardly come again. */
const MAX_KEPT_BYTES = 1024;
/** So many places are looked at: terms made to have one hash cost no more than this. */
const MAX_PROBES = 16;
const INITIAL_BYTES = 1 << 20;

export class SentTerms {
  readonly #maxTerms: number;
  readonly #maxBytes: number;
  /** Each holds the number of an entry, plus 1; 0 is free. */
  readonly #slots: Uint32Array;
  readonly #hashes: Int32Array;
  /** Where the bytes of an entry end; they begin where those of the entry before end. */
  readonly #ends: Uint32Array;
  readonly #handles: Uint32Array;
  #bytes = new Uint8Array(INITIAL_BYTES);
  #count = 0;
  #hash = 0;
  /** Where the term that was last looked for would stand; -1: nowhere. */
  #free = -1;

  constructor(maxTerms = 1 << 18, maxBytes = 32 * 1024 * 1024) {
    this.#maxTerms = maxTerms;
    this.#maxBytes = maxBytes;
    let slots = 4;
    while (slots < 2 * maxTerms) slots *= 2;
    this.#slots = new Uint32Array(slots);
    this.#hashes = new Int32Array(maxTerms);
    this.#ends = new Uint32Array(maxTerms);
    this.#handles = new Uint32Array(maxTerms);
  }

  /** The handle under which the term crossed; 0 where it has to. */
  find(bytes: Uint8Array, start: number, end: number): TermHandle {
    this.#free = -1;
    if (end - start > MAX_KEPT_BYTES) return 0;
    const hash = hashOf(bytes, start, end);
    this.#hash = hash;
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let probe = 0; probe < MAX_PROBES; probe++) {
      const slot = (hash + probe) & mask;
      const entry = slots[slot]! - 1;
      if (entry === -1) {
        this.#free = slot;
        return 0;
      }
      if (this.#hashes[entry] === hash && this.#isSame(entry, bytes, start, end)) return this.#handles[entry]!;
    }
    return 0;
  }

  /** Keeps the term that was looked for and not found. */
  add(bytes: Uint8Array, start: number, end: number, handle: TermHandle): void {
    if (this.#free === -1) return;
    const from = this.#count === 0 ? 0 : this.#ends[this.#count - 1]!;
    const to = from + end - start;
    if (this.#count === this.#maxTerms || to > this.#maxBytes) {
      this.#slots.fill(0);
      this.#count = 0;
      return;
    }
    if (to > this.#bytes.length) this.#enlarge(to);
    const kept = this.#bytes;
    for (let i = start, at = from; i < end; i++, at++) kept[at] = bytes[i]!;
    this.#hashes[this.#count] = this.#hash;
    this.#handles[this.#count] = handle;
    this.#ends[this.#count++] = to;
    this.#slots[this.#free] = this.#count;
  }

  #isSame(entry: number, bytes: Uint8Array, start: number, end: number): boolean {
    const kept = this.#bytes;
    const from = entry === 0 ? 0 : this.#ends[entry - 1]!;
    if (this.#ends[entry]! - from !== end - start) return false;
    // Names of one vocabulary share their start.
    for (let i = end - 1, at = this.#ends[entry]! - 1; i >= start; i--, at--) if (kept[at] !== bytes[i]) return false;
    return true;
  }

  #enlarge(needed: number): void {
    const larger = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = end - start;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
  hash ^= hash >>> 15;
  return hash ^ (hash >>> 7);
}
