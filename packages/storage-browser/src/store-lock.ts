/**
 * The lock of a store: only one tab or worker has it open at a time. The browser releases the lock when the page is
 * closed, reloaded or killed. So no stale lock can remain.
 */

import { StateError, StorageError } from '@quadrille/model';

/** Releases the lock. */
export type Release = () => void;

/**
 * Takes the lock of a store, or waits for it.
 * @throws StateError `STORE_LOCKED` if another tab still holds it after `timeoutMs`; StorageError `STORAGE_IO` if the
 * browser has no Web Locks
 */
export async function lockStore(name: string, timeoutMs: number): Promise<Release> {
  // Unlike IndexedDB, browsers offer Web Locks to secure pages only.
  const locks = (globalThis.navigator as Navigator | undefined)?.locks;
  if (locks === undefined) {
    throw new StorageError(
      'STORAGE_IO',
      `The store ${name} cannot be opened: there are no Web Locks. A page needs https or localhost for them.`,
    );
  }
  return new Promise((resolve, reject) => {
    const hold = (lock: Lock | null): Promise<void> | undefined => {
      if (lock === null) {
        reject(lockedError(name));
        return undefined;
      }
      return new Promise((release) => resolve(release));
    };
    const patience = timeoutMs > 0 ? { signal: AbortSignal.timeout(timeoutMs) } : { ifAvailable: true };
    locks
      .request(lockName(name), patience, hold)
      .catch((cause: unknown) => reject(isTimeout(cause) ? lockedError(name) : cause));
  });
}

const lockName = (name: string): string => `quadrille:${name}`;

const isTimeout = (error: unknown): boolean => error instanceof DOMException && error.name === 'TimeoutError';

function lockedError(name: string): StateError {
  return new StateError(
    'STORE_LOCKED',
    `The store ${name} is open in another tab, worker or open() of this page: close it there, or wait for it with lockTimeoutMs.`,
    { details: { name } },
  );
}
