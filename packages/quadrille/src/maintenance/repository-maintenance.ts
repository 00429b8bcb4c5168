/** The care of a repository. What the first call needs is loaded by it. */
import type { Repository as CoreRepository } from '@quadrille/core';
import type {
  EraseOptions,
  EraseReport,
  EraseTarget,
  Maintenance,
  RepositoryStats,
  SpaceReport,
  TrimOptions,
  TrimReport,
  VerifyReport,
} from '../api/index.js';
import { backgroundFailure } from '../metrics.js';

export class RepositoryMaintenance implements Maintenance {
  readonly #core: CoreRepository;

  constructor(core: CoreRepository) {
    this.#core = core;
  }

  async stats(): Promise<RepositoryStats> {
    const { repositoryStats } = await import('./stats.js');
    return repositoryStats(this.#core, backgroundFailure);
  }

  verify(): Promise<VerifyReport> {
    return this.#core.maintenance.verify();
  }

  rebuild(): Promise<SpaceReport> {
    return this.#core.maintenance.rebuild();
  }

  async compact(): Promise<SpaceReport> {
    return (await import('../history/trim-history.js')).compact(this.#core);
  }

  async trim(options: TrimOptions = {}): Promise<TrimReport> {
    return (await import('../history/trim-history.js')).trimHistory(this.#core, options);
  }

  async erase(target: EraseTarget, options: EraseOptions): Promise<EraseReport> {
    return (await import('../history/erase-data.js')).eraseData(this.#core, target, options);
  }
}
