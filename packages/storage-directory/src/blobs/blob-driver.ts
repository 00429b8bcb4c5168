/**
 * A driver that keeps large values of large batches in files of their own, which are only appended to, and pointers in the
 * storage below (field's term: key-value separation). What stands below is small then: its log, its tables and their
 * compactions carry pointers. Files of which half is dead are collected in the background.
 */

import { CorruptionError, Mutex } from '@quadrille/model';
import {
  equalBytes,
  isFull,
  loadChecksum,
  MAX_KEY_BYTES,
  type Bytes,
  type Entry,
  type KeyRange,
  type RangeOptions,
  type StorageCapabilities,
  type StorageDriver,
  type WriteOp,
  type WriteOptions,
  type WriteOutcome,
} from '@quadrille/storage';
import { BlobCodec, plain } from './blob-codec.js';
import { BlobCollector } from './blob-collector.js';
import type { BlobFiles } from './blob-files.js';
import { LASTING, PASSING, type BlobLedger } from './blob-ledger.js';
import { decodePointer, encodePointer, isPointer, type BlobPointer } from './blob-pointer.js';
import { BlobReader } from './blob-reader.js';
import { BlobState } from './blob-state.js';
import { BlobWriter } from './blob-writer.js';
import { withDeadBlobs } from './dead-blobs.js';
import type { HasRoom } from '../room.js';
import { Readers } from './readers.js';

const KB = 1024;
const MB = 1024 * KB;

export interface BlobOptions {
  /** Values of at least so many bytes go into files … Default 512. */
  readonly valueBytes?: number;
  /** … in batches that have so many bytes of values. Default 64 KB. */
  readonly batchBytes?: number;
  /** A file that would become larger is sealed. Default 64 MB. */
  readonly fileBytes?: number;
  /**
   * Brings every batch below to the disk, before a file is removed. Default: does nothing, for a storage where a durable batch
   * brings all that came before it along.
   */
  readonly settle?: () => Promise<void>;
  /** Nothing is written. Default false. */
  readonly readOnly?: boolean;
  /** Asked before the files grow. Default: there is room for all. */
  readonly hasRoom?: HasRoom;
}

const DEFAULTS: Required<BlobOptions> = {
  valueBytes: 512,
  batchBytes: 64 * KB,
  fileBytes: 64 * MB,
  settle: () => Promise.resolve(),
  readOnly: false,
  hasRoom: () => true,
};

type Put = Extract<WriteOp, { type: 'put' }>;

/** Values that stand in files, and the ledger with them. */
interface Placed {
  readonly ledger: BlobLedger;
  readonly pointers: ReadonlyMap<WriteOp, BlobPointer>;
}

/** Bytes of values in a chunk of a range. */
const CHUNK_BYTES = 256 * KB;
/** After every key that the engine takes; what the drivers keep for themselves follows. */
const END_KEY: Bytes = new Uint8Array(MAX_KEY_BYTES + 1).fill(0xff);
/** Of a file that is asked to give space back. */
const WASTED_SHARE = 1 / 16;

/** Over a storage whose ranges see one state of it. It must not be used beside this one. */
export class BlobDriver implements StorageDriver {
  readonly #inner: StorageDriver;
  readonly #files: BlobFiles;
  readonly #options: Required<BlobOptions>;
  readonly #readers = new Readers();
  /** Writes, and steps of collecting, one at a time. */
  readonly #turn = new Mutex();
  readonly #codec = new BlobCodec();
  /** Since the last batch that found no room there were only ones that free: what they free is given back before they are answered. */
  #wasFull = false;
  #state!: BlobState;
  #reader!: BlobReader;
  #writer!: BlobWriter;
  #collector!: BlobCollector;

  constructor(inner: StorageDriver, files: BlobFiles, options: BlobOptions = {}) {
    this.#inner = inner;
    this.#files = files;
    this.#options = { ...DEFAULTS, ...options };
  }

  get name(): string {
    return this.#inner.name;
  }

  get capabilities(): StorageCapabilities {
    return { ...this.#inner.capabilities, sizeOnDisk: true, compact: true };
  }

  get failure(): Error | undefined {
    return this.#inner.failure;
  }

  /** @throws CorruptionError `LOG_BROKEN` where a file is missing or cut off */
  async open(): Promise<void> {
    await this.#inner.open();
    try {
      await this.#assemble();
      await this.#state.read();
      if (this.#state.ledger.files.size > 0) await this.#codec.load();
      assertWhole(this.#state.ledger, await this.#files.list(), this.#files.name);
      if (!this.#options.readOnly) await this.#state.giveBack(this.#files);
    } catch (error) {
      await this.#inner.close();
      throw error;
    }
  }

  async #assemble(): Promise<void> {
    const [files, { fileBytes, settle, hasRoom }] = [this.#files, this.#options];
    const checksum = await loadChecksum();
    const state = (this.#state = new BlobState(this.#inner, checksum));
    const writer = (this.#writer = new BlobWriter(files, checksum, fileBytes));
    this.#reader = new BlobReader(files, this.#codec);
    const [readers, turn, openDeadBytes] = [this.#readers, this.#turn, fileBytes / 16];
    const parts = { state, files, writer, readers, checksum, turn, settle, openDeadBytes, hasRoom };
    this.#collector = new BlobCollector(parts);
  }

  async close(): Promise<void> {
    await this.#collector.close();
    try {
      await this.#files.close();
    } finally {
      await this.#inner.close();
    }
  }

  async reopen(): Promise<void> {
    await this.resume(async () => {
      if (this.#inner.reopen !== undefined) return this.#inner.reopen();
      await this.#inner.close();
      await this.#inner.open();
    });
  }

  /** After a failure, `reopen` reopens the storage below: what of the last batch is there is read anew. */
  resume(reopen: () => Promise<void>): Promise<void> {
    return this.#turn.run(async () => {
      await reopen();
      await this.#state.read();
      await this.#state.giveBack(this.#files);
      this.#collector.restart();
    });
  }

  async get(key: Bytes): Promise<Bytes | undefined> {
    const done = this.#readers.enter();
    try {
      const stored = await this.#inner.get(key);
      if (stored === undefined || !isPointer(stored)) return stored;
      return (await this.#reader.read([decodePointer(stored)]))[0];
    } finally {
      done();
    }
  }

  getSync(key: Bytes): Bytes | undefined {
    const stored = this.#inner.getSync!(key);
    return stored === undefined || !isPointer(stored) ? stored : this.#reader.readSync(decodePointer(stored));
  }

  async getMany(keys: readonly Bytes[]): Promise<(Bytes | undefined)[]> {
    const done = this.#readers.enter();
    try {
      return await this.#resolved(await this.#inner.getMany(keys));
    } finally {
      done();
    }
  }

  async *range(range: KeyRange, options: Required<RangeOptions>): AsyncGenerator<readonly Entry[], void, undefined> {
    // Before the storage below begins: what it shows may point into files that are collected meanwhile.
    const done = this.#readers.enter();
    try {
      const entries = this.#inner.range({ ...range, lt: range.lt ?? END_KEY }, options);
      if (options.read === 'keys') yield* entries;
      else for await (const chunk of entries) yield* this.#resolvedEntries(chunk);
    } finally {
      done();
    }
  }

  async write(ops: readonly WriteOp[], options: WriteOptions): Promise<WriteOutcome> {
    const outcome = await this.#turn.run(() => this.#write(ops, options));
    if (outcome === 'full') this.#wasFull = true;
    else if (options.frees !== true) this.#wasFull = false;
    // What fails here is tried again in the background, or told to whoever writes next.
    else if (this.#wasFull) await this.#collector.release().catch(() => undefined);
    return outcome;
  }

  /** What stands in files counts as it is stored there. */
  async approximateSize(range: KeyRange): Promise<number> {
    let bytes = await this.#inner.approximateSize(range);
    if (this.#state.ledger.files.size === 0) return bytes;
    for await (const chunk of this.#inner.range(range, { read: 'values' })) {
      for (const { value } of chunk) if (isPointer(value)) bytes += decodePointer(value).stored;
    }
    return bytes;
  }

  async compact(range: KeyRange): Promise<void> {
    if (!this.#options.readOnly) await this.#collector.collect(WASTED_SHARE);
    await this.#inner.compact?.(range);
  }

  async #write(ops: readonly WriteOp[], options: WriteOptions): Promise<WriteOutcome> {
    const { precondition, ...rest } = options;
    if (precondition !== undefined && !equalBytes(await this.get(precondition.key), precondition.value)) {
      return 'conflict';
    }
    this.#state.assertWritable();
    const { batchBytes } = this.#options;
    const closely = valueBytesOf(ops) >= batchBytes;
    const large = this.#largeValues(ops, closely);
    const changesFiles = closely || ops.some(({ type }) => type !== 'put');
    if (large.length === 0 && !(changesFiles && this.#state.ledger.files.size > 0)) {
      return this.#inner.write(ops, rest);
    }
    const placed = await this.#tryPlace(large, options.frees === true);
    if (placed === undefined) return 'full';
    const { pointers } = placed;
    const ledger = await withDeadBlobs(placed.ledger, ops, pointers, closely, this.#inner);
    const below = ops.map((op): WriteOp => {
      const pointer = pointers.get(op);
      return pointer === undefined ? op : { ...(op as Put), value: encodePointer(pointer) };
    });
    const outcome = await this.#state.write(below, ledger, rest);
    if (outcome === 'full') await this.#state.giveBack(this.#files);
    this.#collector.wake();
    return outcome;
  }

  #largeValues(ops: readonly WriteOp[], largeBatch: boolean): Put[] {
    const { valueBytes } = this.#options;
    // A value that would be taken for a pointer must not stand below, whatever its size.
    return ops.filter(
      (op): op is Put => op.type === 'put' && ((largeBatch && op.value.length >= valueBytes) || isPointer(op.value)),
    );
  }

  /** Undefined where there is no room for the values; nothing of them is left behind then. */
  async #tryPlace(puts: readonly Put[], frees: boolean): Promise<Placed | undefined> {
    if (!frees && puts.length > 0 && !this.#options.hasRoom(valueBytesOf(puts))) return undefined;
    try {
      return await this.#place(puts);
    } catch (error) {
      if (!isFull(error)) throw error;
      await this.#state.giveBack(this.#files);
      return undefined;
    }
  }

  async #place(puts: readonly Put[]): Promise<Placed> {
    const pointers = new Map<WriteOp, BlobPointer>();
    let { ledger } = this.#state;
    for (const stream of [PASSING, LASTING] as const) {
      const own = puts.filter(({ lasting }) => (lasting === true) === (stream === LASTING));
      if (own.length === 0) continue;
      // What lasts is worth compressing. What passes is quads, packed bit by bit, of which lookups read one block after the other.
      const values = stream === LASTING ? await this.#codec.compressed(own) : own.map(plain);
      const appended = await this.#writer.append(ledger, stream, values);
      ledger = appended.ledger;
      for (const [i, op] of own.entries()) pointers.set(op, appended.pointers[i]!);
    }
    return { ledger, pointers };
  }

  async #resolved(stored: readonly (Bytes | undefined)[]): Promise<(Bytes | undefined)[]> {
    const indexes = [...stored.keys()].filter((i) => stored[i] !== undefined && isPointer(stored[i]));
    if (indexes.length === 0) return [...stored];
    const values = await this.#reader.read(indexes.map((i) => decodePointer(stored[i]!)));
    const result = [...stored];
    for (const [at, i] of indexes.entries()) result[i] = values[at];
    return result;
  }

  /** In chunks that are not larger for what the pointers point to. */
  async *#resolvedEntries(entries: readonly Entry[]): AsyncGenerator<readonly Entry[], void, undefined> {
    for (let start = 0; start < entries.length;) {
      let end = start;
      for (let bytes = 0; end < entries.length && bytes < CHUNK_BYTES; end++) {
        const { value } = entries[end]!;
        bytes += isPointer(value) ? decodePointer(value).length : value.length;
      }
      const chunk = entries.slice(start, end);
      const values = await this.#resolved(chunk.map(({ value }) => value));
      yield chunk.map(({ key }, i) => ({ key, value: values[i]! }));
      start = end;
    }
  }
}

function assertWhole({ files }: BlobLedger, found: ReadonlyMap<number, number>, name: string): void {
  for (const [number, { bytes }] of files) {
    const present = found.get(number);
    if (present !== undefined && present >= bytes) continue;
    const what = present === undefined ? 'is missing' : `has ${present} bytes instead of ${bytes}`;
    throw new CorruptionError('LOG_BROKEN', `Blob file ${number} of ${name} ${what}: the store is damaged.`);
  }
}

function valueBytesOf(ops: readonly WriteOp[]): number {
  let bytes = 0;
  for (const op of ops) if (op.type === 'put') bytes += op.value.length;
  return bytes;
}
