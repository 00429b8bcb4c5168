/** Unpacks what the platform does not: loaded with the first document that is compressed so. */
export { unpackBzip2 } from './bzip2.js';
export { unpackZstd } from './zstd.js';
