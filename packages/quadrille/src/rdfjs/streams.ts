/** The streams and emitters that RDF/JS asks for and gives. */
import type { EventEmitter } from 'node:events';
import { platform } from '#platform';

/** The items of an RDF/JS stream, whatever its kind: an async iterable, or an emitter of `data`, `end` and `error`. */
export function itemsOf<T>(stream: EventEmitter | AsyncIterable<T>): AsyncIterable<T> {
  return Symbol.asyncIterator in stream ? stream : queued<T>(stream);
}

// Listens at once: an emitter does not wait for somebody to iterate.
function queued<T>(emitter: EventEmitter): AsyncIterable<T> {
  let items: T[] = [];
  let state: { readonly error?: unknown } | undefined;
  let wake: () => void = () => undefined;
  emitter.on('data', (item: T) => {
    items.push(item);
    wake();
  });
  emitter.on('end', () => {
    state ??= {};
    wake();
  });
  emitter.on('error', (error: unknown) => {
    state ??= { error };
    wake();
  });
  async function* drained(): AsyncGenerator<T> {
    for (;;) {
      const ready = items;
      items = [];
      yield* ready;
      if (items.length > 0) continue;
      if (state !== undefined && 'error' in state) throw state.error;
      if (state !== undefined) return;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  }
  return drained();
}

/** An emitter that says `end` or `error` when a piece of work is done; as RDF/JS stores answer. */
export function emitterFor(work: () => Promise<unknown>): EventEmitter {
  const emitter = platform.createEmitter();
  // Listeners are attached after the call returns.
  queueMicrotask(() => {
    work().then(
      () => emitter.emit('end'),
      (error: unknown) => emitter.emit('error', error),
    );
  });
  return emitter;
}
