export { LevelDriver, type LevelDriverOptions } from './level-driver.js';
export type { LevelDatabase } from './level-database.js';
export { LevelDirectory, openLevelDirectory, type LevelDirectoryOptions } from './level-directory.js';
export { BlobDriver, type BlobOptions } from './blobs/blob-driver.js';
export type { BlobFiles } from './blobs/blob-files.js';
export { JournalledDriver } from '@quadrille/storage/directory';
export type { JournalFile, JournalFiles, JournalOptions, StoreMarker } from '@quadrille/storage/directory';
