/** Converts RDF/JS terms to ids. */
import type * as RDF from '@rdfjs/types';
import { InvalidArgumentError, isWellFormed, termToText } from '@quadrille/model';
import { MISS } from '../keyspace/block-cache.js';
import { DEFAULT_GRAPH, MAX_TERM_BYTES } from '../format/layout.js';
import type { Dictionary } from './dictionary.js';
import { tripleEntry } from './term-block.js';

const utf8 = new TextEncoder();
const CACHE_TERMS = 32_768;

/** Ids of the texts that were looked up most recently: at least {@link CACHE_TERMS}, at most twice as many. */
class RecentIds {
  #young = new Map<string, number>();
  #old = new Map<string, number>();

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  get(text: string): number | undefined {
    return this.#young.get(text) ?? this.#promote(text);
  }

  #promote(text: string): number | undefined {
    const id = this.#old.get(text);
    if (id !== undefined) this.set(text, id);
    return id;
  }

  set(text: string, id: number): void {
    // Long texts are rare. Without this limit the memory of the cache would be unbounded.
    if (text.length > 1024) return;
    this.#young.set(text, id);
    if (this.#young.size < CACHE_TERMS) return;
    this.#old = this.#young;
    this.#young = new Map();
  }
}

/** Finds the ids of terms, and assigns new ids under the dictionary's lock. */
export class TermEncoder {
  /** By canonical text. */
  readonly #texts = new RecentIds();
  /** By IRI. JavaScript remembers the hash of the term's own string, and no canonical text has to be made. */
  readonly #iris = new RecentIds();
  #scratch = new Uint8Array(512);
  #length = 0;

  constructor(private readonly dictionary: Dictionary) {}

  /** Number of cached ids. */
  get cached(): number {
    return this.#texts.size + this.#iris.size;
  }

  /**
   * The id of a term. Returns 0 if the dictionary does not have it, {@link MISS} if the caller must await
   * `dictionary.fetchMissing`.
   */
  tryEncode(term: RDF.Term): number {
    if (term.termType === 'DefaultGraph') return DEFAULT_GRAPH;
    if (term.termType === 'Quad') return this.#tryTriple(term);
    if (term.termType !== 'NamedNode') return this.tryEncodeText(termToText(term));
    const known = this.#iris.get(term.value);
    if (known !== undefined) return known;
    const id = this.#tryFind(termToText(term));
    if (id > 0) this.#iris.set(term.value, id);
    return id;
  }

  /** Like {@link tryEncode}, for the canonical text of a term that is not a triple term. */
  tryEncodeText(text: string): number {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const id = this.#tryFind(text);
    if (id > 0) this.#texts.set(text, id);
    return id;
  }

  #tryFind(text: string): number {
    // UTF-8 cannot encode the text: the encoder would change it to another one.
    if (!isWellFormed(text)) return 0;
    this.#fill(text);
    return this.dictionary.tryFind(this.#scratch, 0, this.#length);
  }

  async encode(term: RDF.Term): Promise<number> {
    for (;;) {
      const id = this.tryEncode(term);
      if (id !== MISS) return id;
      await this.dictionary.fetchMissing();
    }
  }

  /** Like {@link tryEncode}, but assigns an id to a new term. The caller holds the dictionary's lock. */
  tryIntern(term: RDF.Term): number {
    const known = this.tryEncode(term);
    if (known !== 0) return known;
    if (term.termType === 'Quad') return this.#internTriple(term);
    const text = termToText(term);
    this.#fill(text);
    const id = this.dictionary.assign(this.#scratch, 0, this.#length);
    if (term.termType === 'NamedNode') this.#iris.set(term.value, id);
    else this.#texts.set(text, id);
    return id;
  }

  /** Like {@link tryIntern}, but reads what is missing. */
  async intern(term: RDF.Term): Promise<number> {
    for (;;) {
      const id = this.tryIntern(term);
      if (id !== MISS) return id;
      await this.dictionary.fetchMissing();
    }
  }

  #internTriple(term: RDF.BaseQuad): number {
    const ids: number[] = [];
    for (const part of [term.subject, term.predicate, term.object]) {
      const id = this.tryIntern(part);
      if (id === MISS) return MISS;
      ids.push(id);
    }
    const entry = tripleEntry(ids[0]!, ids[1]!, ids[2]!);
    return this.dictionary.assign(entry, 0, entry.length);
  }

  #tryTriple(term: RDF.BaseQuad): number {
    const ids: number[] = [];
    for (const part of [term.subject, term.predicate, term.object]) {
      const id = this.tryEncode(part);
      if (id === MISS || id === 0) return id;
      ids.push(id);
    }
    return this.tryEncodeTriple(ids[0]!, ids[1]!, ids[2]!);
  }

  /** Like {@link tryEncode}, for the triple term of three ids. */
  tryEncodeTriple(s: number, p: number, o: number): number {
    const entry = tripleEntry(s, p, o);
    return this.dictionary.tryFind(entry, 0, entry.length);
  }

  #fill(text: string): void {
    if (this.#scratch.length < text.length * 3) this.#scratch = new Uint8Array(text.length * 3);
    this.#length = utf8.encodeInto(text, this.#scratch).written;
    if (this.#length > MAX_TERM_BYTES) throw tooLong(this.#length);
  }
}

/** Whether a text is short enough to be stored. */
export const isStorable = (text: string): boolean =>
  text.length * 3 <= MAX_TERM_BYTES || utf8.encode(text).length <= MAX_TERM_BYTES;

/** @throws InvalidArgumentError `INVALID_TERM` if the text is not {@link isStorable} */
export function checkStorable(text: string): void {
  if (!isStorable(text)) throw tooLong(utf8.encode(text).length);
}

function tooLong(bytes: number): InvalidArgumentError {
  return new InvalidArgumentError('INVALID_TERM', `a term has ${bytes} bytes; at most ${MAX_TERM_BYTES} can be stored`);
}
