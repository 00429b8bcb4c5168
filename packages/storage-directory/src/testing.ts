/** Journal files and blob files in memory, for tests: the `./testing` entry of the package. */

export { SimulatedBlobFiles, type BlobFault, type BlobOperation } from './testing/simulated-blob-files.js';
export { SimulatedJournalFiles, type JournalFault, type JournalOperation } from './testing/simulated-journal-files.js';
