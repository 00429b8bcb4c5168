/**
 * LMDB in a directory of its own. Checks its files before LMDB opens them, because LMDB ends the process on invalid
 * files.
 */

import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CorruptionError, StateError } from '@quadrille/model';
import type {
  KeyRange,
  PurgePauses,
  RangeOptions,
  StorageCapabilities,
  WriteOp,
  WriteOptions,
  WriteOutcome,
} from '@quadrille/storage';
import {
  FolderExchange,
  proveWritable,
  settleExchange,
  syncDirectory,
  type DataDriver,
} from '@quadrille/storage-directory';
import { LmdbDriver } from './lmdb-driver.js';
import { openEnvironment } from './lmdb-environment.js';
import { findDamage, truncateUnused } from './lmdb-header.js';
import { hasReaders } from './open-readers.js';

const DATA_FILE = 'data.mdb';
const PROBE_FILE = 'quadrille.probe';
/** Number of bytes that test whether the disk is full: more than a transaction of the engine needs. */
const PROBE_BYTES = 4 * 1024 * 1024;

export interface LmdbDataOptions {
  /**
   * Whether to write without waiting for the disk. A power failure can then damage the whole store. Use it for tests,
   * and for data that can be created again. Default false.
   */
  readonly noSync?: boolean;
}

export const lmdbCapabilities = ({ noSync }: LmdbDataOptions): StorageCapabilities => ({
  getSync: true,
  durable: noSync !== true,
  sizeOnDisk: false,
  // The file never shrinks; the space of deleted data is reused.
  compact: false,
});

export class LmdbData extends LmdbDriver implements DataDriver {
  override readonly capabilities: StorageCapabilities;
  /** Always empty: LMDB drops no data when it opens. */
  readonly warnings: readonly string[] = [];
  readonly #path: string;
  readonly #noSync: boolean;
  readonly #exchange = new FolderExchange();
  #isOpen = false;

  /** A driver over the files in the directory `path`. */
  constructor(path: string, options: LmdbDataOptions) {
    super();
    this.#path = path;
    this.#noSync = options.noSync === true;
    this.capabilities = lmdbCapabilities(options);
  }

  override async open(): Promise<void> {
    if (this.#isOpen) return;
    await settleExchange(this.#path);
    await this.#openFiles();
  }

  async #openFiles(): Promise<void> {
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

  /** Always false: the next transaction or a truncation reuses the pages of a failed transaction. */
  readonly holdsLeftovers = false;

  /** Does nothing: every batch is on the disk when it is acknowledged. */
  async settle(): Promise<void> {}

  override async write(ops: readonly WriteOp[], options: WriteOptions): Promise<WriteOutcome> {
    try {
      return await this.#exchange.write(ops, () => super.write(ops, options));
    } catch (error) {
      // On a full disk, LMDB reports a short write as a device error. So a test write finds out whether the disk is
      // full.
      await proveWritable(join(dirname(this.#path), PROBE_FILE), PROBE_BYTES);
      throw error;
    }
  }

  async purge(pauses: PurgePauses): Promise<number> {
    assertNoReaders(this.#path);
    const exchanged = {
      path: this.#path,
      range: (range: KeyRange, options: Required<RangeOptions>) => this.range(range, options),
      open: () => this.#openFiles(),
      close: () => this.close(),
      copyTo: (path: string) => new LmdbData(path, { noSync: this.#noSync }),
    };
    return this.#exchange.run(exchanged, pauses);
  }

  #begin(): void {
    this.use(openEnvironment(this.#path, { readOnly: false, noSync: this.#noSync }));
    this.#isOpen = true;
  }
}

/**
 * @throws CorruptionError `LOG_BROKEN` if the file is missing or damaged. LMDB would replace a missing file by an
 * empty one.
 */
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
