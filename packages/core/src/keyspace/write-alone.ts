/** After a failed write the storage refuses all others until it has recovered. */
import { StorageError } from '@quadrille/model';
import type { StorageEngine, WriteOp } from '@quadrille/storage';

/** A write that stands alone, after which nothing in memory depends on it. It recovers the storage where it has to. */
export async function writeAlone(engine: StorageEngine, ops: readonly WriteOp[], durable: boolean): Promise<void> {
  if (engine.state === 'failed') await engine.recover();
  const outcome = await engine.write(ops, { durable });
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
