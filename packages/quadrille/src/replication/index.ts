/** Clone, pull and push. Loaded with the first call. */
import { InvalidArgumentError } from '@quadrille/model';
import type { Database, PullOptions, ReplicationOptions, ReplicationReport, Repository } from '../api/index.js';
import { checkedAddress, httpRemote } from './http-remote.js';
import { localRemote } from './local-remote.js';
import { pullAndMerge } from './pull-merge.js';
import type { RemoteHistory } from './remote-history.js';
import { type Copy, pullFrom, pushTo } from './replicate.js';
import { getRemote, setRemote } from './stored-remotes.js';

export { deleteRemote, getRemote, listRemotes, setRemote } from './stored-remotes.js';

/** The remote that `clone` sets, and that calls without one mean. */
const ORIGIN = 'origin';

export const pull = async (copy: Copy, source: string | Repository, options: PullOptions): Promise<ReplicationReport> =>
  merges(options)
    ? pullAndMerge(copy, await remoteOf(copy, source, options), branchNameOf(source), options)
    : pullFrom(copy, await remoteOf(copy, source, options), options);

function merges({ merge = false, branches }: PullOptions): boolean {
  if (!merge || branches !== 'all') return merge;
  throw new InvalidArgumentError('INVALID_OPTION', 'pull: merge is for one branch, and cannot be given with all', {
    details: { option: 'merge' },
  });
}

/** The name of a remote, else of its repository, in that of a branch. */
const branchNameOf = (remote: string | Repository): string => {
  const name = typeof remote === 'string' ? remote : remote.name;
  const parts = name.includes('://') ? new URL(name).pathname.split('/').filter(Boolean).slice(-2).join('/') : name;
  return parts.replaceAll(/[^\p{L}\p{N}_.\-/]/gu, '-').slice(-80);
};

export const push = async (
  copy: Copy,
  target: string | Repository,
  options: ReplicationOptions,
): Promise<ReplicationReport> => pushTo(copy, await remoteOf(copy, target, options), options);

async function remoteOf(
  { core }: Copy,
  remote: string | Repository,
  options: ReplicationOptions,
): Promise<RemoteHistory> {
  if (typeof remote !== 'string') return localRemote(checkedRepository(remote), options.signal);
  if (remote.includes('://')) return httpRemote(checkedAddress(remote), core.branchName, options);
  const known = await getRemote(core, remote);
  if (known !== undefined) return httpRemote(known.url, core.branchName, options);
  const problem = `${core.name} has no remote ${remote}: give an address, or set the remote with remotes.set`;
  throw new InvalidArgumentError('INVALID_OPTION', problem);
}

function checkedRepository(given: Repository): Repository {
  const sync: Partial<Repository['sync']> | undefined = given?.sync;
  if (typeof sync?.exportHistory === 'function' && typeof sync.importHistory === 'function') return given;
  throw new InvalidArgumentError('INVALID_OPTION', 'a remote is a name, an address, or a repository');
}

/** Makes a repository with the history of another one. Without a single revision of it, none is left. */
export async function clone(
  database: Database,
  open: (name: string) => Promise<Copy>,
  name: string,
  source: string | Repository,
  options: PullOptions,
): Promise<Repository> {
  const address = typeof source === 'string' ? checkedAddress(source) : undefined;
  const copy = await open(name);
  try {
    if (address !== undefined) await setRemote(copy.core, ORIGIN, { url: address });
    await pull(copy, address ?? source, options);
  } catch (error) {
    if (copy.core.head.number === 1) await database.deleteRepository(name);
    throw error;
  }
  return copy.repository;
}
