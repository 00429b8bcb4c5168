/** RDF/JS streams over batches, and the other way round. */
import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import type { BatchSource } from './results.js';

/**
 * A stream of single items. Its source is opened by the first read and closed with the stream; `unread` is called where
 * it is destroyed before that.
 */
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

/** The items of an RDF/JS stream, whatever its kind: an async iterable, or an emitter of `data`, `end` and `error`. */
export function itemsOf<T>(stream: EventEmitter | AsyncIterable<T>): AsyncIterable<T> {
  if (Symbol.asyncIterator in stream) return stream;
  const readable = new Readable({ objectMode: true, read: () => undefined });
  stream.on('data', (item: T) => readable.push(item));
  stream.on('end', () => readable.push(null));
  stream.on('error', (error: Error) => readable.destroy(error));
  return readable;
}

/** An emitter that says `end` or `error` when a piece of work is done; as RDF/JS stores answer. */
export function emitterFor(work: () => Promise<unknown>): EventEmitter {
  const emitter = new EventEmitter();
  // Listeners are attached after the call returns.
  queueMicrotask(() => {
    work().then(
      () => emitter.emit('end'),
      (error: unknown) => emitter.emit('error', error),
    );
  });
  return emitter;
}
