/**
 * Maintenance of a repository on request: verification, rebuilding, compaction. Each is loaded when it is first used,
 * because a web page rarely uses any.
 */
import type { RepositoryAccess } from '../open/repository-access.js';
import type { RepositoryHandle } from '../open/handle.js';
import type { SpaceUse } from './compact.js';
import { measured, occupiedBytes } from './disk-usage.js';
import type { VerifyReport } from './verify.js';

export class RepositoryMaintenance {
  constructor(
    private readonly handle: RepositoryHandle,
    private readonly access: RepositoryAccess,
  ) {}

  /** Bytes that the repository occupies in the storage; 0 for an empty one. */
  bytes(): Promise<number> {
    return occupiedBytes(this.handle);
  }

  /** Checks the invariants of the repository. Reads and writes go on meanwhile. */
  async verify(): Promise<VerifyReport> {
    const { verifyRepository } = await import('../on-request.js');
    return this.access.using((generation) => verifyRepository(generation));
  }

  /** Rebuilds the indexes from the log. */
  async rebuild(): Promise<SpaceUse> {
    const { rebuildIndexes } = await import('../on-request.js');
    return this.#change(rebuildIndexes);
  }

  /** Merges all runs, deletes unused terms and runs, and frees space. */
  async compact(): Promise<SpaceUse> {
    const { compactRepository } = await import('../on-request.js');
    return this.#change(compactRepository);
  }

  #change(work: (handle: RepositoryHandle) => Promise<void>): Promise<SpaceUse> {
    return this.access.using(async () => {
      await this.access.writable();
      return measured(this.handle, () => work(this.handle));
    });
  }
}
