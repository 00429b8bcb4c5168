/**
 * The command in one file. Threads are started by the same file: what they are told says which of them they are.
 */
import { isMainThread, workerData } from 'node:worker_threads';

if (isMainThread) {
  const { run } = await import('../src/run.js');
  process.exitCode = await run(process.argv.slice(2));
} else if ('format' in workerData) await import('../../formats-extra/dist/thread.js');
else await import('../../quadrille/dist/query-thread.js');
