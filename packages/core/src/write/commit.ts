/** Commits quads of ids: small changes directly under the write lock, large ones after they are written aside. */
import type { CommitMeta } from './committer.js';
import { Pacer } from '../runtime/env.js';
import { FIRST_INLINE_ID } from '../format/layout.js';
import { sliceQuads } from '../index/quad-columns.js';
import type { LargeChange } from './large-change/large-change.js';
import { netChange } from './net-change.js';
import type { Generation } from '../open/generation.js';
import type { IdQuads, Revision, RevisionRecord } from '../revision/record.js';
import { fitsInRecord, mostRowsIn, toRevision } from '../revision/record.js';
import { asIdQuads, sortedSet, withoutRows } from './large-change/sorted-quads.js';

/** The code of large changes. Set from outside, because few programs need it. */
export const largeChanges: { load: (() => Promise<{ readonly LargeChange: typeof LargeChange }>) | undefined } = {
  load: undefined,
};

/**
 * Removes and adds quads as one revision. Their ids must be of this generation. Returns the present head if nothing
 * changes.
 */
export async function commitIds(
  generation: Generation,
  added: IdQuads,
  removed: IdQuads,
  meta: CommitMeta,
  pacer = new Pacer(generation.env),
): Promise<Revision> {
  generation.checkWritable();
  const small = await commitSmall(generation, added, removed, meta, pacer);
  return toRevision(small ?? (await commitLarge(generation, added, removed, meta, pacer)));
}

// Returns undefined, and has no effect, if the change does not fit into a record.
async function commitSmall(
  generation: Generation,
  added: IdQuads,
  removed: IdQuads,
  meta: CommitMeta,
  pacer: Pacer,
): Promise<RevisionRecord | undefined> {
  const { committer, keyspace } = generation;
  const { deltaBytes } = keyspace.tuning;
  if (added.length + removed.length > mostRowsIn(deltaBytes)) return undefined;
  const room = generation.room();
  if (room !== undefined) await room;
  const staged = await committer.writeLock.run(async () => {
    committer.checkCondition(meta);
    generation.checkWritable();
    const due = committer.dueCheckpoint(pacer);
    const checkpoint = due && (await due);
    const at = { index: generation.index, number: generation.staged.number };
    const change = await netChange(at, added, removed, pacer);
    if (!fitsInRecord(change.added, change.removed, deltaBytes)) return undefined;
    const guarded = generation.guard(change);
    if (guarded !== undefined) await guarded;
    return { durable: committer.stage(change, meta, checkpoint) };
  });
  return staged?.durable;
}

async function commitLarge(
  generation: Generation,
  added: IdQuads,
  removed: IdQuads,
  meta: CommitMeta,
  pacer: Pacer,
): Promise<RevisionRecord> {
  const { chunkRows } = generation.keyspace.tuning;
  const { LargeChange: Loaded } = await largeChanges.load!();
  const change = new Loaded(generation, undefined, pacer);
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
