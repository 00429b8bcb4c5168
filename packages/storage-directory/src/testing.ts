/** Files of a journal and blob files in memory, for tests of what stands on them; see the package's `./testing` entry. */

export { SimulatedBlobFiles, type BlobFault, type BlobOperation } from './testing/simulated-blob-files.js';
export { SimulatedJournalFiles, type JournalFault, type JournalOperation } from './testing/simulated-journal-files.js';
