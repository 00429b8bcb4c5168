/** Backpressure of Node's streams. */
import type { Writable } from 'node:stream';

/**
 * Resolves when a stream takes more, or when it has ended. It leaves no listener behind. After each `stallMs` without either, `stalled` is
 * called.
 */
export function untilDrained(stream: Writable, stallMs = Infinity, stalled?: () => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = stallMs === Infinity ? undefined : setInterval(() => stalled?.(), stallMs).unref();
    const done = (): void => {
      clearInterval(timer);
      stream.off('drain', done).off('close', done).off('error', done);
      resolve();
    };
    stream.on('drain', done).on('close', done).on('error', done);
  });
}
