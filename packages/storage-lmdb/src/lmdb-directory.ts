/**
 * LMDB in a directory of its own: `quadrille.json` (marker), `quadrille.pid` (lock of the one writing process), `lmdb/`
 * (LMDB's `data.mdb` and `lock.mdb`) and, while it is open, `quadrille.journal.0` and `.1` (small batches on their way into
 * LMDB). Other processes may open it read-only meanwhile: each sees one state, that of when it was opened.
 */

import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { CorruptionError, StateError } from '@quadrille/model';
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
import {
  bootId,
  DirectoryJournalFiles,
  findStore,
  holdDirectory,
  JOURNAL_FORMAT,
  JournalledDriver,
  proveWritable,
  raiseFormat,
  syncDirectory,
  type JournalOptions,
  type StoreDirectoryOptions,
  type StoreMarker,
} from '@quadrille/storage-directory';
import { LmdbDriver } from './lmdb-driver.js';
import { openEnvironment, type LmdbEnvironment } from './lmdb-environment.js';
import { findDamage } from './lmdb-header.js';
import { openSnapshot } from './lmdb-snapshot.js';
import { addReader, hasReaders, removeReader } from './open-readers.js';

const BACKEND = { name: 'lmdb', dataDirectory: 'lmdb', unlocked: true };
const DATA_FILE = 'data.mdb';
const PROBE_FILE = 'quadrille.probe';
/** What a probe writes: more than a transaction of the engine needs. */
const PROBE_BYTES = 4 * 1024 * 1024;

export interface LmdbDirectoryOptions extends StoreDirectoryOptions {
  /** Read one state of a store that another process may have open, and hold no lock. Default false. */
  readonly readOnly?: boolean;
  /**
   * Never wait for the disk. A power failure may then damage the whole store, not only lose what came last: for tests, and
   * for data that can be made again. Default false.
   */
  readonly noSync?: boolean;
  /** Sizes of the journal. */
  readonly journal?: Pick<JournalOptions, 'fileBytes' | 'recordBytes'>;
}

/**
 * Opens, or with `create` makes, the store in a directory.
 *
 * The driver holds the directory until it is closed; a StorageEngine around it closes it.
 * @throws NotFoundError `STORE_NOT_FOUND`; StateError `STORE_LOCKED`, `NOT_A_STORE`; CorruptionError `FORMAT_VERSION`,
 *   `LOG_BROKEN`; StorageError.
 */
export async function openLmdbDirectory(path: string, options: LmdbDirectoryOptions = {}): Promise<LmdbDirectory> {
  const directory = new LmdbDirectory(path, options);
  await directory.open();
  return directory;
}

interface OpenParts {
  readonly path: string;
  readonly marker: StoreMarker;
  readonly driver: JournalledDriver;
  /** What lies below the journal, where it is not only read. */
  readonly lmdb?: LmdbDriver;
  /** Gives up what else is held. */
  readonly release: () => Promise<void>;
}

export class LmdbDirectory implements StorageDriver {
  readonly name = BACKEND.name;
  readonly capabilities: StorageCapabilities;
  readonly #path: string;
  readonly #options: LmdbDirectoryOptions;
  #parts: OpenParts | undefined;

  constructor(path: string, options: LmdbDirectoryOptions = {}) {
    this.#path = resolve(path);
    this.#options = options;
    this.capabilities = {
      getSync: true,
      durable: options.noSync !== true,
      sizeOnDisk: false,
      // The file never shrinks; what is deleted is used again.
      compact: false,
      readOnly: options.readOnly === true,
    };
  }

  /** The absolute path; once open, without symbolic links. */
  get path(): string {
    return this.#parts?.path ?? this.#path;
  }

  /** Format, id and time of creation of the store. Only while open. */
  get marker(): StoreMarker {
    return this.#open.marker;
  }

  /** Does nothing when it is open. */
  async open(): Promise<void> {
    if (this.#parts !== undefined) return;
    try {
      this.#parts = await (this.capabilities.readOnly === true ? this.#openReader() : this.#openWriter());
    } catch (error) {
      throw toQuadrilleError(`open the store ${this.#path}`, error);
    }
  }

  /** Lets go of the directory even if LMDB does not close. Does nothing when it is closed. */
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

  /** Proves that the disk takes a few megabytes. */
  probe(): Promise<void> {
    return proveWritable(join(this.#open.path, PROBE_FILE), PROBE_BYTES);
  }

  async reopen(): Promise<void> {
    const { path, lmdb, driver } = this.#open;
    try {
      await lmdb!.reopenWith(() => this.#openData(join(path, BACKEND.dataDirectory)));
      await driver.resume();
    } catch (error) {
      throw toQuadrilleError(`open the store ${path}`, error);
    }
  }

  get(key: Bytes): Promise<Bytes | undefined> {
    return this.#open.driver.get(key);
  }

  getSync(key: Bytes): Bytes | undefined {
    return this.#open.driver.getSync(key);
  }

  getMany(keys: readonly Bytes[]): Promise<(Bytes | undefined)[]> {
    return this.#open.driver.getMany(keys);
  }

  range(range: KeyRange, options: Required<RangeOptions>): AsyncIterable<readonly Entry[]> {
    return this.#open.driver.range(range, options);
  }

  async write(ops: readonly WriteOp[], options: WriteOptions): Promise<WriteOutcome> {
    try {
      return await this.#open.driver.write(
        ops,
        this.#options.noSync === true ? { ...options, durable: false } : options,
      );
    } catch (error) {
      // LMDB takes the short write on a full disk for a failure of the device: the disk itself is asked.
      await this.probe();
      throw error;
    }
  }

  approximateSize(range: KeyRange): Promise<number> {
    return this.#open.driver.approximateSize(range);
  }

  get #open(): OpenParts {
    if (this.#parts === undefined) throw new StateError('STORE_NOT_OPEN', `The store ${this.#path} is not open.`);
    return this.#parts;
  }

  get #format(): number {
    return Math.max(this.#options.format ?? 1, JOURNAL_FORMAT);
  }

  async #openWriter(): Promise<OpenParts> {
    const { journal, ...options } = this.#options;
    const { path, marker, database, lock } = await holdDirectory(
      this.#path,
      BACKEND,
      { ...options, format: this.#format },
      {
        openData: (data) => this.#openData(data),
        createData: (data) => this.#createData(data),
        closeData: (environment) => environment.close(),
      },
    );
    const lmdb = new LmdbDriver(database);
    const files = new DirectoryJournalFiles(path, () => raiseFormat(path, marker, JOURNAL_FORMAT));
    const driver = new JournalledDriver(lmdb, files, { ...journal, boot: bootId() ?? '' });
    try {
      await driver.open();
    } catch (error) {
      await lock.release();
      throw error;
    }
    return { path, marker, lmdb, driver, release: () => lock.release() };
  }

  async #openReader(): Promise<OpenParts> {
    const { path, marker } = await findStore(this.#path, BACKEND, this.#format);
    const data = join(path, BACKEND.dataDirectory);
    await assertData(data);
    const driver = await openSnapshot(path, data);
    addReader(data);
    return { path, marker, driver, release: async () => removeReader(data) };
  }

  async #openData(data: string): Promise<LmdbEnvironment> {
    await assertData(data);
    assertNoReaders(data);
    return openEnvironment(data, { readOnly: false, noSync: this.#options.noSync === true });
  }

  async #createData(data: string): Promise<LmdbEnvironment> {
    await mkdir(data);
    const environment = openEnvironment(data, { readOnly: false, noSync: this.#options.noSync === true });
    await syncDirectory(data);
    return environment;
  }
}

/** LMDB would make an empty file in the place of one that is lost. */
async function assertData(data: string): Promise<void> {
  const file = join(data, DATA_FILE);
  const wrong = existsSync(file) ? await findDamage(file) : 'is missing';
  if (wrong === undefined) return;
  throw new CorruptionError('LOG_BROKEN', `${file} ${wrong}: the store is damaged. Nothing was changed.`, {
    details: { path: data },
  });
}

function assertNoReaders(data: string): void {
  if (!hasReaders(data)) return;
  throw new StateError('STORE_LOCKED', `The store of ${data} is open for reading in this process: close that first.`, {
    details: { path: data, pid: process.pid },
  });
}
