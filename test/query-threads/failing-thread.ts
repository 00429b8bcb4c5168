/** Query threads that fail, each in its way. */

const WAYS = {
  exit: 'process.exit(3)',
  throw: `throw new Error('a fault')`,
  heap: 'const kept = []; for (;;) kept.push({ text: `${kept.length}`.repeat(20) })',
  // Neither answers nor hears a cancellation.
  hang: 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)',
};

const program = (source: string): URL => new URL(`data:text/javascript,${encodeURIComponent(source)}`);

/** Becomes ready, and fails with its first query. */
export const failingThread = (way: keyof typeof WAYS): URL =>
  program(`
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ type }) => { if (type === 'query') { ${WAYS[way]} } });
    parentPort.postMessage({ type: 'ready' });
  `);

/** Fails before it is ready. */
export const threadThatDoesNotStart = program(WAYS.throw);
