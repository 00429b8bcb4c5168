/** The branch of a repository that a request is about, and who may change it. */
import { AccessError } from '@quadrille/model';
import type { Repository } from 'quadrille';

/**
 * The repository on a branch; without a name on the one that its settings say.
 * @throws NotFoundError `BRANCH_NOT_FOUND`
 */
export async function servedBranch(repository: Repository, name: string | undefined): Promise<Repository> {
  const branch = name ?? (await repository.settings.get()).defaultBranch;
  return branch === repository.branch ? repository : repository.branches.open(branch);
}

/** Whether only owners may commit to a branch, delete and rename it. */
export async function isProtected(repository: Repository, branch: string = repository.branch): Promise<boolean> {
  return (await repository.settings.get()).protected.includes(branch);
}

/** The error for a client that may write to a repository, but not to this branch. */
export const protectedBranch = (repository: Repository, branch: string = repository.branch): AccessError =>
  new AccessError('FORBIDDEN', `branch ${branch} is protected: only the owner of ${repository.name} may change it`);
