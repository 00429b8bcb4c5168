/** Writes on which no state in memory depends. */
import { StorageError } from '@quadrille/model';
import { isFull } from '@quadrille/storage';
import type { StorageEngine, WriteOp } from '@quadrille/storage';

/**
 * Writes ops on which no state in memory depends. Recovers the storage first if an earlier write failed. `frees`
 * means that the write frees space, so that a full disk accepts it.
 */
export async function writeAlone(
  engine: StorageEngine,
  ops: readonly WriteOp[],
  options: { readonly durable: boolean; readonly frees?: boolean },
): Promise<void> {
  await recovered(engine, options.frees);
  const outcome = await engine.write(ops, options);
  if (outcome !== 'ok')
    throw new StorageError(
      'STORAGE_IO',
      `the storage answered "${outcome}" to a write: read again to see what is stored`,
    );
}

/**
 * Recovers the storage if an earlier write failed. What is read before that may be from before the write, although it was made. So whoever
 * writes what follows from a read calls this first. `frees`: as of {@link writeAlone}.
 */
export async function recovered(engine: StorageEngine, frees = false): Promise<void> {
  try {
    if (engine.state === 'failed') await engine.recover();
  } catch (error) {
    if (!frees || !isFull(error)) throw error;
  }
}

/** Does work that the next open can repeat. Ignores storage errors: reading must work where nothing can be written. */
export async function tidyUp(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
  }
}
