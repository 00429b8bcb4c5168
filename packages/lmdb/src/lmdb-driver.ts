/** Implements the storage contract over an open LMDB environment. It handles bytes only. */

import { StateError } from '@quadrille/model';
import {
  equalBytes,
  isInRange,
  type Bytes,
  type DriverSnapshot,
  type Entry,
  type KeyRange,
  type RangeOptions,
  type StorageCapabilities,
  type StorageDriver,
  type WriteOp,
  type WriteOptions,
  type WriteOutcome,
} from '@quadrille/storage';
import type {
  LmdbEnvironment,
  LmdbRange,
  LmdbReadOptions,
  LmdbTransaction,
  LmdbTreeStats,
} from './lmdb-environment.js';
import { toWriteError } from './lmdb-errors.js';

/** Largest chunk of a range, in bytes and entries. Reading one holds the event loop for well under 1 ms. */
const CHUNK_BYTES = 256 * 1024;
const CHUNK_ENTRIES = 500;
/** Size of the slabs that copies of values share, in bytes. Longer values get an array of their own. */
const SLAB_BYTES = 32 * 1024;
const LONG_BYTES = SLAB_BYTES / 4;
const META_PAGES = 2;
const NOTHING: Bytes = new Uint8Array(0);

export class LmdbDriver implements StorageDriver {
  readonly name = 'lmdb';
  readonly capabilities: StorageCapabilities = { getSync: true, durable: true, sizeOnDisk: false, compact: false };
  #environment: LmdbEnvironment | undefined;
  #snapshot: LmdbTransaction | undefined;
  #reading: LmdbReadOptions = {};
  #slab = new ArrayBuffer(SLAB_BYTES);
  #slabUsed = 0;

  /** Sets the open environment. With `snapshot`, all reads see the state of that transaction. */
  use(environment: LmdbEnvironment, snapshot?: LmdbTransaction): void {
    this.#environment = environment;
    this.#snapshot = snapshot;
    this.#reading = snapshot === undefined ? {} : { transaction: snapshot };
  }

  /** Does nothing: the owner of the driver opens an environment and calls {@link use}. */
  async open(): Promise<void> {}

  async close(): Promise<void> {
    const environment = this.#environment;
    this.#snapshot?.done();
    this.#environment = this.#snapshot = undefined;
    await environment?.close();
  }

  async get(key: Bytes): Promise<Bytes | undefined> {
    return this.getSync(key);
  }

  async getMany(keys: readonly Bytes[]): Promise<(Bytes | undefined)[]> {
    return keys.map((key) => this.getSync(key));
  }

  getSync(key: Bytes): Bytes | undefined {
    return this.#get(key, this.#reading);
  }

  range(range: KeyRange, options: Required<RangeOptions>): AsyncIterable<readonly Entry[]> {
    return this.#range(range, options, this.#reading);
  }

  /** While it is open, the file grows: the pages of the state are not used again. */
  snapshot(): DriverSnapshot {
    const own = this.#snapshot === undefined ? this.#open.useReadTransaction() : undefined;
    const reading = own === undefined ? this.#reading : { transaction: own };
    return {
      get: async (key) => this.#get(key, reading),
      getMany: async (keys) => keys.map((key) => this.#get(key, reading)),
      range: (range, options) => this.#range(range, options, reading),
      close: async () => own?.done(),
    };
  }

  #get(key: Bytes, reading: LmdbReadOptions): Bytes | undefined {
    const found = this.#open.getBinaryFast(key, reading);
    return found === undefined ? undefined : this.#copy(found);
  }

  async *#range(
    range: KeyRange,
    { read }: Required<RangeOptions>,
    reading: LmdbReadOptions,
  ): AsyncGenerator<readonly Entry[], void, undefined> {
    const entries = this.#entries(range, read, reading);
    try {
      for (;;) {
        const chunk = nextChunk(entries);
        if (chunk.length > 0) yield chunk;
        if (chunk.length < CHUNK_ENTRIES && chunk.bytes < CHUNK_BYTES) return;
      }
    } finally {
      // An open cursor keeps its state's pages from being reused.
      entries.return?.();
    }
  }

  /**
   * Resolves when the batch is on the disk, even if it need not be durable. LMDB has no other write that a crash
   * cannot damage.
   */
  async write(ops: readonly WriteOp[], { precondition }: WriteOptions): Promise<WriteOutcome> {
    if (precondition !== undefined && !equalBytes(this.getSync(precondition.key), precondition.value))
      return 'conflict';
    const simple = this.#withoutRanges(ops);
    const environment = this.#open;
    try {
      await environment.batch(() => {
        for (const op of simple) {
          if (op.type === 'put') environment.put(op.key, op.value);
          else environment.remove(op.key);
        }
      });
      await environment.flushed;
    } catch (error) {
      throw await toWriteError(error);
    }
    return 'ok';
  }

  async approximateSize(range: KeyRange): Promise<number> {
    let bytes = 0;
    for await (const chunk of this.range(range, { read: 'entries' })) {
      for (const { key, value } of chunk) bytes += key.length + value.length;
      // Yields to the event loop, because a large store has many chunks.
      await new Promise((next) => setImmediate(next));
    }
    return bytes;
  }

  /** Bytes in unused pages of the file. */
  freeBytes(): number {
    const { pageSize, lastPageNumber, free, ...main } = this.#open.getStats();
    return Math.max(0, lastPageNumber + 1 - META_PAGES - pagesOf(main) - pagesOf(free)) * pageSize;
  }

  /**
   * LMDB has no range deletion. So every key is deleted by name: the stored ones, and those that the batch has put
   * before.
   */
  #withoutRanges(ops: readonly WriteOp[]): (WriteOp & { type: 'put' | 'delete' })[] {
    const simple: (WriteOp & { type: 'put' | 'delete' })[] = [];
    for (const op of ops) {
      if (op.type !== 'deleteRange') {
        simple.push(op);
        continue;
      }
      const keys = simple.filter(({ type, key }) => type === 'put' && isInRange(key, op)).map(({ key }) => key);
      for (const key of this.#open.getKeys(toLmdbRange(op, false, this.#reading))) keys.push(key);
      for (const key of keys) simple.push({ type: 'delete', key });
    }
    return simple;
  }

  *#entries(
    range: KeyRange,
    read: Required<RangeOptions>['read'],
    reading: LmdbReadOptions,
  ): Generator<Entry, void, undefined> {
    if (read === 'keys') {
      for (const key of this.#open.getKeys(toLmdbRange(range, false, reading)))
        yield { key: plain(key), value: NOTHING };
      return;
    }
    for (const { key, value } of this.#open.getRange(toLmdbRange(range, true, reading)))
      yield { key: read === 'values' ? NOTHING : plain(key), value: plain(value) };
  }

  get #open(): LmdbEnvironment {
    if (this.#environment === undefined) throw new StateError('STORE_NOT_OPEN', 'LMDB is not open.');
    return this.#environment;
  }

  #copy(found: Bytes): Bytes {
    // The array is a window on a larger buffer; only this property has its real length.
    const { length } = found;
    let copy: Bytes;
    if (length > LONG_BYTES) {
      copy = new Uint8Array(length);
    } else {
      if (this.#slabUsed + length > SLAB_BYTES) {
        this.#slab = new ArrayBuffer(SLAB_BYTES);
        this.#slabUsed = 0;
      }
      copy = new Uint8Array(this.#slab, this.#slabUsed, length);
      this.#slabUsed += length;
    }
    copy.set(new Uint8Array(found.buffer, found.byteOffset, length));
    return copy;
  }
}

const pagesOf = (tree: LmdbTreeStats): number => tree.treeBranchPageCount + tree.treeLeafPageCount + tree.overflowPages;

function nextChunk(entries: Iterator<Entry>): Entry[] & { bytes: number } {
  const chunk = Object.assign([] as Entry[], { bytes: 0 });
  while (chunk.length < CHUNK_ENTRIES && chunk.bytes < CHUNK_BYTES) {
    const step = entries.next();
    if (step.done === true) break;
    chunk.push(step.value);
    chunk.bytes += step.value.key.length + step.value.value.length;
  }
  return chunk;
}

/** A plain array over the bytes of a Buffer. Callers expect `slice` to copy, but that of a Buffer shares memory. */
function plain(bytes: Bytes): Bytes {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}

function toLmdbRange({ gte, lt, reverse, limit }: KeyRange, values: boolean, reading: LmdbReadOptions): LmdbRange {
  const range: LmdbRange = { ...reading, values };
  // An empty bound means no bound, because LMDB has no empty keys.
  const [low, high] = [gte, lt].map((bound) => (bound?.length === 0 ? undefined : bound));
  const [start, end] = reverse === true ? [high, low] : [low, high];
  if (start !== undefined) range.start = start;
  if (end !== undefined) range.end = end;
  if (reverse === true) Object.assign(range, { reverse: true, exclusiveStart: true, inclusiveEnd: true });
  if (limit !== undefined) range.limit = limit;
  return range;
}
