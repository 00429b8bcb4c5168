/** IndexedDB with promises: opens the database of a store, and waits for requests and transactions. */

import { CorruptionError, NotFoundError } from '@quadrille/model';
import type { Bytes, KeyRange } from '@quadrille/storage';

/** Version of the layout: one object store, from binary keys to sealed values. */
const LAYOUT_VERSION = 1;
export const ENTRIES = 'entries';

/** The name under which the browser lists the database of a store. */
export const databaseName = (name: string): string => `quadrille-${name}`;

/**
 * Opens the database of a store; with `create`, creates it if necessary.
 * @throws NotFoundError `STORE_NOT_FOUND`; CorruptionError `FORMAT_VERSION`; DOMException of IndexedDB
 */
export function openDatabase(name: string, create: boolean): Promise<IDBDatabase> {
  const opening = indexedDB.open(databaseName(name), LAYOUT_VERSION);
  let absent = false;
  opening.addEventListener('upgradeneeded', () => {
    absent = !create;
    // Aborting the first version's transaction prevents the creation of the database.
    if (absent) opening.transaction?.abort();
    else opening.result.createObjectStore(ENTRIES);
  });
  return answerOf(opening).catch((cause: unknown) => {
    const options = { cause, details: { name } };
    if (absent) throw new NotFoundError('STORE_NOT_FOUND', `There is no store ${name} in this browser.`, options);
    if (cause instanceof DOMException && cause.name === 'VersionError') {
      throw new CorruptionError(
        'FORMAT_VERSION',
        `The store ${name} was created by a newer version of Quadrille: use that version.`,
        options,
      );
    }
    throw cause;
  });
}

/** Resolves with the result of a request. If the request is part of a transaction, that is still active then. */
export function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB gave no reason')));
  });
}

/** Resolves when the transaction is complete. A durable transaction is then on the disk. */
export function completionOf(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('abort', () =>
      reject(transaction.error ?? new Error('the browser has aborted the transaction')),
    );
  });
}

/** Converts a range for IndexedDB; `undefined` means all keys. The range must not be empty. */
export function toIdbRange({ gte, lt }: Pick<KeyRange, 'gte' | 'lt'>, after?: Bytes): IDBKeyRange | undefined {
  const lower = after ?? gte;
  const open = after !== undefined;
  if (lower !== undefined && lt !== undefined) return IDBKeyRange.bound(toKey(lower), toKey(lt), open, true);
  if (lower !== undefined) return IDBKeyRange.lowerBound(toKey(lower), open);
  return lt === undefined ? undefined : IDBKeyRange.upperBound(toKey(lt), true);
}

/** Converts the type only: every byte array is a valid key, but the type excludes arrays with shared memory. */
export const toKey = (bytes: Bytes): IDBValidKey => bytes as Uint8Array<ArrayBuffer>;

/** Converts a key or value of IndexedDB. Keys are returned as buffers, values as they were put. */
export function toBytes(value: unknown): Bytes {
  return value instanceof Uint8Array ? value : new Uint8Array(value as ArrayBuffer);
}

/** Copies a view of a larger buffer, because the browser would store the whole buffer. */
export function ownBytes(value: Bytes): Bytes {
  return value.byteLength === value.buffer.byteLength ? value : value.slice();
}
