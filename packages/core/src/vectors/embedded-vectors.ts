/**
 * Vectors that a function of the caller has made of texts. They stand by the ids of the literals, so that all revisions and branches use the
 * same ones. Nothing but the function can make them again: only the terms that go take theirs along.
 */
import { Mutex } from '@quadrille/model';
import type { WriteOp } from '@quadrille/storage';
import type { Dictionary } from '../dictionary/dictionary.js';
import { fromJson, toJson } from '../format/byte-codec.js';
import { readU32, Tag } from '../format/layout.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import type { VectorSettings } from '../keyspace/stored-settings.js';
import type { Pacer } from '../runtime/env.js';
import { VectorChunk } from './vector-chunk.js';
import { type Query, VectorColumn } from './vector-column.js';
import type { Scanned } from './vector-index.js';

/** What is stored of a name. */
interface StoredName {
  /** Under which number its vectors stand. */
  readonly slot: number;
  readonly property: string;
  readonly dimension: number;
  /** Counts changes of its vectors. */
  readonly version: number;
  /** For each line of history, the last revision whose literals have their vectors. */
  readonly done: Readonly<Record<string, DoneRevision>>;
}

/** A revision, and its id in hexadecimal: after a cut another one has the number. */
export interface DoneRevision {
  readonly number: number;
  readonly id: string;
}

interface Root {
  readonly nextSlot: number;
  readonly names: Readonly<Record<string, StoredName>>;
}

const EMPTY: Root = { nextSlot: 0, names: {} };
/** Vectors that are scanned at once where they have no room in memory. */
const SCANNED_AT_ONCE = 4096;

/** A vector of a literal. */
export interface EmbeddedVector {
  readonly id: number;
  readonly vector: Float32Array;
}

export async function readEmbeddings(keyspace: Keyspace): Promise<Root> {
  const stored = await keyspace.get(Tag.embedding);
  return stored === undefined ? EMPTY : (fromJson(stored) as Root);
}

const rootOp = (keyspace: Keyspace, root: Root): WriteOp => ({
  type: 'put',
  key: keyspace.key(Tag.embedding),
  value: toJson(root),
});

const slotRange = (keyspace: Keyspace, slot: number): { gte: Uint8Array; lt: Uint8Array } => ({
  gte: keyspace.key(Tag.embedding, slot),
  lt: keyspace.key(Tag.embedding, slot + 1),
});

export class EmbeddedVectors {
  #column: VectorColumn;
  /** The slot and version of what the column has; the last id of that. */
  #known = '';
  #lastId = 0;
  /** Whether the column has all vectors: there may be no room for them. */
  #isWhole = false;
  readonly #reading = new Mutex();

  constructor(
    private readonly dictionary: Dictionary,
    readonly name: string,
    readonly property: string,
    readonly dimension: number,
  ) {
    this.#column = new VectorColumn(dimension);
  }

  get bytes(): number {
    return this.#column.bytes;
  }

  /** Terms were deleted. */
  forget(): void {
    this.#known = '';
    this.#column = new VectorColumn(this.dimension);
  }

  async #stored(): Promise<StoredName | undefined> {
    return this.#ownIn(await readEmbeddings(this.dictionary.keyspace));
  }

  #ownIn({ names }: Root): StoredName | undefined {
    const own = names[this.name];
    return own?.property === this.property && own.dimension === this.dimension ? own : undefined;
  }

  /** The last revision of a line whose literals have their vectors. */
  async done(line: number): Promise<DoneRevision | undefined> {
    return (await this.#stored())?.done[line];
  }

  /** Those that have no vector. */
  async missing(ids: readonly number[]): Promise<number[]> {
    const { keyspace } = this.dictionary;
    const own = await this.#stored();
    if (own === undefined) return [...ids];
    const known = await keyspace.engine.getMany(ids.map((id) => keyspace.key(Tag.embedding, own.slot, id)));
    return ids.filter((_, i) => known[i] === undefined);
  }

  /** Stores vectors, and that all literals of a line up to a revision have theirs. The caller holds the maintenance lock. */
  async put(
    vectors: readonly EmbeddedVector[],
    done?: { readonly line: number; readonly revision: DoneRevision },
  ): Promise<void> {
    const { dictionary, name, property, dimension } = this;
    const { keyspace } = dictionary;
    await dictionary.lock.run(async () => {
      const root = await readEmbeddings(keyspace);
      const before = root.names[name];
      const own = this.#ownIn(root) ?? { slot: root.nextSlot, property, dimension, version: 0, done: {} };
      const next: StoredName = {
        ...own,
        version: own.version + (vectors.length > 0 ? 1 : 0),
        done: done === undefined ? own.done : { ...own.done, [done.line]: done.revision },
      };
      const nextSlot = Math.max(root.nextSlot, own.slot + 1);
      const ops: WriteOp[] = vectors.map(({ id, vector }) => ({
        type: 'put',
        key: keyspace.key(Tag.embedding, own.slot, id),
        value: bytesOf(vector),
      }));
      if (before !== undefined && before.slot !== own.slot)
        ops.push({ type: 'deleteRange', ...slotRange(keyspace, before.slot) });
      await dictionary.write([...ops, rootOp(keyspace, { nextSlot, names: { ...root.names, [name]: next } })]);
    });
  }

  /** The vectors of literals before `limit`. */
  async scan(query: Query, limit: number, pacer: Pacer): Promise<Scanned> {
    const own = await this.#stored();
    if (own === undefined) return { ids: new Uint32Array(0), bounds: new Float32Array(0) };
    const [column, lastId, isWhole] = await this.#reading.run(async () => {
      await this.#load(own, pacer);
      return [this.#column, this.#lastId, this.#isWhole] as const;
    });
    const count = column.before(limit);
    const first = { ids: column.ids(count).slice(), bounds: new Float32Array(count) };
    await column.scan(query, count, first.bounds, pacer);
    if (isWhole) return first;
    const found = [first];
    for await (const chunk of this.#chunks(own.slot, lastId + 1, SCANNED_AT_ONCE, pacer)) {
      const some = new VectorColumn(this.dimension);
      some.add(chunk);
      const most = some.before(limit);
      const bounds = new Float32Array(most);
      await some.scan(query, most, bounds, pacer);
      found.push({ ids: some.ids(most).slice(), bounds });
    }
    return joined(found);
  }

  // Other processes may have written some, too.
  async #load({ slot, version }: StoredName, pacer: Pacer): Promise<void> {
    const known = `${slot} ${version}`;
    if (known === this.#known) return;
    const column = new VectorColumn(this.dimension);
    const { vectorBytes } = this.dictionary.keyspace.tuning;
    let lastId = 0;
    let isWhole = true;
    for await (const chunk of this.#chunks(slot, 0, SCANNED_AT_ONCE, pacer)) {
      isWhole = column.bytes < vectorBytes && hasRoom(column, chunk);
      if (!isWhole) break;
      lastId = column.ids(column.count).at(-1) ?? 0;
    }
    this.#column = column;
    this.#lastId = lastId;
    this.#isWhole = isWhole;
    this.#known = known;
  }

  /** The vectors of ids from one on. */
  async *entries(slot: number, from: number): AsyncGenerator<EmbeddedVector> {
    const { keyspace } = this.dictionary;
    const range = { ...slotRange(keyspace, slot), gte: keyspace.key(Tag.embedding, slot, from) };
    for await (const some of keyspace.range(range, { read: 'entries' }))
      for (const { key, value } of some) yield { id: readU32(key, keyspace.tagEnd + 4), vector: vectorOf(value) };
  }

  async *#chunks(slot: number, from: number, capacity: number, pacer: Pacer): AsyncGenerator<Uint8Array> {
    const chunk = new VectorChunk(this.dimension, capacity);
    for await (const { id, vector } of this.entries(slot, from)) {
      if (isVector(vector, this.dimension)) chunk.add(id, vector);
      if (pacer.due()) await pacer.pause();
      if (chunk.isFull) yield chunk.take();
    }
    yield chunk.take();
  }

  /** The vectors of literals. `undefined`: it has none. */
  async read(ids: readonly number[]): Promise<(Float32Array | undefined)[]> {
    const { keyspace } = this.dictionary;
    const own = await this.#stored();
    if (own === undefined) return ids.map(() => undefined);
    const found = await keyspace.engine.getMany(ids.map((id) => keyspace.key(Tag.embedding, own.slot, id)));
    return found.map((value) => {
      const vector = value && vectorOf(value);
      return vector !== undefined && isVector(vector, this.dimension) ? vector : undefined;
    });
  }

  /** All that is stored of it, with what is no vector. */
  async *stored(): AsyncGenerator<EmbeddedVector> {
    const own = await this.#stored();
    if (own !== undefined) yield* this.entries(own.slot, 0);
  }

  /** Deletes vectors, and has all texts looked at again. The caller holds the maintenance lock. */
  async drop(ids: readonly number[]): Promise<void> {
    const { dictionary, name } = this;
    const { keyspace } = dictionary;
    await dictionary.lock.run(async () => {
      const root = await readEmbeddings(keyspace);
      const own = this.#ownIn(root);
      if (own === undefined || ids.length === 0) return;
      const names = { ...root.names, [name]: { ...own, version: own.version + 1, done: {} } };
      await dictionary.write([
        ...ids.map((id): WriteOp => ({ type: 'delete', key: keyspace.key(Tag.embedding, own.slot, id) })),
        rootOp(keyspace, { ...root, names }),
      ]);
    });
  }
}

/** Whether it is one that can be compared. */
export function isVector(vector: Float32Array, dimension: number): boolean {
  return vector.length === dimension && vector.every(Number.isFinite) && vector.some((number) => number !== 0);
}

const QUOTE = 0x22;
const AT = 0x40;

/** Whether a term is a string, with a language or without. */
export function isText(term: Uint8Array): boolean {
  if (term[0] !== QUOTE) return false;
  const close = term.lastIndexOf(QUOTE);
  return close === term.length - 1 || term[close + 1] === AT;
}

const bytesOf = (vector: Float32Array): Uint8Array =>
  new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);

const vectorOf = (value: Uint8Array): Float32Array => new Float32Array(value.slice(0, value.length & ~3).buffer);

function hasRoom(column: VectorColumn, chunk: Uint8Array): boolean {
  try {
    column.add(chunk);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function joined(found: readonly Scanned[]): Scanned {
  const count = found.reduce((sum, { ids }) => sum + ids.length, 0);
  const all = { ids: new Uint32Array(count), bounds: new Float32Array(count) };
  let at = 0;
  for (const { ids, bounds } of found) {
    all.ids.set(ids, at);
    all.bounds.set(bounds, at);
    at += ids.length;
  }
  return all;
}

/** Deletes the vectors of names that the settings do not have any more. The caller holds the maintenance lock. */
export async function dropOtherEmbeddings(dictionary: Dictionary, settings: VectorSettings): Promise<void> {
  const { keyspace } = dictionary;
  await dictionary.lock.run(async () => {
    const root = await readEmbeddings(keyspace);
    const gone = Object.entries(root.names).filter(([name]) => settings[name]?.embed !== true);
    if (gone.length === 0) return;
    const names = Object.fromEntries(Object.entries(root.names).filter(([name]) => settings[name]?.embed === true));
    const ranges = gone.map(([, { slot }]): WriteOp => ({ type: 'deleteRange', ...slotRange(keyspace, slot) }));
    await dictionary.write([...ranges, rootOp(keyspace, { ...root, names })]);
  });
}
