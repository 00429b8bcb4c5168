/** The errors of files of a backup. */
import { EvaluationError, QuadrilleError } from '@quadrille/model';
import { toStorageError } from '@quadrille/storage';

/** Runs work on files. Failures become StorageErrors: `STORAGE_FULL`, `STORAGE_IO`. */
export async function filing<T>(action: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof QuadrilleError ? error : toStorageError(action, error);
  }
}

/** @throws EvaluationError `ABORTED` instead of any error if the caller has given up */
export async function untilAborted<T>(
  signal: AbortSignal | undefined,
  what: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    signal?.throwIfAborted();
    return await work();
  } catch (error) {
    if (signal?.aborted !== true) throw error;
    throw new EvaluationError('ABORTED', `the caller aborted the ${what}`, { cause: signal.reason });
  }
}
