/** What is in the one file of the command: its functions, and its threads. */
export * from '../src/index.ts';
export const parserThread = () => import('../../formats-extra/dist/thread.js');
export const queryThread = () => import('../../quadrille/dist/query-thread.js');
