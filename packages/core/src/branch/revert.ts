/** Revisions that undo earlier ones: revert and reset. */
import { ConflictError } from '@quadrille/model';
import { QuadColumns } from '../index/quad-columns.js';
import type { CommitMeta } from '../timeline/change.js';
import { commitIds } from '../write/commit.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import type { Timeline } from '../timeline/timeline.js';
import { deltaRows } from '../revision/delta.js';
import type { Place } from './diff-across.js';
import { rowsAcross } from './diff-across.js';
import { asIdQuads, sortedSet, withoutRows } from '../write/large-change/sorted-quads.js';
import { Pacer } from '../runtime/env.js';
import type { Revision, RevisionRecord } from '../revision/record.js';

/** Number of times that a reset starts again after a concurrent commit. */
const RESET_RETRIES = 10;

/** Removes those additions of a revision that are still present, and adds those removals that are still absent. */
export async function revertRevision(
  timeline: Timeline,
  { keyspace, record }: { readonly keyspace: Keyspace; readonly record: RevisionRecord },
  meta: CommitMeta,
): Promise<Revision> {
  const pacer = new Pacer(timeline.env);
  const added = await deltaQuads(keyspace, record, 'added', pacer);
  const removed = await deltaQuads(keyspace, record, 'removed', pacer);
  // An interval that was handed over is on both sides of the delta. It changed nothing, so it is left out.
  if (record.payload === undefined || added.length === 0 || removed.length === 0)
    return commitIds(timeline, removed, added, meta);
  const [came, went] = [asIdQuads(await sortedSet(added, pacer)), asIdQuads(await sortedSet(removed, pacer))];
  return commitIds(timeline, await withoutRows(went, came, pacer), await withoutRows(came, went, pacer), meta);
}

async function deltaQuads(
  keyspace: Keyspace,
  record: RevisionRecord,
  side: 'added' | 'removed',
  pacer: Pacer,
): Promise<QuadColumns> {
  const quads = new QuadColumns();
  for await (const { columns, start, end } of deltaRows(keyspace, record, side)) {
    const [s, p, o, g] = columns;
    for (let i = start; i < end; i++) quads.push(s[i]!, p[i]!, o[i]!, g[i]!);
    if (pacer.due()) await pacer.pause();
  }
  return quads;
}

/** Restores the content of a revision of any line. */
export async function resetToRevision(timeline: Timeline, place: Place, meta: CommitMeta): Promise<Revision> {
  for (let left = RESET_RETRIES; ; left--) {
    const { published: head } = timeline;
    const [added, removed] = [new QuadColumns(), new QuadColumns()];
    for await (const { op, s, p, o, g } of rowsAcross({ timeline, record: head }, place, new Pacer(timeline.env)))
      (op === 1 ? added : removed).push(s, p, o, g);
    try {
      const condition = { ...meta, ifRevision: meta.ifRevision ?? head.number };
      return await commitIds(timeline, added, removed, condition);
    } catch (error) {
      // A concurrent commit was made: the difference must be computed again.
      const lost = error instanceof ConflictError && meta.ifRevision === undefined;
      if (!lost || left <= 0) throw error;
    }
  }
}
