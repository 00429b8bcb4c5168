/** The branches of repositories, for callers. */
import { NotFoundError } from '@quadrille/model';
import type { BranchInfo, MergeOptions, Ref, Repository, Revision } from 'quadrille';
import type { Audit } from '../accounts/audit.js';
import type { Caller } from '../accounts/caller.js';
import type { QueryGate } from '../queries/query-gate.js';
import { ownerOf, type Rights } from './rights.js';
import { isProtected, servedBranch } from './served-branch.js';

/** A branch as servers show it. */
export interface ServedBranch extends BranchInfo {
  /** Whether it serves requests that name none. */
  readonly isDefault: boolean;
  /** Whether only owners may change it. */
  readonly isProtected: boolean;
}

/** Lists, creates, renames, deletes and merges branches. Every method checks the rights of its caller. */
export class ServedBranches {
  constructor(
    private readonly rights: Rights,
    private readonly audit: Audit,
    private readonly gate: QueryGate,
  ) {}

  /** Sorted by name. @throws AccessError, NotFoundError as {@link Rights.open} */
  async list(caller: Caller, repositoryName: string): Promise<ServedBranch[]> {
    const repository = await this.rights.open(caller, repositoryName, 'read');
    const described = await describer(repository);
    return (await repository.branches.list().toArray()).map(described);
  }

  /** @throws as {@link list}; NotFoundError `BRANCH_NOT_FOUND` */
  async get(caller: Caller, repositoryName: string, name: string): Promise<ServedBranch> {
    const repository = await this.rights.open(caller, repositoryName, 'read');
    return (await describer(repository))(await foundBranch(repository, name));
  }

  /**
   * Creates a branch. One of a protected name only for owners.
   * @param options `from`: where it begins; default the head of `on`, which is the default branch if it is missing
   * @throws AccessError; InvalidArgumentError `INVALID_NAME`, `INVALID_REF`; ConflictError `ALREADY_EXISTS`; NotFoundError
   */
  async create(
    caller: Caller,
    repositoryName: string,
    name: string,
    { from, on }: { readonly from?: Ref | undefined; readonly on?: string | undefined } = {},
  ): Promise<ServedBranch> {
    const repository = await this.#openToChange(caller, repositoryName, name);
    const { branches } = await servedBranch(repository, on);
    return (await describer(repository))(await branches.create(name, { ...(from !== undefined && { from }) }));
  }

  /** Both names have to be free of protection, or the caller an owner. @throws as {@link create}; ConflictError `BRANCH_DEFAULT` */
  async rename(caller: Caller, repositoryName: string, name: string, to: string): Promise<ServedBranch> {
    await this.#openToChange(caller, repositoryName, name);
    const repository = await this.#openToChange(caller, repositoryName, to);
    await repository.branches.rename(name, to);
    return (await describer(repository))(await foundBranch(repository, to));
  }

  /**
   * Deletes a branch. With `force` it is recorded for the operators.
   * @throws AccessError; NotFoundError `BRANCH_NOT_FOUND`; ConflictError `BRANCH_DEFAULT`, `BRANCH_NOT_MERGED`, `REVISION_CONFLICT`
   */
  async remove(
    caller: Caller,
    repositoryName: string,
    name: string,
    { force = false, ifRevision }: { readonly force?: boolean; readonly ifRevision?: Ref | undefined } = {},
  ): Promise<void> {
    const repository = await this.#openToChange(caller, repositoryName, name);
    const { head } = await foundBranch(repository, name);
    if (!(await repository.branches.delete(name, { force, ...(ifRevision !== undefined && { ifRevision }) })))
      throw noBranch(repository, name);
    if (force)
      await this.audit.add(caller, {
        action: 'branch.delete',
        subject: repositoryName,
        details: { branch: name, revision: head.id },
      });
  }

  /**
   * Merges a branch into another one; without `into` into the default branch. It waits for its turn, like an update. The revision is the caller's, unless `author` is given.
   * @throws AccessError; NotFoundError `BRANCH_NOT_FOUND`; ConflictError `MERGE_CONFLICT`; InvalidArgumentError `INVALID_OPTION`
   */
  async merge(
    caller: Caller,
    repositoryName: string,
    source: string,
    { into, ...options }: MergeOptions & { readonly into?: string | undefined } = {},
  ): Promise<Revision> {
    const repository = await this.rights.openToCommit(caller, repositoryName, into);
    const { head } = await foundBranch(repository, source);
    const author = options.author ?? caller.account;
    const merge = { ...options, ...(author !== undefined && { author }) };
    // The library has the error for a branch that is merged into itself.
    const what = source === repository.branch ? source : head;
    const work = { party: caller.account ?? ownerOf(repositoryName), kind: 'update', text: `merge ${source}` } as const;
    const repositories = (other: string): Promise<Repository> => this.rights.openToRead(caller, other);
    return this.gate.run({ ...work, repository: repositoryName, repositories }, ({ task }) =>
      repository.branches.merge(what, { signal: task.control.signal, ...merge }),
    );
  }

  async #openToChange(caller: Caller, repositoryName: string, branch: string): Promise<Repository> {
    const repository = await this.rights.open(caller, repositoryName, 'write');
    if (await isProtected(repository, branch)) this.rights.requireOwner(caller, repository, branch);
    return repository;
  }
}

/** A branch by its name. A tag may have the same. @throws NotFoundError `BRANCH_NOT_FOUND` */
export async function foundBranch(repository: Repository, name: string): Promise<BranchInfo> {
  const branch = await repository.branches.get(name);
  if (branch === undefined) throw noBranch(repository, name);
  return branch;
}

const noBranch = ({ name }: Repository, branch: string): NotFoundError =>
  new NotFoundError('BRANCH_NOT_FOUND', `repository ${name} has no branch ${branch.slice(0, 100)}`, {
    details: { repository: name, branch: branch.slice(0, 100) },
  });

async function describer(repository: Repository): Promise<(branch: BranchInfo) => ServedBranch> {
  const settings = await repository.settings.get();
  return (branch) => ({
    ...branch,
    isDefault: branch.name === settings.defaultBranch,
    isProtected: settings.protected.includes(branch.name),
  });
}
