/** The items of an RDF/JS stream, also of a mere emitter, which emits whether or not anybody takes what it has. */
import type { EventEmitter } from 'node:events';
import { LimitError } from '@quadrille/model';

/** An emitter that can be paused is, as long as more bytes than these wait. */
const PAUSED_FROM = 4 * 1024 * 1024;
/** Bytes of one that cannot be paused, or goes on all the same, that may wait. */
const MOST_WAITING = 256 * 1024 * 1024;
/** Of an item beside its text, which has two bytes a character. */
const ITEM_BYTES = 256;

type Pausable = EventEmitter & { pause?: () => void; resume?: () => void };

/**
 * The items, whatever the kind of the stream: an async iterable, or an emitter of `data`, `end` and `error`. `lengthOf` gives the
 * characters of an item.
 * @throws LimitError `INPUT_TOO_LARGE` through the iterator, where an emitter is far ahead and cannot be paused
 */
export function itemsOf<T>(stream: EventEmitter | AsyncIterable<T>, lengthOf: (item: T) => number): AsyncIterable<T> {
  return Symbol.asyncIterator in stream ? stream : new EmittedItems(stream, lengthOf).all();
}

class EmittedItems<T> {
  #waiting: T[] = [];
  #bytes = 0;
  #isPaused = false;
  #end: { readonly error?: unknown } | undefined;
  #wake: () => void = () => undefined;

  // Listens at once: an emitter does not wait for somebody to iterate.
  constructor(
    private readonly emitter: Pausable,
    private readonly lengthOf: (item: T) => number,
  ) {
    emitter.on('data', this.#take);
    emitter.on('end', this.#finish);
    emitter.on('error', this.#fail);
  }

  readonly #take = (item: T): void => {
    if (this.#end !== undefined) return;
    this.#waiting.push(item);
    this.#bytes += ITEM_BYTES + this.lengthOf(item) * 2;
    if (this.#bytes > MOST_WAITING) {
      this.#waiting = [];
      this.#fail(tooFast());
    } else if (this.#bytes > PAUSED_FROM && !this.#isPaused) this.#pause();
    this.#wake();
  };

  readonly #finish = (): void => {
    this.#end ??= {};
    this.#wake();
  };

  readonly #fail = (error: unknown): void => {
    this.#end ??= { error };
    this.#wake();
  };

  #pause(): void {
    if (typeof this.emitter.pause !== 'function' || typeof this.emitter.resume !== 'function') return;
    this.#isPaused = true;
    this.emitter.pause();
  }

  #resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.emitter.resume!();
  }

  async *all(): AsyncGenerator<T> {
    try {
      for (;;) {
        const ready = this.#waiting;
        this.#waiting = [];
        this.#bytes = 0;
        yield* ready;
        if (this.#waiting.length > 0) continue;
        this.#resume();
        if (this.#waiting.length > 0) continue;
        if (this.#end !== undefined && 'error' in this.#end) throw this.#end.error;
        if (this.#end !== undefined) return;
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      this.#leave();
    }
  }

  // Errors are still listened to: nobody else may, and then one ends the process.
  #leave(): void {
    this.#waiting = [];
    this.#end ??= {};
    this.emitter.removeListener('data', this.#take);
    this.emitter.removeListener('end', this.#finish);
  }
}

const tooFast = (): LimitError =>
  new LimitError(
    'INPUT_TOO_LARGE',
    `a stream of quads is more than ${String(MOST_WAITING)} bytes ahead, and cannot be paused: give one that has pause() and resume(), or an async iterable`,
  );
