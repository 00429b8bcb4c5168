/** For programs that run requests of others, such as servers: `quadrille/host`. */
export { hostOf } from './host-of.js';
export { jsRows } from './js-rows.js';
export type * from './host-types.js';
export type { SharedPlace } from './shared-place.js';
