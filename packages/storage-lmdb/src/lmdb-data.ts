/** LMDB in a directory of its own: its files are looked at before LMDB gets them, since what it refuses ends the process. */

import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CorruptionError, StateError } from '@quadrille/model';
import type { StorageCapabilities, WriteOp, WriteOptions, WriteOutcome } from '@quadrille/storage';
import { proveWritable, syncDirectory, type DataDriver } from '@quadrille/storage-directory';
import { LmdbDriver } from './lmdb-driver.js';
import { openEnvironment } from './lmdb-environment.js';
import { findDamage, truncateUnused } from './lmdb-header.js';
import { hasReaders } from './open-readers.js';

const DATA_FILE = 'data.mdb';
const PROBE_FILE = 'quadrille.probe';
/** More than a transaction of the engine needs. */
const PROBE_BYTES = 4 * 1024 * 1024;

export interface LmdbDataOptions {
  /**
   * Never wait for the disk. A power failure may then damage the whole store, not only lose what came last: for tests, and
   * for data that can be made again. Default false.
   */
  readonly noSync?: boolean;
}

export const lmdbCapabilities = ({ noSync }: LmdbDataOptions): StorageCapabilities => ({
  getSync: true,
  durable: noSync !== true,
  sizeOnDisk: false,
  // The file never shrinks; what is deleted is used again.
  compact: false,
});

export class LmdbData extends LmdbDriver implements DataDriver {
  override readonly capabilities: StorageCapabilities;
  /** LMDB drops nothing when it is opened. */
  readonly warnings: readonly string[] = [];
  readonly #path: string;
  readonly #noSync: boolean;
  #isOpen = false;

  /** Over the files in the directory `path`. */
  constructor(path: string, options: LmdbDataOptions) {
    super();
    this.#path = path;
    this.#noSync = options.noSync === true;
    this.capabilities = lmdbCapabilities(options);
  }

  override async open(): Promise<void> {
    if (this.#isOpen) return;
    await assertData(this.#path);
    assertNoReaders(this.#path);
    await truncateUnused(join(this.#path, DATA_FILE));
    this.#begin();
  }

  async create(): Promise<void> {
    await mkdir(this.#path);
    this.#begin();
    await syncDirectory(this.#path);
  }

  override async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await super.close();
  }

  async reopen(): Promise<void> {
    await this.close();
    await this.open();
  }

  /** A transaction that failed leaves pages behind that nobody uses: the next one, or a truncation, has them. */
  readonly holdsLeftovers = false;

  /** Every batch is on the disk when it is answered. */
  async settle(): Promise<void> {}

  override async write(ops: readonly WriteOp[], options: WriteOptions): Promise<WriteOutcome> {
    try {
      return await super.write(ops, options);
    } catch (error) {
      // LMDB takes the short write on a full disk for a failure of the device: the disk itself is asked.
      await proveWritable(join(dirname(this.#path), PROBE_FILE), PROBE_BYTES);
      throw error;
    }
  }

  #begin(): void {
    this.use(openEnvironment(this.#path, { readOnly: false, noSync: this.#noSync }));
    this.#isOpen = true;
  }
}

/** @throws CorruptionError `LOG_BROKEN`: LMDB would make an empty file in the place of one that is lost. */
export async function assertData(data: string): Promise<void> {
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
