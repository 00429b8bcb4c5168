/** RDF/JS streams and emitters without Node.js: the part of its streams that RDF/JS names. */
import { checkEnds } from '../read/results.js';
import type { BatchSource, ResultEnds } from '../read/results.js';

type Listener = (...values: never[]) => void;

export class Emitter {
  readonly #listeners = new Map<string, { readonly listener: Listener; readonly once: boolean }[]>();

  on(event: string, listener: Listener): this {
    return this.#add(event, listener, false);
  }

  addListener(event: string, listener: Listener): this {
    return this.on(event, listener);
  }

  once(event: string, listener: Listener): this {
    return this.#add(event, listener, true);
  }

  off(event: string, listener: Listener): this {
    const listeners = this.#listeners.get(event) ?? [];
    const at = listeners.findLastIndex((entry) => entry.listener === listener);
    if (at >= 0) this.#listeners.set(event, listeners.toSpliced(at, 1));
    return this;
  }

  removeListener(event: string, listener: Listener): this {
    return this.off(event, listener);
  }

  removeAllListeners(event?: string): this {
    if (event === undefined) this.#listeners.clear();
    else this.#listeners.delete(event);
    return this;
  }

  listenerCount(event: string): number {
    return this.#listeners.get(event)?.length ?? 0;
  }

  /** Returns whether there are listeners. An `error` without listeners is reported as an uncaught error. */
  emit(event: string, ...values: unknown[]): boolean {
    const listeners = this.#listeners.get(event) ?? [];
    for (const { listener, once } of listeners) {
      if (once) this.off(event, listener);
      (listener as (...values: unknown[]) => void).apply(this, values);
    }
    if (event === 'error' && listeners.length === 0) reportError(values[0]);
    return listeners.length > 0;
  }

  /** Called when a listener is added. */
  protected listening(_event: string): void {}

  #add(event: string, listener: Listener, once: boolean): this {
    // A new list: one that is being called stays as it is.
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), { listener, once }]);
    this.listening(event);
    return this;
  }
}

/**
 * A stream of items out of batches. It flows as soon as somebody listens for `data`, until `pause`; otherwise it says
 * `readable` and is read by `read`. Or it is iterated.
 */
export class ItemStream<T> extends Emitter implements AsyncIterable<T> {
  readonly #open: () => BatchSource<T>;
  readonly #ends: ResultEnds;
  #source: BatchSource<T> | undefined;
  #batch: readonly T[] = [];
  #at = 0;
  #mode: 'waiting' | 'flowing' | 'paused' = 'waiting';
  #running = false;
  #ended = false;
  destroyed = false;

  constructor(open: () => BatchSource<T>, ends: ResultEnds = {}) {
    super();
    this.#open = open;
    this.#ends = ends;
  }

  protected override listening(event: string): void {
    if (event === 'data' && this.#mode === 'waiting') this.resume();
    if (event === 'readable') this.pause().#start();
  }

  /** The next item that has been fetched; `null` where there is none (yet): wait for `readable` or `end`. */
  read(): T | null {
    if (this.#at < this.#batch.length) {
      try {
        return this.#take();
      } catch (error) {
        this.destroy(error);
        return null;
      }
    }
    this.#start();
    return null;
  }

  pause(): this {
    this.#mode = 'paused';
    return this;
  }

  resume(): this {
    this.#mode = 'flowing';
    this.#start();
    return this;
  }

  isPaused(): boolean {
    return this.#mode === 'paused';
  }

  /** Closes what it reads from; says `error`, if one is given, and `close`. */
  destroy(error?: unknown): this {
    if (this.destroyed) return this;
    this.destroyed = true;
    this.#batch = [];
    const closing = this.#source === undefined ? this.#ends.unread?.() : this.#source.close();
    const over = (failure: unknown): void => {
      if (failure !== undefined) this.emit('error', failure);
      this.emit('close');
    };
    Promise.resolve(closing).then(
      () => over(error),
      (failure: unknown) => over(error ?? failure),
    );
    return this;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    this.#mode = 'paused';
    try {
      while (!this.destroyed && (this.#at < this.#batch.length || (await this.#fill()))) {
        while (this.#at < this.#batch.length) yield this.#take();
      }
    } finally {
      this.destroy();
    }
  }

  // Fetched items are not delivered after the store is closed.
  #take(): T {
    checkEnds(this.#ends);
    return this.#batch[this.#at++]!;
  }

  // Starts in a microtask, so that listeners attached in this turn get the first item.
  #start(): void {
    if (this.#running || this.#ended || this.destroyed) return;
    this.#running = true;
    queueMicrotask(() => void this.#run());
  }

  async #run(): Promise<void> {
    try {
      while (!this.destroyed) {
        while (this.#mode === 'flowing' && this.#at < this.#batch.length) this.emit('data', this.#take());
        if (this.#mode === 'paused' && this.#at < this.#batch.length) this.emit('readable');
        // The reader is paused and continues with read() or resume().
        if (this.#at < this.#batch.length) return;
        if (!(await this.#fill())) return this.#end();
      }
    } catch (error) {
      this.destroy(error);
    } finally {
      this.#running = false;
    }
  }

  #end(): void {
    if (this.#ended || this.destroyed) return;
    this.#ended = true;
    this.emit('end');
    this.destroy();
  }

  /** Fetches a batch that is not empty; false at the end. */
  async #fill(): Promise<boolean> {
    this.#source ??= this.#open();
    for (;;) {
      const batch = await this.#source.next();
      if (this.destroyed) return false;
      checkEnds(this.#ends);
      if (batch === undefined) return false;
      if (batch.length === 0) continue;
      this.#batch = batch;
      this.#at = 0;
      return true;
    }
  }
}
