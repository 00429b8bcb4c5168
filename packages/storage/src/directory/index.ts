/** For backends on a disk: the directory of a store, its marker and its lock. Of Node.js, unlike the rest of the package. */

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
