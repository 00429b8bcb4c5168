/** A store in a directory with LevelDB as its backend. The data are in `level/`, large values in blob files. */

import {
  DirectoryStore,
  openDamaged,
  type DamagedOptions,
  type DamagedStore,
  type DirectoryBackend,
  type DirectoryStoreOptions,
} from '@quadrille/storage-directory';
import { LEVEL_CAPABILITIES, LevelData, type LevelDataOptions } from './level-data.js';
import { LevelReader } from './reader/level-reader.js';

/**
 * Space that opening LevelDB for writing can take, in bytes: it writes a manifest, and a table with the content of
 * its log.
 */
const OPENING_BYTES = 1024 * 1024;

/** Even with `readOnly`, LevelDB writes to its files when it opens, and the lock is taken. */
export type LevelDirectoryOptions = DirectoryStoreOptions & LevelDataOptions;

export class LevelDirectory extends DirectoryStore {
  constructor(path: string, options: LevelDirectoryOptions = {}) {
    super(path, levelBackend(options), options);
  }
}

/**
 * Opens the store in a directory; with `create`, creates it if necessary.
 *
 * The driver holds the lock of the directory until it is closed. A StorageEngine around it closes it.
 * @throws NotFoundError `STORE_NOT_FOUND`; StateError `STORE_LOCKED`, `NOT_A_STORE`; CorruptionError
 * `FORMAT_VERSION`, `LOG_BROKEN`; StorageError
 */
export async function openLevelDirectory(path: string, options: LevelDirectoryOptions = {}): Promise<LevelDirectory> {
  const directory = new LevelDirectory(path, options);
  await directory.open();
  return directory;
}

/**
 * Takes the lock of a damaged store in order to read it. Writes nothing but the lock. See {@link openDamaged}.
 * @throws NotFoundError `STORE_NOT_FOUND`; StateError `STORE_LOCKED`, `NOT_A_STORE`; CorruptionError `FORMAT_VERSION`
 */
export function openDamagedLevel(path: string, options: DamagedOptions): Promise<DamagedStore> {
  return openDamaged(path, levelBackend({}), options);
}

const levelBackend = (options: LevelDataOptions): DirectoryBackend => ({
  name: 'leveldb',
  dataDirectory: 'level',
  unlocked: false,
  capabilities: LEVEL_CAPABILITIES,
  blobs: true,
  openingBytes: OPENING_BYTES,
  dataDriver: (dataPath) => new LevelData(dataPath, options),
  damagedDriver: (dataPath, onDamage) => new LevelReader(dataPath, onDamage),
});
