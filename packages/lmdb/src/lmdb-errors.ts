/** Converts errors of LMDB. */

/** The reason of a failed commit, which LMDB provides in a separate promise. */
export async function toWriteError(error: unknown): Promise<unknown> {
  const { commitError } = (error ?? {}) as { commitError?: PromiseLike<unknown> };
  if (commitError === undefined) return error;
  const reason = await commitError.then(
    () => error,
    (found: unknown) => found,
  );
  return new Error(`LMDB could not commit: ${reason instanceof Error ? reason.message : String(reason)}`, {
    cause: reason,
  });
}
