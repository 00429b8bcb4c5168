/** Batches that are read from a snapshot: opened when they are first asked for, closed with it. */
import type { Snapshot } from '@quadrille/core';
import type { BatchSource } from './results.js';

/** The snapshots to close after an answer was read: its own, and those of other repositories. */
export type Pins = Pick<Snapshot, 'close'>;

/** An answer, and what it is read from. */
export interface Started<A> {
  readonly answer: A;
  readonly snapshot: Pins;
}

/** Frees an answer that is not read. */
export async function abandon(items: AsyncIterable<unknown>, snapshot: Pins): Promise<void> {
  try {
    await items[Symbol.asyncIterator]().return?.();
  } finally {
    snapshot.close();
  }
}

/** Marks a promise as handled, because it may reject before it is awaited. */
export function settled<T>(value: T | Promise<T>): T | Promise<T> {
  if (value instanceof Promise) value.catch(() => undefined);
  return value;
}

/** Opens a source when the value that it needs is available. */
export function deferred<V, T>(value: V | Promise<V>, open: (value: V) => BatchSource<T>): BatchSource<T> {
  if (!(value instanceof Promise)) return open(value);
  let source: BatchSource<T> | undefined;
  let closed = false;
  return {
    next: async () => {
      const known = await value;
      return closed ? undefined : (source ??= open(known)).next();
    },
    close: () => {
      closed = true;
      return source?.close();
    },
  };
}

export function withSnapshotClosed<T>(
  snapshot: Snapshot,
  open: (snapshot: Snapshot) => BatchSource<T>,
): BatchSource<T> {
  const source = open(snapshot);
  return {
    next: () => source.next(),
    close: () => {
      const closed = source.close();
      if (closed instanceof Promise) return closed.finally(() => snapshot.close());
      snapshot.close();
      return undefined;
    },
  };
}

export async function closedOnFailure<A>(answer: Promise<A>, snapshot: Pins): Promise<Started<A>> {
  try {
    return { answer: await answer, snapshot };
  } catch (error) {
    snapshot.close();
    throw error;
  }
}

/** The source that `open` makes of an answer. The first item starts the answer; closing the source closes its snapshot. */
export function closing<A, T>(
  start: () => Started<A> | Promise<Started<A>>,
  open: (started: Started<A>) => BatchSource<T> | Promise<BatchSource<T>>,
): BatchSource<T> {
  let started: Started<A> | undefined;
  let source: BatchSource<T> | undefined;
  let left = false;
  type Next = ReturnType<BatchSource<T>['next']>;
  const read = (opened: BatchSource<T>): Next => (left ? undefined : (source = opened).next());
  const begin = (begun: Started<A>): Next => {
    if (left) {
      begun.snapshot.close();
      return undefined;
    }
    started = begun;
    const opened = open(begun);
    return opened instanceof Promise ? opened.then(read) : read(opened);
  };
  return {
    next() {
      if (source !== undefined) return source.next();
      const begun = start();
      return begun instanceof Promise ? begun.then(begin) : begin(begun);
    },
    close() {
      left = true;
      const closed = source?.close();
      if (closed instanceof Promise) return closed.finally(() => started?.snapshot.close());
      started?.snapshot.close();
      return undefined;
    },
  };
}
