/** Parsing in a separate thread of Node.js. */
export { runThread } from './run-thread.js';
export { threadFile, WorkerParser } from './worker-parser.js';
export type { WorkerParserOptions } from './worker-parser.js';
