/** Lazy results: batches behind an async iterable of single items. */
import { lazySequence, type LazySequence, StateError } from '@quadrille/model';
import type { Results, Rows } from '../api/index.js';
import { checkSignal } from '../options/check-options.js';

/** Where results come from. Opened at the first item, closed at the end or when the reader leaves. */
export type BatchSource<T> = LazySequence<readonly T[]>;

/** The reasons to end results before their last item. */
export interface ResultEnds {
  readonly signal?: AbortSignal | undefined;
  /** Throws where nothing may be read any more: the store is closed, the repository deleted, the transaction over. */
  readonly check?: (() => void) | undefined;
  /** Frees the resources of results that are not read. */
  readonly unread?: (() => Promise<void>) | undefined;
}

/** @throws EvaluationError `ABORTED`, and what `check` throws */
export function checkEnds({ signal, check }: ResultEnds): void {
  checkSignal(signal);
  check?.();
}

export class LazyResults<T> implements Results<T>, AsyncIterableIterator<T> {
  #source: BatchSource<T> | undefined;
  #batch: readonly T[] = [];
  #at = 0;
  #state: 'new' | 'open' | 'done' = 'new';

  constructor(
    private readonly open: () => BatchSource<T>,
    /** What may end these results early. */
    readonly ends: ResultEnds = {},
  ) {}

  [Symbol.asyncIterator](): this {
    if (this.#state !== 'new')
      throw new StateError('SNAPSHOT_CLOSED', 'results can be iterated once: make the call again');
    return this;
  }

  next(): Promise<IteratorResult<T>> {
    if (this.#at === this.#batch.length) return this.#nextBatch();
    try {
      checkEnds(this.ends);
      return Promise.resolve({ value: this.#batch[this.#at++]!, done: false });
    } catch (error) {
      return this.#fail(error);
    }
  }

  // Synchronous as long as the source is: promises would cost more than a short lookup.
  #nextBatch(): Promise<IteratorResult<T>> {
    try {
      while (this.#state !== 'done') {
        const batch = this.#advance();
        if (batch instanceof Promise) return this.#nextAwaited(batch);
        if (batch === undefined) {
          const closed = this.#close();
          if (closed instanceof Promise) return closed.then(() => ({ value: undefined, done: true }));
        } else if (batch.length > 0) return Promise.resolve(this.#begin(batch));
      }
      return Promise.resolve({ value: undefined, done: true });
    } catch (error) {
      return this.#fail(error);
    }
  }

  async #nextAwaited(waited: Promise<readonly T[] | undefined>): Promise<IteratorResult<T>> {
    const batch = await this.#filled(waited);
    return batch !== undefined && batch.length > 0 ? this.#begin(batch) : this.#nextBatch();
  }

  #begin(batch: readonly T[]): IteratorResult<T> {
    this.#batch = batch;
    this.#at = 1;
    return { value: batch[0]!, done: false };
  }

  async #fail(error: unknown): Promise<never> {
    try {
      await this.#close();
    } catch {
      // The error that ended the results matters more than an error of closing them.
    }
    throw error;
  }

  // The next batch of the source, which is opened by the first one.
  #advance(): ReturnType<BatchSource<T>['next']> {
    checkEnds(this.ends);
    if (this.#state === 'new') {
      this.#source = this.open();
      this.#state = 'open';
    }
    return this.#source!.next();
  }

  // The next batch; undefined at the end, which closes the source.
  #fill(): readonly T[] | undefined | Promise<readonly T[] | undefined> {
    try {
      const batch = this.#advance();
      if (batch instanceof Promise) return this.#filled(batch);
      const closed = batch === undefined ? this.#close() : undefined;
      return closed instanceof Promise ? closed.then(() => undefined) : batch;
    } catch (error) {
      return this.#fail(error);
    }
  }

  async #filled(waited: Promise<readonly T[] | undefined>): Promise<readonly T[] | undefined> {
    try {
      const batch = await waited;
      // The store may have been closed while the batch was awaited.
      checkEnds(this.ends);
      if (batch === undefined) await this.#close();
      return batch;
    } catch (error) {
      return this.#fail(error);
    }
  }

  #close(): void | Promise<void> {
    if (this.#state === 'done') return undefined;
    const unread = this.#state === 'new';
    this.#state = 'done';
    this.#batch = [];
    this.#at = 0;
    return unread ? this.ends.unread?.() : this.#source?.close();
  }

  async return(): Promise<IteratorResult<T>> {
    await this.#close();
    return { value: undefined, done: true };
  }

  /** The results as they were read, many at a time. It is their one iteration. */
  batches(): BatchSource<T> {
    return { next: () => this.#fill(), close: () => this.#close() };
  }

  async toArray(): Promise<T[]> {
    const all: T[] = [];
    this[Symbol.asyncIterator]();
    for (;;) {
      const next = this.#fill();
      const batch = next instanceof Promise ? await next : next;
      if (batch === undefined) return all;
      for (const item of batch) all.push(item);
    }
  }

  async first(): Promise<T | undefined> {
    this[Symbol.asyncIterator]();
    const { value } = await this.next();
    await this.#close();
    return value as T | undefined;
  }
}

/** Rows of a SELECT: the columns are known when the query has been parsed. */
export class LazyRows<R extends object> extends LazyResults<R> implements Rows<R> {
  constructor(
    open: () => BatchSource<R>,
    private readonly columns: () => Promise<readonly string[]>,
    ends?: ResultEnds,
  ) {
    super(open, ends);
  }

  get variables(): Promise<readonly string[]> {
    return this.columns();
  }
}

/** The batches of results of any repository: in one piece each where they are ours. */
export function inBatchesOf<T>(results: Results<T>): { readonly batches: BatchSource<T>; readonly ends: ResultEnds } {
  if (results instanceof LazyResults) return { batches: results.batches() as BatchSource<T>, ends: results.ends };
  return { batches: oneByOne(lazySequence(() => results)), ends: {} };
}

/** A list that is read at once, when its first item is asked for. */
export const listed = <T>(read: () => Promise<Iterable<T>>): Results<T> =>
  new LazyResults(() => {
    let isRead = false;
    return {
      async next() {
        if (isRead) return undefined;
        isRead = true;
        return [...(await read())];
      },
      close: () => undefined,
    };
  });

/** Batches of one: items are handed on as they come. */
export function oneByOne<T>(items: LazySequence<T>): BatchSource<T> {
  const batch = (item: T | undefined): readonly T[] | undefined => (item === undefined ? undefined : [item]);
  return {
    next() {
      const item = items.next();
      return item instanceof Promise ? item.then(batch) : batch(item);
    },
    close: () => items.close(),
  };
}
