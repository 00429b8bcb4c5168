/** RDF/JS streams as those of Node.js. */
import { Readable } from 'node:stream';
import { checkEnds } from '../read/results.js';
import type { BatchSource, ResultEnds } from '../read/results.js';

type Done = (error?: Error | null) => void;

/** Each lookup through `match` makes one, so batches that are in memory are pushed without promises. */
class BatchStream<T> extends Readable {
  #source: BatchSource<T> | undefined;
  #batch: readonly T[] = [];
  #at = 0;
  /** While a batch is awaited: after an item was pushed, Node.js may ask for more before that. */
  #waits = false;

  readonly #open: () => BatchSource<T>;
  readonly #ends: ResultEnds;

  constructor(open: () => BatchSource<T>, ends: ResultEnds) {
    super(STREAM_OPTIONS);
    this.#open = open;
    this.#ends = ends;
  }

  // Buffered items are not delivered after the store is closed.
  override read(size?: number): T | null {
    return this.#isOver() ? null : (super.read(size) as T | null);
  }

  #isOver(): boolean {
    if (this.destroyed) return true;
    try {
      checkEnds(this.#ends);
      return false;
    } catch (error) {
      this.destroy(error as Error);
      return true;
    }
  }

  // While the stream flows, a pushed item goes straight to its listener. Inside the call to _read it would be queued.
  override _read(): void {
    if (this.readableFlowing === true) queueMicrotask(() => this.#fill());
    else this.#fill();
  }

  #fill(): void {
    if (this.#waits || this.#isOver()) return;
    try {
      while (!this.#pushBatch()) {
        this.#source ??= this.#open();
        const next = this.#source.next();
        if (next instanceof Promise) {
          void this.#pushAwaited(next);
          return;
        }
        if (!this.#begin(next)) return;
      }
    } catch (error) {
      this.destroy(error as Error);
    }
  }

  async #pushAwaited(next: Promise<readonly T[] | undefined>): Promise<void> {
    this.#waits = true;
    try {
      const batch = await next;
      this.#waits = false;
      if (!this.#isOver() && this.#begin(batch)) this.#fill();
    } catch (error) {
      this.destroy(error as Error);
    }
  }

  // False at the end, which is said.
  #begin(batch: readonly T[] | undefined): boolean {
    if (batch === undefined) {
      this.push(null);
      return false;
    }
    this.#batch = batch;
    this.#at = 0;
    return true;
  }

  // Pushes until the reader has enough; true if it has, false if the batch is used up first.
  #pushBatch(): boolean {
    const batch = this.#batch;
    while (this.#at < batch.length) if (!this.push(batch[this.#at++])) return true;
    return false;
  }

  override _destroy(error: Error | null, done: Done): void {
    const closed = this.#source === undefined ? this.#ends.unread?.() : this.#source.close();
    if (!(closed instanceof Promise)) {
      done(error);
      return;
    }
    closed.then(
      () => done(error),
      (failure: Error) => done(error ?? failure),
    );
  }
}

const STREAM_OPTIONS = { objectMode: true, highWaterMark: 1024 };

export function streamOf<T>(open: () => BatchSource<T>, ends: ResultEnds): Readable & { read(): T | null } {
  return new BatchStream(open, ends) as Readable & { read(): T | null };
}
