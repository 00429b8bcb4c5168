/**
 * The dictionary of one repository: canonical N-Triples text ↔ id. Ids are assigned in order of first appearance and
 * are not reused. Full blocks of 128 terms and the hash runs are on disk. The newest terms, the tail, are on disk and
 * in memory.
 */
import { CorruptionError, Mutex, StorageError } from '@quadrille/model';
import type { WriteOp } from '@quadrille/storage';
import { ByteReader, ByteWriter } from '../format/byte-codec.js';
import type { ValueSource } from '../keyspace/block-cache.js';
import { MISS } from '../keyspace/block-cache.js';
import {
  FIRST_INLINE_ID,
  FIRST_TERM_ID,
  LONG_TERM_BYTES,
  readU32,
  Tag,
  tagRange,
  TERM_BLOCK_IDS,
} from '../format/layout.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import { notWritten, writeBefore } from '../keyspace/not-written.js';
import type { Pacer } from '../runtime/env.js';
import { readParts, tryReadParts } from '../index/run/run-writer.js';
import { hashHigh, hashLow, hashTerm } from './hash.js';
import { HashRun, readHashRunEntry, writeHashRunEntry } from './hash-run.js';
import { inlineId, isInline } from './inline.js';
import {
  LONG_ENTRY,
  longLength,
  matchesEntry,
  storedEntry,
  storedLength,
  TermBlockBuilder,
  termBlockEntries,
  termEntryEnd,
  termEntryStart,
} from './term-block.js';
import { TermTable } from './term-table.js';

/** The fences of a hash run are stored under page numbers from here on. */
export const FENCE_PAGES = 0xff00_0000;
/** Initial memory for the texts of the tail, in bytes. It is small because most repositories are small. */
const TAIL_BYTES = 2048;
/** Factor by which the tail may exceed `tailTerms` and `tailBytes` until writers must wait for a flush. */
const OVERFULL = 2;
/** Largest value that holds a piece of the tail, in bytes. */
const PIECE_BYTES = 32_000;

export interface DictionaryRoot {
  nextId: number;
  /** The block mark: all ids below it are in full blocks. A multiple of 128. */
  blockMark: number;
  /** Seed of the term hash. It is random, so that nobody can prepare terms that collide. */
  seed: number;
  nextRun: number;
  runs: readonly HashRun[];
}

/** An index of terms as another thread reads it. */
export interface SharedIndex {
  /** Its root, as in the storage. */
  readonly root: Uint8Array;
  /** Lets go of what the thread reads. */
  readonly release: () => void;
}

/** An index of terms, which is made in the background. `limit`: terms from it on may go yet. */
export interface TermIndex {
  isDue(limit: number): boolean;
  /** The caller holds the maintenance lock. */
  advance(limit: number, pacer: Pacer): Promise<void>;
  /** Forgets all terms, because some of them were deleted. The caller holds the maintenance lock. */
  clear(): Promise<void>;
  /** For another thread; `undefined`: it does without. */
  share?(): SharedIndex | undefined;
  /** Bytes of memory, where it has many. */
  readonly bytes?: number;
}

/** A term of the tail. */
export interface TailTerm {
  readonly id: number;
  readonly text: Uint8Array;
  readonly high: number;
  readonly low: number;
}

/** The newest terms, in ascending order of their ids. */
class Tail {
  readonly table = new TermTable(TAIL_BYTES);
  readonly ids: number[] = [];

  add(id: number, bytes: Uint8Array, start: number, end: number, high: number, low: number): void {
    if (this.ids.length > 0 && id <= this.ids.at(-1)!) throw new Error(`the term ${id} comes after ${this.ids.at(-1)}`);
    this.table.add(bytes, start, end, high, low);
    this.ids.push(id);
  }

  placeOf(id: number): number | undefined {
    const { ids } = this;
    // Few ids are left out, so most terms are where they would be without any gap.
    const near = id - ids[0]!;
    if (ids[near] === id) return near;
    const place = this.firstFrom(id);
    return ids[place] === id ? place : undefined;
  }

  /** The place of the first term with this id or a higher one. */
  firstFrom(id: number): number {
    const { ids } = this;
    let low = 0;
    let high = ids.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (ids[middle]! < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The writes of the terms from a place on. */
  pieces(keyspace: Keyspace, first: number): WriteOp[] {
    const { ids, table } = this;
    const ops: WriteOp[] = [];
    for (let start = first, end = first; start < ids.length; start = end) {
      let bytes = 0;
      for (; end < ids.length && ids[end] === ids[start]! + end - start && bytes <= PIECE_BYTES; end++)
        bytes += storedLength(table.lengthOf(end)) + 2;
      const block = new TermBlockBuilder(end - start, bytes);
      for (let place = start; place < end; place++) {
        if (table.lengthOf(place) <= LONG_TERM_BYTES) {
          block.add(table.segmentOf(place), table.startOf(place), table.endOf(place));
          continue;
        }
        const text = table.text(place);
        const entry = storedEntry(text);
        block.add(entry, 0, entry.length);
        ops.push(...longParts(keyspace, ids[place]!, text));
      }
      ops.push({ type: 'put', key: keyspace.key(Tag.termTail, ids[start]!), value: block.finish() });
    }
    return ops;
  }
}

/** The value that a step lacks: its source and index. */
export interface MissingValue {
  readonly source: ValueSource;
  readonly index: number;
}

export class Dictionary {
  /** Held while ids are assigned and while the tail is flushed. */
  readonly lock = new Mutex();
  blocks: ValueSource;
  /** Hash runs that readers in other threads, or of a timeline before a failed write, use. Their pages stay. */
  readonly held = new Set<readonly HashRun[]>();
  /** The index of the words of literals, where it is open. */
  textIndex: TermIndex | undefined;
  /** The index of the order of literals, where it is open. */
  orderIndex: TermIndex | undefined;
  /** The indexes of vectors, too. */
  vectorIndex: TermIndex | undefined;
  /** Of a flush of new terms under way: the first id whose text may not be there yet. */
  flushedFrom: number | undefined;
  /** The error of a failed write of the repository. The ids since then may belong to other terms in the storage. */
  failure: unknown;
  #tail = new Tail();
  /** Terms with lower ids are in a batch that the storage already has. */
  #written = 0;
  #missing: MissingValue | undefined;
  readonly #candidates: number[] = [];

  protected constructor(
    readonly keyspace: Keyspace,
    public root: DictionaryRoot,
  ) {
    this.blocks = termBlockSource(keyspace);
  }

  /** The root of an index of its terms, by its tag. */
  indexRoot(tag: number): Promise<Uint8Array | undefined> {
    return this.keyspace.get(tag);
  }

  /**
   * Opens the dictionary, or creates it with the seed. `mark` is the lowest id that the next term may get, according
   * to the log. `withoutRuns` leaves out the hash runs, so that they can be rebuilt.
   */
  static async open(keyspace: Keyspace, seed: number, mark: number, withoutRuns = false): Promise<Dictionary> {
    const stored = await keyspace.get(Tag.dictionary);
    const root = stored === undefined ? emptyRoot(seed) : await readRoot(keyspace, stored, withoutRuns);
    const dictionary = new Dictionary(keyspace, root);
    root.nextId = Math.max(root.nextId, mark);
    await dictionary.#readTail();
    dictionary.#written = root.nextId;
    return dictionary;
  }

  /** Writes to the storage. @throws {@link failure} */
  async write(ops: readonly WriteOp[]): Promise<void> {
    if (this.failure !== undefined) throw notWritten(this.failure);
    await writeBefore(this.keyspace.write(ops));
  }

  /** Keeps the hash runs that a dictionary from before a failed write reads, until the returned function is called. */
  keepRunsOf(before: Dictionary): () => void {
    const runs = [before.root.runs, ...before.held].flat();
    this.held.add(runs);
    return () => void this.held.delete(runs);
  }

  get nextId(): number {
    return this.root.nextId;
  }

  /** All terms with lower ids have their texts, or never get one. */
  get settled(): number {
    return this.flushedFrom ?? this.root.nextId;
  }

  /** The texts of the tail. Another flush makes another table. */
  get tail(): TermTable {
    return this.#tail.table;
  }

  get tailIds(): readonly number[] {
    return this.#tail.ids;
  }

  /** The index of a term of the tail; `undefined` if the tail does not have it. */
  tailPlace(id: number): number | undefined {
    return this.#tail.placeOf(id);
  }

  /** Whether the tail is large enough for a flush in the background. */
  get tailDue(): boolean {
    return this.#tailShare >= 1;
  }

  /** Whether the tail is so large that a writer must flush it before it adds terms. */
  get tailOverfull(): boolean {
    return this.#tailShare >= OVERFULL;
  }

  get #tailShare(): number {
    const { tailTerms, tailBytes } = this.keyspace.tuning;
    return Math.max(this.tail.size / tailTerms, this.tail.bytes / tailBytes);
  }

  /**
   * The id of a canonical text or of the entry of a triple term. Returns 0 if there is none. Returns {@link MISS} if
   * a value is missing in memory: await {@link fetchMissing}, then ask again.
   */
  tryFind(bytes: Uint8Array, start: number, end: number): number {
    const inline = inlineId(bytes, start, end);
    if (inline !== 0) return inline;
    hashTerm(bytes, start, end, this.root.seed);
    return this.tryFindHashed(bytes, start, end, hashHigh, hashLow);
  }

  /** Like {@link tryFind}, for a text that is not inlined, with its hash. `runs`: all of the root, or cursors over them. */
  tryFindHashed(
    bytes: Uint8Array,
    start: number,
    end: number,
    high: number,
    low: number,
    runs: readonly Pick<HashRun, 'source' | 'candidates'>[] = this.root.runs,
  ): number {
    const index = this.tail.find(bytes, start, end, high, low);
    if (index !== -1) return this.tailIds[index]!;
    for (const run of runs) {
      this.#candidates.length = 0;
      const page = run.candidates(high, low, this.#candidates);
      if (page !== MISS) {
        this.#missing = { source: run.source, index: page };
        return MISS;
      }
      for (const id of this.#candidates) {
        const same = this.tryMatches(id, bytes, start, end);
        if (same === MISS) return MISS;
        if (same === 1) return id;
      }
    }
    return 0;
  }

  /** Like {@link tryFind}, but reads what is missing. */
  async find(text: Uint8Array): Promise<number> {
    for (;;) {
      const id = this.tryFind(text, 0, text.length);
      if (id !== MISS) return id;
      await this.fetchMissing();
    }
  }

  /** What the last step lacked. */
  get missing(): MissingValue | undefined {
    return this.#missing;
  }

  fetchMissing(): Promise<void> {
    const { source, index } = this.#missing!;
    return this.fetchValues(source, [index]);
  }

  /** Fetches values that steps have lacked. */
  async fetchValues(source: ValueSource, indexes: readonly number[]): Promise<void> {
    try {
      await this.keyspace.cache.fetch(source, indexes);
    } catch (error) {
      // The hash run was merged into another one meanwhile. The next attempt finds that one.
      if (source === this.blocks || this.root.runs.some((run) => run.source === source)) throw error;
    }
  }

  /**
   * Reads the blocks of the first `most` terms of `ids` whose blocks are not in memory, in one call. Where reads take a round trip, it is
   * one for all of them.
   */
  async fetchBlocks(ids: Iterable<number>, most: number): Promise<void> {
    const { cache } = this.keyspace;
    const missing = new Set<number>();
    for (const id of ids) {
      if (isInline(id) || id >= this.root.blockMark || this.#tail.placeOf(id) !== undefined) continue;
      const block = Math.floor(id / TERM_BLOCK_IDS);
      if (!missing.has(block) && cache.find(this.blocks, block) === MISS) missing.add(block);
      if (missing.size >= most) break;
    }
    if (missing.size > 0) await cache.fetch(this.blocks, [...missing]);
  }

  /** Returns 1 if the id has this text, 0 if not, or {@link MISS}. */
  tryMatches(id: number, bytes: Uint8Array, start: number, end: number): number {
    const entry = this.tryEntry(id);
    if (entry === undefined) return MISS;
    if (entry[0] === LONG_ENTRY) return matchesEntry(entry, bytes.subarray(start, end)) ? 1 : 0;
    if (entry.length !== end - start) return 0;
    for (let i = 0; i < entry.length; i++) if (entry[i] !== bytes[start + i]) return 0;
    return 1;
  }

  /** Like {@link tryEntryIfAny}. @throws CorruptionError `UNKNOWN_ID` if no term has the id */
  tryEntry(id: number): Uint8Array | undefined {
    const entry = this.tryEntryIfAny(id);
    if (entry === null) throw this.#unknown(id);
    return entry;
  }

  /**
   * The entry of an id (see term-block.ts), valid until the next step; `undefined` if it must be fetched; `null` if no
   * term has the id.
   */
  tryEntryIfAny(id: number): Uint8Array | undefined | null {
    const tail = this.#tail.placeOf(id);
    if (tail !== undefined) return this.tailText(tail);
    if (id >= this.root.blockMark) return null;
    const { cache } = this.keyspace;
    const block = Math.floor(id / TERM_BLOCK_IDS);
    const at = cache.find(this.blocks, block);
    if (at === MISS) {
      this.#missing = { source: this.blocks, index: block };
      return undefined;
    }
    const start = termEntryStart(cache.bytes, at, id % TERM_BLOCK_IDS);
    if (termEntryEnd === start) return null;
    return cache.bytes.subarray(start, termEntryEnd);
  }

  /** The whole text of a term in the tail, also if it is long. */
  tailText(index: number): Uint8Array {
    return this.tail.text(index);
  }

  /** Reads the whole text of a long entry. */
  async longText(id: number, entry: Uint8Array, keyspace = this.keyspace): Promise<Uint8Array> {
    const text = await readParts(keyspace, `text of term ${id}`, (part) => longKey(keyspace, id, part));
    return this.#longIn(id, entry, text);
  }

  /** Like {@link longText}, without waiting. Returns `undefined` where only {@link longText} can read it. */
  tryLongText(id: number, entry: Uint8Array): Uint8Array | undefined {
    const { keyspace } = this;
    const text = tryReadParts(keyspace, (part) => longKey(keyspace, id, part));
    return text === undefined ? undefined : this.#longIn(id, entry, text);
  }

  #longIn(id: number, entry: Uint8Array, text: Uint8Array): Uint8Array {
    const length = longLength(entry);
    // Bytes behind the text are parts of a longer text: a failed load wrote it, and its id was assigned again.
    if (text.length < length) throw this.#unknown(id);
    return text.subarray(0, length);
  }

  #unknown(id: number): CorruptionError {
    return new CorruptionError('UNKNOWN_ID', `repository ${this.keyspace.name}: no term has the id ${id}`, {
      details: { repository: this.keyspace.name, id },
    });
  }

  /** Call it after blocks were rewritten. The cache drops the old values by age. */
  forgetBlocks(): void {
    this.blocks = termBlockSource(this.keyspace);
  }

  /** Assigns an id to a text that {@link tryFind} did not find. The caller holds {@link lock}. */
  assign(bytes: Uint8Array, start: number, end: number): number {
    const id = this.reserve(1);
    hashTerm(bytes, start, end, this.root.seed);
    this.addTail(id, bytes, start, end, hashHigh, hashLow);
    return id;
  }

  /**
   * Reserves `count` ids and returns the first. @throws StorageError `STORAGE_LIMIT` if the repository has no more
   * ids
   */
  reserve(count: number): number {
    const first = this.root.nextId;
    if (first + count > FIRST_INLINE_ID) {
      throw new StorageError(
        'STORAGE_LIMIT',
        `repository ${this.keyspace.name} is full: it has given 2,147 million ids to terms; put other data into another repository`,
      );
    }
    this.root.nextId = first + count;
    return first;
  }

  addTail(id: number, bytes: Uint8Array, start: number, end: number, high: number, low: number): void {
    this.#tail.add(id, bytes, start, end, high, low);
  }

  /** Empties the tail, which the caller fills again. */
  protected resetTail(): void {
    this.#tail = new Tail();
  }

  /**
   * Writes another root and tail, after `before`. The caller holds {@link lock}. Readers have the old ones until this is written, and keep them
   * if the write fails: what only the new ones name may not be in the storage then.
   */
  async replace(root: DictionaryRoot, terms: readonly TailTerm[], before: readonly WriteOp[]): Promise<void> {
    const tail = new Tail();
    for (const { id, text, high, low } of terms) tail.add(id, text, 0, text.length, high, low);
    const { keyspace } = this;
    const written = this.write([...before, ...tail.pieces(keyspace, 0), this.rootOp(root)]);
    // A commit that comes to be written meanwhile follows this batch, and would write other pieces over those of it.
    this.#written = root.nextId;
    await written;
    this.root = root;
    this.#tail = tail;
  }

  /** Writes another root. See {@link replace}. */
  async replaceRoot(root: DictionaryRoot): Promise<void> {
    await this.write([this.rootOp(root)]);
    this.root = root;
  }

  /**
   * The writes for all terms that got ids since the last call. They belong in the batch of the record that uses them.
   */
  takeUnwritten(): WriteOp[] {
    const first = this.#tail.firstFrom(this.#written);
    this.#written = this.root.nextId;
    return this.#tail.pieces(this.keyspace, first);
  }

  async #readTail(): Promise<void> {
    let last = -1;
    for await (const { rest, value } of this.keyspace.entries(Tag.termTail)) {
      last = readU32(rest, 0);
      this.addPiece(last, await this.readPiece(last, value));
    }
    // A term that is skipped here would get a second id. So the read must have reached the last piece.
    const newest = { ...tagRange(this.keyspace.id, Tag.termTail), reverse: true, limit: 1 };
    let end = -1;
    for await (const chunk of this.keyspace.range(newest, { read: 'keys' })) {
      for (const { key } of chunk) end = readU32(key, 6);
    }
    if (last !== end) throw this.keyspace.missing('the end of its newest terms');
  }

  /** The whole texts of a piece of the tail, whose first term has the id `first`. */
  async readPiece(first: number, value: Uint8Array, keyspace = this.keyspace): Promise<Uint8Array[]> {
    const texts: Uint8Array[] = [];
    let id = first;
    for (const entry of termBlockEntries(value)) {
      texts.push(entry[0] === LONG_ENTRY ? await this.longText(id, entry, keyspace) : entry);
      id++;
    }
    return texts;
  }

  /** Adds the texts of a piece of the tail, as far as they are new. */
  addPiece(first: number, texts: readonly Uint8Array[]): void {
    let id = first;
    for (const text of texts) {
      if (id >= this.root.blockMark && this.#tail.placeOf(id) === undefined && text.length > 0) {
        hashTerm(text, 0, text.length, this.root.seed);
        this.addTail(id, text, 0, text.length, hashHigh, hashLow);
      }
      id++;
    }
    this.root.nextId = Math.max(this.root.nextId, id);
  }

  rootOp(root: DictionaryRoot): WriteOp {
    const writer = new ByteWriter().varint(root.nextId).varint(root.blockMark).u32(root.seed).varint(root.nextRun);
    writer.varint(root.runs.length);
    for (const run of root.runs) writeHashRunEntry(writer, run.entry);
    return { type: 'put', key: this.keyspace.key(Tag.dictionary), value: writer.finish().slice() };
  }
}

export const longParts = (keyspace: Keyspace, id: number, text: Uint8Array): WriteOp[] =>
  keyspace.putParts(text, (part) => longKey(keyspace, id, part));

export const longKey = (keyspace: Keyspace, id: number, part: number): Uint8Array =>
  keyspace.key(Tag.longTerm, id, part);

function emptyRoot(seed: number): DictionaryRoot {
  return { nextId: FIRST_TERM_ID, blockMark: 0, seed, nextRun: 1, runs: [] };
}

async function readRoot(keyspace: Keyspace, stored: Uint8Array, withoutRuns: boolean): Promise<DictionaryRoot> {
  const reader = new ByteReader(stored);
  const root = { nextId: reader.varint(), blockMark: reader.varint(), seed: reader.u32(), nextRun: reader.varint() };
  const runs: HashRun[] = [];
  if (withoutRuns) return { ...root, runs };
  for (let count = reader.varint(); count > 0; count--) {
    const entry = readHashRunEntry(reader);
    const fences = await readParts(keyspace, `fences of hash run ${entry.id}`, (part) =>
      keyspace.key(Tag.hashPage, entry.id, FENCE_PAGES + part),
    );
    runs.push(new HashRun(keyspace, { ...entry, fences: new Uint32Array(fences.slice().buffer) }));
  }
  return { ...root, runs };
}

// A block with long texts can exceed the largest value. It is stored in parts; all parts but the last are full.
function termBlockSource(keyspace: Keyspace): ValueSource {
  const single = keyspace.source('term block', (block) => keyspace.key(Tag.termBlock, block, 0));
  return {
    id: single.id,
    readSync: (block) =>
      tryReadParts(keyspace, (part) => keyspace.key(Tag.termBlock, block, part), single.readSync(block)),
    read: (blocks) =>
      Promise.all(
        blocks.map((block) =>
          readParts(keyspace, `term block ${block}`, (part) => keyspace.key(Tag.termBlock, block, part)),
        ),
      ),
  };
}
