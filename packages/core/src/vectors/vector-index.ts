/**
 * The vectors of one dimension in a repository. They stand by the ids of their literals, which are never used twice, so that all revisions and
 * branches use the same ones: what a revision does not know has greater ids, and no quads there. Vectors below its mark are in chunks on
 * disk, the others are read from the dictionary when somebody asks. It is derived from the terms: without it, it is made again.
 */
import { Mutex } from '@quadrille/model';
import type { WriteOp } from '@quadrille/storage';
import { newRunNumber } from '../dictionary/dictionary-flush.js';
import type { Dictionary } from '../dictionary/dictionary.js';
import { ByteReader, ByteWriter } from '../format/byte-codec.js';
import { FIRST_TERM_ID, readU32, Tag } from '../format/layout.js';
import { BatchWriter } from '../keyspace/batch-writer.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import type { Pacer } from '../runtime/env.js';
import { eachTerm } from '../values/value-index.js';
import { VectorChunk } from './vector-chunk.js';
import { type Query, VectorColumn } from './vector-column.js';
import { vectorOf } from './vector-text.js';

/** The form of the index. One of another form is made again. */
const FORM = 1;
/** The share of the terms of a full tail that are not on disk yet, at which they are written. */
const TAIL_SHARE = 1 / 16;
/** Chunks that are read at once, and that are written until the root is. */
const READ_AT_ONCE = 16;
const CHUNKS_OF_ROOT = 256;

/** What is on disk. */
export interface Root {
  /** The vectors of ids below it are in the chunks. */
  readonly mark: number;
  /** The number under which the chunks stand; 0: there are none yet. */
  readonly run: number;
  /** The number of full chunks. */
  readonly chunks: number;
  /** The chunk that is not full yet. */
  readonly rest: Uint8Array;
}

const EMPTY: Root = { mark: FIRST_TERM_ID, run: 0, chunks: 0, rest: new Uint8Array(0) };

/** Vectors in memory, and the chunks that have no room there. */
interface View {
  readonly root: Root;
  readonly stored: VectorColumn;
  /** The first chunk that is not in memory. */
  readonly loaded: number;
  readonly tail: VectorColumn;
}

/** What a scan leaves: ids, ascending, and what their scores are at most. */
export interface Scanned {
  readonly ids: Uint32Array;
  readonly bounds: Float32Array;
}

export class VectorIndex {
  #stored: VectorColumn;
  #loaded = 0;
  /** What is in no full chunk, of the root that was there when it was made. */
  #tail: VectorColumn;
  #tailOf: Root = EMPTY;
  #tailEnd = FIRST_TERM_ID;
  readonly #reading = new Mutex();

  private constructor(
    private readonly dictionary: Dictionary,
    readonly dimension: number,
    private root: Root,
  ) {
    this.#stored = new VectorColumn(dimension);
    this.#tail = new VectorColumn(dimension);
  }

  /** The index of a dictionary; an empty one where there is none. */
  static async open(dictionary: Dictionary, dimension: number): Promise<VectorIndex> {
    return new VectorIndex(dictionary, dimension, await readRoot(dictionary.keyspace, dimension));
  }

  /** Bytes of memory. */
  get bytes(): number {
    return this.#stored.bytes + this.#tail.bytes;
  }

  /** Whether so many literals are not on disk that a question would take too long. */
  isBehind(limit: number): boolean {
    const { dictionary, root } = this;
    return Math.min(limit, dictionary.settled) - root.mark > dictionary.keyspace.tuning.tailTerms * TAIL_SHARE;
  }

  /** The share of the terms before `limit` that it has, from 0 to 1. */
  progress(limit: number): number {
    return this.isBehind(limit) ? this.root.mark / limit : 1;
  }

  /** The vectors of all literals before `limit`. */
  async scan(query: Query, limit: number, pacer: Pacer): Promise<Scanned> {
    for (;;) {
      const { root, stored, loaded, tail } = await this.#view(limit, pacer);
      const counts = [stored.before(limit), tail.before(limit)] as const;
      const between = loaded < root.chunks ? await this.#scanChunks(query, root, loaded, limit, pacer) : NOTHING;
      // Terms were deleted meanwhile, and the index with them.
      if (between === undefined) continue;
      const ids = new Uint32Array(counts[0] + between.ids.length + counts[1]);
      const bounds = new Float32Array(ids.length);
      ids.set(stored.ids(counts[0]));
      ids.set(between.ids, counts[0]);
      ids.set(tail.ids(counts[1]), ids.length - counts[1]);
      await stored.scan(query, counts[0], bounds, pacer);
      bounds.set(between.bounds, counts[0]);
      await tail.scan(query, counts[1], bounds.subarray(ids.length - counts[1]), pacer);
      return { ids, bounds };
    }
  }

  // Those that have no room in memory.
  async #scanChunks(
    query: Query,
    root: Root,
    first: number,
    limit: number,
    pacer: Pacer,
  ): Promise<Scanned | undefined> {
    const found: Scanned[] = [];
    const some = new VectorColumn(this.dimension);
    for (let at = first; at < root.chunks; at += READ_AT_ONCE) {
      const chunks = await this.#read(root, at);
      if (chunks === undefined) return undefined;
      some.clear();
      for (const chunk of chunks) some.add(chunk);
      const count = some.before(limit);
      const bounds = new Float32Array(count);
      await some.scan(query, count, bounds, pacer);
      found.push({ ids: some.ids(count).slice(), bounds });
      if (pacer.due()) await pacer.pause();
    }
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

  #view(limit: number, pacer: Pacer): Promise<View> {
    return this.#reading.run(async () => {
      for (;;) {
        const { root } = this;
        await this.#load(root, pacer);
        await this.#readTail(root, Math.min(limit, this.dictionary.settled), pacer);
        if (root !== this.root) continue;
        return { root, stored: this.#stored, loaded: this.#loaded, tail: this.#tail };
      }
    });
  }

  async #load(root: Root, pacer: Pacer): Promise<void> {
    const stored = this.#stored;
    const { vectorBytes } = this.dictionary.keyspace.tuning;
    while (root === this.root && this.#loaded < root.chunks && stored.bytes < vectorBytes) {
      const chunks = await this.#read(root, this.#loaded);
      if (chunks === undefined || stored !== this.#stored) return;
      for (const chunk of chunks) {
        if (!hasRoom(stored, chunk)) return;
        this.#loaded++;
      }
      if (pacer.due()) await pacer.pause();
    }
  }

  async #readTail(root: Root, mark: number, pacer: Pacer): Promise<void> {
    if (this.#tailOf !== root) {
      this.#tail = new VectorColumn(this.dimension);
      this.#tail.add(root.rest);
      this.#tailOf = root;
      this.#tailEnd = root.mark;
    }
    if (this.#tailEnd >= mark) return;
    const tail = this.#tail;
    const chunk = new VectorChunk(this.dimension);
    const take = (id: number, term: Uint8Array): void => {
      const vector = vectorOf(term, this.dimension);
      if (vector === undefined) return;
      chunk.add(id, vector);
      if (chunk.isFull) tail.add(chunk.take());
    };
    try {
      await eachTerm(this.dictionary, this.#tailEnd, mark, take, undefined, pacer);
    } catch (error) {
      // It has a part of them.
      this.#tailOf = EMPTY;
      throw error;
    }
    tail.add(chunk.take());
    this.#tailEnd = mark;
  }

  /** Some chunks from one on. `undefined`: the index was made anew meanwhile. */
  async #read(root: Root, first: number): Promise<Uint8Array[] | undefined> {
    const { keyspace } = this.dictionary;
    const keys: Uint8Array[] = [];
    for (let at = first; at < Math.min(root.chunks, first + READ_AT_ONCE); at++)
      keys.push(keyspace.key(Tag.vectorPart, root.run, at));
    const chunks = await keyspace.engine.getMany(keys);
    if (!chunks.includes(undefined)) return chunks as Uint8Array[];
    keyspace.check();
    if (root !== this.root) return undefined;
    // Another process may have deleted terms, and the index with them.
    const now = await readRoot(keyspace, this.dimension);
    if (now.run === root.run) throw keyspace.missing(`a chunk of the vectors of ${this.dimension} numbers`);
    this.#reset(now);
    return undefined;
  }

  #reset(root: Root): void {
    this.root = root;
    this.#stored = new VectorColumn(this.dimension);
    this.#loaded = 0;
    this.#tailOf = EMPTY;
  }

  /** Writes what is not on disk. The caller holds the maintenance lock. `limit`: ids from it on may be used for other terms yet. */
  async build(limit: number, pacer: Pacer): Promise<void> {
    const { dictionary, dimension } = this;
    const { keyspace } = dictionary;
    const end = Math.min(limit, dictionary.settled);
    if (this.root.mark >= end) return;
    const run = this.root.run === 0 ? await newRun(dictionary) : this.root.run;
    const batch = new BatchWriter(dictionary);
    const chunk = new VectorChunk(dimension);
    chunk.resume(this.root.rest);
    let { mark, chunks } = this.root;
    const take = (id: number, term: Uint8Array): void => {
      const vector = vectorOf(term, dimension);
      if (vector === undefined) return;
      chunk.add(id, vector);
      if (chunk.isFull) batch.put(keyspace.key(Tag.vectorPart, run, chunks++), chunk.take());
    };
    while (mark < end) {
      mark = await eachTerm(dictionary, mark, end, take, () => !batch.full, pacer);
      await batch.send();
      if (mark < end && chunks - this.root.chunks < CHUNKS_OF_ROOT) continue;
      await batch.flush();
      const rest = chunk.take();
      await this.#replace({ mark, run, chunks, rest });
      chunk.resume(rest);
    }
  }

  // With the root of the dictionary, which has the numbers of runs that are taken.
  async #replace(root: Root): Promise<void> {
    const { dictionary, dimension } = this;
    const { keyspace } = dictionary;
    await dictionary.lock.run(() =>
      dictionary.write([rootOp(keyspace, dimension, root), dictionary.rootOp(dictionary.root)]),
    );
    this.root = root;
  }

  /** Forgets all: it is about to be deleted. */
  forget(): void {
    this.#reset(EMPTY);
  }

  /** Deletes it. */
  async drop(): Promise<void> {
    const { dictionary, dimension, root } = this;
    const { keyspace } = dictionary;
    this.forget();
    await dictionary.write([
      { type: 'delete', key: keyspace.key(Tag.vectorIndex, dimension) },
      ...partsOf(keyspace, root),
    ]);
  }

  /** What is on disk, chunk by chunk. */
  async *chunks(): AsyncGenerator<Uint8Array> {
    const { root } = this;
    for (let at = 0; at < root.chunks; at += READ_AT_ONCE) yield* (await this.#read(root, at)) ?? [];
    if (root.rest.length > 0) yield root.rest;
  }

  /** Ids below it are on disk. */
  get mark(): number {
    return this.root.mark;
  }
}

/** Adds a chunk; false where the process gets no more memory. */
function hasRoom(column: VectorColumn, chunk: Uint8Array): boolean {
  try {
    column.add(chunk);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

const NOTHING: Scanned = { ids: new Uint32Array(0), bounds: new Float32Array(0) };

const partsOf = (keyspace: Keyspace, { run }: Root): WriteOp[] => [
  { type: 'deleteRange', gte: keyspace.key(Tag.vectorPart, run), lt: keyspace.key(Tag.vectorPart, run + 1) },
];

/** A number for chunks, after what processes that ended have left was deleted. */
async function newRun(dictionary: Dictionary): Promise<number> {
  const { keyspace } = dictionary;
  const named: number[] = [];
  for await (const { value } of keyspace.entries(Tag.vectorIndex)) {
    const root = decodeRoot(value);
    if (root !== undefined) named.push(root.run);
  }
  const ops: WriteOp[] = [];
  let from = 0;
  for (const run of [...named, 0xffff_ffff].sort((x, y) => x - y)) {
    if (from < run)
      ops.push({ type: 'deleteRange', gte: keyspace.key(Tag.vectorPart, from), lt: keyspace.key(Tag.vectorPart, run) });
    from = run + 1;
  }
  await dictionary.write(ops);
  return dictionary.lock.run(() => newRunNumber(dictionary));
}

/** The dimensions of which there is something on disk. */
export async function storedDimensions(keyspace: Keyspace): Promise<number[]> {
  const found: number[] = [];
  for await (const { rest } of keyspace.entries(Tag.vectorIndex)) found.push(readU32(rest, 0));
  return found;
}

function rootOp(keyspace: Keyspace, dimension: number, { mark, run, chunks, rest }: Root): WriteOp {
  const value = new ByteWriter().varint(FORM).varint(mark).varint(run).varint(chunks).bytes(rest).finish().slice();
  return { type: 'put', key: keyspace.key(Tag.vectorIndex, dimension), value };
}

async function readRoot(keyspace: Keyspace, dimension: number): Promise<Root> {
  const stored = await keyspace.get(Tag.vectorIndex, dimension);
  return (stored && decodeRoot(stored)) ?? EMPTY;
}

function decodeRoot(stored: Uint8Array): Root | undefined {
  const reader = new ByteReader(stored);
  if (reader.varint() !== FORM) return undefined;
  const [mark, run, chunks] = [reader.varint(), reader.varint(), reader.varint()];
  return { mark, run, chunks, rest: reader.bytes(reader.remaining).slice() };
}
