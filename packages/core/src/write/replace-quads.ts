/**
 * Replaces all quads that match a pattern. Where the change fits into a record it is an ordinary commit, else a large change. A removal of
 * what matches replaces it by nothing.
 */
import { EndedColumns, type IdQuads, QuadColumns, QuadSet, sortQuads } from '../index/quad-columns.js';
import type { IndexAt } from '../index/read/find-interval.js';
import { accessPath, type IdPattern } from '../index/orders.js';
import { batches } from '../index/read/batches.js';
import { fitsInRecord, mostRowsIn, type Revision, type RevisionRecord, toRevision } from '../revision/record.js';
import { FIRST_INLINE_ID } from '../format/layout.js';
import type { CommitMeta, NetChange } from '../timeline/change.js';
import type { Pacer } from '../runtime/env.js';
import type { Timeline } from '../timeline/timeline.js';
import { LargeChange } from './large-change/large-change.js';
import { inQuadOrder } from './large-change/scope.js';

/**
 * Replaces the quads of a scope as one revision. Returns the present head if nothing changes.
 * @param quads at most `chunkRows` quads, all of which match the scope
 */
export async function replaceQuads(
  timeline: Timeline,
  scope: IdPattern,
  quads: IdQuads,
  meta: CommitMeta,
  pacer: Pacer,
): Promise<Revision> {
  timeline.checkWritable();
  const { deltaBytes } = timeline.keyspace.tuning;
  const prepare = (): Promise<NetChange | undefined> =>
    netReplacement({ index: timeline.index, number: timeline.staged.number }, scope, quads, deltaBytes, pacer);
  const isSmall = quads.length <= mostRowsIn(deltaBytes);
  const staged = isSmall ? await timeline.change({ meta, pacer, prepare }) : undefined;
  return toRevision(await (staged?.durable ?? replaceLarge(timeline, scope, quads, meta, pacer)));
}

/** What differs between the quads of the scope and those that replace them; `undefined` if it takes more than `most` bytes of a record. */
async function netReplacement(
  at: IndexAt,
  scope: IdPattern,
  quads: IdQuads,
  most: number,
  pacer: Pacer,
): Promise<NetChange | undefined> {
  const wanted = new QuadSet();
  for (let i = 0; i < quads.length; i++) wanted.add(quads.s[i]!, quads.p[i]!, quads.o[i]!, quads.g[i]!);
  const present = new QuadSet();
  const removed = new EndedColumns();
  const path = accessPath(scope);
  for await (const batch of batches(at.index.scan(scope, at.number, path, true), pacer)) {
    const { columns, length } = inQuadOrder(batch, path);
    const [s, p, o, g, from] = columns;
    for (let i = 0; i < length; i++) {
      const quad = [s[i]!, p[i]!, o[i]!, g[i]!] as const;
      if (wanted.has(...quad)) present.add(...quad);
      else removed.pushEnded(...quad, from[i]!);
    }
    if (removed.length > mostRowsIn(most)) return undefined;
  }
  const added = new QuadColumns(wanted.length - present.length);
  for (let i = 0; i < wanted.length; i++) {
    const quad = [wanted.s[i]!, wanted.p[i]!, wanted.o[i]!, wanted.g[i]!] as const;
    if (!present.has(...quad)) added.push(...quad);
  }
  const change = { added: sortQuads(added), removed: sortQuads(removed) };
  return fitsInRecord(change.added, change.removed, most) ? change : undefined;
}

async function replaceLarge(
  timeline: Timeline,
  scope: IdPattern,
  quads: IdQuads,
  meta: CommitMeta,
  pacer: Pacer,
): Promise<RevisionRecord> {
  const change = new LargeChange(timeline, scope, pacer);
  try {
    if (quads.length > 0) await change.add(quads, FIRST_INLINE_ID);
    return await change.commit(meta);
  } finally {
    await change.close();
  }
}
