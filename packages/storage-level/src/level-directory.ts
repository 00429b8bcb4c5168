/** A store in a directory whose data LevelDB keeps, in `level/`; its large values stand in blob files. */

import { DirectoryStore, type DirectoryBackend, type DirectoryStoreOptions } from '@quadrille/storage-directory';
import { LEVEL_CAPABILITIES, LevelData, type LevelDataOptions } from './level-data.js';

/** LevelDB writes a manifest when it opens, and what stands in its log as a table. */
const OPENING_BYTES = 1024 * 1024;

/** With `readOnly` LevelDB itself writes all the same, and the directory is held as ever. */
export type LevelDirectoryOptions = DirectoryStoreOptions & LevelDataOptions;

export class LevelDirectory extends DirectoryStore {
  constructor(path: string, options: LevelDirectoryOptions = {}) {
    super(path, levelBackend(options), options);
  }
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

const levelBackend = (options: LevelDataOptions): DirectoryBackend => ({
  name: 'leveldb',
  dataDirectory: 'level',
  unlocked: false,
  capabilities: LEVEL_CAPABILITIES,
  blobs: true,
  openingBytes: OPENING_BYTES,
  dataDriver: (dataPath) => new LevelData(dataPath, options),
});
