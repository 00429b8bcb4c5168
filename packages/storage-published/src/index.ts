export type { KeptParts, PublishedFiles, ReadOptions } from './files.js';
export { HttpFiles, type HttpOptions } from './http-files.js';
export { isDataFile, MANIFEST, PUBLISHED_FORMAT, type Place, type PublishedFile } from './layout.js';
export { decodeManifest, type Manifest, type PublishedRepository } from './manifest.js';
export type { Deflate, Inflate } from './packing.js';
export { PublishedDriver, type PublishedOptions } from './published-driver.js';
