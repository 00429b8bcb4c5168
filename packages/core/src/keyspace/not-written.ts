/** The error of work that ends because an earlier write of the repository has failed. */
import { StorageError } from '@quadrille/model';

/** Whether nobody knows if a write has taken effect. */
export const isUnknown = (error: unknown): error is StorageError =>
  error instanceof StorageError && error.code === 'COMMIT_UNKNOWN';

/** The error for what was not written, whatever is known of the write that has failed. */
export function notWritten(error: unknown): unknown {
  if (!isUnknown(error)) return error;
  return new StorageError(
    'STORE_UNAVAILABLE',
    'Nothing of this commit was written, because the store did not answer the one before. Try again.',
    { cause: error },
  );
}
