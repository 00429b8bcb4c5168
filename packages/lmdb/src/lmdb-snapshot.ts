/** One state of a store, from LMDB and the journal, for readers beside a process that writes. */

import { CorruptionError } from '@quadrille/model';
import type { Bytes } from '@quadrille/storage';
import {
  bootId,
  DirectoryJournalFiles,
  exchangedPath,
  JournalledDriver,
  type Reader,
} from '@quadrille/storage-directory';
import { assertData } from './lmdb-data.js';
import { LmdbDriver } from './lmdb-driver.js';
import { openEnvironment } from './lmdb-environment.js';
import { addReader, removeReader } from './open-readers.js';

/**
 * Opens the present state, or a slightly later one, for reading. `path` is the directory of the store, `data` that of
 * LMDB.
 * @throws CorruptionError `LOG_BROKEN`, `CHECKSUM`
 */
export async function openReader(path: string, data: string): Promise<Reader> {
  const present = exchangedPath(data);
  await assertData(present);
  const driver = await openSnapshot(path, present);
  addReader(data);
  return { driver, release: () => removeReader(data) };
}

async function openSnapshot(path: string, data: string): Promise<JournalledDriver> {
  let last: unknown;
  for (;;) {
    try {
      return await tryOpen(path, data);
    } catch (error) {
      // If the journal is written while it is read, a record can be missing although the next one is there. Then the
      // next attempt succeeds. If the same record is missing again, the journal is damaged.
      const missing = error instanceof CorruptionError ? error.details['record'] : undefined;
      if (missing === undefined || missing === last) throw error;
      last = missing;
    }
  }
}

/**
 * Reads the journal files before it takes the state of LMDB. Records that the writer moves meanwhile are then in
 * both. Records that the writer overwrites were moved before.
 */
async function tryOpen(path: string, data: string): Promise<JournalledDriver> {
  const files = new FilesAsRead(path, await new DirectoryJournalFiles(path, nothing).read());
  const environment = openEnvironment(data, { readOnly: true, noSync: false });
  const lmdb = new LmdbDriver();
  try {
    lmdb.use(environment, environment.useReadTransaction());
  } catch (error) {
    await environment.close();
    throw error;
  }
  const driver = new JournalledDriver(lmdb, files, { readOnly: true, boot: bootId() ?? '' });
  await driver.open();
  return driver;
}

class FilesAsRead extends DirectoryJournalFiles {
  constructor(
    directory: string,
    private readonly contents: readonly Bytes[],
  ) {
    super(directory, nothing);
  }

  override async read(): Promise<readonly Bytes[]> {
    return this.contents;
  }
}

async function nothing(): Promise<void> {}
