/** Pull and push: whichever copy is behind gets the revisions that it lacks. Copies with revisions of their own are refused. */
import type { Repository as CoreRepository } from '@quadrille/core';
import { toRevision } from '@quadrille/core';
import { FetchError } from '@quadrille/model';
import type { PullOptions, Ref, ReplicationOptions, ReplicationReport, Repository, Revision } from '../api/index.js';
import { knownRevision } from './known-revision.js';
import { diverged, type RemoteHistory, type Standing } from './remote-history.js';

/** What is replicated: a repository with its engine. */
export interface Copy {
  readonly core: CoreRepository;
  readonly repository: Repository;
}

/** Gets the revisions that the other copy has after our head. */
export async function pullFrom(copy: Copy, remote: RemoteHistory, options: PullOptions): Promise<ReplicationReport> {
  const { core } = copy;
  if (options.branches === 'all') return take(copy, remote, await remote.readAll(), options);
  const { head, common, theirs } = await standing(copy, remote);
  if (theirs.head === common?.id) return { transferred: 0, revision: head };
  const isEmpty = head.number === 1;
  if (!isEmpty && common?.id !== head.id) throw diverged(core.name, remote.name, common?.number);
  return take(copy, remote, await remote.read(isEmpty ? undefined : head.id), options);
}

async function take(
  { repository }: Copy,
  { name }: RemoteHistory,
  file: AsyncIterable<Uint8Array>,
  { signal, onProgress }: PullOptions,
): Promise<ReplicationReport> {
  let transferred = 0;
  const revision = await repository.sync.importHistory(file, {
    sourceName: name,
    signal,
    onProgress: (progress) => {
      transferred = progress.imported;
      onProgress?.(progress);
    },
  });
  return { transferred, revision };
}

/** Sends the revisions that we have after the head of the other copy. */
export async function pushTo(
  copy: Copy,
  remote: RemoteHistory,
  { signal }: ReplicationOptions,
): Promise<ReplicationReport> {
  const { core, repository } = copy;
  const { head, common, theirs } = await standing(copy, remote);
  if (common?.id === head.id || head.number === 1) return { transferred: 0, revision: head };
  const isEmpty = theirs.number === 1;
  if (!isEmpty && theirs.head !== common?.id) throw diverged(core.name, remote.name, common?.number);
  const range = { to: head.number, signal, ...(!isEmpty && { since: theirs.head }) };
  return { transferred: await remote.write(repository.sync.exportHistory(range)), revision: head };
}

const revisionAt = async (core: CoreRepository, ref: Ref): Promise<Revision> => toRevision(await core.resolve(ref));

interface Compared {
  /** Our head. */
  readonly head: Revision;
  /** The newest revision that both have, as far as is known. */
  readonly common: Revision | undefined;
  readonly theirs: Standing;
}

/** Where both copies stand. */
export async function standing({ core, repository }: Copy, remote: RemoteHistory): Promise<Compared> {
  const head = await revisionAt(core, 'HEAD');
  const asked = await sparse(core, head);
  const theirs = await remote.standing(asked.map(({ id }) => id));
  // Their head may be a revision of ours that was not asked for.
  const known = await knownRevision(repository, theirs.head);
  if (known !== undefined && known.number <= head.number) return { head, common: known, theirs };
  const common = asked.find(({ id }) => id === theirs.common);
  if (theirs.common === undefined || common !== undefined) return { head, common, theirs };
  throw new FetchError('FETCH_FAILED', `${remote.name} names a revision that it was not asked for`);
}

/** Revisions that are asked for together. */
const AT_ONCE = 60;

/** The number of the newest revision that both copies have. They have one. */
export async function exactCommon({ core }: Copy, remote: RemoteHistory): Promise<number> {
  let [low, high] = [1, core.head.number + 1];
  while (high - low > 1) {
    const step = Math.ceil((high - low) / AT_ONCE);
    const numbers: number[] = [];
    for (let number = high - step; number > low; number -= step) numbers.push(number);
    if (numbers.length === 0) numbers.push(low + 1);
    const asked = await Promise.all(numbers.map((number) => keptRevision(core, number)));
    const { common } = await remote.standing(asked.map(({ id }) => id));
    const found = asked.findIndex(({ id }) => id === common);
    const above = found === -1 ? numbers.at(-1)! : (numbers[found - 1] ?? high);
    [low, high] = [found === -1 ? low : numbers[found]!, above];
  }
  return low;
}

/** The revision of a number or, if that was trimmed, the next one. */
const keptRevision = async (core: CoreRepository, number: number): Promise<Revision> =>
  revisionAt(core, await core.history.keptNumber(number));

/** HEAD, then HEAD~n for each power of two n, and the first revision. In place of one that was trimmed, the next one. */
async function sparse(core: CoreRepository, head: Revision): Promise<Revision[]> {
  const revisions = [head];
  for (let back = 1; back < head.number * 2; back *= 2) {
    const revision = await keptRevision(core, Math.max(1, head.number - back));
    if (revision.number !== revisions.at(-1)!.number) revisions.push(revision);
  }
  return revisions;
}
