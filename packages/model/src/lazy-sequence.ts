/** Sequences that are made on demand, and cost no promise where the next item is ready, as in most short answers. */

export interface LazySequence<T> {
  /** The next item, `undefined` at the end; a promise only where it is not ready. Must not be called while a promise is pending. */
  next(): T | undefined | Promise<T | undefined>;
  /** Frees what it holds. May be called at any time, also twice. */
  close(): void | Promise<void>;
}

/** The sequence for `for await`, which closes it when the loop is left. */
export function iterate<T>(sequence: LazySequence<T>): AsyncIterableIterator<T, undefined> {
  const iterator: AsyncIterableIterator<T, undefined> = {
    [Symbol.asyncIterator]: () => iterator,
    async next() {
      const value = (await sequence.next()) as T | undefined;
      return value === undefined ? { value: undefined, done: true } : { value, done: false };
    },
    async return() {
      await sequence.close();
      return { value: undefined, done: true };
    },
  };
  return iterator;
}

/** The items of an async iterable, which is opened when the first item is asked for. */
export function lazySequence<T>(open: () => AsyncIterable<T> | Promise<AsyncIterable<T>>): LazySequence<T> {
  let iterator: AsyncIterator<T> | undefined;
  return {
    async next() {
      iterator ??= (await open())[Symbol.asyncIterator]();
      const item = await iterator.next();
      return item.done === true ? undefined : item.value;
    },
    async close() {
      await iterator?.return?.();
    },
  };
}
