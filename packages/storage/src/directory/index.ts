/** For backends on a disk: the directory of a store, its marker, its lock and a journal. Of Node.js, unlike the rest of the package. */

export { DirectoryJournalFiles } from './journal-files.js';
export type { JournalFile, JournalFiles } from '../journal/journal-files.js';
export { JOURNAL_FORMAT, JournalledDriver, type JournalOptions } from '../journal/journalled-driver.js';
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
