/** The streams and emitters that RDF/JS asks for and gives. */
import type { EventEmitter } from 'node:events';
import { platform } from '#platform';

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
