/**
 * The last step of a large change, under the write lock: what was committed since it began is compared with its rows,
 * its runs get their revision, and one atomic write makes them visible.
 */
import type { WriteOp } from '@quadrille/storage';
import { EndedColumns, QuadColumns, sortQuads } from '../../index/quad-columns.js';
import { applyDelta } from '../committer.js';
import type { CommitMeta } from '../committer.js';
import { Tag } from '../../format/layout.js';
import { newRowColumns } from '../../index/block/block-codec.js';
import { IndexVersion } from '../../index/index-version.js';
import { Run } from '../../index/run/run.js';
import type { SortedRows, WrittenOrders } from '../../index/run/write-orders.js';
import { writeOrders } from '../../index/run/write-orders.js';
import type { LargeChange } from './large-change.js';
import { intervalKey, type Rebase } from './rebase.js';
import { payloadRows } from '../../revision/delta.js';
import type { RevisionRecord } from '../../revision/record.js';
import { deleteGarbage } from '../../index/run/run-session.js';
import { sortedEnded, sortedSet } from './sorted-quads.js';

export async function publishLarge(change: LargeChange, rebase: Rebase, meta: CommitMeta): Promise<RevisionRecord> {
  const { generation } = change;
  const { committer } = generation;
  await committer.drain();
  committer.checkCondition(meta);
  change.checkAlive();
  await rebase.catchUp();
  await dropRemovedSince(change, rebase.removedSince);
  const inRuns = (side: readonly WrittenOrders[]): number => side.reduce((sum, { payload }) => sum + payload.rows, 0);
  const counts = {
    addedCount: inRuns(change.added) + rebase.added.length - rebase.handedOver.length,
    removedCount: inRuns(change.removed) + rebase.removed.length,
  };
  if (counts.addedCount + counts.removedCount === 0) return generation.published;
  const delta = await smallDelta(change, rebase);
  const payload = {
    added: change.added.map((chunk) => chunk.payload),
    removed: change.removed.map((chunk) => chunk.payload),
  };
  const record = committer.makeRecord(delta.added, delta.removed, meta, { payload, ...counts });
  const also = meta.also?.(record) ?? [];
  const published = [...change.added, ...change.removed]
    .flatMap((chunk) => chunk.runs)
    .map((run) => dated(run, record.number));
  const runs = [...generation.index.runs, ...published];
  updateStatistics(change, rebase);
  const keptRuns = change.kept.flatMap((chunk) => chunk.runs);
  const ops: WriteOp[] = [
    ...committer.writeCheckpoint(record.number, runs),
    ...keptRuns.map((run): WriteOp => ({
      type: 'put',
      key: generation.keyspace.key(Tag.garbage, run.entry.id),
      value: new Uint8Array(0),
    })),
    ...change.session.finish(),
    ...also,
  ];
  await committer.enqueue(record, ops, () => {
    generation.replaceIndex(new IndexVersion(runs, generation.index.memtables));
    applyDelta(generation.index.active, record);
  });
  await change.close(true);
  for (const run of keptRuns) void deleteGarbage(generation.keyspace, run.entry.id).catch(() => undefined);
  return record;
}

function dated(run: Run, revision: number): Run {
  return new Run({ ...run.entry, revision }, run.table, run.source, run.cache);
}

function updateStatistics(change: LargeChange, rebase: Rebase): void {
  const { statistics } = change.generation;
  statistics.combine(change.statistics.added, 1);
  statistics.combine(change.statistics.removed, -1);
  statistics.apply(rebase.added, 1);
  statistics.apply(rebase.removed, -1);
  statistics.apply(rebase.handedOver, -1);
}

// What stands in the record itself; where that would be too much, it becomes runs too.
async function smallDelta(
  change: LargeChange,
  { added, removed, handedOver }: Rebase,
): Promise<{ added: QuadColumns; removed: EndedColumns }> {
  const ended = new EndedColumns();
  for (const { s, p, o, g, from, length } of [removed, handedOver]) {
    for (let i = 0; i < length; i++) ended.pushEnded(s[i]!, p[i]!, o[i]!, g[i]!, from[i]!);
  }
  const { generation, session, pacer } = change;
  if (added.length + ended.length <= generation.keyspace.tuning.smallRows) {
    return { added: sortQuads(added), removed: sortQuads(ended) };
  }
  if (added.length > 0) {
    const rows = await sortedSet(added, pacer);
    change.added.push(await writeOrders(generation.keyspace, session, rows, 'live', true, pacer));
  }
  if (ended.length > 0) {
    const rows = await sortedEnded(ended, pacer);
    change.removed.push(await writeOrders(generation.keyspace, session, rows, 'tombstone', true, pacer));
  }
  return { added: new QuadColumns(), removed: new EndedColumns() };
}

// An interval that somebody else has ended since must not get a second tombstone: those runs of ours are written again without.
async function dropRemovedSince(change: LargeChange, removedSince: ReadonlySet<string>): Promise<void> {
  if (removedSince.size === 0) return;
  const { generation, session, pacer } = change;
  for (const chunk of change.removed.splice(0)) {
    const rows = await remainingRows(change, chunk, removedSince);
    if (rows.length === chunk.payload.rows) {
      change.removed.push(chunk);
      continue;
    }
    if (rows.length > 0)
      change.removed.push(await writeOrders(generation.keyspace, session, rows, 'tombstone', true, pacer));
    // Nobody needs the first ones any more: they go with those of kept rows, once the change is published.
    change.kept.push(chunk);
  }
}

async function remainingRows(
  change: LargeChange,
  chunk: WrittenOrders,
  removedSince: ReadonlySet<string>,
): Promise<SortedRows> {
  const columns = newRowColumns(chunk.payload.rows);
  let length = 0;
  for await (const batch of payloadRows(change.generation.keyspace, chunk.payload, 'tombstone')) {
    for (let i = batch.start; i < batch.end; i++) {
      const [s, p, o, g, from] = batch.columns.map((column) => column[i]!) as [number, number, number, number, number];
      if (removedSince.has(intervalKey(s, p, o, g, from))) {
        change.statistics.removed.apply({ length: 1, p: Uint32Array.of(p), g: Uint32Array.of(g) }, -1);
        continue;
      }
      for (const [column, value] of [s, p, o, g, from].entries()) columns[column]![length] = value;
      length++;
    }
    if (change.pacer.due()) await change.pacer.pause();
  }
  return { columns, length };
}
