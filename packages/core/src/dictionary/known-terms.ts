/** Terms and ids as one reader sees them: those of the repository, and those that only this reader made. */
import type * as RDF from '@rdfjs/types';
import { termToText } from '@quadrille/model';
import { MISS } from '../keyspace/block-cache.js';
import { DEFAULT_GRAPH, FIRST_INLINE_ID, FIRST_LOCAL_ID } from '../format/layout.js';
import type { Dictionary } from './dictionary.js';
import { isInline } from './inline.js';
import type { LocalTerms } from './local-terms.js';
import { readTripleEntry, TRIPLE_ENTRY } from './term-block.js';
import type { TermDecoder } from './term-decoder.js';
import type { TermEncoder } from './term-encoder.js';
import { isStorable } from './term-encoder.js';

/** The part of a repository that knows terms. */
interface TermSource {
  readonly dictionary: Dictionary;
  readonly encoder: TermEncoder;
  readonly decoder: TermDecoder;
}

export class KnownTerms {
  /** The id whose term was missing last; 0: a step on the way from term to id. */
  #lacking = 0;
  // What was fetched, in case that the cache has let go of it before it is asked for again.
  #fetchedId = -1;
  #fetched: RDF.Term | undefined;

  constructor(
    private readonly source: TermSource,
    private readonly local: LocalTerms,
  ) {}

  /** The id of a term; 0 if it has none, {@link MISS} if {@link fetch} has to be awaited first. */
  find(term: RDF.Term): number {
    if (term.termType === 'DefaultGraph') return DEFAULT_GRAPH;
    return term.termType === 'Quad' ? this.#findTriple(term) : this.#findText(termToText(term));
  }

  #findText(text: string): number {
    const own = this.local.find(text);
    if (own !== undefined) return own;
    if (!isStorable(text)) return 0;
    const id = this.source.encoder.tryEncodeText(text);
    if (id === MISS) this.#lacking = 0;
    return id;
  }

  #findTriple(term: RDF.BaseQuad): number {
    const own = this.local.size === 0 ? undefined : this.local.find(termToText(term));
    if (own !== undefined) return own;
    const s = this.find(term.subject);
    if (!isStored(s)) return s === MISS ? MISS : 0;
    const p = this.find(term.predicate);
    if (!isStored(p)) return p === MISS ? MISS : 0;
    const o = this.find(term.object);
    if (!isStored(o)) return o === MISS ? MISS : 0;
    const id = this.source.encoder.tryEncodeTriple(s, p, o);
    if (id === MISS) this.#lacking = 0;
    return id;
  }

  /** As {@link find}, but a term without an id gets one that only this reader knows. */
  intern(term: RDF.Term): number {
    const id = this.find(term);
    return id === 0 ? this.local.add(termToText(term), term) : id;
  }

  /** The term of an id; `undefined` if {@link fetch} has to be awaited first. */
  term(id: number): RDF.Term | undefined {
    if (id === this.#fetchedId) return this.#fetched;
    const term = this.source.decoder.tryDecode(id, this.local);
    if (term === undefined) this.#lacking = id;
    return term;
  }

  /** The term of an id where nothing has to be read for it. */
  cached(id: number): RDF.Term | undefined {
    const { decoder } = this.source;
    return isInline(id) ? decoder.tryDecode(id) : decoder.tryCached(id, this.local);
  }

  /** The ids of a triple term; `null` for another term, `undefined` if {@link fetch} has to be awaited first. */
  triple(id: number): readonly [number, number, number] | null | undefined {
    if (id === DEFAULT_GRAPH || isInline(id)) return null;
    if (id >= FIRST_LOCAL_ID) return this.#localTriple(id);
    const entry = this.source.dictionary.tryEntry(id);
    if (entry !== undefined) return entry[0] === TRIPLE_ENTRY ? readTripleEntry(entry) : null;
    this.#lacking = 0;
    return undefined;
  }

  #localTriple(id: number): readonly [number, number, number] | null | undefined {
    const term = this.local.term(id);
    if (term.termType !== 'Quad') return null;
    const s = this.intern(term.subject);
    const p = s === MISS ? MISS : this.intern(term.predicate);
    const o = p === MISS ? MISS : this.intern(term.object);
    return o === MISS ? undefined : [s, p, o];
  }

  /** Brings in what the last step lacked. */
  async fetch(): Promise<void> {
    const id = this.#lacking;
    if (id === 0) return this.source.dictionary.fetchMissing();
    this.#fetched = await this.source.decoder.decode(id, this.local);
    this.#fetchedId = id;
  }
}

/** Whether an id can stand in a stored triple term. */
const isStored = (id: number): boolean => id > 0 && (id < FIRST_INLINE_ID || isInline(id));
