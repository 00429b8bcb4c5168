/**
 * Pulls from a copy that has gone another way: its revisions go on a branch `remote/NAME`, which is merged. Numbers and ids of neither
 * side change.
 */
import type { PullOptions, ReplicationReport } from '../api/index.js';
import { type Copy, exactCommon, pullFrom, standing } from './replicate.js';
import { diverged, type RemoteHistory } from './remote-history.js';

/** @param name of the remote, as it stands in the name of the branch */
export async function pullAndMerge(
  copy: Copy,
  remote: RemoteHistory,
  name: string,
  options: PullOptions,
): Promise<ReplicationReport> {
  const { core, repository } = copy;
  const { head, common, theirs } = await standing(copy, remote);
  const isAhead = theirs.head !== common?.id && common?.id !== head.id;
  if (!isAhead || head.number === 1) return pullFrom(copy, remote, options);
  if (common === undefined) throw diverged(core.name, remote.name, undefined);
  const branch = `remote/${name}`;
  const { transferred } = await pullFrom(await tracking(copy, remote, branch), remote, options);
  const { signal } = options;
  return {
    transferred,
    revision: await repository.branches.merge(branch, { message: `Merge ${remote.name}`, signal }),
  };
}

/** The branch that has the revisions of the other copy. If the copy has gone another way since, the branch begins anew. */
async function tracking(copy: Copy, remote: RemoteHistory, branch: string): Promise<Copy> {
  const { core, repository } = copy;
  const lines = await core.lines();
  const branches = await core.branches();
  if ((await lines.branchRecord(branch)) !== undefined) {
    const known = { core: await lines.branch(branch), repository: await repository.branches.open(branch) };
    const { head, common } = await standing(known, remote);
    if (common?.id === head.id) return known;
    await branches.delete(branch, true);
  }
  const record = await core.resolve(await exactCommon(copy, remote));
  await branches.create(branch, { keyspace: core.handle.keyspace, record }, { reserved: true });
  return { core: await lines.branch(branch), repository: await repository.branches.open(branch) };
}
