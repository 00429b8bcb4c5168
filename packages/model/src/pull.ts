/** Lazy sequences that cost no promise where nothing has to be waited for, as most short answers do not. */

export interface Pull<T> {
  /** The next item, `undefined` at the end. A promise only where it has to be waited for. Not to be called while one is pending. */
  next(): T | undefined | Promise<T | undefined>;
  /** Frees what it holds. May be called at any time, also twice. */
  close(): void | Promise<void>;
}

/** For `for await`, which closes what it leaves. */
export function iterate<T>(pull: Pull<T>): AsyncIterableIterator<T, undefined> {
  const iterator: AsyncIterableIterator<T, undefined> = {
    [Symbol.asyncIterator]: () => iterator,
    async next() {
      const value = (await pull.next()) as T | undefined;
      return value === undefined ? { value: undefined, done: true } : { value, done: false };
    },
    async return() {
      await pull.close();
      return { value: undefined, done: true };
    },
  };
  return iterator;
}

/** The items of an async iterable, which is opened by the first of them. */
export function pullFrom<T>(open: () => AsyncIterable<T> | Promise<AsyncIterable<T>>): Pull<T> {
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
