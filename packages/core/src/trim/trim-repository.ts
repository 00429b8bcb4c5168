/** Trims the history of a branch: from refs and options to the numbers of revisions. */
import { InvalidArgumentError, NotFoundError } from '@quadrille/model';
import type { Lines, OpenLine } from '../branch/lines.js';
import { EndedColumns, QuadColumns } from '../index/quad-columns.js';
import { SPOG } from '../index/orders.js';
import { intervals } from '../index/read/intervals.js';
import { FOREVER } from '../format/layout.js';
import { measured } from '../compact/disk-usage.js';
import type { Timeline } from '../timeline/timeline.js';
import type { RepositoryAccess } from '../open/repository-access.js';
import type { RepositoryHandle } from '../open/handle.js';
import type { Ref } from '../timeline/refs.js';
import type { RevisionRecord } from '../revision/record.js';
import { Pacer } from '../runtime/env.js';
import { commitIds } from '../write/commit.js';
import { isConflict } from '../timeline/change.js';
import { trimLine } from './trim-line.js';
import type { Attest } from './trim-line.js';
import type { TrimPolicy } from './kept-revisions.js';

/** What a trim of a branch keeps, and how it is made. */
export interface TrimRequest {
  /** The first revision that stays. */
  readonly from?: Ref | undefined;
  /** The last revision that goes. */
  readonly to?: Ref | undefined;
  /** Number of the newest revisions that stay. */
  readonly last?: number | undefined;
  /** Revisions of this number of days, up to now, stay. */
  readonly days?: number | undefined;
  /** Number of the last revisions of each day (UTC) that stay. */
  readonly perDay?: number | undefined;
  /** Also removes, as one more revision, the quads that have been there since before. */
  readonly deleteHistory: boolean;
  /** Only tells what would be removed. */
  readonly dryRun: boolean;
  /** Digests of revisions as they are now. */
  readonly attest: Attest;
  /** Who removes quads. */
  readonly author?: string | undefined;
}

/** Finds the revision of the branch that a ref names. */
type Resolve = (ref: Ref) => Promise<RevisionRecord>;

/** What a trim has done. */
export interface TrimReport {
  /** Number of revisions that were removed. */
  readonly trimmed: number;
  /** Number of revisions of the branch that are left, without those of the branch on which it begins. */
  readonly kept: number;
  /** Bytes by which the repository has become smaller, approximately. For a dry run the bytes of the records. */
  readonly bytesFreed: number;
}

const DAY_MS = 86_400_000;
const ATTEMPTS = 10;

export async function trimRepository(
  lines: Lines<OpenLine>,
  handle: RepositoryHandle,
  access: RepositoryAccess,
  request: TrimRequest & { readonly resolve: Resolve },
): Promise<TrimReport> {
  await access.writable();
  const { dryRun, attest } = request;
  const policy = await policyOf(handle.timeline, request);
  if (request.deleteHistory && !dryRun) await access.asWriter((timeline) => deleteOld(timeline, request, policy));
  const options = { policy, dryRun, attest };
  let result = { trimmed: 0, kept: 0, recordBytes: 0 };
  const trim = async (): Promise<void> => void (result = await trimLine(lines, handle, options));
  if (dryRun) await trim();
  const space = dryRun
    ? undefined
    : await measured(handle.root, () => trim().then(() => shrink(handle, result.trimmed)));
  const { trimmed, kept, recordBytes } = result;
  // The size of a store that has written a moment ago may be too low.
  const bytesFreed = space === undefined ? recordBytes : Math.max(recordBytes, space.bytesBefore - space.bytesAfter);
  return { trimmed, kept, bytesFreed: trimmed === 0 ? 0 : bytesFreed };
}

// The backend frees the space of what was deleted.
async function shrink(handle: RepositoryHandle, trimmed: number): Promise<void> {
  if (trimmed === 0) return;
  // Deletions of runs must be written before.
  await handle.env.yieldTurn();
  const { engine, everything } = handle.keyspace;
  if (engine.capabilities.compact) await engine.compact(everything);
}

async function policyOf(
  timeline: Timeline,
  { from, to, last, days, perDay, resolve }: TrimRequest & { readonly resolve: Resolve },
): Promise<TrimPolicy> {
  const since = days === undefined ? undefined : timeline.env.now() - days * DAY_MS;
  const stays = from === undefined ? 0 : await firstFrom(resolve, from, 0);
  const follows = to === undefined ? 0 : await firstFrom(resolve, to, 1);
  const isNamed = from !== undefined || to !== undefined;
  return { last, since, perDay, before: isNamed ? Math.max(stays, follows) : undefined };
}

// The number of a revision, or of one beyond it. One that was removed by an earlier trim is before the next one that was kept.
async function firstFrom(resolve: Resolve, ref: Ref, beyond: 0 | 1): Promise<number> {
  try {
    return (await resolve(ref)).number + beyond;
  } catch (error) {
    const isTrimmed = error instanceof NotFoundError && error.code === 'REVISION_TRIMMED';
    if (isTrimmed && typeof error.details['after'] === 'number') return error.details['after'];
    throw error;
  }
}

// Removes the quads that were there before the first revision that the policy keeps, and still are.
async function deleteOld(
  timeline: Timeline,
  { author }: TrimRequest,
  { before, last = 0, since, perDay }: TrimPolicy,
): Promise<void> {
  if (since !== undefined || perDay !== undefined)
    throw new InvalidArgumentError(
      'INVALID_OPTION',
      'trim: the mode delete-history needs `from`, `to` or `last` alone',
    );
  const pacer = new Pacer(timeline.env);
  for (let left = ATTEMPTS; ; left--) {
    const { index, published } = timeline;
    const { number: head } = published;
    const first = Math.min(before ?? head, head - last + 1);
    const quads = new QuadColumns();
    index.retain();
    try {
      for await (const { ids, from, to } of intervals(index, SPOG, head, pacer))
        if (from < first && to === FOREVER) quads.push(...ids);
    } finally {
      index.release();
    }
    try {
      const message = `Remove what was added before revision ${first}`;
      await commitIds(timeline, new EndedColumns(), quads, { author, message, ifRevision: head }, pacer);
      return;
    } catch (error) {
      if (!isConflict(error) || left <= 1) throw error;
      await timeline.settled();
    }
  }
}
