/**
 * The last step of a large change, in the writer's turn: what was committed since it began is compared with its rows,
 * its runs get their revision, and one atomic write makes them visible.
 */
import type { WriteOp } from '@quadrille/storage';
import { EndedColumns, QuadColumns, QuadSet, sortQuads } from './change.js';
import { applyDelta } from './committer.js';
import type { CommitMeta } from './committer.js';
import { MISS } from './cache.js';
import { FOREVER, Tag, UNPUBLISHED } from './format.js';
import { newRowColumns } from './index/block-codec.js';
import { IndexState } from './index/index-state.js';
import type { IdPattern } from './index/orders.js';
import { Run } from './index/run.js';
import type { SortedRows, WrittenOrders } from './index/write-orders.js';
import { writeOrders } from './index/write-orders.js';
import type { LargeChange } from './large-change.js';
import { isInRuns } from './large-change.js';
import { findLife } from './net-change.js';
import { deltaRows, payloadRows } from './revision/delta.js';
import { readRecords } from './revision/log.js';
import type { RevisionRecord } from './revision/record.js';
import { deleteGarbage } from './run-session.js';

/** What commits since the base make of the change. */
interface Adjustment {
  /** Kept quads that were removed since: they come back. */
  readonly added: QuadColumns;
  /** Quads in the scope, or removed by name, that came since: they go. */
  readonly removed: EndedColumns;
  /** New quads that somebody else has added since: their lives end where ours begin. No net change. */
  readonly handedOver: EndedColumns;
}

export async function publishLarge(change: LargeChange, meta: CommitMeta): Promise<RevisionRecord> {
  const { core } = change;
  const { committer } = core;
  await committer.drain();
  committer.checkCondition(meta);
  change.checkAlive();
  const adjustment = await adjust(change);
  const inRuns = (side: readonly WrittenOrders[]): number => side.reduce((sum, { payload }) => sum + payload.rows, 0);
  const counts = {
    addedCount: inRuns(change.added) + adjustment.added.length - adjustment.handedOver.length,
    removedCount: inRuns(change.removed) + adjustment.removed.length,
  };
  if (counts.addedCount + counts.removedCount === 0) return core.published;
  const delta = await smallDelta(change, adjustment);
  const payload = {
    added: change.added.map((chunk) => chunk.payload),
    removed: change.removed.map((chunk) => chunk.payload),
  };
  const record = committer.makeRecord(delta.added, delta.removed, meta, { payload, ...counts });
  const also = meta.also?.(record) ?? [];
  const published = [...change.added, ...change.removed]
    .flatMap((chunk) => chunk.runs)
    .map((run) => dated(run, record.number));
  const runs = [...core.state.runs, ...published];
  updateStatistics(change, adjustment);
  const keptRuns = change.kept.flatMap((chunk) => chunk.runs);
  const ops: WriteOp[] = [
    ...committer.writeCheckpoint(record.number, runs),
    ...keptRuns.map((run): WriteOp => ({
      type: 'put',
      key: core.space.key(Tag.garbage, run.entry.id),
      value: new Uint8Array(0),
    })),
    ...change.session.finish(),
    ...also,
  ];
  await committer.enqueue(record, ops, () => {
    core.replaceState(new IndexState(runs, core.state.memtables));
    applyDelta(core.state.active, record);
  });
  await change.close(true);
  for (const run of keptRuns) void deleteGarbage(core.space, run.entry.id).catch(() => undefined);
  return record;
}

function dated(run: Run, revision: number): Run {
  return new Run({ ...run.entry, revision }, run.table, run.source, run.cache);
}

function updateStatistics(change: LargeChange, adjustment: Adjustment): void {
  const { statistics } = change.core;
  statistics.combine(change.statistics.added, 1);
  statistics.combine(change.statistics.removed, -1);
  statistics.apply(adjustment.added, 1);
  statistics.apply(adjustment.removed, -1);
  statistics.apply(adjustment.handedOver, -1);
}

// What stands in the record itself; where that would be too much, it becomes runs too.
async function smallDelta(
  change: LargeChange,
  adjustment: Adjustment,
): Promise<{ added: QuadColumns; removed: EndedColumns }> {
  const removed = adjustment.removed;
  const { handedOver } = adjustment;
  const all = new EndedColumns();
  for (const side of [removed, handedOver]) {
    for (let i = 0; i < side.length; i++) all.pushEnded(side.s[i]!, side.p[i]!, side.o[i]!, side.g[i]!, side.from[i]!);
  }
  const delta = { added: sortQuads(adjustment.added), removed: sortQuads(all) };
  if (delta.added.length + delta.removed.length <= change.core.space.tuning.smallRows) return delta;
  const { core, session, pacer } = change;
  if (delta.added.length > 0)
    change.added.push(await writeOrders(core.space, session, asRows(delta.added), 'live', true, pacer));
  if (delta.removed.length > 0) {
    change.removed.push(await writeOrders(core.space, session, asRows(delta.removed), 'dead', true, pacer));
  }
  return { added: new QuadColumns(), removed: new EndedColumns() };
}

function asRows(quads: QuadColumns): SortedRows {
  const columns = newRowColumns(quads.length);
  for (const [i, name] of (['s', 'p', 'o', 'g'] as const).entries())
    columns[i]!.set(quads[name].subarray(0, quads.length));
  if (quads instanceof EndedColumns) columns[4].set(quads.from.subarray(0, quads.length));
  else columns[4].fill(UNPUBLISHED);
  columns[5].fill(quads instanceof EndedColumns ? 0 : FOREVER);
  return { columns, length: quads.length };
}

async function adjust(change: LargeChange): Promise<Adjustment> {
  const { core, scope, base } = change;
  const adjustment = { added: new QuadColumns(), removed: new EndedColumns(), handedOver: new EndedColumns() };
  if (core.published.number === base.number) return adjustment;
  const seen = new QuadSet();
  const removedSince = new Set<string>();
  for await (const record of readRecords(core.space, base.number + 1, core.published.number)) {
    for (const side of ['added', 'removed'] as const) {
      for await (const { columns, start, end } of deltaRows(core.space, record, side)) {
        for (let i = start; i < end; i++) {
          const [s, p, o, g] = [columns[0][i]!, columns[1][i]!, columns[2][i]!, columns[3][i]!];
          if (side === 'removed') removedSince.add(lifeKey(s, p, o, g, columns[4][i]!));
          seen.add(s, p, o, g);
        }
        if (change.pacer.due()) await change.pacer.pause();
      }
    }
  }
  const { s, p, o, g } = seen;
  for (let i = 0; i < seen.length; i++) await adjustQuad(change, scope, adjustment, s[i]!, p[i]!, o[i]!, g[i]!);
  await dropRemovedSince(change, removedSince);
  return adjustment;
}

async function adjustQuad(
  change: LargeChange,
  scope: IdPattern | undefined,
  adjustment: Adjustment,
  s: number,
  p: number,
  o: number,
  g: number,
): Promise<void> {
  const { core, base } = change;
  let life = core.state.findLife(s, p, o, g);
  if (life === MISS) life = await findLife(core.state, core.published.number, s, p, o, g);
  if (life > base.number) {
    if (await isInRuns(change.added, s, p, o, g)) adjustment.handedOver.pushEnded(s, p, o, g, life);
    else if (scope !== undefined && matches(scope, s, p, o, g) && !(await isInRuns(change.kept, s, p, o, g))) {
      adjustment.removed.pushEnded(s, p, o, g, life);
    } else if (scope === undefined && (await isUnwanted(change, s, p, o, g))) {
      adjustment.removed.pushEnded(s, p, o, g, life);
    }
  } else if (life === 0 && (await isInRuns(change.kept, s, p, o, g))) {
    // One chunk can have met it before it was removed, and a later one after that, as new.
    if (!(await isInRuns(change.added, s, p, o, g))) adjustment.added.push(s, p, o, g);
  }
}

// Whether the change removes the quad by name: then also where somebody else has added it since.
async function isUnwanted(change: LargeChange, s: number, p: number, o: number, g: number): Promise<boolean> {
  return change.absent.has(s, p, o, g) || isInRuns(change.removed, s, p, o, g);
}

const matches = (scope: IdPattern, s: number, p: number, o: number, g: number): boolean =>
  (scope.s === 0 || scope.s === s) &&
  (scope.p === 0 || scope.p === p) &&
  (scope.o === 0 || scope.o === o) &&
  (scope.g === 0 || scope.g === g);

// A life that somebody else has ended since must not get a second tombstone: those runs of ours are written again without.
async function dropRemovedSince(change: LargeChange, removedSince: ReadonlySet<string>): Promise<void> {
  if (removedSince.size === 0) return;
  const { core, session, pacer } = change;
  for (const chunk of change.removed.splice(0)) {
    const rows = await remainingRows(change, chunk, removedSince);
    if (rows.length === chunk.payload.rows) {
      change.removed.push(chunk);
      continue;
    }
    if (rows.length > 0) change.removed.push(await writeOrders(core.space, session, rows, 'dead', true, pacer));
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
  for await (const batch of payloadRows(change.core.space, chunk.payload, 'dead')) {
    for (let i = batch.start; i < batch.end; i++) {
      const [s, p, o, g, from] = batch.columns.map((column) => column[i]!) as [number, number, number, number, number];
      if (removedSince.has(lifeKey(s, p, o, g, from))) {
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

const lifeKey = (s: number, p: number, o: number, g: number, from: number): string => `${s} ${p} ${o} ${g} ${from}`;
