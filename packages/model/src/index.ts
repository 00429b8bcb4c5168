export * from './errors.js';
export * from './pull.js';
export * from './quad-sink.js';
export * from './recent-map.js';
export * from './term-ids.js';
export * from './term-text.js';
export * from './terms.js';
export * from './yield-turn.js';
