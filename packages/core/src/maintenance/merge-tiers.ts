/**
 * Decides which runs are merged and when: runs of similar size in one order, and rows with the tombstones that end
 * them.
 */
import { runsOf } from '../index/index-version.js';
import { mergeRuns } from '../index/merge/merge-runs.js';
import { ORDERS } from '../index/orders.js';
import type { Order } from '../index/orders.js';
import type { Run } from '../index/run/run.js';
import type { Timeline } from '../timeline/timeline.js';
import type { Pacer } from '../runtime/env.js';
import type { DamagedRuns } from './damaged-runs.js';
import { writeAndSwitch } from './switch-runs.js';

const rowsOf = (runs: readonly Run[]): number => runs.reduce((sum, run) => sum + run.entry.rows, 0);

// The newest runs, up to one that is more than `tierRuns` times larger than all newer ones together.
function tier(runs: readonly Run[], tierRuns: number): readonly Run[] {
  if (runs.length < tierRuns) return [];
  let first = runs.length - 1;
  while (first > 0 && runs[first - 1]!.entry.rows <= rowsOf(runs.slice(first)) * tierRuns) first--;
  return runs.length - first >= 2 ? runs.slice(first) : [];
}

/** The undamaged runs of an order, by kind, oldest first. */
interface Readable {
  readonly live: readonly Run[];
  readonly tombstones: readonly Run[];
  readonly history: readonly Run[];
  /** Whether the order also has damaged runs. */
  readonly damaged: boolean;
}

function readable({ index }: Timeline, order: Order, damaged: DamagedRuns): Readable {
  const isDamaged = (run: Run): boolean => damaged.runs.has(run.entry.id);
  const ofKind = (kind: Run['entry']['kind']): Run[] =>
    runsOf(index.runs, order, kind).filter((run) => !isDamaged(run));
  return {
    live: ofKind('live'),
    tombstones: ofKind('tombstone'),
    history: ofKind('history'),
    damaged: index.runs.some((run) => run.entry.order === order && isDamaged(run)),
  };
}

function manyTombstones(timeline: Timeline, { live, tombstones, damaged }: Readable): boolean {
  const { memtableRows, tierRuns } = timeline.keyspace.tuning;
  if (tombstones.length >= tierRuns) return true;
  // Tombstones of rows in a damaged run remain after every merge, so their number must not cause one.
  return !damaged && rowsOf(tombstones) * tierRuns > rowsOf(live) + memtableRows;
}

/** Whether an order has enough tombstones to merge them with the rows that they end. */
export function needsTombstoneMerge(timeline: Timeline, damaged: DamagedRuns): boolean {
  return ORDERS.some((order) => manyTombstones(timeline, readable(timeline, order, damaged)));
}

/** The live runs that are due for a merge with all tombstones of their order; empty if no merge is due. */
export function dueLive(timeline: Timeline, order: Order, damaged: DamagedRuns): readonly Run[] {
  const runs = readable(timeline, order, damaged);
  return manyTombstones(timeline, runs) ? runs.live : tier(runs.live, timeline.keyspace.tuning.tierRuns);
}

/** The history runs that are due for a merge. */
export function dueHistory(timeline: Timeline, order: Order, damaged: DamagedRuns): readonly Run[] {
  return tier(readable(timeline, order, damaged).history, timeline.keyspace.tuning.tierRuns);
}

/** Merges live runs of an order with all its tombstones. */
export async function mergeLive(
  timeline: Timeline,
  order: Order,
  live: readonly Run[],
  damaged: DamagedRuns,
  pacer: Pacer,
): Promise<void> {
  const { tombstones } = readable(timeline, order, damaged);
  await writeAndSwitch(timeline, async (session) => ({
    add: await mergeRuns(session, order, live, tombstones, pacer),
    drop: [...live, ...tombstones],
  }));
}

/** Merges history runs of an order. */
export async function mergeHistory(
  timeline: Timeline,
  order: Order,
  history: readonly Run[],
  pacer: Pacer,
): Promise<void> {
  await writeAndSwitch(timeline, async (session) => ({
    add: await mergeRuns(session, order, history, [], pacer, 'history'),
    drop: history,
  }));
}

const NONE_DAMAGED: DamagedRuns = { runs: new Set(), hashRuns: new Set() };

/** Merges all runs, whatever their size, to one live run and one history run an order. */
export async function mergeAll(timeline: Timeline, pacer: Pacer): Promise<void> {
  for (const order of ORDERS) {
    const { live, tombstones } = readable(timeline, order, NONE_DAMAGED);
    if (live.length > 1 || tombstones.length > 0) await mergeLive(timeline, order, live, NONE_DAMAGED, pacer);
    const { history } = readable(timeline, order, NONE_DAMAGED);
    if (history.length > 1) await mergeHistory(timeline, order, history, pacer);
  }
}
