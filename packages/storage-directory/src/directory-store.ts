/**
 * A store in a directory, whatever keeps its data: `quadrille.json` (marker), `quadrille.pid` (lock of the process that
 * holds it), a directory of the backend, `blobs/` where the backend wants large values apart, and, while it is open,
 * `quadrille.journal.0` and `.1` (small batches on their way to the backend). Opens and closes all of it in order.
 */

import { join, resolve } from 'node:path';
import { StateError, StorageError } from '@quadrille/model';
import {
  toQuadrilleError,
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
import { BLOB_FORMAT, JOURNAL_FORMAT } from './store-format.js';

const PROBE_FILE = 'quadrille.probe';
/** What is written to see whether the disk takes anything. */
const PROBE_BYTES = 64 * 1024;
/** As much as large batches have: with less, the next one would be refused again. */
const BATCH_BYTES = 1024 * 1024;
const BLOB_DIRECTORY = 'blobs';

export interface DirectoryStoreOptions extends StoreDirectoryOptions {
  /** Nothing is written. Whether the directory is held depends on the backend. Default false. */
  readonly readOnly?: boolean;
  /** Sizes of the journal. */
  readonly journal?: Pick<JournalOptions, 'fileBytes' | 'recordBytes'>;
  /** What goes into blob files, and their size. */
  readonly blobs?: Pick<BlobOptions, 'valueBytes' | 'batchBytes' | 'fileBytes'>;
}

interface OpenParts {
  readonly path: string;
  readonly marker: StoreMarker;
  readonly driver: StorageDriver;
  /** What lies below the journal. Absent where another process holds the store. */
  readonly data?: DataDriver;
  /** What was lost when it was opened. */
  readonly warnings: () => readonly string[];
  /** Gives up what else is held. */
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

  /** The absolute path; once open, without symbolic links. */
  get path(): string {
    return this.#parts?.path ?? this.#path;
  }

  /** Format, id and time of creation of the store. Only while open. */
  get marker(): StoreMarker {
    return this.#open.marker;
  }

  /** What was given up when it was opened, for people. Only while open. */
  get warnings(): readonly string[] {
    return this.#open.warnings();
  }

  /** Does nothing when it is open. */
  async open(): Promise<void> {
    if (this.#parts !== undefined) return;
    const beside = this.capabilities.readOnly === true && this.#backend.openReader !== undefined;
    try {
      this.#parts = await (beside ? this.#openReader() : this.#openHeld());
    } catch (error) {
      throw toQuadrilleError(`open the store ${this.#path}`, error);
    }
  }

  /** Releases the directory even where the backend does not close. Does nothing when it is closed. */
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

  /**
   * Proves that a batch finds room, and what it takes to open the data again. Not where reopening gives back what was taken
   * for a batch that failed.
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

  write(ops: readonly WriteOp[], options: WriteOptions): Promise<WriteOutcome> {
    // Where nothing ever reaches the disk for certain, the journal must not wait for it either.
    return this.#open.driver.write(ops, this.capabilities.durable ? options : { ...options, durable: false });
  }

  approximateSize(range: KeyRange): Promise<number> {
    return this.#open.driver.approximateSize(range);
  }

  async compact(range: KeyRange): Promise<void> {
    await this.#open.driver.compact?.(range);
  }

  get #open(): OpenParts {
    if (this.#parts === undefined) throw new StateError('STORE_NOT_OPEN', `The store ${this.#path} is not open.`);
    return this.#parts;
  }

  /** The newest format that an existing store may have, and that of a new one. */
  get #format(): number {
    return Math.max(this.#options.format ?? 1, this.#backend.blobs ? BLOB_FORMAT : JOURNAL_FORMAT);
  }

  async #openHeld(): Promise<OpenParts> {
    const held = await holdDirectory(this.#path, this.#backend, { ...this.#options, format: this.#format });
    try {
      const data = this.#backend.dataDriver(held.dataPath);
      await held.create?.(data);
      const journal = this.#journalled(held, data);
      const driver = this.#backend.blobs ? this.#withBlobs(held, data, journal) : journal;
      await driver.open();
      const warnings = (): readonly string[] => [...data.warnings, ...journal.warnings];
      return { path: held.path, marker: held.marker, driver, data, warnings, release: () => held.lock.release() };
    } catch (error) {
      await held.lock.release();
      throw error;
    }
  }

  #journalled({ path, format }: HeldDirectory, data: DataDriver): JournalledDriver {
    const files = new DirectoryJournalFiles(path, () => format.raise(JOURNAL_FORMAT));
    const { journal, readOnly = false } = this.#options;
    const hasRoom = roomFor(path, data);
    return new JournalledDriver(data, files, { ...journal, boot: bootId() ?? '', readOnly, hasRoom });
  }

  #withBlobs({ path, format }: HeldDirectory, data: DataDriver, journal: JournalledDriver): BlobDriver {
    const files = new DirectoryBlobFiles(join(path, BLOB_DIRECTORY), () => format.raise(BLOB_FORMAT));
    const { blobs, readOnly = false } = this.#options;
    return new BlobDriver(journal, files, {
      ...blobs,
      settle: () => data.settle(),
      readOnly,
      hasRoom: roomFor(path, data),
    });
  }

  async #openReader(): Promise<OpenParts> {
    const { path, marker } = await findStore(this.#path, this.#backend, this.#format);
    const { driver, release } = await this.#backend.openReader!(path, join(path, this.#backend.dataDirectory));
    return { path, marker, driver, warnings: () => [], release };
  }
}

const roomFor = (path: string, data: DataDriver | undefined): HasRoom => roomIn(path, () => data?.freeBytes?.() ?? 0);
