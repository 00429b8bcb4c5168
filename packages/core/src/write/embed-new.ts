/** Gives the literals of new revisions their vectors, by a function of the caller. */
import { InvalidArgumentError, iri } from '@quadrille/model';
import { toHex } from '../format/byte-codec.js';
import { FIRST_INLINE_ID, FIRST_TERM_ID } from '../format/layout.js';
import { firstNew, type Stretch, stretchesOf } from '../maintenance/embedded-share.js';
import type { RepositoryHandle } from '../open/handle.js';
import { deltaRows } from '../revision/delta.js';
import { readRecords } from '../revision/log.js';
import type { RevisionRecord } from '../revision/record.js';
import { Pacer } from '../runtime/env.js';
import type { Timeline } from '../timeline/timeline.js';
import { textOf } from '../values/value-index.js';
import { type EmbeddedVector, type EmbeddedVectors, isText, isVector } from '../vectors/embedded-vectors.js';
import { VectorIndexes } from '../vectors/vector-indexes.js';

/** Most texts of one call, and most of their characters but for the first one. */
const TEXTS_AT_ONCE = 64;
const CHARACTERS_AT_ONCE = 256 * 1024;

/** Which vectors are wanted. */
export interface EmbedCall {
  /** `account/repository`. */
  readonly repository: string;
  /** The name in the settings. */
  readonly name: string;
  /** How many numbers a vector has. */
  readonly dimension: number;
}

/** Makes vectors of texts: one for each, or `undefined` for a text that is not to be found. */
export type EmbedTexts = (
  texts: readonly string[],
  call: EmbedCall,
) => Promise<readonly (ArrayLike<number> | undefined)[]> | readonly (ArrayLike<number> | undefined)[];

/**
 * Gives all literals their vectors that the settings ask for, and none has, at the revisions of a line so far. What was done before an error
 * stays. `isEnded` is asked between calls.
 */
export async function embedNew(handle: RepositoryHandle, embed: EmbedTexts, isEnded: () => boolean): Promise<void> {
  const { timeline } = handle;
  const settings = (await handle.readSettings()).search?.vectors ?? {};
  if (!Object.values(settings).some((setting) => setting.embed === true)) return;
  for (const vectors of (await VectorIndexes.open(timeline.dictionary, settings)).allEmbedded)
    for (const stretch of stretchesOf(timeline))
      await new Embedding(handle, timeline, vectors, embed, isEnded).run(stretch);
}

class Embedding {
  /** Literals that may have no vectors yet. */
  #found = new Set<number>();
  readonly #pacer: Pacer;

  constructor(
    private readonly handle: RepositoryHandle,
    private readonly timeline: Timeline,
    private readonly vectors: EmbeddedVectors,
    private readonly embed: EmbedTexts,
    private readonly isEnded: () => boolean,
  ) {
    this.#pacer = new Pacer(timeline.env);
  }

  async run(stretch: Stretch): Promise<void> {
    const { keyspace, line, last } = stretch;
    const from = await firstNew(stretch, this.vectors);
    if (from > last) return;
    const property = await this.timeline.encoder.encode(iri(this.vectors.property));
    let final: RevisionRecord | undefined;
    for await (const record of readRecords(keyspace, from, last)) {
      final = record;
      for await (const { columns, start, end } of deltaRows(keyspace, record, 'added')) {
        const [, p, o] = columns;
        for (let row = start; row < end; row++) {
          if (p[row] !== property || property === 0 || o[row]! < FIRST_TERM_ID || o[row]! >= FIRST_INLINE_ID) continue;
          this.#found.add(o[row]!);
          if (this.#found.size >= TEXTS_AT_ONCE && (await this.#flush())) return;
        }
        if (this.#pacer.due()) await this.#pacer.pause();
      }
    }
    if (final === undefined || (await this.#flush())) return;
    await this.#store([], { line, revision: { number: final.number, id: toHex(final.id) } });
  }

  /** Gives those that were found their vectors. Returns true at the end. */
  async #flush(): Promise<boolean> {
    const ids = await this.vectors.missing([...this.#found]);
    this.#found = new Set();
    let texts: string[] = [];
    let own: number[] = [];
    let characters = 0;
    for (const id of ids) {
      const text = await this.#text(id);
      if (text === undefined) continue;
      if (texts.length > 0 && characters + text.length > CHARACTERS_AT_ONCE) {
        if (await this.#ask(own, texts)) return true;
        [texts, own, characters] = [[], [], 0];
      }
      texts.push(text);
      own.push(id);
      characters += text.length;
    }
    return texts.length > 0 ? this.#ask(own, texts) : this.isEnded();
  }

  /** The text of a literal; `undefined` where it has another datatype than strings. */
  async #text(id: number): Promise<string | undefined> {
    const term = await textOf(this.timeline.dictionary, id);
    if (term === null || !isText(term)) return undefined;
    return (await this.timeline.decoder.decode(id)).value;
  }

  async #ask(ids: readonly number[], texts: readonly string[]): Promise<boolean> {
    if (this.isEnded()) return true;
    const { name, dimension } = this.vectors;
    const made = await this.embed(texts, { repository: this.timeline.keyspace.name, name, dimension });
    if (!Array.isArray(made) || made.length !== texts.length)
      throw wrong(`embed gave ${Array.isArray(made) ? made.length : 'no list of'} vectors for ${texts.length} texts`);
    const found: EmbeddedVector[] = [];
    for (const [i, numbers] of (made as readonly (ArrayLike<number> | undefined)[]).entries()) {
      if (numbers === undefined) continue;
      const vector = Float32Array.from(numbers);
      if (!isVector(vector, dimension))
        throw wrong(`embed gave no vector of ${dimension} finite numbers for "${texts[i]!.slice(0, 60)}"`);
      found.push({ id: ids[i]!, vector });
    }
    await this.#store(found);
    return this.isEnded();
  }

  // Terms may have gone meanwhile. Their vectors must not come after them.
  #store(found: readonly EmbeddedVector[], done?: Parameters<EmbeddedVectors['put']>[1]): Promise<void> {
    const { handle, timeline } = this;
    return handle.maintenance.run(async () => {
      if (handle.timeline.dictionary !== timeline.dictionary) throw wrong('the repository was read anew meanwhile');
      const present: EmbeddedVector[] = [];
      for (const each of found) if ((await textOf(timeline.dictionary, each.id)) !== null) present.push(each);
      await this.vectors.put(present, done);
    });
  }
}

const wrong = (message: string): InvalidArgumentError => new InvalidArgumentError('INVALID_VECTOR', message);
