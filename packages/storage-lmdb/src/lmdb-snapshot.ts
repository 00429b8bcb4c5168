/** One state of a store, for those who read it while another process may write: what LMDB and the journal before it hold. */

import { CorruptionError } from '@quadrille/model';
import type { Bytes } from '@quadrille/storage';
import { bootId, DirectoryJournalFiles, JournalledDriver, type Reader } from '@quadrille/storage-directory';
import { assertData } from './lmdb-data.js';
import { LmdbDriver } from './lmdb-driver.js';
import { openEnvironment } from './lmdb-environment.js';
import { addReader, removeReader } from './open-readers.js';

/**
 * Opens the state of now, or one a little later, for reading. `path` is that of the store, `data` that of LMDB in it.
 * @throws CorruptionError `LOG_BROKEN`, `CHECKSUM`
 */
export async function openReader(path: string, data: string): Promise<Reader> {
  await assertData(data);
  const driver = await openSnapshot(path, data);
  addReader(data);
  return { driver, release: () => removeReader(data) };
}

async function openSnapshot(path: string, data: string): Promise<JournalledDriver> {
  let last: unknown;
  for (;;) {
    try {
      return await tryOpen(path, data);
    } catch (error) {
      // Files that are written while they are read may lack a record and have the next one. What is damaged stays so.
      const missing = error instanceof CorruptionError ? error.details['record'] : undefined;
      if (missing === undefined || missing === last) throw error;
      last = missing;
    }
  }
}

/**
 * The files are read before the state of LMDB is taken: records that the writer takes over meanwhile are in both, and those
 * that it writes over have been taken over.
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
