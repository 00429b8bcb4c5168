/** How answers depend on quads: loaded where answers are followed or compared. */
export { type DeltaPart, DeltaQuery, dependenceOf, type QueryDependence } from './delta-query.js';
export { type Binding, quadKey } from './placed-pattern.js';
export { type QuadRead, touches } from './query-reads.js';
