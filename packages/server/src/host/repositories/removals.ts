/** Removals from the history of repositories. Each is audited, without anything of the content. */
import type { EraseOptions, EraseReport, EraseTarget, Repository, TrimOptions, TrimReport } from 'quadrille';
import { QuadrilleError } from '@quadrille/model';
import type { Audit, AuditedChange } from '../accounts/audit.js';
import type { Caller } from '../accounts/caller.js';

/** Removes revisions for callers, who own the repository. */
export class Removals {
  constructor(private readonly audit: Audit) {}

  /** Removes old revisions: see `Repository.trim`. */
  async trim(caller: Caller, repository: Repository, options: TrimOptions): Promise<TrimReport> {
    const report = await repository.maintenance.trim(options);
    if (options.dryRun === true) return report;
    const details = { branch: repository.branch, trimmed: report.trimmed, mode: options.mode ?? 'project-history' };
    await this.audit.add(caller, { action: 'repository.trim', subject: repository.name, details });
    return report;
  }

  /** Erases data from all revisions: see `Repository.erase`. */
  async erase(
    caller: Caller,
    repository: Repository,
    target: EraseTarget,
    options: EraseOptions,
  ): Promise<EraseReport> {
    const add = (details: AuditedChange['details'] & object): Promise<void> =>
      this.audit.add(caller, { action: 'repository.erase', subject: repository.name, details });
    try {
      const report = await repository.maintenance.erase(target, options);
      if (options.dryRun === true) return report;
      const { quads, revisions, branches } = report;
      await add({ quads, revisions, branches });
      return report;
    } catch (error) {
      // It is in effect. Only the files are not written anew yet.
      if (error instanceof QuadrilleError && error.details['erased'] === true) await add({ ended: false });
      throw error;
    }
  }
}
