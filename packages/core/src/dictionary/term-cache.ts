/** Decoded terms by id. Their estimated bytes are bounded. */
import type * as RDF from '@rdfjs/types';

const FIRST_SLOTS = 64;
/** A full cache accepts one of this many terms of a scan. A power of two. */
const SCANS_KEPT = 16;
/** Estimated bytes of a term and its slots beside its text. A text has one byte for each UTF-16 unit, but for the few with rare characters. */
const TERM_BYTES = 100;
/** Bytes that the cached terms of one repository may take, whatever its block cache has. Whoever knows the heap sets it. */
export const termCacheLimit = {
  /** Estimated bytes. */
  bytes: Infinity,
};
/** Largest share of the bytes that one term may take. A longer term would evict too many others. */
const LONGEST_SHARE = 1 / 8;

/**
 * Terms by id, in pairs of slots with the newer term first. A lookup reads an array twice. A Map costs ten times as
 * much once it is larger than the processor's caches. Neighbouring ids have neighbouring slots: terms that were added
 * together are usually read together, which makes a scan twice as fast. The slots grow with the terms: half of them are empty, so that few
 * pairs are full.
 */
export class TermCache {
  #ids = new Uint32Array(FIRST_SLOTS);
  #terms: (RDF.Term | undefined)[] = new Array(FIRST_SLOTS);
  #added = 0;
  #passed = 0;
  #bytes = 0;
  /** The slot that is emptied next if the terms take too many bytes. */
  #hand = 0;
  readonly #mostSlots: number;

  /** @param mostBytes largest number of estimated bytes */
  constructor(private readonly mostBytes: number) {
    this.#mostSlots = Math.max(FIRST_SLOTS, (mostBytes / TERM_BYTES) * 2);
  }

  /** Estimated bytes of the cached terms. */
  get bytes(): number {
    return this.#bytes;
  }

  get(id: number): RDF.Term | undefined {
    const slot = (id * 2) & (this.#ids.length - 1);
    if (this.#ids[slot] === id) return this.#terms[slot];
    if (this.#ids[slot + 1] === id) return this.#terms[slot + 1];
    return undefined;
  }

  set(id: number, term: RDF.Term): void {
    const bytes = bytesOf(term);
    if (bytes > this.mostBytes * LONGEST_SHARE) return;
    if (++this.#added > this.#ids.length / 2 && this.#ids.length * 2 <= this.#mostSlots) this.#grow();
    this.#put(id, term);
    this.#bytes += bytes;
    while (this.#bytes > this.mostBytes) this.#emptyNext();
  }

  /**
   * Like {@link set}, for a scan. If the pair or the cache is full, it accepts only one of {@link SCANS_KEPT} terms. A scan larger
   * than the cache would otherwise evict each term shortly before it is needed again. Objects that live for a while
   * also cost the garbage collector more than short-lived ones.
   */
  setSometimes(id: number, term: RDF.Term): void {
    const slot = (id * 2) & (this.#ids.length - 1);
    const noSlot = this.#ids[slot + 1] !== 0 && this.#ids.length * 2 > this.#mostSlots;
    const full = noSlot || this.#bytes + bytesOf(term) > this.mostBytes;
    if (!full || (++this.#passed & (SCANS_KEPT - 1)) === 0) this.set(id, term);
  }

  #put(id: number, term: RDF.Term): void {
    const slot = (id * 2) & (this.#ids.length - 1);
    if (this.#ids[slot] !== 0) {
      const dropped = this.#terms[slot + 1];
      if (dropped !== undefined) this.#bytes -= bytesOf(dropped);
      this.#ids[slot + 1] = this.#ids[slot]!;
      this.#terms[slot + 1] = this.#terms[slot];
    }
    this.#ids[slot] = id;
    this.#terms[slot] = term;
  }

  #emptyNext(): void {
    const slot = this.#hand++ & (this.#ids.length - 1);
    const term = this.#terms[slot];
    if (term === undefined) return;
    this.#bytes -= bytesOf(term);
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

const bytesOf = (term: RDF.Term): number => TERM_BYTES + textLength(term);

/** Length of a term's text, in UTF-16 units. */
export const textLength = (term: RDF.Term): number =>
  term.termType === 'Quad'
    ? textLength(term.subject) + textLength(term.predicate) + textLength(term.object)
    : term.value.length;
