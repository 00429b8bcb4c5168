export { LmdbDirectory, openLmdbDirectory, type LmdbDirectoryOptions } from './lmdb-directory.js';
