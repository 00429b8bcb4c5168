/** What only stores with vectors load. */
export { checkEmbeddings, mendEmbeddings } from '../vectors/check-embeddings.js';
export { checkVectors } from '../vectors/check-vectors.js';
export { embeddedShare } from '../maintenance/embedded-share.js';
export { VectorIndexes } from '../vectors/vector-indexes.js';
export { refuseVectors } from './refuse-vectors.js';
export { nearestVectors } from './search-vectors.js';
