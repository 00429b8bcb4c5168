/** Parsing in a thread of Node.js, while this one does something else. */
export { runThread } from './run-thread.js';
export { threadFile, WorkerParser } from './worker-parser.js';
export type { WorkerParserOptions } from './worker-parser.js';
