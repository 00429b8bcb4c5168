/**
 * Maintenance of a repository on request: verification, rebuilding, compaction. Each is loaded when it is first used,
 * because a web page rarely uses any.
 */
import type { Lines, OpenLine } from './branch/lines.js';
import type { RepositoryAccess } from './open/repository-access.js';
import type { RepositoryHandle } from './open/handle.js';
import type { SpaceUse } from './compact/compact.js';
import { measured, occupiedBytes } from './compact/disk-usage.js';
import type { EraseReport, EraseRequest } from './erase/erase-data.js';
import type { TrimReport, TrimRequest } from './trim/trim-repository.js';
import type { Ref } from './timeline/refs.js';
import type { RevisionRecord } from './revision/record.js';
import type { VerifyReport } from './integrity/verify.js';

export class RepositoryMaintenance<L extends OpenLine = OpenLine> {
  constructor(
    private readonly handle: RepositoryHandle,
    private readonly access: RepositoryAccess,
    private readonly lines: () => Promise<Lines<L>>,
    private readonly resolve: (ref: Ref) => Promise<RevisionRecord>,
  ) {}

  /** Bytes that the repository occupies in the storage; 0 for an empty one. */
  bytes(): Promise<number> {
    return occupiedBytes(this.handle);
  }

  /** Checks the invariants of the repository and of all its branches. Reads and writes go on meanwhile. */
  async verify(): Promise<VerifyReport> {
    const { verifyLines } = await import('./on-request.js');
    const lines = await this.lines();
    return this.access.using(() => verifyLines(lines));
  }

  /** Rebuilds the indexes from the log. */
  async rebuild(): Promise<SpaceUse> {
    const { rebuildLines } = await import('./on-request.js');
    return this.#change(rebuildLines);
  }

  /** Merges all runs, deletes unused terms and runs, and frees space. */
  async compact(): Promise<SpaceUse> {
    const { compactRepository } = await import('./on-request.js');
    return this.#change(compactRepository);
  }

  /** Removes revisions of the branch. The next one that stays has their changes. */
  async trim(request: TrimRequest): Promise<TrimReport> {
    const { trimRepository } = await import('./on-request.js');
    const lines = await this.lines();
    return this.access.using(() =>
      trimRepository(lines, this.handle, this.access, { ...request, resolve: this.resolve }),
    );
  }

  /** Erases quads from all revisions of all branches. */
  async erase(request: EraseRequest<L>): Promise<EraseReport> {
    const { eraseData } = await import('./on-request.js');
    const lines = await this.lines();
    return this.access.using(() => eraseData(lines, this.access, request));
  }

  async #change(work: (lines: Lines<L>) => Promise<void>): Promise<SpaceUse> {
    const lines = await this.lines();
    return this.access.using(async () => {
      await this.access.writable();
      return measured(lines.handle, () => work(lines));
    });
  }
}
