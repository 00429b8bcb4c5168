/**
 * A store in a directory whose data LMDB keeps, in `lmdb/` (`data.mdb` and `lock.mdb`). Other processes may open it
 * read-only while one writes: each sees one state, that of when it was opened.
 */

import { DirectoryStore, type DirectoryBackend, type DirectoryStoreOptions } from '@quadrille/storage-directory';
import { lmdbCapabilities, LmdbData, type LmdbDataOptions } from './lmdb-data.js';
import { openReader } from './lmdb-snapshot.js';

/** LMDB writes nothing when it opens; what the journal holds then goes into it. */
const OPENING_BYTES = 1024 * 1024;

/** With `readOnly` it is one state of a store that another process may have open, and no lock is held. */
export type LmdbDirectoryOptions = DirectoryStoreOptions & LmdbDataOptions;

export class LmdbDirectory extends DirectoryStore {
  constructor(path: string, options: LmdbDirectoryOptions = {}) {
    super(path, lmdbBackend(options), options);
  }
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

const lmdbBackend = (options: LmdbDataOptions): DirectoryBackend => ({
  name: 'lmdb',
  dataDirectory: 'lmdb',
  unlocked: true,
  capabilities: lmdbCapabilities(options),
  blobs: false,
  openingBytes: OPENING_BYTES,
  dataDriver: (dataPath) => new LmdbData(dataPath, options),
  openReader,
});
