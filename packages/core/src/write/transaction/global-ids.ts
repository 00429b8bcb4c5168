/** Replaces the local ids of a transaction by ids of the repository when it is committed. */
import type { IdQuads } from '../../index/quad-columns.js';
import { FIRST_LOCAL_ID } from '../../format/layout.js';
import { QuadColumns } from '../../index/quad-columns.js';
import { flushTerms } from '../../dictionary/dictionary-flush.js';
import type { Dictionary } from '../../dictionary/dictionary.js';
import type { LocalTerms } from '../../dictionary/local-terms.js';
import type { TermEncoder } from '../../dictionary/term-encoder.js';
import { TermHandles } from '../../dictionary/term-handles.js';
import { MISS } from '../../keyspace/block-cache.js';
import type { Pacer } from '../../runtime/env.js';

/** The parts of a timeline that convert terms. */
interface Terms {
  readonly dictionary: Dictionary;
  readonly encoder: TermEncoder;
}

/** Largest number of terms, and of their UTF-16 units together, that are looked up one by one. */
const FEW_TERMS = 64;
const FEW_CHARACTERS = 64 * 1024;
/** Work between two looks at the clock, in UTF-16 units, and the overhead of one term in this measure. */
const CHARACTERS_AT_ONCE = 64 * 1024;
const TERM_CHARACTERS = 256;
/** Bytes of texts that are looked up together. */
const TEXT_BYTES = 32 * 1024 * 1024;

export class GlobalIds {
  /**
   * Indexed by local id minus {@link FIRST_LOCAL_ID}: a handle while terms are looked up, then an id; 0 if it was not
   * requested.
   */
  readonly #ids: Uint32Array;

  constructor(
    private readonly terms: Terms,
    private readonly local: LocalTerms,
  ) {
    this.#ids = new Uint32Array(local.size);
  }

  /**
   * Replaces local ids in quads. With `intern`, new terms get ids. Without it, quads with a term that the repository
   * does not have are left out.
   */
  async quads(quads: IdQuads, intern: boolean, pacer: Pacer): Promise<IdQuads> {
    if (this.local.size === 0) return quads;
    await this.#resolve(quads, intern, pacer);
    const { s, p, o, g, length } = quads;
    const global = new QuadColumns();
    await pacer.rows(length, (start, end) => {
      for (let i = start; i < end; i++) {
        const subject = this.#id(s[i]!);
        const predicate = this.#id(p[i]!);
        const object = this.#id(o[i]!);
        const graph = this.#id(g[i]!);
        if (subject !== 0 && predicate !== 0 && object !== 0 && graph !== 0)
          global.push(subject, predicate, object, graph);
      }
    });
    return global;
  }

  #id(id: number): number {
    return id < FIRST_LOCAL_ID ? id : this.#ids[id - FIRST_LOCAL_ID]!;
  }

  // Finds the ids of all local terms in the quads.
  async #resolve(quads: IdQuads, intern: boolean, pacer: Pacer): Promise<void> {
    const wanted = await this.#localTerms(quads, pacer);
    if (!this.#areFew(wanted)) return this.#resolveMany(wanted, intern, pacer);
    if (!intern) return this.#resolveFew(wanted, intern, pacer);
    return this.terms.dictionary.lock.run(() => this.#resolveFew(wanted, intern, pacer));
  }

  #areFew(wanted: readonly number[]): boolean {
    if (wanted.length > FEW_TERMS) return false;
    return wanted.reduce((sum, term) => sum + this.#text(term).length, 0) <= FEW_CHARACTERS;
  }

  #text(term: number): string {
    return this.local.text(FIRST_LOCAL_ID + term);
  }

  // With `intern`, the caller holds the dictionary's lock.
  async #resolveFew(wanted: readonly number[], intern: boolean, pacer: Pacer): Promise<void> {
    const { dictionary, encoder } = this.terms;
    if (intern && dictionary.tailOverfull) await flushTerms(dictionary, pacer);
    for (let n = 0; n < wanted.length;) {
      const term = this.local.term(FIRST_LOCAL_ID + wanted[n]!);
      const id = intern ? encoder.tryIntern(term) : encoder.tryEncode(term);
      if (id === MISS) await dictionary.fetchMissing();
      else this.#ids[wanted[n++]!] = id;
    }
  }

  async #resolveMany(wanted: readonly number[], intern: boolean, pacer: Pacer): Promise<void> {
    for (let first = 0; first < wanted.length;) {
      const handles = new TermHandles(this.terms.dictionary);
      let end = first;
      while (end < wanted.length && handles.bytes < TEXT_BYTES) {
        end = this.#pushHandles(handles, wanted, end);
        if (pacer.due()) await pacer.pause();
      }
      await handles.resolve(pacer, intern);
      for (; first < end; first++) this.#ids[wanted[first]!] = handles.id(this.#ids[wanted[first]!]!);
    }
  }

  // Makes handles for some terms. Returns the index of the next one.
  #pushHandles(handles: TermHandles, wanted: readonly number[], from: number): number {
    let left = CHARACTERS_AT_ONCE;
    let at = from;
    for (; at < wanted.length && left > 0; at++) {
      const id = FIRST_LOCAL_ID + wanted[at]!;
      const term = this.local.term(id);
      const text = this.local.text(id);
      this.#ids[wanted[at]!] = term.termType === 'Quad' ? handles.handle(term) : handles.ofText(text);
      left -= text.length + TERM_CHARACTERS;
    }
    return at;
  }

  // The local terms in the quads that have no id yet, each once.
  async #localTerms({ s, p, o, g, length }: IdQuads, pacer: Pacer): Promise<number[]> {
    const wanted: number[] = [];
    const seen = new Uint8Array(this.#ids.length);
    const look = (id: number): void => {
      if (id < FIRST_LOCAL_ID) return;
      const term = id - FIRST_LOCAL_ID;
      if (seen[term] === 1 || this.#ids[term] !== 0) return;
      seen[term] = 1;
      wanted.push(term);
    };
    await pacer.rows(length, (start, end) => {
      for (let i = start; i < end; i++) {
        look(s[i]!);
        look(p[i]!);
        look(o[i]!);
        look(g[i]!);
      }
    });
    return wanted;
  }
}
