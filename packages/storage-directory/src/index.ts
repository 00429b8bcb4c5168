/** For backends that store data in a directory of Node.js: marker, process lock, careful files, journal, blob files. */

export type { DataDriver, DirectoryBackend, Reader } from './backend.js';
export { BlobDriver, type BlobOptions } from './blobs/blob-driver.js';
export type { BlobFiles } from './blobs/blob-files.js';
export { openDamaged, type DamagedOptions, type DamagedStore } from './damaged-store.js';
export { exchangedPath, FolderExchange, settleExchange } from './exchange-folder.js';
export { DirectoryStore, type DirectoryStoreOptions } from './directory-store.js';
export {
  LOCK_FILE,
  makeDirectory,
  proveWritable,
  readTextIfThere,
  renameSynced,
  syncDirectory,
  systemCode,
  writeSynced,
} from './files.js';
export { DirectoryJournalFiles } from './journal/directory-journal-files.js';
export type { JournalFile, JournalFiles } from './journal/journal-files.js';
export { JournalledDriver, type JournalOptions } from './journal/journalled-driver.js';
export { peekMarker, type StoreMarker } from './marker.js';
export { bootId } from './lock-holder.js';
export { openSliceCache } from './slice-cache/open-slice-cache.js';
export type { CachedSlice, DiskCache } from './slice-cache/disk-cache.js';
export { acquireProcessLock, type ProcessLock } from './process-lock.js';
