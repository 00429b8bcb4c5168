/**
 * Remembers the terms that were sent to the other thread, so that each is sent once. The size is bounded: a full table is
 * cleared, and recurring terms are then sent again under another number.
 */
import type { TermHandle } from '@quadrille/model';
import { sameBytes } from '../terms/known-iris.js';

/** Longest term that is remembered, in bytes. Longer ones rarely recur. */
const MAX_KEPT_BYTES = 1024;
/** Number of slots that a lookup visits at most. It bounds the cost of terms with equal hashes. */
const MAX_PROBES = 16;
const INITIAL_BYTES = 1 << 20;

/** Numbers that the hash of a term depends on. Both factors are odd. */
export interface HashSeed {
  readonly first: number;
  readonly low: number;
  readonly high: number;
}

/** Random for each process, so that nobody can prepare terms that collide. */
const PROCESS_SEED = newSeed();

function newSeed(): HashSeed {
  const [first, low, high] = globalThis.crypto.getRandomValues(new Int32Array(3)) as unknown as [
    number,
    number,
    number,
  ];
  return { first, low: low | 1, high: high | 1 };
}

export class SentTerms {
  readonly #maxTerms: number;
  readonly #maxBytes: number;
  /** Each slot holds the index of an entry plus 1, or 0 if it is free. */
  readonly #slots: Uint32Array;
  readonly #hashes: Int32Array;
  /** Ends of the entries in `#bytes`. An entry begins at the end of the previous one. */
  readonly #ends: Uint32Array;
  readonly #handles: Uint32Array;
  #bytes = new Uint8Array(INITIAL_BYTES);
  #view = new DataView(this.#bytes.buffer);
  /** The array of the last lookup. */
  #source: Uint8Array = this.#bytes;
  #sourceView: DataView = this.#view;
  #count = 0;
  #hash = 0;
  /** The free slot for the term of the last lookup, or -1 if there is none. */
  #free = -1;

  constructor(
    maxTerms = 1 << 18,
    maxBytes = 32 * 1024 * 1024,
    private readonly seed = PROCESS_SEED,
  ) {
    this.#maxTerms = maxTerms;
    this.#maxBytes = maxBytes;
    let slots = 4;
    while (slots < 2 * maxTerms) slots *= 2;
    this.#slots = new Uint32Array(slots);
    this.#hashes = new Int32Array(maxTerms);
    this.#ends = new Uint32Array(maxTerms);
    this.#handles = new Uint32Array(maxTerms);
  }

  /** The handle under which the term was sent, or 0 if it has to be sent. */
  find(bytes: Uint8Array, start: number, end: number): TermHandle {
    this.#free = -1;
    if (end - start > MAX_KEPT_BYTES) return 0;
    if (bytes !== this.#source) this.#look(bytes);
    const hash = hashOf(this.#sourceView, bytes, start, end, this.seed);
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
      if (this.#hashes[entry] === hash && this.#isSame(entry, start, end)) return this.#handles[entry]!;
    }
    return 0;
  }

  /** Remembers the term that the last lookup did not find. */
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
    kept.set(bytes.subarray(start, end), from);
    this.#hashes[this.#count] = this.#hash;
    this.#handles[this.#count] = handle;
    this.#ends[this.#count++] = to;
    this.#slots[this.#free] = this.#count;
  }

  #look(bytes: Uint8Array): void {
    this.#source = bytes;
    this.#sourceView = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  #isSame(entry: number, start: number, end: number): boolean {
    const from = entry === 0 ? 0 : this.#ends[entry - 1]!;
    const length = end - start;
    if (this.#ends[entry]! - from !== length) return false;
    if (length >= 4) return sameBytes(this.#view, from, this.#sourceView, start, length);
    for (let i = 0; i < length; i++) if (this.#bytes[from + i] !== this.#source[start + i]) return false;
    return true;
  }

  #enlarge(needed: number): void {
    const larger = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    larger.set(this.#bytes);
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}

/** Four bytes at a time, and the remaining ones one by one. */
export function hashOf(view: DataView, bytes: Uint8Array, start: number, end: number, seed: HashSeed): number {
  const { first, low, high } = seed;
  let hash = first ^ (end - start);
  let at = start;
  for (; at + 4 <= end; at += 4) {
    hash ^= view.getInt32(at, true);
    // Both factors are secret: with one alone, bits at the top of two words cancel out whatever its value.
    hash = Math.imul(hash, low) + Math.imul(hash >>> 16, high);
    hash ^= hash >>> 15;
  }
  for (; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, low);
  hash ^= hash >>> 15;
  return hash ^ (hash >>> 7);
}
