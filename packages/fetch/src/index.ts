/** The guarded fetcher: the one way in which Quadrille reaches other hosts. */
export { isPublicAddress } from './address.js';
export { createGuardedFetch, createUrlCheck } from './guarded-fetch.js';
export { DEFAULT_LIMITS, DEFAULT_PORTS } from './options.js';
export type { FetchLimits, FetchMode, GuardedFetchOptions, PortRange } from './options.js';
export type { FetchRequest, FetchResponse, FetchTimeouts, GuardedFetch } from './port.js';
