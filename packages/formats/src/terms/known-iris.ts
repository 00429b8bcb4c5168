/**
 * Maps the bytes of IRIs that a parse has seen to their handles. Predicates and graph names are few and occur in every
 * statement: a hit spares checking the IRI and asking the sink. The size is bounded; a new IRI replaces an old one.
 */
import type { TermHandle } from '@quadrille/model';

/** Numbers of slots, powers of two. Short documents need few. */
const FIRST_SLOTS = 32;
const MAX_SLOTS = 4096;
const MAX_KNOWN_BYTES = 1024;
/** Length of the shortest span that can be compared, such as `<a:>`. */
export const MIN_KNOWN_BYTES = 4;

/** An IRI that was checked, as its canonical bytes with `<` and `>`. */
export interface KnownIri {
  readonly view: DataView;
  readonly length: number;
  readonly handle: TermHandle;
  /** The IRI that followed this one last time. In most data it is the next one again. */
  next: KnownIri | undefined;
}

/** Whether two spans of at least four bytes are equal. Compares four bytes at a time. */
export function sameBytes(a: DataView, aStart: number, b: DataView, bStart: number, length: number): boolean {
  const last = length - 4;
  for (let i = 0; i < last; i += 4) {
    if (a.getInt32(aStart + i, true) !== b.getInt32(bStart + i, true)) return false;
  }
  return a.getInt32(aStart + last, true) === b.getInt32(bStart + last, true);
}

/** IRIs that a document repeats, with their handles. */
export class KnownIris {
  #slots = emptySlots(FIRST_SLOTS);
  #count = 0;

  /** The IRI with these bytes, if it is known. */
  find(view: DataView, start: number, end: number): KnownIri | undefined {
    const slots = this.#slots;
    const slot = hashOf(view, start, end) & (slots.length - 1);
    const known = slots[slot];
    if (known !== undefined && isThere(known, view, start, end)) return known;
    const other = slots[slot ^ 1];
    return other !== undefined && isThere(other, view, start, end) ? other : undefined;
  }

  /** Remembers an IRI; the bytes are copied. Long ones are not worth it. */
  add(view: DataView, start: number, end: number, handle: TermHandle): KnownIri | undefined {
    const length = end - start;
    if (length > MAX_KNOWN_BYTES) return undefined;
    if (++this.#count > this.#slots.length / 4 && this.#slots.length < MAX_SLOTS) this.#enlarge();
    const copy = new Uint8Array(view.buffer, view.byteOffset + start, length).slice();
    const known: KnownIri = { view: new DataView(copy.buffer), length, handle, next: undefined };
    this.#put(known);
    return known;
  }

  /** Each IRI has two slots. The previous entry moves to the second slot. */
  #put(known: KnownIri): void {
    const slots = this.#slots;
    const slot = hashOf(known.view, 0, known.length) & (slots.length - 1);
    slots[slot ^ 1] = slots[slot];
    slots[slot] = known;
  }

  #enlarge(): void {
    const before = this.#slots;
    this.#slots = emptySlots(Math.min(MAX_SLOTS, before.length * 8));
    for (const known of before) if (known !== undefined) this.#put(known);
  }
}

function emptySlots(length: number): (KnownIri | undefined)[] {
  return new Array<KnownIri | undefined>(length).fill(undefined);
}

function isThere(known: KnownIri, view: DataView, start: number, end: number): boolean {
  return known.length === end - start && sameBytes(known.view, 0, view, start, known.length);
}

// Names of one vocabulary have the same start and differ at their ends.
function hashOf(view: DataView, start: number, end: number): number {
  const tail = view.getInt32(end - 4, true);
  const middle = view.getInt32(start + ((end - start - 4) >> 1), true);
  const before = view.getInt32(Math.max(start, end - 8), true);
  let hash =
    Math.imul(tail ^ (end - start), 0x9e3779b1) ^ Math.imul(before, 0x85ebca6b) ^ Math.imul(middle, 0xc2b2ae35);
  hash ^= hash >>> 15;
  return hash ^ (hash >>> 9);
}
