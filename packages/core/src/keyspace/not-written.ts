/** The error of work that ends because an earlier write of the repository has failed. */
import { StorageError } from '@quadrille/model';

/** Whether nobody knows if a write has taken effect. */
export const isUnknown = (error: unknown): error is StorageError =>
  error instanceof StorageError && error.code === 'COMMIT_UNKNOWN';

/** Writes of what no revision names yet. @throws the error of a write that has failed, which is not the outcome of a commit */
export async function writeBefore(write: Promise<void>): Promise<void> {
  try {
    await write;
  } catch (error) {
    throw notWritten(error);
  }
}

/** The error for what was not written, whatever is known of the write that has failed. */
export function notWritten(error: unknown): unknown {
  if (!isUnknown(error)) return error;
  return new StorageError(
    'STORE_UNAVAILABLE',
    'Nothing of this commit was written, because the store did not answer an earlier write. Try again.',
    { cause: error },
  );
}
