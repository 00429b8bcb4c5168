/**
 * A driver over any abstract-level database: LevelDB (classic-level), browsers (browser-level), memory
 * (memory-level). It handles bytes only. For LevelDB in a directory use {@link openLevelDirectory}, which guards
 * against LevelDB's traps.
 */

import { Mutex } from '@quadrille/model';
import {
  equalBytes,
  isInRange,
  MAX_KEY_BYTES,
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
import type { LevelDatabase, LevelOperation, LevelRange, LevelReading } from './level-database.js';
import { toReadError } from './level-errors.js';

/**
 * Largest chunk of a range, in bytes and entries. It is large enough to outweigh the call to another thread, and
 * small enough not to block the event loop.
 */
const CHUNK_BYTES = 256 * 1024;
const CHUNK_ENTRIES = 2000;

const VIEW: LevelReading = { keyEncoding: 'view', valueEncoding: 'view' };
const NOTHING: Bytes = new Uint8Array(0);
/** Above every possible key. */
const BEYOND_ALL: Bytes = new Uint8Array(MAX_KEY_BYTES + 1).fill(0xff);

/** Options of the driver. */
export interface LevelDriverOptions {
  /** Name for error messages. Default `level`. */
  readonly name?: string;
  /**
   * Whether the database brings a batch with `sync: true` to the disk. Default: whether it keeps its data
   * permanently.
   */
  readonly durable?: boolean;
  /** Whether `_batch` of the database takes bytes, and nobody listens to its writes. Default false. */
  readonly direct?: boolean;
}

/**
 * A driver over `database`, which it owns, opens and closes. Do not use the database directly. Over a database
 * without implicit snapshots, a range is read completely before its first chunk is returned.
 */
export class LevelDriver implements StorageDriver {
  readonly name: string;
  readonly capabilities: StorageCapabilities;
  /** Only over a database that has them. */
  readonly snapshot?: () => DriverSnapshot;
  readonly #database: LevelDatabase;
  readonly #direct: boolean;
  /** Held during each write and range. Only used for databases without snapshots. */
  readonly #turn = new Mutex();

  constructor(database: LevelDatabase, options: LevelDriverOptions = {}) {
    const { supports } = database;
    this.#database = database;
    this.#direct = options.direct === true;
    this.name = options.name ?? 'level';
    this.capabilities = {
      getSync: supports.getSync === true,
      durable: options.durable ?? supports.permanence,
      sizeOnDisk: supports.additionalMethods['approximateSize'] === true,
      compact: supports.additionalMethods['compactRange'] === true,
    };
    if (supports.explicitSnapshots === true) this.snapshot = () => this.#snapshot();
  }

  open(): Promise<void> {
    return this.#database.open();
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  /** After an I/O error, LevelDB refuses all calls until it is closed and opened again. */
  async reopen(): Promise<void> {
    await this.#database.close();
    await this.#database.open();
  }

  get(key: Bytes): Promise<Bytes | undefined> {
    return this.#get(key, VIEW);
  }

  async #get(key: Bytes, reading: LevelReading): Promise<Bytes | undefined> {
    try {
      return await this.#database.get(key, reading);
    } catch (error) {
      throw toReadError(error);
    }
  }

  getSync(key: Bytes): Bytes | undefined {
    try {
      return this.#database.getSync(key, VIEW);
    } catch (error) {
      throw toReadError(error);
    }
  }

  getMany(keys: readonly Bytes[]): Promise<(Bytes | undefined)[]> {
    return this.#getMany(keys, VIEW);
  }

  async #getMany(keys: readonly Bytes[], reading: LevelReading): Promise<(Bytes | undefined)[]> {
    try {
      return await this.#database.getMany([...keys], reading);
    } catch (error) {
      throw toReadError(error);
    }
  }

  #snapshot(): DriverSnapshot {
    const snapshot = this.#database.snapshot!();
    const reading = { ...VIEW, snapshot };
    return {
      get: (key) => this.#get(key, reading),
      getMany: (keys) => this.#getMany(keys, reading),
      range: (range, options) => this.#scan(range, options, reading),
      close: () => snapshot.close(),
    };
  }

  async *range(range: KeyRange, options: Required<RangeOptions>): AsyncGenerator<readonly Entry[], void, undefined> {
    if (this.#database.supports.implicitSnapshots) {
      yield* this.#scan(range, options);
      return;
    }
    const chunks = await this.#turn.run(async () => {
      const all: (readonly Entry[])[] = [];
      for await (const chunk of this.#scan(range, options)) all.push(chunk);
      return all;
    });
    yield* chunks;
  }

  write(ops: readonly WriteOp[], options: WriteOptions): Promise<WriteOutcome> {
    return this.#database.supports.implicitSnapshots
      ? this.#write(ops, options)
      : this.#turn.run(() => this.#write(ops, options));
  }

  /** LevelDB counts only its table files, without its log, which contains the newest data. */
  async approximateSize(range: KeyRange): Promise<number> {
    if (this.#database.approximateSize !== undefined) {
      return this.#database.approximateSize(range.gte ?? NOTHING, range.lt ?? BEYOND_ALL, { keyEncoding: 'view' });
    }
    let bytes = 0;
    for await (const chunk of this.range(range, { read: 'entries' })) {
      for (const { key, value } of chunk) bytes += key.length + value.length;
    }
    return bytes;
  }

  async compact(range: KeyRange): Promise<void> {
    await this.#database.compactRange?.(range.gte ?? NOTHING, range.lt ?? BEYOND_ALL, { keyEncoding: 'view' });
  }

  async *#scan(
    range: KeyRange,
    { read }: Required<RangeOptions>,
    reading = VIEW,
  ): AsyncGenerator<readonly Entry[], void, undefined> {
    const iterator = this.#database.iterator({
      ...toLevelRange(range),
      ...reading,
      keys: read !== 'values',
      values: read !== 'keys',
      highWaterMarkBytes: CHUNK_BYTES,
    });
    try {
      for (;;) {
        const entries = await iterator.nextv(CHUNK_ENTRIES);
        if (entries.length === 0) return;
        yield entries.map(([key, value]) => ({ key: key ?? NOTHING, value: value ?? NOTHING }));
      }
    } catch (error) {
      throw toReadError(error);
    } finally {
      await iterator.close();
    }
  }

  async #write(ops: readonly WriteOp[], { durable, precondition }: WriteOptions): Promise<WriteOutcome> {
    if (precondition !== undefined) {
      const present = await this.get(precondition.key);
      if (!equalBytes(present, precondition.value)) return 'conflict';
    }
    const batch: LevelOperation[] = [];
    for (const op of ops) {
      if (op.type === 'put') batch.push({ type: 'put', key: this.#own(op.key), value: this.#own(op.value) });
      else if (op.type === 'delete') batch.push({ type: 'del', key: op.key });
      else await this.#deleteRange(batch, op);
    }
    const database = this.#database;
    // `batch` copies each operation for sublevels, hooks and listeners, which takes longer than everything else.
    if (this.#direct && database.status === 'open') await database._batch!(batch, { sync: durable });
    else await database.batch(batch, { ...VIEW, sync: durable });
    return 'ok';
  }

  /**
   * LevelDB has no range deletion. So every key is deleted by name: the stored ones, and those that the batch has put
   * before.
   */
  async #deleteRange(batch: LevelOperation[], range: { readonly gte: Bytes; readonly lt: Bytes }): Promise<void> {
    const keys = batch.filter((op) => op.type === 'put' && isInRange(op.key, range)).map((op) => op.key);
    for await (const chunk of this.#scan(range, { read: 'keys' })) {
      for (const { key } of chunk) keys.push(key);
    }
    for (const key of keys) batch.push({ type: 'del', key });
  }

  /** A database in memory keeps the arrays that it gets. The caller may change them later, so they are copied. */
  #own(bytes: Bytes): Bytes {
    return this.#database.supports.permanence ? bytes : bytes.slice();
  }
}

function toLevelRange(range: KeyRange): LevelRange {
  const level: LevelRange = {};
  if (range.gte !== undefined) level.gte = range.gte;
  if (range.lt !== undefined) level.lt = range.lt;
  if (range.reverse !== undefined) level.reverse = range.reverse;
  if (range.limit !== undefined) level.limit = range.limit;
  return level;
}
