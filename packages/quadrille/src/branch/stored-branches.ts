/** Branches as the library shows them. Loaded with the first call. It imports no value that a page starts with. */
import type { Repository as CoreRepository } from '@quadrille/core';
import type { BranchInfo, DeleteBranchOptions, OpenBranchOptions, Ref } from '../api/index.js';

export const listBranches = async (core: CoreRepository): Promise<readonly BranchInfo[]> =>
  (await core.branches()).list();

export async function findBranch(core: CoreRepository, name: string): Promise<BranchInfo | undefined> {
  try {
    return await (await core.branches()).get(name);
  } catch (error) {
    if ((error as { code?: unknown }).code === 'BRANCH_NOT_FOUND') return undefined;
    throw error;
  }
}

export async function createBranch(core: CoreRepository, name: string, from: Ref | undefined): Promise<BranchInfo> {
  const record = await core.locate(from ?? 'HEAD');
  const { keyspace } = core.ownerOf(record).handle;
  return (await core.branches()).create(name, { keyspace, record });
}

export async function renameBranch(core: CoreRepository, name: string, to: string): Promise<void> {
  await (await core.branches()).rename(name, to);
}

export async function deleteBranch(core: CoreRepository, name: string, options: DeleteBranchOptions): Promise<boolean> {
  const { force = false, ifRevision } = options;
  const expected = ifRevision === undefined ? undefined : await core.locate(ifRevision);
  return (await core.branches()).delete(name, force, expected);
}

/** The engine's repository on a branch. Of two calls that create it together, both succeed. */
export async function openBranch(
  core: CoreRepository,
  name: string,
  { create = false, from }: OpenBranchOptions,
): Promise<CoreRepository> {
  const lines = await core.lines();
  if (create && (await findBranch(core, name)) === undefined) {
    try {
      await createBranch(core, name, from);
    } catch (error) {
      const isThere = (error as { code?: unknown }).code === 'ALREADY_EXISTS';
      if (!isThere || (await findBranch(core, name)) === undefined) throw error;
    }
  }
  return lines.branch(name);
}
