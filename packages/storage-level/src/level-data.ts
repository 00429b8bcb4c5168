/**
 * LevelDB in a directory of its own, guarded against three traps. Without the file `CURRENT`, LevelDB deletes its
 * tables. It drops damaged log records silently. After a write error it refuses all calls until it is opened again.
 * See docs/design.md.
 */

import { dirname, join } from 'node:path';
import { CorruptionError, StateError, type QuadrilleError } from '@quadrille/model';
import {
  isFull,
  snapshotOf,
  toQuadrilleError,
  type Bytes,
  type DriverSnapshot,
  type Entry,
  type KeyRange,
  type PurgePauses,
  type RangeOptions,
  type StorageCapabilities,
  type StorageDriver,
  type WriteOp,
  type WriteOptions,
  type WriteOutcome,
} from '@quadrille/storage';
import { FolderExchange, readTextIfThere, settleExchange, type DataDriver } from '@quadrille/storage-directory';
import type { ClassicLevel } from 'classic-level';
import { LevelDriver } from './level-driver.js';
import { hasCode } from './level-errors.js';
import { readLevelWarnings } from './level-log.js';
import { LevelReader } from './reader/level-reader.js';
import { removeLeftovers } from './reader/leftovers.js';

const MB = 1024 * 1024;
/**
 * Bytes in LevelDB's log above which closing writes a table. The next open must read the log, and a log is not
 * compressed.
 */
const FLUSHED_AT_CLOSE_BYTES = MB;
// A compaction writes the memtable to disk, whatever its range. This range contains no keys, so nothing else is
// merged.
const NOTHING_STORED: KeyRange = { gte: Uint8Array.of(0xff, 0xff), lt: Uint8Array.of(0xff, 0xff, 0xff) };

export const LEVEL_CAPABILITIES: StorageCapabilities = {
  getSync: true,
  durable: true,
  sizeOnDisk: true,
  compact: true,
  partsOfArrays: true,
};

export interface LevelDataOptions {
  /**
   * Size of LevelDB's memtable and log, in bytes. Up to two are in memory, and opening after a crash reads one.
   * Default 64 MB.
   */
  readonly writeBufferBytes?: number;
  /** Size of a table file, in bytes. Default 32 MB. */
  readonly maxFileBytes?: number;
  /** Size of LevelDB's block cache, in bytes. Default 8 MB, because the engine above has a cache of its own. */
  readonly cacheBytes?: number;
}

interface OpenLevel {
  /** Missing if LevelDB cannot open because the disk is full. Then its files are read without it. */
  readonly database?: ClassicLevel;
  readonly driver: StorageDriver;
}

export class LevelData implements DataDriver {
  readonly name = 'leveldb';
  readonly capabilities = LEVEL_CAPABILITIES;
  readonly #path: string;
  readonly #options: LevelDataOptions;
  readonly #exchange = new FolderExchange();
  #level: OpenLevel | undefined;
  #warnings: readonly string[] = [];
  /** Number of bytes written since LevelDB was opened. */
  #written = 0;
  /** Whether there are batches that were not synced. */
  #unsynced = false;
  /** The error because of which the data can only be read. */
  #failure: Error | undefined;
  #holdsLeftovers = false;

  /** A driver over the files in the directory `path`. */
  constructor(path: string, options: LevelDataOptions = {}) {
    this.#path = path;
    this.#options = options;
  }

  /** Lines of LevelDB's log about dropped records and ignored errors at the last open. */
  get warnings(): readonly string[] {
    return this.#warnings;
  }

  /** Set if the disk is full: LevelDB is not open, and its files are only read. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  get holdsLeftovers(): boolean {
    return this.#holdsLeftovers;
  }

  async open(): Promise<void> {
    if (this.#level !== undefined) return;
    await settleExchange(this.#path);
    await this.#openFiles();
  }

  async #openFiles(): Promise<void> {
    await assertCurrent(this.#path);
    this.#failure = undefined;
    try {
      await this.#begin({});
    } catch (error) {
      if (!isFull(error)) throw error;
      await this.#read(error as Error);
    }
    this.#warnings = [...this.#warnings, ...(await readLevelWarnings(this.#path))];
  }

  create(): Promise<void> {
    return this.#begin({ createIfMissing: true, errorIfExists: true });
  }

  async close(): Promise<void> {
    const level = this.#level;
    if (level === undefined) return;
    if (this.#written > FLUSHED_AT_CLOSE_BYTES) await this.#flush().catch(() => undefined);
    this.#level = undefined;
    await (level.database ?? level.driver).close();
  }

  async reopen(): Promise<void> {
    const level = this.#level;
    this.#level = undefined;
    await (level?.database ?? level?.driver)?.close();
    if (this.#holdsLeftovers) await removeLeftovers(this.#path);
    this.#holdsLeftovers = false;
    await this.open();
  }

  /** LevelDB does not sync the old log when a memtable is full. So this writes its content to a table. */
  async settle(): Promise<void> {
    if (this.#unsynced) await this.#flush();
    this.#unsynced = false;
  }

  get(key: Bytes): Promise<Bytes | undefined> {
    return this.#open.get(key);
  }

  getSync(key: Bytes): Bytes | undefined {
    return this.#open.getSync!(key);
  }

  getMany(keys: readonly Bytes[]): Promise<(Bytes | undefined)[]> {
    return this.#open.getMany(keys);
  }

  range(range: KeyRange, options: Required<RangeOptions>): AsyncIterable<readonly Entry[]> {
    return this.#open.range(range, options);
  }

  snapshot(): DriverSnapshot {
    return snapshotOf(this.#open);
  }

  async write(ops: readonly WriteOp[], options: WriteOptions): Promise<WriteOutcome> {
    for (const op of ops) if (op.type === 'put') this.#written += op.key.length + op.value.length;
    this.#unsynced ||= !options.durable;
    try {
      return await this.#exchange.write(ops, () => this.#open.write(ops, options));
    } catch (error) {
      this.#holdsLeftovers ||= isFull(error);
      throw error;
    }
  }

  approximateSize(range: KeyRange): Promise<number> {
    return this.#open.approximateSize(range);
  }

  async compact(range: KeyRange): Promise<void> {
    await this.#open.compact?.(range);
  }

  purge(pauses: PurgePauses): Promise<number> {
    const exchanged = {
      path: this.#path,
      range: (range: KeyRange, options: Required<RangeOptions>) => this.range(range, options),
      open: () => this.#openFiles(),
      close: () => {
        // Nobody opens these files again, so their log needs no table.
        this.#written = 0;
        return this.close();
      },
      copyTo: (path: string) => new LevelData(path, this.#options),
    };
    return this.#exchange.run(exchanged, pauses);
  }

  #flush(): Promise<void> {
    return this.compact(NOTHING_STORED);
  }

  get #open(): StorageDriver {
    if (this.#level === undefined) throw new StateError('STORE_NOT_OPEN', `LevelDB in ${this.#path} is not open.`);
    return this.#level.driver;
  }

  async #begin(options: { createIfMissing?: boolean; errorIfExists?: boolean }): Promise<void> {
    // Native code: a bundle in one file runs without it while it opens no directory.
    const { ClassicLevel: Level } = await import('classic-level');
    const database = this.#database(Level);
    try {
      await database.open(options);
    } catch (error) {
      throw toOpenError(dirname(this.#path), error);
    }
    this.#level = { database, driver: new LevelDriver(database, { name: this.name, durable: true, direct: true }) };
    this.#written = 0;
    this.#unsynced = false;
  }

  async #read(failure: Error): Promise<void> {
    await removeLeftovers(this.#path);
    const driver = new LevelReader(this.#path);
    await driver.open();
    this.#level = { driver };
    this.#failure = failure;
  }

  /** Open it at once: otherwise it opens itself in the next microtask. */
  #database(Level: typeof ClassicLevel): ClassicLevel {
    const { writeBufferBytes = 64 * MB, maxFileBytes = 32 * MB, cacheBytes = 8 * MB } = this.#options;
    return new Level(this.#path, {
      // Only create() overrides this when it opens the database. Every other open must find an existing one.
      createIfMissing: false,
      compression: true,
      writeBufferSize: writeBufferBytes,
      maxFileSize: maxFileBytes,
      cacheSize: cacheBytes,
    });
  }
}

/** Without `CURRENT`, LevelDB takes the directory for an empty one and deletes the tables in it. */
async function assertCurrent(data: string): Promise<void> {
  const file = join(data, 'CURRENT');
  const current = await readTextIfThere(file);
  if (current === undefined || current.trim() === '') {
    const what = current === undefined ? 'missing' : 'empty';
    throw new CorruptionError('LOG_BROKEN', `${file} is ${what}: the store is damaged. Nothing was changed.`, {
      details: { path: dirname(data) },
    });
  }
}

function toOpenError(path: string, error: unknown): QuadrilleError {
  const options = { cause: error, details: { path } };
  if (hasCode(error, 'LEVEL_LOCKED')) {
    return new StateError('STORE_LOCKED', `The store ${path} is held by another process: close it.`, options);
  }
  if (hasCode(error, 'LEVEL_CORRUPTION')) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    return new CorruptionError('LOG_BROKEN', `LevelDB cannot open ${path}: ${cause}`, options);
  }
  return toQuadrilleError(`open the store ${path}`, error);
}
