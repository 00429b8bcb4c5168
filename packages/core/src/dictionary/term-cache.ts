/** Decoded terms by id. Their number and the total length of their texts are bounded. */
import type * as RDF from '@rdfjs/types';

const FIRST_SLOTS = 64;
/** A full cache accepts one of this many terms of a scan. A power of two. */
const SCANS_KEPT = 16;
/** Average UTF-16 units of text per term that the cache may hold. */
const CHARACTERS_A_TERM = 256;
/** Bytes that the cached terms of one repository may take, whatever its block cache has. Whoever knows the heap sets it. */
export const termCacheLimit = {
  /** Estimated bytes. */
  bytes: Infinity,
};
/** Largest share of the total text length that one term may have. A longer term would evict too many others. */
const LONGEST_SHARE = 1 / 8;

/**
 * Terms by id, in pairs of slots with the newer term first. A lookup reads an array twice. A Map costs ten times as
 * much once it is larger than the processor's caches. Neighbouring ids have neighbouring slots: terms that were added
 * together are usually read together, which makes a scan twice as fast. The cache grows up to its capacity.
 */
export class TermCache {
  #ids = new Uint32Array(FIRST_SLOTS);
  #terms: (RDF.Term | undefined)[] = new Array(FIRST_SLOTS);
  #added = 0;
  #passed = 0;
  /** Length of the texts of all cached terms, in UTF-16 units. */
  #characters = 0;
  /** The slot that is emptied next if the texts are too long. */
  #hand = 0;

  constructor(private readonly capacity: number) {}

  get slots(): number {
    return this.#ids.length;
  }

  /** Length of the cached texts, in UTF-16 units. */
  get characters(): number {
    return this.#characters;
  }

  get(id: number): RDF.Term | undefined {
    const slot = (id * 2) & (this.#ids.length - 1);
    if (this.#ids[slot] === id) return this.#terms[slot];
    if (this.#ids[slot + 1] === id) return this.#terms[slot + 1];
    return undefined;
  }

  set(id: number, term: RDF.Term): void {
    const most = this.capacity * CHARACTERS_A_TERM;
    const length = textLength(term);
    if (length > most * LONGEST_SHARE) return;
    if (++this.#added > this.#ids.length / 2 && this.#ids.length < this.capacity) this.#grow();
    this.#put(id, term);
    this.#characters += length;
    while (this.#characters > most) this.#emptyNext();
  }

  /**
   * Like {@link set}, for a scan. If the pair or the cache is full, it accepts only one of {@link SCANS_KEPT} terms. A scan larger
   * than the cache would otherwise evict each term shortly before it is needed again. Objects that live for a while
   * also cost the garbage collector more than short-lived ones.
   */
  setSometimes(id: number, term: RDF.Term): void {
    const slot = (id * 2) & (this.#ids.length - 1);
    const noSlot = this.#ids[slot + 1] !== 0 && this.#ids.length >= this.capacity;
    const full = noSlot || this.#characters + textLength(term) > this.capacity * CHARACTERS_A_TERM;
    if (!full || (++this.#passed & (SCANS_KEPT - 1)) === 0) this.set(id, term);
  }

  #put(id: number, term: RDF.Term): void {
    const slot = (id * 2) & (this.#ids.length - 1);
    const dropped = this.#terms[slot + 1];
    if (dropped !== undefined) this.#characters -= textLength(dropped);
    this.#ids[slot + 1] = this.#ids[slot]!;
    this.#terms[slot + 1] = this.#terms[slot];
    this.#ids[slot] = id;
    this.#terms[slot] = term;
  }

  #emptyNext(): void {
    const slot = this.#hand++ & (this.#ids.length - 1);
    const term = this.#terms[slot];
    if (term === undefined) return;
    this.#characters -= textLength(term);
    this.#ids[slot] = 0;
    this.#terms[slot] = undefined;
  }

  #grow(): void {
    const ids = this.#ids;
    const terms = this.#terms;
    this.#ids = new Uint32Array(ids.length * 2);
    this.#terms = new Array(ids.length * 2);
    this.#added = 0;
    for (let slot = 0; slot < ids.length; slot++) {
      if (ids[slot] === 0) continue;
      this.#put(ids[slot]!, terms[slot]!);
      this.#added++;
    }
  }
}

/** Length of a term's text, in UTF-16 units. */
export const textLength = (term: RDF.Term): number =>
  term.termType === 'Quad'
    ? textLength(term.subject) + textLength(term.predicate) + textLength(term.object)
    : term.value.length;
