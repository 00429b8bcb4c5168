/** Converts ids to RDF/JS terms. Caches the terms, because making a term costs more than finding its bytes. */
import type * as RDF from '@rdfjs/types';
import { bytesToTerm, dataFactory, textToTerm } from '@quadrille/model';
import { DEFAULT_GRAPH, FIRST_LOCAL_ID } from '../format/layout.js';
import type { Dictionary } from './dictionary.js';
import { inlineText, isInline } from './inline.js';
import type { LocalTerms } from './local-terms.js';
import { LONG_ENTRY, readTripleEntry, TRIPLE_ENTRY } from './term-block.js';
import { TermCache, textLength } from './term-cache.js';
import type { Env } from '../runtime/env.js';
import { Pacer } from '../runtime/env.js';

const DEFAULT_GRAPH_TERM = dataFactory.defaultGraph();

/** Terms whose blocks are read at once, where the storage takes a round trip. */
const READ_AHEAD = 64;

/** A batch with at least this many rows counts as part of a scan. */
const SCAN_ROWS = 512;

/**
 * Bytes of texts that may be decoded before the caller must yield to the event loop. Negative: the yield is overdue.
 */
export interface DecodeBudget {
  bytes: number;
}

/** Types of terms by the first byte of their entries. */
const TYPES: ReadonlyMap<number, RDF.Term['termType']> = new Map([
  [0x3c, 'NamedNode'],
  [0x5f, 'BlankNode'],
  [0x22, 'Literal'],
  [TRIPLE_ENTRY, 'Quad'],
]);

export class TermDecoder {
  readonly #cache: TermCache;
  /**
   * Long texts take milliseconds to decode. So a caller that decodes many of them must yield to the event loop
   * between them.
   */
  readonly #pacer: Pacer;

  constructor(
    private readonly dictionary: Dictionary,
    /** Largest number of estimated bytes of cached terms. */
    cacheBytes: number,
    env: Env,
  ) {
    this.#cache = new TermCache(cacheBytes);
    this.#pacer = new Pacer(env);
  }

  /** Estimated bytes of the cached terms. */
  get cachedBytes(): number {
    return this.#cache.bytes;
  }

  /** The term of an id; `undefined` if it must be fetched. Local ids need the local terms of their owner. */
  tryDecode(id: number, local?: LocalTerms, budget?: DecodeBudget): RDF.Term | undefined {
    if (id === DEFAULT_GRAPH) return DEFAULT_GRAPH_TERM;
    if (id >= FIRST_LOCAL_ID) return local!.term(id);
    const cached = this.#cache.get(id);
    if (cached !== undefined) return cached;
    const term = this.#make(id, budget, false);
    if (term !== undefined) this.#cache.set(id, term);
    return term;
  }

  /** The type of the term of an id, if that need not be decoded. Of a long text nothing is known. */
  tryType(id: number): RDF.Term['termType'] | undefined {
    if (id === DEFAULT_GRAPH) return 'DefaultGraph';
    if (isInline(id)) return 'Literal';
    const first = id >= FIRST_LOCAL_ID ? undefined : this.dictionary.tryEntry(id)?.[0];
    return first === undefined ? undefined : TYPES.get(first);
  }

  /** Like {@link tryDecode}, for a term of a scan: see {@link TermCache.setSometimes}. */
  tryScanned(id: number, budget: DecodeBudget): RDF.Term | undefined {
    const term = this.#make(id, budget, false);
    if (term !== undefined) this.#cache.setSometimes(id, term);
    return term;
  }

  /** The term of an id if it is cached, local, or the default graph. */
  tryCached(id: number, local?: LocalTerms): RDF.Term | undefined {
    if (id === DEFAULT_GRAPH) return DEFAULT_GRAPH_TERM;
    return id >= FIRST_LOCAL_ID ? local!.term(id) : this.#cache.get(id);
  }

  #make(id: number, budget: DecodeBudget | undefined, atOnce: boolean): RDF.Term | undefined {
    if (isInline(id)) return textToTerm(inlineText(id));
    const entry = this.dictionary.tryEntry(id);
    if (entry === undefined) return undefined;
    if (entry[0] === LONG_ENTRY) return atOnce ? this.#longAtOnce(id, entry) : undefined;
    if (budget !== undefined) budget.bytes -= entry.length;
    if (entry[0] === TRIPLE_ENTRY) return this.#triple(entry, atOnce);
    return bytesToTerm(entry);
  }

  #triple(entry: Uint8Array, atOnce: boolean): RDF.Term | undefined {
    const terms: RDF.Term[] = [];
    for (const id of readTripleEntry(entry)) {
      const term = this.tryCached(id) ?? this.#make(id, undefined, atOnce);
      if (term === undefined) return undefined;
      terms.push(term);
    }
    return tripleTerm(terms[0]!, terms[1]!, terms[2]!);
  }

  #longAtOnce(id: number, entry: Uint8Array): RDF.Term | undefined {
    const text = this.dictionary.tryLongText(id, entry);
    return text === undefined ? undefined : bytesToTerm(text);
  }

  /** Like {@link tryDecode}, but reads what is missing. */
  async decode(id: number, local?: LocalTerms): Promise<RDF.Term> {
    for (;;) {
      const term = this.tryDecode(id, local) ?? (await this.#bring(id));
      if (term !== undefined) return term;
    }
  }

  // Fetches a long text or the terms of a triple term's components; for any other term, its block.
  async #bring(id: number): Promise<RDF.Term | undefined> {
    const entry = this.dictionary.tryEntry(id);
    if (entry === undefined) {
      await this.dictionary.fetchMissing();
      return undefined;
    }
    const term = entry[0] === TRIPLE_ENTRY ? await this.#bringTriple(entry) : await this.#bringLong(id, entry);
    this.#cache.set(id, term);
    return term;
  }

  async #bringTriple(entry: Uint8Array): Promise<RDF.Term> {
    const [s, p, o] = readTripleEntry(entry);
    return tripleTerm(await this.decode(s), await this.decode(p), await this.decode(o));
  }

  async #bringLong(id: number, entry: Uint8Array): Promise<RDF.Term> {
    const text = await this.dictionary.longText(id, entry);
    if (this.#pacer.due()) await this.#pacer.pause();
    return bytesToTerm(text);
  }

  /**
   * The terms of `ids[start … end)`. Decodes the ones that are not cached in id order, so that each term block is
   * read once.
   */
  async decodeAll(ids: Uint32Array, start: number, end: number, local?: LocalTerms): Promise<RDF.Term[]> {
    const terms: RDF.Term[] = new Array(end - start);
    const missing = this.tryDecodeCached(ids, start, end, terms, local);
    if (missing !== undefined) {
      const budget = { bytes: Infinity };
      const made = this.tryDecodeMissing(ids, start, missing, terms, budget);
      if (made < missing.length) await this.decodeRest(ids, start, missing, made, terms, budget);
    }
    return terms;
  }

  /** Writes the cached terms into `out`. Returns the positions of the others, or `undefined` if there are none. */
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

  /**
   * Decodes the positions that {@link tryDecodeCached} returned, or as many as the budget allows: the budget is
   * overdrawn if some are left. Sorts them. Returns how many were decoded before data had to be fetched; then {@link decodeRest} goes
   * on. `atOnce` reads long texts too where the storage can give them: then they are not waited for.
   */
  tryDecodeMissing(
    ids: Uint32Array,
    start: number,
    missing: number[],
    out: RDF.Term[],
    budget: DecodeBudget,
    atOnce = false,
  ): number {
    // The first column of a scan ascends and needs no sorting.
    if (!ascends(ids, missing)) missing.sort((x, y) => ids[x]! - ids[y]!);
    const scanning = out.length >= SCAN_ROWS;
    let lastId = 0;
    let lastTerm: RDF.Term | undefined;
    for (let n = 0; n < missing.length; n++) {
      const at = missing[n]!;
      const id = ids[at]!;
      if (id !== lastId) {
        if (budget.bytes < 0) break;
        lastId = id;
        lastTerm = this.#make(id, budget, atOnce);
        if (lastTerm === undefined) return n;
        if (scanning) this.#cache.setSometimes(id, lastTerm);
        else this.#cache.set(id, lastTerm);
      }
      out[at - start] = lastTerm!;
    }
    return missing.length;
  }

  /** Decodes what {@link tryDecodeMissing} has left, as far as the budget allows, and fetches what it needs. */
  async decodeRest(
    ids: Uint32Array,
    start: number,
    missing: number[],
    from: number,
    out: RDF.Term[],
    budget: DecodeBudget,
  ): Promise<void> {
    for (let n = from; n < missing.length && budget.bytes >= 0; n++) {
      const id = ids[missing[n]!]!;
      if (!isInline(id) && this.dictionary.tryEntry(id) === undefined) {
        const next = missing.slice(n, n + READ_AHEAD).map((at) => ids[at]!);
        await this.dictionary.fetchBlocks(next, READ_AHEAD);
      }
      const term = await this.decode(id);
      budget.bytes -= textLength(term);
      out[missing[n]! - start] = term;
    }
  }
}

function ascends(ids: Uint32Array, rows: readonly number[]): boolean {
  for (let n = 1; n < rows.length; n++) if (ids[rows[n]!]! < ids[rows[n - 1]!]!) return false;
  return true;
}

function tripleTerm(subject: RDF.Term, predicate: RDF.Term, object: RDF.Term): RDF.Term {
  return dataFactory.quad(subject as RDF.Quad_Subject, predicate as RDF.Quad_Predicate, object as RDF.Quad_Object);
}
