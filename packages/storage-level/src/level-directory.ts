/**
 * LevelDB in a directory of its own, with its traps guarded: the lock that a second open drops, the missing `CURRENT`
 * that makes it delete its tables, the log records that it drops in silence, the write error that stays for ever.
 * See docs/design.md; the layout is `quadrille.json` (marker), `quadrille.pid` (lock), `level/` (LevelDB), `blobs/` (large
 * values of large batches) and, while it is open, `quadrille.journal.0` and `.1` (small batches on their way into LevelDB).
 */

import { dirname, join, resolve } from 'node:path';
import { CorruptionError, StateError, type QuadrilleError } from '@quadrille/model';
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
  BlobDriver,
  bootId,
  DirectoryBlobFiles,
  DirectoryJournalFiles,
  holdDirectory,
  JOURNAL_FORMAT,
  JournalledDriver,
  proveWritable,
  raiseFormat,
  readTextIfThere,
  type BlobOptions,
  type HeldDirectory,
  type JournalOptions,
  type StoreDirectoryOptions,
  type StoreMarker,
} from '@quadrille/storage-directory';
import { ClassicLevel } from 'classic-level';
import { LevelDriver } from './level-driver.js';
import { hasCode } from './level-errors.js';
import { readLevelWarnings } from './level-log.js';

const MB = 1024 * 1024;
/** What a probe writes: more than LevelDB needs to open again. */
const PROBE_BYTES = MB;
const PROBE_FILE = 'quadrille.probe';
/** The first format whose readers know of blob files. */
const BLOB_FORMAT = 3;
const BLOB_DIRECTORY = 'blobs';
const BACKEND = { name: 'leveldb', dataDirectory: 'level', unlocked: false };

export interface LevelDirectoryOptions extends StoreDirectoryOptions {
  /** The engine above writes nothing. LevelDB itself does, and holds the directory as ever. Default false. */
  readonly readOnly?: boolean;
  /** LevelDB's memtable and log; up to two are in memory, and opening after a crash reads one. Default 64 MB. */
  readonly writeBufferBytes?: number;
  /** Size of a table file. Default 32 MB. */
  readonly maxFileBytes?: number;
  /** LevelDB's block cache. Default 8 MB: the blocks of the engine above are cached there. */
  readonly cacheBytes?: number;
  /** Sizes of the journal. */
  readonly journal?: Pick<JournalOptions, 'fileBytes' | 'recordBytes'>;
  /** What goes into blob files, and their size. */
  readonly blobs?: Pick<BlobOptions, 'valueBytes' | 'batchBytes' | 'fileBytes'>;
}

/**
 * Opens, or with `create` makes, the store in a directory.
 *
 * The driver holds the directory until it is closed; a StorageEngine around it closes it.
 * @throws NotFoundError `STORE_NOT_FOUND`; StateError `STORE_LOCKED`, `NOT_A_STORE`; CorruptionError `FORMAT_VERSION`,
 *   `LOG_BROKEN`; StorageError.
 */
export async function openLevelDirectory(path: string, options: LevelDirectoryOptions = {}): Promise<LevelDirectory> {
  const directory = new LevelDirectory(path, options);
  await directory.open();
  return directory;
}

interface OpenParts extends HeldDirectory<ClassicLevel> {
  readonly journal: JournalledDriver;
  /** Over the journal. */
  readonly driver: BlobDriver;
}

const FLUSHED_AT_CLOSE_BYTES = 4 * MB;
// A compaction writes the newest data out, whatever its range, and with that to the disk: this one has no keys to merge.
const NOTHING_STORED: KeyRange = { gte: Uint8Array.of(0xff, 0xff), lt: Uint8Array.of(0xff, 0xff, 0xff) };

export class LevelDirectory implements StorageDriver {
  readonly name = BACKEND.name;
  readonly capabilities: StorageCapabilities;
  readonly #path: string;
  readonly #options: LevelDirectoryOptions;
  #parts: OpenParts | undefined;
  #warnings: readonly string[] = [];
  /** Bytes of values written since it was opened. */
  #written = 0;

  constructor(path: string, options: LevelDirectoryOptions = {}) {
    this.#path = resolve(path);
    this.#options = options;
    const readOnly = options.readOnly === true;
    this.capabilities = {
      getSync: true,
      durable: true,
      sizeOnDisk: true,
      compact: true,
      partsOfArrays: true,
      readOnly,
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

  /** What LevelDB gave up when it was opened, as it says in its log: lines about dropped records and ignored errors. */
  get warnings(): readonly string[] {
    return this.#warnings;
  }

  /** Does nothing when it is open. */
  async open(): Promise<void> {
    if (this.#parts !== undefined) return;
    try {
      const format = Math.max(this.#options.format ?? 1, BLOB_FORMAT);
      const held = await holdDirectory(
        this.#path,
        BACKEND,
        { ...this.#options, format },
        {
          openData: (data) => this.#openLevel(data),
          createData: (data) => this.#createLevel(data),
          closeData: (database) => database.close(),
        },
      );
      const warnings = await readLevelWarnings(join(held.path, BACKEND.dataDirectory));
      const raise = formatRaiser(held);
      const journal = this.#journalled(held, () => raise(JOURNAL_FORMAT));
      const driver = this.#withBlobs(held, journal, () => raise(BLOB_FORMAT));
      try {
        await driver.open();
      } catch (error) {
        await held.lock.release();
        throw error;
      }
      this.#parts = { ...held, journal, driver };
      this.#warnings = [...warnings, ...journal.warnings];
    } catch (error) {
      throw toOpenError(this.#path, error);
    }
  }

  #journalled({ path, database }: HeldDirectory<ClassicLevel>, beforeOpen: () => Promise<void>): JournalledDriver {
    const level = new LevelDriver(database, { name: this.name, durable: true });
    const files = new DirectoryJournalFiles(path, beforeOpen);
    const { journal, readOnly = false } = this.#options;
    return new JournalledDriver(level, files, { ...journal, boot: bootId() ?? '', readOnly });
  }

  #withBlobs(
    { path }: HeldDirectory<ClassicLevel>,
    journal: JournalledDriver,
    beforeFirst: () => Promise<void>,
  ): BlobDriver {
    const files = new DirectoryBlobFiles(join(path, BLOB_DIRECTORY), beforeFirst);
    const { blobs, readOnly = false } = this.#options;
    return new BlobDriver(journal, files, { ...blobs, settle: () => journal.compact(NOTHING_STORED), readOnly });
  }

  /** Lets go of the directory even if LevelDB does not close. Does nothing when it is closed. */
  async close(): Promise<void> {
    const parts = this.#parts;
    if (parts === undefined) return;
    this.#parts = undefined;
    const written = this.#written;
    this.#written = 0;
    try {
      // What LevelDB has only in its log is not compressed, and the next open has to read it: large writes become a table.
      if (written > FLUSHED_AT_CLOSE_BYTES) await parts.journal.compact(NOTHING_STORED).catch(() => undefined);
      await parts.driver.close();
    } finally {
      await parts.lock.release();
    }
  }

  /** Proves that the disk takes a megabyte. */
  probe(): Promise<void> {
    return proveWritable(join(this.#open.path, PROBE_FILE), PROBE_BYTES);
  }

  async reopen(): Promise<void> {
    const { path, database, journal, driver } = this.#open;
    try {
      await driver.resume(async () => {
        await database.close();
        await assertCurrent(join(path, BACKEND.dataDirectory));
        await database.open();
        await journal.resume();
      });
    } catch (error) {
      throw toOpenError(path, error);
    }
    this.#warnings = [...this.#warnings, ...(await readLevelWarnings(join(path, BACKEND.dataDirectory)))];
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

  write(ops: readonly WriteOp[], options: WriteOptions): Promise<WriteOutcome> {
    for (const op of ops) if (op.type === 'put') this.#written += op.value.length;
    return this.#open.driver.write(ops, options);
  }

  approximateSize(range: KeyRange): Promise<number> {
    return this.#open.driver.approximateSize(range);
  }

  compact(range: KeyRange): Promise<void> {
    return this.#open.driver.compact(range);
  }

  get #open(): OpenParts {
    if (this.#parts === undefined) throw new StateError('STORE_NOT_OPEN', `The store ${this.#path} is not open.`);
    return this.#parts;
  }

  async #openLevel(data: string): Promise<ClassicLevel> {
    await assertCurrent(data);
    const database = this.#database(data);
    await database.open();
    return database;
  }

  async #createLevel(data: string): Promise<ClassicLevel> {
    const database = this.#database(data);
    await database.open({ createIfMissing: true, errorIfExists: true });
    return database;
  }

  /** To be opened at once: a database that is not opens itself in the next microtask. */
  #database(data: string): ClassicLevel {
    const { writeBufferBytes = 64 * MB, maxFileBytes = 32 * MB, cacheBytes = 8 * MB } = this.#options;
    return new ClassicLevel(data, {
      // Creation says otherwise when it opens; every other open, reopening included, must find the store.
      createIfMissing: false,
      compression: true,
      writeBufferSize: writeBufferBytes,
      maxFileSize: maxFileBytes,
      cacheSize: cacheBytes,
    });
  }
}

/** Programs that know of less than what the directory holds must refuse it. */
function formatRaiser({ path, marker }: HeldDirectory<ClassicLevel>): (format: number) => Promise<void> {
  let present = marker;
  return async (format) => {
    if (present.format >= format) return;
    await raiseFormat(path, present, format);
    present = { ...present, format };
  };
}

/** Without `CURRENT` LevelDB takes the directory for an empty one and deletes the tables in it. */
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
