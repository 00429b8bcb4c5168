/** RDF/JS streams as those of Node.js. */
import { Readable } from 'node:stream';
import type { BatchSource } from '../results.js';

export function streamOf<T>(open: () => BatchSource<T>, unread?: () => Promise<void>): Readable & { read(): T | null } {
  let source: BatchSource<T> | undefined;
  let batch: readonly T[] = [];
  let at = 0;
  // Pushes until the reader has enough; true if it has, false if the batch is used up first.
  const pushBatch = (stream: Readable): boolean => {
    while (at < batch.length) if (!stream.push(batch[at++])) return true;
    return false;
  };
  const advance = async (stream: Readable): Promise<void> => {
    for (;;) {
      if (pushBatch(stream)) return;
      source ??= open();
      const next = source.next();
      const items = next instanceof Promise ? await next : next;
      if (items === undefined) {
        stream.push(null);
        return;
      }
      batch = items;
      at = 0;
    }
  };
  return new Readable({
    objectMode: true,
    highWaterMark: 1024,
    read() {
      if (pushBatch(this)) return;
      advance(this).catch((error: Error) => this.destroy(error));
    },
    destroy(error, done) {
      Promise.resolve(source === undefined ? unread?.() : source.close()).then(
        () => done(error),
        (failure: Error) => done(error ?? failure),
      );
    },
  }) as Readable & { read(): T | null };
}
