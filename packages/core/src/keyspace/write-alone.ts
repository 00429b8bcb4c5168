/** After a failed write the storage refuses all others until it has recovered. */
import { StorageError } from '@quadrille/model';
import { isFull } from '@quadrille/storage';
import type { StorageEngine, WriteOp } from '@quadrille/storage';

/**
 * A write on which nothing in memory depends. It recovers the storage where it has to. `frees`: the write gives space
 * back, so that a full disk takes it too.
 */
export async function writeAlone(
  engine: StorageEngine,
  ops: readonly WriteOp[],
  options: { readonly durable: boolean; readonly frees?: boolean },
): Promise<void> {
  try {
    if (engine.state === 'failed') await engine.recover();
  } catch (error) {
    if (options.frees !== true || !isFull(error)) throw error;
  }
  const outcome = await engine.write(ops, options);
  if (outcome !== 'ok') throw new StorageError('STORAGE_IO', `a write ended as ${outcome}: read to find out`);
}

/** Does work that can as well be done at the next open: reading must go on where nothing can be written. */
export async function tidyUp(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
  }
}
