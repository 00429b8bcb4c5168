export { LmdbDirectory, openLmdbDirectory, type LmdbDirectoryOptions } from './lmdb-directory.js';
export type { StoreMarker } from '@quadrille/storage/directory';
