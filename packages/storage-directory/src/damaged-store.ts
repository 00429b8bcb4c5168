/**
 * Reads a damaged store in a directory as far as possible, and never writes to it. It reports missing and damaged files.
 * Their values cannot be read.
 */

import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { OnDamage, StorageDriver } from '@quadrille/storage';
import type { DirectoryBackend } from './backend.js';
import { BlobDriver } from './blobs/blob-driver.js';
import { DirectoryBlobFiles } from './blobs/directory-blob-files.js';
import { BLOB_DIRECTORY, formatOf } from './directory-store.js';
import { LOCK_FILE, MARKER_FILE, syncDirectory } from './files.js';
import { DirectoryJournalFiles } from './journal/directory-journal-files.js';
import { JournalledDriver } from './journal/journalled-driver.js';
import { bootId } from './lock-holder.js';
import { holdRemains } from './store-directory.js';

/** Options of opening a damaged store. */
export interface DamagedOptions {
  /** Called with each damage, when the driver is opened and while it is read. */
  readonly onDamage: OnDamage;
  /** The newest format that the store may have. Default 4. */
  readonly format?: number;
  /** How long to wait for a held lock, in milliseconds. Default 0. */
  readonly lockTimeoutMs?: number;
}

/** A damaged store that is locked and read. */
export interface DamagedStore {
  /** Absolute path without symbolic links. */
  readonly path: string;
  /** The driver, not open yet. Ranges leave out entries that cannot be read; reading such a key directly fails with `CHECKSUM`. */
  readonly driver: StorageDriver;
  /**
   * Renames the damaged directory to `aside`, and the directory `by` to the path of the damaged one. Call it after
   * the driver was closed. On an error both directories are unchanged.
   */
  readonly replace: (by: string, aside: string) => Promise<void>;
  /** Releases the lock. Call it after the driver was closed. */
  readonly release: () => Promise<void>;
}

/**
 * Takes the lock of a damaged store in order to read it. Writes nothing but the lock.
 * @throws NotFoundError `STORE_NOT_FOUND`; StateError `STORE_LOCKED`, `NOT_A_STORE`; CorruptionError `FORMAT_VERSION`
 *   if the store has a newer format
 */
export async function openDamaged(
  path: string,
  backend: DirectoryBackend,
  { onDamage, ...options }: DamagedOptions,
): Promise<DamagedStore> {
  const held = await holdRemains(path, backend, { ...options, format: formatOf(backend, options.format) });
  const marker = join(held.path, MARKER_FILE);
  if (held.marker === undefined)
    onDamage({ message: `The marker ${marker} is ${existsSync(marker) ? 'damaged' : 'missing'}.` });
  const journalFiles = new DirectoryJournalFiles(held.path, neverWritten);
  const loss = await journalFiles.findLoss();
  if (loss !== undefined) onDamage({ message: loss, missing: 'anywhere' });
  const data = backend.damagedDriver(held.dataPath, onDamage);
  const journal = new JournalledDriver(data, journalFiles, { boot: bootId() ?? '', onDamage });
  const blobFiles = new DirectoryBlobFiles(join(held.path, BLOB_DIRECTORY), neverWritten);
  const driver = backend.blobs ? new BlobDriver(journal, blobFiles, { onDamage }) : journal;
  return {
    path: held.path,
    driver,
    replace: (by, aside) => replace(held.path, by, aside),
    release: () => held.lock.release(),
  };
}

async function replace(path: string, by: string, aside: string): Promise<void> {
  await rename(path, aside);
  try {
    await rename(by, path);
  } catch (error) {
    await rename(aside, path);
    throw error;
  }
  // The lock file was in the damaged directory.
  await rm(join(aside, LOCK_FILE), { force: true });
  await syncDirectory(dirname(path));
}

async function neverWritten(): Promise<void> {}
