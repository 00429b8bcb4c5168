/** What only stores with vectors load. */
export { checkVectors } from '../vectors/check-vectors.js';
export { VectorIndexes } from '../vectors/vector-indexes.js';
export { refuseVectors } from './refuse-vectors.js';
export { nearestVectors } from './search-vectors.js';
