/**
 * Opens and closes the parts of a store in a directory, in order, for every backend. `quadrille.json` is the marker and
 * `quadrille.pid` the lock of the process. The backend has a directory of its own. `blobs/` exists if the backend separates large
 * values. The journal `quadrille.journal.0` and `.1` exists while the store is open, with small batches on their way to the
 * backend.
 */

import { join, resolve } from 'node:path';
import { StateError, StorageError } from '@quadrille/model';
import {
  snapshotOf,
  toQuadrilleError,
  type Bytes,
  type DriverSnapshot,
  type Entry,
  type JobFailure,
  type KeyRange,
  type PurgePauses,
  type RangeOptions,
  type StorageCapabilities,
  type StorageDriver,
  type WriteOp,
  type WriteOptions,
  type WriteOutcome,
} from '@quadrille/storage';
import type { DataDriver, DirectoryBackend } from './backend.js';
import { BlobDriver, type BlobOptions } from './blobs/blob-driver.js';
import { DirectoryBlobFiles } from './blobs/directory-blob-files.js';
import { proveWritable } from './files.js';
import { DirectoryJournalFiles } from './journal/directory-journal-files.js';
import { JournalledDriver, type JournalOptions } from './journal/journalled-driver.js';
import type { StoreMarker } from './marker.js';
import { bootId } from './lock-holder.js';
import { roomIn, type HasRoom } from './room.js';
import { findStore, holdDirectory, type HeldDirectory, type StoreDirectoryOptions } from './store-directory.js';
import { BLOB_FORMAT, JOURNAL_FORMAT, NEWEST_FORMAT, StoreFormat } from './store-format.js';

const PROBE_FILE = 'quadrille.probe';
/** Number of bytes that are written to test whether the disk accepts any. */
const PROBE_BYTES = 64 * 1024;
/**
 * Free space that `probe` requires, in bytes: as much as a large batch. With less, the next batch would be refused
 * again.
 */
const BATCH_BYTES = 1024 * 1024;
export const BLOB_DIRECTORY = 'blobs';

/** Options of a store in a directory. */
export interface DirectoryStoreOptions extends StoreDirectoryOptions {
  /** Whether nothing may be written. The backend decides whether a reader needs the lock. Default false. */
  readonly readOnly?: boolean;
  /** Sizes of the journal. `false` leaves it out, for measurements of a store that never had one. */
  readonly journal?: Pick<JournalOptions, 'fileBytes' | 'recordBytes'> | false;
  /** Sizes that decide which values go into blob files. `false` leaves them out, for measurements of a store that never had any. */
  readonly blobs?: Pick<BlobOptions, 'valueBytes' | 'batchBytes' | 'fileBytes'> | false;
}

interface OpenParts {
  readonly path: string;
  readonly format: StoreFormat;
  readonly driver: StorageDriver;
  /** The driver below the journal. Missing if another process has the store open. */
  readonly data?: DataDriver;
  /** Descriptions of data that were lost when the store was opened. */
  readonly warnings: () => readonly string[];
  /** Releases the lock or the reader. */
  readonly release: () => Promise<void> | void;
}

export class DirectoryStore implements StorageDriver {
  readonly name: string;
  readonly capabilities: StorageCapabilities;
  readonly #path: string;
  readonly #backend: DirectoryBackend;
  readonly #options: DirectoryStoreOptions;
  #parts: OpenParts | undefined;

  constructor(path: string, backend: DirectoryBackend, options: DirectoryStoreOptions = {}) {
    this.#path = resolve(path);
    this.#backend = backend;
    this.#options = options;
    this.name = backend.name;
    this.capabilities = { ...backend.capabilities, readOnly: options.readOnly === true };
  }

  /** The absolute path; while open, without symbolic links. */
  get path(): string {
    return this.#parts?.path ?? this.#path;
  }

  /** Format, id and time of creation of the store. Only while open. */
  get marker(): StoreMarker {
    return this.#open.format.marker;
  }

  /** Requires room for a batch, so that the format is not raised for a batch that does not fit. */
  async raiseFormat(version: number): Promise<void> {
    const { path, data, format } = this.#open;
    if (format.marker.format >= version) return;
    if (!roomFor(path, data)(BATCH_BYTES)) throw new StorageError('STORAGE_FULL', `There is no space left for ${path}`);
    await format.raise(version);
  }

  /** Descriptions of data that were lost when the store was opened. Only while open. */
  get warnings(): readonly string[] {
    return this.#open.warnings();
  }

  /** Does nothing if the store is open. */
  async open(): Promise<void> {
    if (this.#parts !== undefined) return;
    const beside = this.capabilities.readOnly === true && this.#backend.openReader !== undefined;
    try {
      this.#parts = await (beside ? this.#openReader() : this.#openHeld());
    } catch (error) {
      throw toQuadrilleError(`open the store ${this.#path}`, error);
    }
  }

  /** Releases the directory even if the backend fails to close. Does nothing if the store is closed. */
  async close(): Promise<void> {
    const parts = this.#parts;
    if (parts === undefined) return;
    this.#parts = undefined;
    try {
      await parts.driver.close();
    } finally {
      await parts.release();
    }
  }

  get failure(): Error | undefined {
    return this.#parts?.driver.failure;
  }

  backgroundFailures(): readonly JobFailure[] {
    return this.#parts?.driver.backgroundFailures?.() ?? [];
  }

  /**
   * Proves that there is room for a batch, and for opening the data again. Does nothing if reopening will free the
   * space of a failed batch.
   */
  async probe(): Promise<void> {
    const { path, data, driver } = this.#open;
    if (data?.holdsLeftovers === true) return;
    if (!roomFor(path, data)(BATCH_BYTES)) throw new StorageError('STORAGE_FULL', `There is no space left for ${path}`);
    await proveWritable(
      join(path, PROBE_FILE),
      driver.failure === undefined ? PROBE_BYTES : this.#backend.openingBytes,
    );
  }

  async reopen(): Promise<void> {
    const { path, driver } = this.#open;
    try {
      await driver.reopen!();
    } catch (error) {
      throw toQuadrilleError(`open the store ${path}`, error);
    }
  }

  get(key: Bytes): Promise<Bytes | undefined> {
    return this.#open.driver.get(key);
  }

  getSync(key: Bytes): Bytes | undefined {
    return this.#open.driver.getSync!(key);
  }

  getMany(keys: readonly Bytes[]): Promise<(Bytes | undefined)[]> {
    return this.#open.driver.getMany(keys);
  }

  range(range: KeyRange, options: Required<RangeOptions>): AsyncIterable<readonly Entry[]> {
    return this.#open.driver.range(range, options);
  }

  snapshot(): DriverSnapshot {
    return snapshotOf(this.#open.driver);
  }

  write(ops: readonly WriteOp[], options: WriteOptions): Promise<WriteOutcome> {
    // If the backend cannot be durable, the journal need not wait for the disk either.
    return this.#open.driver.write(ops, this.capabilities.durable ? options : { ...options, durable: false });
  }

  approximateSize(range: KeyRange): Promise<number> {
    return this.#open.driver.approximateSize(range);
  }

  async compact(range: KeyRange): Promise<void> {
    await this.#open.driver.compact?.(range);
  }

  async purge(pauses: PurgePauses): Promise<number> {
    return (await this.#open.driver.purge?.(pauses)) ?? 0;
  }

  get #open(): OpenParts {
    if (this.#parts === undefined) throw new StateError('STORE_NOT_OPEN', `The store ${this.#path} is not open.`);
    return this.#parts;
  }

  /** The newest format that an existing store may have, which is also the format of a new store. */
  get #format(): number {
    return formatOf(this.#backend, this.#options.format);
  }

  async #openHeld(): Promise<OpenParts> {
    const held = await holdDirectory(this.#path, this.#backend, { ...this.#options, format: this.#format });
    try {
      const data = this.#backend.dataDriver(held.dataPath);
      await held.create?.(data);
      const { journal: sizes = {}, blobs = {} } = this.#options;
      const journal = sizes === false ? undefined : this.#journalled(held, data, sizes);
      const below = journal ?? data;
      const driver = this.#backend.blobs && blobs !== false ? this.#withBlobs(held, data, below, blobs) : below;
      await driver.open();
      const warnings = (): readonly string[] => [...data.warnings, ...(journal?.warnings ?? [])];
      return { path: held.path, format: held.format, driver, data, warnings, release: () => held.lock.release() };
    } catch (error) {
      await held.lock.release();
      throw error;
    }
  }

  #journalled({ path, format }: HeldDirectory, data: DataDriver, sizes: JournalOptions): JournalledDriver {
    const files = new DirectoryJournalFiles(path, () => format.raise(JOURNAL_FORMAT));
    const { readOnly = false } = this.#options;
    const hasRoom = roomFor(path, data);
    return new JournalledDriver(data, files, { ...sizes, boot: bootId() ?? '', readOnly, hasRoom });
  }

  #withBlobs({ path, format }: HeldDirectory, data: DataDriver, below: StorageDriver, sizes: BlobOptions): BlobDriver {
    const files = new DirectoryBlobFiles(join(path, BLOB_DIRECTORY), () => format.raise(BLOB_FORMAT));
    const { readOnly = false } = this.#options;
    return new BlobDriver(below, files, {
      ...sizes,
      settle: () => data.settle(),
      readOnly,
      hasRoom: roomFor(path, data),
    });
  }

  async #openReader(): Promise<OpenParts> {
    const { path, marker } = await findStore(this.#path, this.#backend, this.#format);
    const { driver, release } = await this.#backend.openReader!(path, join(path, this.#backend.dataDirectory));
    return { path, format: new StoreFormat(path, marker), driver, warnings: () => [], release };
  }
}

/** The newest format that an existing store may have, and that of a new one. */
export const formatOf = ({ blobs }: DirectoryBackend, format = NEWEST_FORMAT): number =>
  Math.max(format, blobs ? BLOB_FORMAT : JOURNAL_FORMAT);

const roomFor = (path: string, data: DataDriver | undefined): HasRoom => roomIn(path, () => data?.freeBytes?.() ?? 0);
