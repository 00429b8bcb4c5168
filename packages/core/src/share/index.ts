/** Snapshots for other threads: described here, read there. */
export { platformEnv } from '../runtime/env.js';
export { DEFAULT_CACHE_BYTES } from '../keyspace/block-cache.js';
export { encodedStatistics } from './encoded-statistics.js';
export { Replicas } from './replicas.js';
export type { StatisticsSource } from './replicas.js';
export { transfersOf } from './session-description.js';
export type { SessionDescription } from './session-description.js';
export { isShareable, openIndexes, SessionDescriber, type DescribedSession } from './session-describer.js';
