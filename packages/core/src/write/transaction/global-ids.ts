/** Ids of the repository for terms that only a transaction knows, given when it is committed. */
import { FIRST_LOCAL_ID } from '../../format/layout.js';
import { QuadColumns } from '../../index/quad-columns.js';
import type { Dictionary } from '../../dictionary/dictionary.js';
import type { LocalTerms } from '../../dictionary/local-terms.js';
import { TermHandles } from '../../dictionary/term-handles.js';
import type { IdQuads } from '../../revision/record.js';
import type { Pacer } from '../../runtime/env.js';

/** Quads between two looks at the clock. */
const QUADS_AT_ONCE = 256;
/** Bytes of texts that are looked up together. */
const TEXT_BYTES = 32 * 1024 * 1024;

export class GlobalIds {
  /** By local id, from {@link FIRST_LOCAL_ID} on: a handle, then an id; 0 where none was asked for. */
  readonly #ids: Uint32Array;

  constructor(
    private readonly dictionary: Dictionary,
    private readonly local: LocalTerms,
  ) {
    this.#ids = new Uint32Array(local.size);
  }

  /** Quads with ids of the repository. Without `intern`, those with a term that the repository does not have are left out. */
  async quads(quads: IdQuads, intern: boolean, pacer: Pacer): Promise<IdQuads> {
    if (this.local.size === 0) return quads;
    await this.#resolve(quads, intern, pacer);
    const { s, p, o, g, length } = quads;
    const global = new QuadColumns();
    await pacer.rows(length, (start, end) => {
      for (let i = start; i < end; i++) {
        const ids = [this.#id(s[i]!), this.#id(p[i]!), this.#id(o[i]!), this.#id(g[i]!)] as const;
        if (ids[0] !== 0 && ids[1] !== 0 && ids[2] !== 0 && ids[3] !== 0) global.push(...ids);
      }
    });
    return global;
  }

  #id(id: number): number {
    return id < FIRST_LOCAL_ID ? id : this.#ids[id - FIRST_LOCAL_ID]!;
  }

  // Finds the ids of all local terms of some quads.
  async #resolve(quads: IdQuads, intern: boolean, pacer: Pacer): Promise<void> {
    const wanted = await this.#localTerms(quads, pacer);
    for (let first = 0; first < wanted.length;) {
      const handles = new TermHandles(this.dictionary);
      let end = first;
      for (; end < wanted.length && handles.bytes < TEXT_BYTES; end++) {
        const term = wanted[end]!;
        this.#ids[term] = handles.handle(this.local.term(FIRST_LOCAL_ID + term));
        if (end % QUADS_AT_ONCE === 0 && pacer.due()) await pacer.pause();
      }
      await handles.resolve(pacer, intern);
      for (; first < end; first++) this.#ids[wanted[first]!] = handles.id(this.#ids[wanted[first]!]!);
    }
  }

  // The local terms of some quads that have no id yet, each once.
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
