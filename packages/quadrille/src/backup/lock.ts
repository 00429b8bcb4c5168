/** The lock of a directory that is being written. */
import { StateError } from '@quadrille/model';
import { acquireProcessLock } from '@quadrille/storage-directory';
import type { ProcessLock } from '@quadrille/storage-directory';

/** A lock file that was not written to its end counts for two seconds: its process may be about to write it. */
const UNREADABLE_MS = 3000;

/** @param busy the message if somebody else has the lock. @throws StateError `STORE_LOCKED` */
export async function lockDirectory(path: string, busy: string): Promise<ProcessLock> {
  try {
    return await acquireProcessLock(path, 0, true).catch((error: unknown) => {
      if (!(error instanceof StateError) || error.details['pid'] !== 0) throw error;
      return acquireProcessLock(path, UNREADABLE_MS, true);
    });
  } catch (cause) {
    if (!(cause instanceof StateError)) throw cause;
    throw new StateError('STORE_LOCKED', busy, { cause, details: cause.details });
  }
}
