/** Recovery for those who need it: nothing of it is loaded before. */
import type { StorageEngine } from '@quadrille/storage';
import type { RecoveryOptions } from './recover-store.js';
import type { RecoveryReport } from './report.js';

/**
 * Recovers `source`, which is only read, into `target`, which must be empty. The target is complete only if this
 * succeeds. Does not close either of them.
 * @throws StorageError `STORAGE_FULL`, `STORAGE_IO` of the target; CorruptionError `FORMAT_VERSION` if the source has
 * a newer format
 */
export async function recoverStore(
  source: StorageEngine,
  target: StorageEngine,
  options: RecoveryOptions,
): Promise<RecoveryReport> {
  // No page has damaged files: it does not fetch this with what else it loads on request.
  const { recoverStore: recover } = await import('./recover-store.js');
  return recover(source, target, options);
}
