/**
 * A driver that stores the large values of large batches in append-only files, and pointers to them in the inner
 * driver (key-value separation). The log, the tables and the compactions of the inner driver then handle only
 * pointers. Files with half of their bytes dead are collected in the background.
 */

import { CorruptionError, Mutex } from '@quadrille/model';
import {
  equalBytes,
  isFull,
  BackgroundFailures,
  loadChecksum,
  snapshotOf,
  type Bytes,
  type DriverSnapshot,
  type Entry,
  type JobFailure,
  type KeyRange,
  type OnDamage,
  type PurgePauses,
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
import { END_KEY, LASTING, PASSING, type BlobLedger } from './blob-ledger.js';
import { decodePointer, encodePointer, isPointer, type BlobPointer } from './blob-pointer.js';
import { BlobReader } from './blob-reader.js';
import { BlobState } from './blob-state.js';
import { BlobWriter } from './blob-writer.js';
import { withDeadBlobs } from './dead-blobs.js';
import type { HasRoom } from '../room.js';
import { Readers } from './readers.js';

const KB = 1024;
const MB = 1024 * KB;

/** Options of the driver of blob files. */
export interface BlobOptions {
  /** Smallest value that goes into a blob file, in bytes. Default 512. */
  readonly valueBytes?: number;
  /** Smallest total size of a batch's values for its large values to go into blob files, in bytes. Default 64 KB. */
  readonly batchBytes?: number;
  /** Size at which a blob file is sealed, in bytes. Default 64 MB. */
  readonly fileBytes?: number;
  /**
   * Brings every batch of the inner driver to the disk. Called before a file is removed. Default: does nothing, for a
   * driver whose durable batches include all earlier ones.
   */
  readonly settle?: () => Promise<void>;
  /** Whether nothing may be written. Default false. */
  readonly readOnly?: boolean;
  /** Called before the files grow. Default: there is always room. */
  readonly hasRoom?: HasRoom;
  /** Called with descriptions of damage. With it, missing and short files are tolerated, but their values cannot be read. Default: opening fails. */
  readonly onDamage?: OnDamage | undefined;
}

type Settings = Required<Omit<BlobOptions, 'onDamage'>> & Pick<BlobOptions, 'onDamage'>;

const DEFAULTS: Settings = {
  valueBytes: 512,
  batchBytes: 64 * KB,
  fileBytes: 64 * MB,
  settle: () => Promise.resolve(),
  readOnly: false,
  hasRoom: () => true,
};

type Reads = Pick<DriverSnapshot, 'get' | 'getMany' | 'range'>;
type Put = Extract<WriteOp, { type: 'put' }>;

/** Values that were written to files, and the ledger that includes them. */
interface Placed {
  readonly ledger: BlobLedger;
  readonly pointers: ReadonlyMap<WriteOp, BlobPointer>;
}

/** Largest size of the values in a chunk of a range, in bytes. */
const CHUNK_BYTES = 256 * KB;
/** Share of dead bytes from which `compact` collects a file. */
const WASTED_SHARE = 1 / 16;

/** Works over a driver whose ranges see one state. The inner driver must not be used directly. */
export class BlobDriver implements StorageDriver {
  readonly #inner: StorageDriver;
  readonly #files: BlobFiles;
  readonly #options: Settings;
  readonly #readers = new Readers();
  /** Held during each write and each step of the collector. */
  readonly #turn = new Mutex();
  readonly #codec = new BlobCodec();
  readonly #failures = new BackgroundFailures();
  /**
   * Whether only batches that free space have come since a batch found no room. Such a batch resolves after its space
   * is freed.
   */
  #wasFull = false;
  #state!: BlobState;
  #reader!: BlobReader;
  #writer!: BlobWriter;
  #collector!: BlobCollector;

  constructor(inner: StorageDriver, files: BlobFiles, options: BlobOptions = {}) {
    this.#inner = inner;
    this.#files = files;
    this.#options = { ...DEFAULTS, ...options, ...(options.onDamage && { readOnly: true }) };
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

  backgroundFailures(): readonly JobFailure[] {
    return this.#failures.list;
  }

  /** @throws CorruptionError `LOG_BROKEN` if a file is missing or too short */
  async open(): Promise<void> {
    await this.#inner.open();
    try {
      await this.#assemble();
      await this.#readLedger();
      await this.#assertWhole();
      if (!this.#options.readOnly) await this.#state.giveBack(this.#files);
    } catch (error) {
      await this.#inner.close();
      throw error;
    }
  }

  async #readLedger(): Promise<void> {
    const { onDamage } = this.#options;
    try {
      await this.#state.read();
    } catch (error) {
      if (onDamage === undefined) throw error;
      // Pointers lead to the values without the ledger.
      onDamage({ message: `The list of the blob files of ${this.#files.name} cannot be read.` });
    }
    if (this.#state.ledger.files.size > 0 || onDamage !== undefined) await this.#codec.load();
  }

  async #assertWhole(): Promise<void> {
    const { onDamage } = this.#options;
    const damages = findDamages(this.#state.ledger, await this.#files.list(), this.#files.name);
    if (onDamage === undefined && damages.length > 0) throw new CorruptionError('LOG_BROKEN', damages[0]!);
    for (const message of damages) onDamage?.({ message });
  }

  async #assemble(): Promise<void> {
    const [files, { fileBytes, settle, hasRoom }] = [this.#files, this.#options];
    const checksum = await loadChecksum();
    const state = (this.#state = new BlobState(this.#inner, checksum));
    const writer = (this.#writer = new BlobWriter(files, checksum, fileBytes));
    this.#reader = new BlobReader(files, this.#codec);
    const [readers, turn, openDeadBytes] = [this.#readers, this.#turn, fileBytes / 16];
    const failures = this.#failures;
    const parts = { state, files, writer, readers, checksum, turn, settle, openDeadBytes, hasRoom, failures };
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

  /** Call it after a failure. `reopen` reopens the inner driver; then the state of the last batch is read again. */
  resume(reopen: () => Promise<void>): Promise<void> {
    return this.#turn.run(async () => {
      await reopen();
      await this.#state.read();
      // A journal that found no room for a new session still has the batch that failed. The next open takes it, with its values.
      if (this.#inner.failure === undefined) await this.#state.giveBack(this.#files);
      this.#collector.restart();
    });
  }

  get(key: Bytes): Promise<Bytes | undefined> {
    return this.#get(this.#inner, key);
  }

  async #get(inner: Reads, key: Bytes): Promise<Bytes | undefined> {
    const done = this.#readers.enter();
    try {
      const stored = await inner.get(key);
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

  getMany(keys: readonly Bytes[]): Promise<(Bytes | undefined)[]> {
    return this.#getMany(this.#inner, keys);
  }

  async #getMany(inner: Reads, keys: readonly Bytes[]): Promise<(Bytes | undefined)[]> {
    const done = this.#readers.enter();
    try {
      return await this.#resolved(await inner.getMany(keys));
    } finally {
      done();
    }
  }

  range(range: KeyRange, options: Required<RangeOptions>): AsyncIterable<readonly Entry[]> {
    return this.#range(this.#inner, range, options);
  }

  snapshot(): DriverSnapshot {
    const inner = snapshotOf(this.#inner);
    // In the same turn: its pointers may lead into files that are collected meanwhile.
    const done = this.#readers.enter();
    return {
      get: (key) => this.#get(inner, key),
      getMany: (keys) => this.#getMany(inner, keys),
      range: (range, options) => this.#range(inner, range, options),
      close: () => inner.close().finally(done),
    };
  }

  async *#range(
    inner: Reads,
    range: KeyRange,
    options: Required<RangeOptions>,
  ): AsyncGenerator<readonly Entry[], void, undefined> {
    // Enters before the inner range begins: its pointers may lead into files that are collected meanwhile.
    const done = this.#readers.enter();
    try {
      const entries = inner.range({ ...range, lt: range.lt ?? END_KEY }, options);
      if (options.read === 'keys') yield* entries;
      else
        for await (const chunk of entries)
          yield* this.#resolvedEntries(chunk, options.read === 'values' ? undefined : range.wants);
    } finally {
      done();
    }
  }

  async write(ops: readonly WriteOp[], options: WriteOptions): Promise<WriteOutcome> {
    const outcome = await this.#turn.run(() => this.#write(ops, options));
    if (outcome === 'full') this.#wasFull = true;
    else if (options.frees !== true) this.#wasFull = false;
    else if (this.#wasFull) await this.#collector.release();
    return outcome;
  }

  /** Values in files count with their encoded size. */
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

  async purge({ withoutWrites, alone, signal }: PurgePauses): Promise<number> {
    const bytes = await this.#collector.purge(signal);
    // The collector writes between batches.
    const pauses: PurgePauses = {
      withoutWrites: (work) => withoutWrites(() => this.#turn.run(work)),
      alone: (work) => alone(() => this.#turn.run(work)),
      signal,
    };
    return bytes + ((await this.#inner.purge?.(pauses)) ?? 0);
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
    // A value that looks like a pointer must go into a file, whatever its size.
    return ops.filter(
      (op): op is Put => op.type === 'put' && ((largeBatch && op.value.length >= valueBytes) || isPointer(op.value)),
    );
  }

  /** Returns undefined if there is no room for the values. Then no part of them remains in the files. */
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
      // Lasting values are terms, which compress well. Passing values are packed quads, whose lookups read single
      // blocks.
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

  /** Resolves pointers in chunks of limited size, because the values are much larger than the pointers. */
  async *#resolvedEntries(
    found: readonly Entry[],
    wants: KeyRange['wants'],
  ): AsyncGenerator<readonly Entry[], void, undefined> {
    const entries = wants === undefined ? found : found.map((entry) => withoutUnwanted(entry, wants));
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

const NOTHING: Bytes = new Uint8Array(0);

// The value that a pointer leads to is not read if nobody wants it.
function withoutUnwanted(entry: Entry, wants: NonNullable<KeyRange['wants']>): Entry {
  return isPointer(entry.value) && !wants(entry.key) ? { key: entry.key, value: NOTHING } : entry;
}

function findDamages({ files }: BlobLedger, found: ReadonlyMap<number, number>, name: string): string[] {
  return [...files].flatMap(([number, { bytes }]) => {
    const present = found.get(number);
    if (present !== undefined && present >= bytes) return [];
    const what = present === undefined ? 'is missing' : `has ${present} bytes instead of ${bytes}`;
    return [`Blob file ${number} of ${name} ${what}: the store is damaged.`];
  });
}

function valueBytesOf(ops: readonly WriteOp[]): number {
  let bytes = 0;
  for (const op of ops) if (op.type === 'put') bytes += op.value.length;
  return bytes;
}
