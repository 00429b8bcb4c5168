/** Commits quads of ids: small changes directly under the write lock, large ones after they are written aside. */
import type { IdQuads } from '../index/quad-columns.js';
import { type CommitMeta, netChange, type SmallChange } from '../timeline/change.js';
import { Pacer } from '../runtime/env.js';
import { FIRST_INLINE_ID } from '../format/layout.js';
import { sliceQuads } from '../index/quad-columns.js';
import type { Timeline } from '../timeline/timeline.js';
import type { Revision, RevisionRecord } from '../revision/record.js';
import { rowsThatFit, toRevision } from '../revision/record.js';
import { asIdQuads, sortedSet, withoutRows } from './large-change/sorted-quads.js';

/**
 * Removes and adds quads as one revision. Their ids must be of this timeline. Returns the present head if nothing
 * changes.
 */
export async function commitIds(
  timeline: Timeline,
  added: IdQuads,
  removed: IdQuads,
  meta: CommitMeta,
  pacer = new Pacer(timeline.env),
): Promise<Revision> {
  timeline.checkWritable();
  // What may be too large for a record is compared before the write lock is taken.
  if (added.length + removed.length > rowsThatFit(timeline.keyspace.tuning.deltaBytes))
    return toRevision(await commitLarge(timeline, added, removed, meta, pacer));
  const prepare: SmallChange['prepare'] = () =>
    netChange({ index: timeline.index, number: timeline.staged.number }, added, removed, pacer);
  const staged = await timeline.change({ meta, pacer, prepare });
  return toRevision(await staged!.durable);
}

/** A commit has brought a term that a quad to remove has, and that had no id. */
class TermsCame extends Error {}

/**
 * As {@link commitIds}, for quads to remove whose terms may have no ids yet. Such a quad is not there, unless another commit adds it before this
 * one is staged. Then the terms get ids, so that the quad is found.
 * @param removedIds gives the ids of the `count` quads; without `intern` it leaves out those with a term that has none
 */
export async function commitQuads(
  timeline: Timeline,
  added: IdQuads,
  count: number,
  removedIds: (intern: boolean) => Promise<IdQuads>,
  meta: CommitMeta,
  pacer: Pacer,
): Promise<Revision> {
  const { dictionary, staged } = timeline;
  const { nextId } = dictionary;
  const removed = await removedIds(false);
  if (removed.length === count) return commitIds(timeline, added, removed, meta, pacer);
  const validate = (): void => {
    meta.validate?.();
    if (dictionary.nextId !== nextId && timeline.staged.number !== staged.number) throw new TermsCame();
  };
  try {
    return await commitIds(timeline, added, removed, { ...meta, validate }, pacer);
  } catch (error) {
    if (!(error instanceof TermsCame)) throw error;
  }
  return commitIds(timeline, added, await removedIds(true), meta, pacer);
}

async function commitLarge(
  timeline: Timeline,
  added: IdQuads,
  removed: IdQuads,
  meta: CommitMeta,
  pacer: Pacer,
): Promise<RevisionRecord> {
  const { chunkRows } = timeline.keyspace.tuning;
  const { LargeChange } = await import('../on-request.js');
  const change = new LargeChange(timeline, undefined, pacer);
  try {
    const kept = asIdQuads(await sortedSet(added, pacer));
    // A quad that is both removed and added is present afterwards.
    const gone = await withoutRows(asIdQuads(await sortedSet(removed, pacer)), kept, pacer);
    for (let at = 0; at < gone.length; at += chunkRows) await change.remove(sliceQuads(gone, at, chunkRows));
    for (let at = 0; at < kept.length; at += chunkRows)
      await change.add(sliceQuads(kept, at, chunkRows), FIRST_INLINE_ID);
    return await change.commit(meta);
  } finally {
    await change.close();
  }
}
