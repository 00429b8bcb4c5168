/** id → RDF/JS term, with a cache of the terms themselves: making one costs more than finding its bytes. */
import type * as RDF from '@rdfjs/types';
import { dataFactory, textToTerm } from '@quadrille/model';
import { DEFAULT_GRAPH, FIRST_LOCAL_ID } from '../format/layout.js';
import type { Dictionary } from './dictionary.js';
import { inlineText, isInline } from './inline.js';
import type { LocalTerms } from './local-terms.js';
import { LONG_ENTRY, readTripleEntry, TRIPLE_ENTRY } from './term-block.js';

const utf8 = new TextDecoder();
const DEFAULT_GRAPH_TERM = dataFactory.defaultGraph();

const FIRST_SLOTS = 64;
/** A batch of so many rows or more is part of a scan. */
const SCAN_ROWS = 512;
/** One of so many terms of a scan takes the place of another one. A power of two. */
const SCANS_KEPT = 16;

/**
 * Terms by id: pairs of slots, the newer term of a pair first. A lookup is two reads of an array, where a Map costs
 * ten times that once it is larger than the processor's caches. Neighbouring ids have neighbouring slots: terms that came in
 * together are most often read together, which makes a scan twice as fast. Grows up to its capacity as terms come.
 */
class TermCache {
  #ids = new Uint32Array(FIRST_SLOTS);
  #terms: (RDF.Term | undefined)[] = new Array(FIRST_SLOTS);
  #added = 0;
  #passed = 0;

  constructor(private readonly capacity: number) {}

  get slots(): number {
    return this.#ids.length;
  }

  get(id: number): RDF.Term | undefined {
    const slot = (id * 2) & (this.#ids.length - 1);
    if (this.#ids[slot] === id) return this.#terms[slot];
    if (this.#ids[slot + 1] === id) return this.#terms[slot + 1];
    return undefined;
  }

  set(id: number, term: RDF.Term): void {
    if (++this.#added > this.#ids.length / 2 && this.#ids.length < this.capacity) this.#grow();
    this.#put(id, term);
  }

  /**
   * As {@link set}, for a scan: where the pair is full, only now and then. A scan that is larger than the cache would
   * otherwise push out each term shortly before it comes again; and what is kept for a while only to be dropped costs
   * the collector of garbage more than what is dropped at once.
   */
  setSometimes(id: number, term: RDF.Term): void {
    const slot = (id * 2) & (this.#ids.length - 1);
    const full = this.#ids[slot + 1] !== 0 && this.#ids.length >= this.capacity;
    if (!full || (++this.#passed & (SCANS_KEPT - 1)) === 0) this.set(id, term);
  }

  #put(id: number, term: RDF.Term): void {
    const slot = (id * 2) & (this.#ids.length - 1);
    this.#ids[slot + 1] = this.#ids[slot]!;
    this.#terms[slot + 1] = this.#terms[slot];
    this.#ids[slot] = id;
    this.#terms[slot] = term;
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

export class TermDecoder {
  readonly #cache: TermCache;

  constructor(
    private readonly dictionary: Dictionary,
    /** Terms kept at most. */
    capacity: number,
  ) {
    this.#cache = new TermCache(capacity);
  }

  /** Most terms that the cache holds at present. */
  get cached(): number {
    return this.#cache.slots;
  }

  /** The term of an id if that needs no waiting. Local ids need the terms of their transaction. */
  tryDecode(id: number, local?: LocalTerms): RDF.Term | undefined {
    if (id === DEFAULT_GRAPH) return DEFAULT_GRAPH_TERM;
    if (id >= FIRST_LOCAL_ID) return local!.term(id);
    const cached = this.#cache.get(id);
    if (cached !== undefined) return cached;
    const term = this.#make(id);
    if (term !== undefined) this.#cache.set(id, term);
    return term;
  }

  /** The term of an id if it is cached, or needs no cache. */
  tryCached(id: number, local?: LocalTerms): RDF.Term | undefined {
    if (id === DEFAULT_GRAPH) return DEFAULT_GRAPH_TERM;
    return id >= FIRST_LOCAL_ID ? local!.term(id) : this.#cache.get(id);
  }

  #make(id: number): RDF.Term | undefined {
    if (isInline(id)) return textToTerm(inlineText(id));
    const entry = this.dictionary.tryEntry(id);
    if (entry === undefined || entry[0] === LONG_ENTRY) return undefined;
    if (entry[0] === TRIPLE_ENTRY) return this.#triple(entry);
    return textToTerm(utf8.decode(entry));
  }

  #triple(entry: Uint8Array): RDF.Term | undefined {
    const [s, p, o] = readTripleEntry(entry);
    const subject = this.tryDecode(s);
    const predicate = subject && this.tryDecode(p);
    const object = predicate && this.tryDecode(o);
    return object && tripleTerm(subject, predicate, object);
  }

  async decode(id: number, local?: LocalTerms): Promise<RDF.Term> {
    for (;;) {
      const term = this.tryDecode(id, local);
      if (term !== undefined) return term;
      await this.#bring(id);
    }
  }

  // Brings in what the term lacks: a block, the parts of a long text, or those of a triple term's components.
  async #bring(id: number): Promise<void> {
    const entry = this.dictionary.tryEntry(id);
    if (entry === undefined) await this.dictionary.fetchMissing();
    else if (entry[0] === LONG_ENTRY) {
      this.#cache.set(id, textToTerm(utf8.decode(await this.dictionary.longText(id, entry))));
    } else if (entry[0] === TRIPLE_ENTRY) {
      const [s, p, o] = readTripleEntry(entry);
      this.#cache.set(id, tripleTerm(await this.decode(s), await this.decode(p), await this.decode(o)));
    }
  }

  /**
   * The terms of `ids[start … end)`. Those that are not cached are decoded in id order, so that a block of the
   * dictionary is looked at once.
   */
  async decodeAll(ids: Uint32Array, start: number, end: number, local?: LocalTerms): Promise<RDF.Term[]> {
    const terms: RDF.Term[] = new Array(end - start);
    const missing = this.tryDecodeCached(ids, start, end, terms, local);
    if (missing !== undefined) await this.decodeMissing(ids, start, missing, terms);
    return terms;
  }

  /** Fills what is cached; the positions that are left, or `undefined`. */
  tryDecodeCached(
    ids: Uint32Array,
    start: number,
    end: number,
    out: RDF.Term[],
    local?: LocalTerms,
  ): number[] | undefined {
    let missing: number[] | undefined;
    let lastId = 0;
    let lastTerm: RDF.Term | undefined;
    for (let i = start; i < end; i++) {
      const id = ids[i]!;
      if (id !== lastId || lastTerm === undefined) {
        lastId = id;
        lastTerm = id === DEFAULT_GRAPH || id >= FIRST_LOCAL_ID ? this.tryDecode(id, local) : this.#cache.get(id);
      }
      if (lastTerm === undefined) (missing ??= []).push(i);
      else out[i - start] = lastTerm;
    }
    return missing;
  }

  /** Decodes what {@link tryDecodeCached} left; `undefined` if nothing had to be waited for. */
  decodeMissing(ids: Uint32Array, start: number, missing: number[], out: RDF.Term[]): Promise<void> | undefined {
    // A column that ascends, as the first one of a scan does, needs no sorting.
    if (!ascends(ids, missing)) missing.sort((x, y) => ids[x]! - ids[y]!);
    const scanning = out.length >= SCAN_ROWS;
    let lastId = 0;
    let lastTerm: RDF.Term | undefined;
    for (let n = 0; n < missing.length; n++) {
      const at = missing[n]!;
      const id = ids[at]!;
      if (id !== lastId) {
        lastId = id;
        lastTerm = this.#make(id);
        if (lastTerm === undefined) return this.#decodeRest(ids, start, missing, n, out);
        if (scanning) this.#cache.setSometimes(id, lastTerm);
        else this.#cache.set(id, lastTerm);
      }
      out[at - start] = lastTerm!;
    }
    return undefined;
  }

  async #decodeRest(ids: Uint32Array, start: number, missing: number[], from: number, out: RDF.Term[]): Promise<void> {
    for (let n = from; n < missing.length; n++) out[missing[n]! - start] = await this.decode(ids[missing[n]!]!);
  }
}

function ascends(ids: Uint32Array, rows: readonly number[]): boolean {
  for (let n = 1; n < rows.length; n++) if (ids[rows[n]!]! < ids[rows[n - 1]!]!) return false;
  return true;
}

function tripleTerm(subject: RDF.Term, predicate: RDF.Term, object: RDF.Term): RDF.Term {
  return dataFactory.quad(subject as RDF.Quad_Subject, predicate as RDF.Quad_Predicate, object as RDF.Quad_Object);
}
