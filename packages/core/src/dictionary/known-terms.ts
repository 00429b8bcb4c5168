/** Terms and ids as one reader sees them: those of the repository, and the local ids of this reader. */
import type * as RDF from '@rdfjs/types';
import { termToText } from '@quadrille/model';
import { MISS, type ValueSource } from '../keyspace/block-cache.js';
import { DEFAULT_GRAPH, FIRST_INLINE_ID, FIRST_LOCAL_ID } from '../format/layout.js';
import type { Dictionary } from './dictionary.js';
import { isInline } from './inline.js';
import type { LocalTerms } from './local-terms.js';
import { readTripleEntry, TRIPLE_ENTRY } from './term-block.js';
import type { TermDecoder } from './term-decoder.js';
import type { TermEncoder } from './term-encoder.js';
import { isStorable } from './term-encoder.js';

/** The parts of a repository that convert terms. */
interface TermSource {
  readonly dictionary: Dictionary;
  readonly encoder: TermEncoder;
  readonly decoder: TermDecoder;
}

/** Blocks of terms that are read at once. */
const READ_AHEAD = 64;
/** A term that is missing in a run of hashes is looked for in the next one. What is lacking then is fetched when it is asked for. */
const MOST_ROUNDS = 4;
/** Largest number of fetched terms that are kept at the same time. */
const MOST_FETCHED = 8;

/** Terms by their ids and ids by their terms, without waiting. What is missing is fetched between two steps. */
export class KnownTerms {
  /** The id whose term was missing in the last step; 0 if the last step looked up a term's id. */
  #lacking = 0;
  /** The terms fetched last. The cache may drop or refuse them before the caller asks again. */
  readonly #fetched = new Map<number, RDF.Term>();

  constructor(
    private readonly source: TermSource,
    private readonly local: LocalTerms,
  ) {}

  /** The id of a term. Returns 0 if it has none, `MISS` (-1) if the caller must await {@link fetch} first. */
  find(term: RDF.Term): number {
    switch (term.termType) {
      case 'DefaultGraph':
        return DEFAULT_GRAPH;
      case 'NamedNode':
        return this.#findIri(term);
      case 'Quad':
        return this.#findTriple(term);
      default:
        return this.#findText(termToText(term));
    }
  }

  #findIri(iri: RDF.NamedNode): number {
    const own = this.local.findIri(iri.value);
    if (own !== undefined) return own;
    if (!isStorable(iri.value)) return 0;
    const id = this.source.encoder.tryEncode(iri);
    if (id === MISS) this.#lacking = 0;
    return id;
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

  /** Like {@link find}, but gives a local id to a term without an id. */
  intern(term: RDF.Term): number {
    if (term.termType === 'NamedNode' || term.termType === 'Quad' || term.termType === 'DefaultGraph') {
      const id = this.find(term);
      return id === 0 ? this.local.add(termToText(term), term) : id;
    }
    // Makes the text once, because that of a long literal takes milliseconds.
    const text = termToText(term);
    const id = this.#findText(text);
    return id === 0 ? this.local.add(text, term) : id;
  }

  /** The term of an id; `undefined` if the caller must await {@link fetch} first. */
  term(id: number): RDF.Term | undefined {
    const term = this.source.decoder.tryDecode(id, this.local) ?? this.#fetched.get(id);
    if (term === undefined) this.#lacking = id;
    return term;
  }

  /** The term of an id if it is inlined or cached; otherwise `undefined`. */
  cached(id: number): RDF.Term | undefined {
    const { decoder } = this.source;
    return isInline(id) ? decoder.tryDecode(id) : decoder.tryCached(id, this.local);
  }

  /**
   * The ids of a triple term's components. Returns `null` for other terms, `undefined` if the caller must await
   * {@link fetch} first.
   */
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

  /** Whether what is missing has to be waited for. */
  get takeRoundTrips(): boolean {
    return !this.source.dictionary.keyspace.engine.capabilities.getSync;
  }

  /** Fetches what {@link find} needs for all of these terms: first pages of hashes, then blocks of texts. */
  async fetchIds(terms: readonly RDF.Term[]): Promise<void> {
    const { dictionary } = this.source;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const lacking = new Map<ValueSource, Set<number>>();
      for (const term of terms) {
        if (this.find(term) !== MISS) continue;
        const { source, index } = dictionary.missing!;
        lacking.set(source, (lacking.get(source) ?? new Set()).add(index));
      }
      if (lacking.size === 0) return;
      await Promise.all(Array.from(lacking, ([source, indexes]) => dictionary.fetchValues(source, [...indexes])));
    }
  }

  /** Fetches the value that the last step lacked; and with it, in the same call of the storage, terms that are wanted next. */
  async fetch(ahead?: () => Iterable<number>): Promise<void> {
    const id = this.#lacking;
    const { dictionary } = this.source;
    if (id === 0) return dictionary.fetchMissing();
    if (ahead !== undefined && dictionary.tryEntry(id) === undefined) await dictionary.fetchBlocks(ahead(), READ_AHEAD);
    const term = await this.source.decoder.decode(id, this.local);
    if (this.#fetched.size === MOST_FETCHED) this.#fetched.delete(this.#fetched.keys().next().value!);
    this.#fetched.set(id, term);
  }
}

/** Whether an id may be a component of a stored triple term. */
const isStored = (id: number): boolean => id > 0 && (id < FIRST_INLINE_ID || isInline(id));
