/** Queries whose variables get their values beforehand, for many rows of values at once: loaded where shapes have queries. */
export { PreboundQuery, type PreboundOptions } from './prebound-query.js';
export { isForbidden } from './restrictions.js';
export type { Reach, ReachedPath, Touched } from './reach.js';
