/** Backpressure of Node's streams. */
import type { Writable } from 'node:stream';

/** Resolves when a stream takes more, or when it has ended. It leaves no listener behind. */
export function untilDrained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done).off('close', done).off('error', done);
      resolve();
    };
    stream.on('drain', done).on('close', done).on('error', done);
  });
}
