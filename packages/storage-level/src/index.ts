export { LevelDriver, type LevelDriverOptions } from './level-driver.js';
export type { LevelDatabase } from './level-database.js';
export { LevelDirectory, openLevelDirectory, type LevelDirectoryOptions } from './level-directory.js';
export { JournalledDriver, type JournalOptions } from './journal/journalled-driver.js';
export type { JournalFile, JournalFiles } from './journal/journal-files.js';
export { BlobDriver, type BlobOptions } from './blobs/blob-driver.js';
export type { BlobFiles } from './blobs/blob-files.js';
export type { StoreMarker } from '@quadrille/storage/directory';
