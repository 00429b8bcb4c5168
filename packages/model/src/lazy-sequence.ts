/** Sequences that are made on demand, and cost no promise where the next item is ready, as in most short answers. */

export interface LazySequence<T> {
  /** The next item, `undefined` at the end; a promise only where it is not ready. Must not be called while a promise is pending. */
  next(): T | undefined | Promise<T | undefined>;
  /** Frees what it holds. May be called at any time, also twice. */
  close(): void | Promise<void>;
}

/** A sequence that is read by `for await`. */
class Iteration<T> implements AsyncIterableIterator<T, undefined> {
  constructor(readonly sequence: LazySequence<T>) {}

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<T, undefined>> {
    const value = (await this.sequence.next()) as T | undefined;
    return value === undefined ? { value: undefined, done: true } : { value, done: false };
  }

  async return(): Promise<IteratorResult<T, undefined>> {
    await this.sequence.close();
    return { value: undefined, done: true };
  }
}

/** The sequence for `for await`, which closes it when the loop is left. */
export const iterate = <T>(sequence: LazySequence<T>): AsyncIterableIterator<T, undefined> => new Iteration(sequence);

/** The items of an async iterable, which is opened when the first item is asked for. What {@link iterate} made is read without promises. */
export function lazySequence<T>(open: () => AsyncIterable<T> | Promise<AsyncIterable<T>>): LazySequence<T> {
  let source: LazySequence<T> | undefined;
  const begin = (items: AsyncIterable<T>): ReturnType<LazySequence<T>['next']> => {
    const iterator = items[Symbol.asyncIterator]();
    source = iterator instanceof Iteration ? (iterator as Iteration<T>).sequence : sequenceOf(iterator);
    return source.next();
  };
  return {
    next() {
      if (source !== undefined) return source.next();
      const items = open();
      return items instanceof Promise ? items.then(begin) : begin(items);
    },
    close: () => source?.close(),
  };
}

const sequenceOf = <T>(iterator: AsyncIterator<T>): LazySequence<T> => ({
  async next() {
    const item = await iterator.next();
    return item.done === true ? undefined : item.value;
  },
  async close() {
    await iterator.return?.();
  },
});
