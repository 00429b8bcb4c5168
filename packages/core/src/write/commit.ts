/** Commits quads of ids: small changes through the write lock, large ones written aside first. */
import { EndedColumns, setOf, sliceQuads } from '../index/quad-columns.js';
import type { CommitMeta } from './committer.js';
import { Pacer } from '../runtime/env.js';
import { FIRST_INLINE_ID } from '../format/layout.js';
import { newRowColumns } from '../index/block/block-codec.js';
import { LargeChange } from './large-change/large-change.js';
import { findInterval, netChange } from './net-change.js';
import type { Generation } from '../open/generation.js';
import type { IdQuads, Revision } from '../revision/record.js';
import { toRevision } from '../revision/record.js';
import { asIdQuads, sortedSet } from './large-change/sorted-quads.js';

/** Removes and adds quads whose ids are of this generation, as one revision; without a net change the head as it is. */
export async function commitIds(
  generation: Generation,
  added: IdQuads,
  removed: IdQuads,
  meta: CommitMeta,
): Promise<Revision> {
  generation.checkWritable();
  if (added.length + removed.length > generation.keyspace.tuning.smallRows)
    return commitLarge(generation, added, removed, meta);
  const staged = await generation.committer.writeLock.run(async () => {
    generation.committer.checkCondition(meta);
    generation.checkWritable();
    const change = await netChange(generation.index, generation.staged.number, added, removed);
    return { durable: generation.committer.stage(change, meta) };
  });
  return toRevision(await staged.durable);
}

async function commitLarge(
  generation: Generation,
  added: IdQuads,
  removed: IdQuads,
  meta: CommitMeta,
): Promise<Revision> {
  const { chunkRows } = generation.keyspace.tuning;
  const pacer = new Pacer(generation.env);
  const change = new LargeChange(generation, undefined, pacer);
  try {
    // Each once: an interval must not get two tombstones, in whatever chunks its quad stands.
    const distinct = asIdQuads(await sortedSet(removed, pacer));
    for (let at = 0; at < distinct.length; at += chunkRows)
      await removeChunk(change, sliceQuads(distinct, at, chunkRows), added, pacer);
    for (let at = 0; at < added.length; at += chunkRows)
      await change.add(sliceQuads(added, at, chunkRows), FIRST_INLINE_ID);
    return toRevision(await change.commit(meta));
  } finally {
    await change.close();
  }
}

// Removes what is there of some quads, but for those that are added in the same commit.
async function removeChunk(change: LargeChange, quads: IdQuads, added: IdQuads, pacer: Pacer): Promise<void> {
  const again = added.length === 0 ? undefined : setOf(added);
  const ended = new EndedColumns();
  const { s, p, o, g } = quads;
  const { state, number } = change.base;
  for (let i = 0; i < quads.length; i++) {
    if (again?.has(s[i]!, p[i]!, o[i]!, g[i]!)) continue;
    const interval = await findInterval(state, number, s[i]!, p[i]!, o[i]!, g[i]!);
    if (interval !== 0) ended.pushEnded(s[i]!, p[i]!, o[i]!, g[i]!, interval);
    else change.absent.add(s[i]!, p[i]!, o[i]!, g[i]!);
    if (i % 256 === 0 && pacer.due()) await pacer.pause();
  }
  if (ended.length === 0) return;
  const columns = newRowColumns(ended.length);
  for (const [i, name] of (['s', 'p', 'o', 'g', 'from'] as const).entries())
    columns[i]!.set(ended[name].subarray(0, ended.length));
  await change.removeIntervals({ columns, length: ended.length });
}
