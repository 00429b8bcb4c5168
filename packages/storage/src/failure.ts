/** Converts errors of drivers to errors of Quadrille. */

import { QuadrilleError, StorageError, type StorageCode } from '@quadrille/model';

const FULL_CODES = new Set(['ENOSPC', 'EDQUOT', 'QuotaExceededError']);
const FULL_TEXT = /no space left|quota exceeded/i;
/** Longest chain of causes that is followed. Longer chains are cyclic. */
const MAX_CAUSES = 8;

/** Whether the error, or one of its causes, says that the medium is full. */
export function isFull(error: unknown): boolean {
  let current: unknown = error;
  for (let depth = 0; depth < MAX_CAUSES && current instanceof Error; depth++) {
    const { code } = current as { code?: unknown };
    if (typeof code === 'string' && (FULL_CODES.has(code) || code === 'STORAGE_FULL')) return true;
    if (FULL_CODES.has(current.name) || FULL_TEXT.test(current.message)) return true;
    current = current.cause;
  }
  return false;
}

/** Converts an error to a {@link StorageError} `STORAGE_FULL` or `STORAGE_IO`, with the original as its cause. */
export function toStorageError(action: string, error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const code: StorageCode = isFull(error) ? 'STORAGE_FULL' : 'STORAGE_IO';
  const reason = error instanceof Error ? error.message : String(error);
  const what = code === 'STORAGE_FULL' ? 'there is no space left' : reason;
  return new StorageError(code, `Cannot ${action}: ${what}`, { cause: error });
}

/** Converts an error to a {@link StorageError}, unless it is an error of Quadrille. */
export function toQuadrilleError(action: string, error: unknown): QuadrilleError {
  return error instanceof QuadrilleError ? error : toStorageError(action, error);
}

/** The failure for others than whoever has made the write: they have nothing to find out, and can try again. */
export const withoutDoubt = (failure: StorageError): StorageError =>
  failure.code === 'COMMIT_UNKNOWN'
    ? new StorageError('STORE_UNAVAILABLE', failure.message, { cause: failure })
    : failure;
