/**
 * A store in a directory with LMDB as its backend. The data are in `lmdb/` (`data.mdb` and `lock.mdb`). Other
 * processes may open it for reading while one process writes. Each reader sees the state at the time when it opened
 * the store.
 */

import {
  DirectoryStore,
  openDamaged,
  type DamagedOptions,
  type DamagedStore,
  type DirectoryBackend,
  type DirectoryStoreOptions,
} from '@quadrille/storage-directory';
import { lmdbCapabilities, LmdbData, type LmdbDataOptions } from './lmdb-data.js';
import { LmdbRemains } from './lmdb-remains.js';
import { openReader } from './lmdb-snapshot.js';

/**
 * Space that opening can take, in bytes. LMDB itself writes nothing when it opens; it then gets the content of the
 * journal.
 */
const OPENING_BYTES = 1024 * 1024;

/** With `readOnly`, the store is opened without a lock and shows one state. Another process may write to it. */
export type LmdbDirectoryOptions = DirectoryStoreOptions & LmdbDataOptions;

export class LmdbDirectory extends DirectoryStore {
  constructor(path: string, options: LmdbDirectoryOptions = {}) {
    super(path, lmdbBackend(options), options);
  }
}

/**
 * Opens the store in a directory; with `create`, creates it if necessary.
 *
 * The driver holds the lock of the directory until it is closed. A StorageEngine around it closes it.
 * @throws NotFoundError `STORE_NOT_FOUND`; StateError `STORE_LOCKED`, `NOT_A_STORE`; CorruptionError
 * `FORMAT_VERSION`, `LOG_BROKEN`; StorageError
 */
export async function openLmdbDirectory(path: string, options: LmdbDirectoryOptions = {}): Promise<LmdbDirectory> {
  const directory = new LmdbDirectory(path, options);
  await directory.open();
  return directory;
}

/**
 * Takes the lock of a damaged store in order to read it. Writes nothing but locks. See {@link openDamaged}. LMDB
 * itself reads its file. If more than single values are damaged, opening fails with `LOG_BROKEN`, or an invalid page
 * ends the process.
 * @throws NotFoundError `STORE_NOT_FOUND`; StateError `STORE_LOCKED`, `NOT_A_STORE`; CorruptionError `FORMAT_VERSION`
 */
export function openDamagedLmdb(path: string, options: DamagedOptions): Promise<DamagedStore> {
  return openDamaged(path, lmdbBackend({}), options);
}

const lmdbBackend = (options: LmdbDataOptions): DirectoryBackend => ({
  name: 'lmdb',
  dataDirectory: 'lmdb',
  unlocked: true,
  capabilities: lmdbCapabilities(options),
  blobs: false,
  openingBytes: OPENING_BYTES,
  dataDriver: (dataPath) => new LmdbData(dataPath, options),
  damagedDriver: (dataPath) => new LmdbRemains(dataPath),
  openReader,
});
