/** For backends that keep a store in a directory of Node.js: marker, process lock, careful files, journal, blob files. */

export { BlobDriver, type BlobOptions } from './blobs/blob-driver.js';
export { DirectoryBlobFiles, type BlobFiles } from './blobs/blob-files.js';
export { DirectoryJournalFiles } from './journal/directory-journal-files.js';
export type { JournalFile, JournalFiles } from './journal/journal-files.js';
export { JOURNAL_FORMAT, JournalledDriver, type JournalOptions } from './journal/journalled-driver.js';
export { proveWritable, readTextIfThere, syncDirectory, systemCode, writeSynced } from './files.js';
export { peekMarker, raiseFormat, type StoreMarker } from './marker.js';
export { bootId } from './process-lock.js';
export {
  findStore,
  holdDirectory,
  type DataOpener,
  type DirectoryBackend,
  type HeldDirectory,
  type StoreDirectoryOptions,
} from './store-directory.js';
