/** What keeps a repository in order on request: checks, rebuilding, compacting. */
import type { RepositoryAccess } from '../open/repository-access.js';
import type { RepositoryHandle } from '../open/handle.js';
import { compactRepository } from './compact.js';
import type { SpaceUse } from './compact.js';
import { measured, occupiedBytes } from './disk-usage.js';
import { rebuildIndexes } from './rebuild.js';
import { verifyRepository } from './verify.js';
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

  /** Checks the invariants, beside other work. */
  verify(): Promise<VerifyReport> {
    return this.access.using((generation) => verifyRepository(generation));
  }

  /** Makes the indexes anew from the log. */
  rebuild(): Promise<SpaceUse> {
    return this.#change(rebuildIndexes);
  }

  /** Merges all runs, drops what nothing uses, gives space back. */
  compact(): Promise<SpaceUse> {
    return this.#change(compactRepository);
  }

  #change(work: (handle: RepositoryHandle) => Promise<void>): Promise<SpaceUse> {
    return this.access.using(async () => {
      await this.access.writable();
      return measured(this.handle, () => work(this.handle));
    });
  }
}
