/**
 * The last step of a large change, under the write lock. It compares the change with the commits since it began,
 * gives its runs their revision, and makes them visible by one atomic write.
 */
import type { IdQuads } from '../../index/quad-columns.js';
import type { WriteOp } from '@quadrille/storage';
import { checkOps } from '@quadrille/storage';
import { EndedColumns, QuadColumns, sortQuads } from '../../index/quad-columns.js';
import type { CommitMeta, Switch } from '../../timeline/change.js';
import { applyDelta } from '../../timeline/change.js';
import { newRowColumns } from '../../index/block/block-codec.js';
import { Run } from '../../index/run/run.js';
import { markMembers } from '../../index/run/run-members.js';
import type { SortedRows, WrittenOrders } from '../../index/run/write-orders.js';
import { deltaBytesLeft, fitsInRecord, mostRowsIn } from '../../revision/record.js';
import type { EndedQuads, RunPayload } from '../../revision/record.js';
import type { StateChange } from '../../timeline/state.js';
import { payloadRows } from '../../revision/delta.js';
import { deleteGarbage, garbageOps } from '../../index/run/run-session.js';
import { Statistics } from '../../index/statistics.js';
import type { ChangeJob } from './change-job.js';
import type { Rebased } from './rebase.js';
import { rebase } from './rebase.js';
import { sortedEnded, sortedSet } from './sorted-quads.js';
import type { Tier } from '../../index/merge/run-tiers.js';
import type { WrittenAside } from './write-aside.js';
import { writeChunk, writeTombstones } from './write-aside.js';

/** The switch to the runs that are written aside, as one revision. `undefined` if nothing changes: then the runs are not used. */
export async function switchToLarge(
  job: ChangeJob,
  written: WrittenAside,
  before: Rebased,
  meta: CommitMeta,
): Promise<Switch | undefined> {
  const { timeline } = job;
  timeline.checkCondition(meta);
  timeline.checkWritable();
  const rebased = await rebase(job, written, before);
  const adjusted = adjustmentsOf(rebased);
  const netted = await withoutRemovedSince(job, written, rebased.removedSince, adjusted);
  const counts = {
    addedCount: rowsIn(netted.added) + rebased.added.length - rebased.handedOver.length,
    removedCount: rowsIn(netted.removed) + rebased.removed.length,
  };
  if (counts.addedCount + counts.removedCount === 0) return undefined;
  await meta.locked?.();
  const { delta, aside } = await deltaOf(job, netted, rebased, meta);
  const payload = { added: aside.added.map(payloadOf), removed: aside.removed.map(payloadOf) };
  const own = [...aside.added, ...aside.removed].flatMap(({ runs }) => runs);
  const datedBy = (number: number): Run[] => own.map((run) => dated(run, number));
  const proposed = { runs: datedBy(timeline.staged.number + 1), payload, count: countOf(payload) };
  const found = await timeline.guard({ ...delta, aside: proposed });
  const next = timeline.nextRevision(delta.added, delta.removed, meta, found, { payload, ...counts });
  // A squash of another history may have a later number than the next one.
  const newRuns = datedBy(next.record.number);
  const also = meta.also?.(next.record) ?? [];
  checkOps([...next.ops, ...also]);
  const runs = [...timeline.index.runs, ...newRuns];
  const statistics = timeline.statistics.copy();
  for (const counts of [job.counts, adjusted]) await statistics.add(counts, job.pacer);
  const { wholeStatistics } = timeline.keyspace.tuning;
  const checkpoint = await timeline.checkpoints.next(next.record.number, statistics, wholeStatistics, job.pacer);
  const unused = unusedRuns(aside);
  const ops: WriteOp[] = [
    ...timeline.checkpointOps(checkpoint, runs),
    ...garbageOps(
      timeline.keyspace,
      unused.map(({ entry }) => entry.id),
    ),
    ...job.session.finish(),
    ...also,
  ];
  const publish = (): StateChange => {
    const index = timeline.index.with(runs, timeline.index.memtables);
    applyDelta(index.active, next.record);
    job.session.giveBack();
    for (const run of unused) void deleteGarbage(timeline.keyspace, run.entry.id).catch(() => undefined);
    return { index, statistics, checkpoints: checkpoint.checkpoints };
  };
  return { next, ops, publish };
}

const rowsIn = (chunks: readonly WrittenOrders[]): number => chunks.reduce((sum, { payload }) => sum + payload.rows, 0);

const countOf = ({ added, removed }: RunPayload): number =>
  [...added, ...removed].reduce((sum, { rows }) => sum + rows, 0);

const payloadOf = ({ payload }: WrittenOrders): WrittenOrders['payload'] => payload;

function dated(run: Run, revision: number): Run {
  return new Run({ ...run.entry, revision }, run.table, run.source, run.cache);
}

// Runs that were only needed for comparison, or that other runs replace.
const unusedRuns = ({ kept, absent, dropped }: WrittenAside): Run[] => [
  ...[...kept, ...absent].flatMap(({ runs }) => runs),
  ...dropped,
];

// What commits since the base have changed of the rows that are written aside.
function adjustmentsOf(rebased: Rebased): Statistics {
  const adjustments = new Statistics();
  adjustments.apply(rebased.added, 1);
  adjustments.apply(rebased.removed, -1);
  adjustments.apply(rebased.handedOver, -1);
  return adjustments;
}

// The part of the delta that the record holds. If it does not fit, it is written aside too.
async function deltaOf(
  job: ChangeJob,
  aside: WrittenAside,
  { added, removed, handedOver }: Rebased,
  meta: CommitMeta,
): Promise<{ delta: { added: IdQuads; removed: EndedQuads }; aside: WrittenAside }> {
  const ended = new EndedColumns();
  for (const { s, p, o, g, from, length } of [removed, handedOver]) {
    for (let i = 0; i < length; i++) ended.pushEnded(s[i]!, p[i]!, o[i]!, g[i]!, from[i]!);
  }
  const { deltaBytes } = job.timeline.keyspace.tuning;
  const room = deltaBytesLeft(deltaBytes, aside.added.length + aside.removed.length, meta);
  if (added.length + ended.length <= mostRowsIn(room)) {
    const delta = { added: sortQuads(added), removed: sortQuads(ended) };
    if (fitsInRecord(delta.added, delta.removed, room)) return { delta, aside };
  }
  const more = {
    added: await writeChunk(job, await sortedSet(added, job.pacer), 'live'),
    removed: await writeTombstones(job, await sortedEnded(ended, job.pacer)),
  };
  const withMore = (tiers: readonly Tier[], chunk: WrittenOrders | undefined): readonly Tier[] =>
    chunk === undefined ? tiers : [...tiers, { ...chunk, level: 0 }];
  return {
    delta: { added: new QuadColumns(), removed: new EndedColumns() },
    aside: { ...aside, added: withMore(aside.added, more.added), removed: withMore(aside.removed, more.removed) },
  };
}

// An interval must not get a second tombstone. If a later commit has ended an interval, the runs that also end it are
// written again without that tombstone.
async function withoutRemovedSince(
  job: ChangeJob,
  written: WrittenAside,
  gone: IdQuads,
  counts: Statistics,
): Promise<WrittenAside> {
  if (gone.length === 0) return written;
  const removed: Tier[] = [];
  const dropped: Run[] = [...written.dropped];
  for (const tier of written.removed) {
    const marks = await membersOf(job, tier, gone);
    if (!marks.includes(1)) {
      removed.push(tier);
      continue;
    }
    for (let i = 0; i < gone.length; i++) if (marks[i] === 1) counts.apply(gone, 1, i, i + 1);
    for await (const rows of rowsBut(job, tier, gone, marks))
      removed.push({ ...(await writeTombstones(job, rows))!, level: 0 });
    dropped.push(...tier.runs);
  }
  return { ...written, removed, dropped };
}

async function membersOf({ pacer }: ChangeJob, tier: Tier, quads: IdQuads): Promise<Uint8Array> {
  const marks = new Uint8Array(quads.length);
  const columns = newRowColumns(0);
  const rows: SortedRows = {
    columns: [quads.s, quads.p, quads.o, quads.g, columns[4], columns[5]],
    length: quads.length,
  };
  await markMembers(tier.runs, rows, marks, 1, pacer);
  return marks;
}

// The rows of a tier without the marked quads, in chunks. Both are sorted.
async function* rowsBut(
  { timeline, pacer }: ChangeJob,
  tier: Tier,
  gone: IdQuads,
  marks: Uint8Array,
): AsyncGenerator<SortedRows> {
  const { chunkRows } = timeline.keyspace.tuning;
  const columns = newRowColumns(Math.min(chunkRows, tier.payload.rows));
  let length = 0;
  let at = marks.indexOf(1);
  for await (const batch of payloadRows(timeline.keyspace, tier.payload, 'tombstone')) {
    const [s, p, o, g] = batch.columns;
    for (let i = batch.start; i < batch.end; i++) {
      if (at !== -1 && gone.s[at] === s[i] && gone.p[at] === p[i] && gone.o[at] === o[i] && gone.g[at] === g[i]) {
        at = marks.indexOf(1, at + 1);
        continue;
      }
      for (let column = 0; column < 5; column++) columns[column]![length] = batch.columns[column]![i]!;
      length++;
      if (length < chunkRows) continue;
      yield { columns, length };
      length = 0;
    }
    if (pacer.due()) await pacer.pause();
  }
  if (length > 0) yield { columns, length };
}
