export { LmdbDirectory, openDamagedLmdb, openLmdbDirectory, type LmdbDirectoryOptions } from './lmdb-directory.js';
