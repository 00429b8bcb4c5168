/**
 * The fourth step of a large change: adapts it to the commits since its base. This can take long. So most of these
 * commits are handled before the write lock is taken, and only the latest ones under it.
 */
import type { IdQuads } from '../../index/quad-columns.js';
import { EndedColumns, QuadColumns } from '../../index/quad-columns.js';
import type { IndexAt } from '../../index/read/find-interval.js';
import { markIntervals } from '../../index/read/mark-intervals.js';
import type { IdPattern } from '../../index/orders.js';
import { markMembers } from '../../index/run/run-members.js';
import type { Run } from '../../index/run/run.js';
import type { SortedRows, WrittenOrders } from '../../index/run/write-orders.js';
import { deltaRows } from '../../revision/delta.js';
import { readRecords } from '../../revision/log.js';
import type { Pacer } from '../../runtime/env.js';
import type { ChangeJob } from './change-job.js';
import { asIdQuads, sortedSet } from './sorted-quads.js';
import type { WrittenAside } from './write-aside.js';

/** Bits that tell in which rows of the change a quad is. */
const IN_ADDED = 1;
const IN_KEPT = 2;
const UNWANTED = 4;

const ALIVE = 1;

/** Changes that come in addition to the runs that are written aside. Each step returns a new object. */
export interface Rebased {
  /** The last commit that is taken into account. */
  readonly upTo: number;
  /** Quads that the change keeps and later commits removed: they are added again. */
  readonly added: QuadColumns;
  /** Quads that later commits added and that the change replaces or removes: they are removed. */
  readonly removed: EndedColumns;
  /**
   * Quads that the change and a later commit added. The commit's interval ends where that of the change begins. No
   * net change.
   */
  readonly handedOver: EndedColumns;
  /** Quads that later commits removed, sorted. Only filled if the change removes quads. */
  readonly removedSince: IdQuads;
}

/** The notes before the first rebase, with the base alone. */
export const notRebased = ({ number }: IndexAt): Rebased => ({
  upTo: number,
  added: new QuadColumns(),
  removed: new EndedColumns(),
  handedOver: new EndedColumns(),
  removedSince: new QuadColumns(),
});

/** Takes the commits up to the published head into account. */
export async function rebase(job: ChangeJob, written: WrittenAside, before: Rebased): Promise<Rebased> {
  const { index, published } = job.timeline;
  const { number } = published;
  if (number === before.upTo) return before;
  index.retain();
  try {
    const since = await changedSince(job, written, before.upTo + 1, number);
    // Earlier results about quads that changed again are no longer valid.
    const { changed } = since;
    const { pacer } = job;
    const kept = {
      added: await others(before.added, new QuadColumns(), changed, pacer),
      removed: await others(before.removed, new EndedColumns(), changed, pacer),
      handedOver: await others(before.handedOver, new EndedColumns(), changed, pacer),
    };
    await classify(job, written, changed, { index, number }, kept);
    return { upTo: number, ...kept, removedSince: await union(before.removedSince, since.removed, pacer) };
  } finally {
    index.release();
  }
}

// The quads that the revisions changed, and those that they removed, each once and sorted.
async function changedSince(
  { timeline, pacer }: ChangeJob,
  written: WrittenAside,
  first: number,
  last: number,
): Promise<{ changed: SortedRows; removed: QuadColumns }> {
  const changed = new QuadColumns();
  const removed = new QuadColumns();
  for await (const record of readRecords(timeline.keyspace, first, last)) {
    for (const side of ['added', 'removed'] as const) {
      for await (const { columns, start, end } of deltaRows(timeline.keyspace, record, side)) {
        pushRows(columns, start, end, changed);
        if (side === 'removed' && written.removed.length > 0) pushRows(columns, start, end, removed);
        if (pacer.due()) await pacer.pause();
      }
    }
  }
  return { changed: await sortedSet(changed, pacer), removed };
}

function pushRows([s, p, o, g]: SortedRows['columns'], start: number, end: number, out: QuadColumns): void {
  for (let i = start; i < end; i++) out.push(s[i]!, p[i]!, o[i]!, g[i]!);
}

async function union(quads: IdQuads, more: QuadColumns, pacer: Pacer): Promise<IdQuads> {
  if (more.length === 0) return quads;
  const { s, p, o, g } = quads;
  for (let i = 0; i < quads.length; i++) more.push(s[i]!, p[i]!, o[i]!, g[i]!);
  return asIdQuads(await sortedSet(more, pacer));
}

// Copies the quads that are not among the changed ones to `rest`.
async function others<T extends QuadColumns>(quads: T, rest: T, changed: SortedRows, pacer: Pacer): Promise<T> {
  await pacer.rows(quads.length, (start, end) => copyOthers(quads, start, end, changed, rest));
  return rest;
}

type Notes = Pick<Rebased, 'added' | 'removed' | 'handedOver'>;

// Adds to the notes the changed quads that concern this change, by their state in the present revision.
async function classify(
  job: ChangeJob,
  written: WrittenAside,
  changed: SortedRows,
  present: IndexAt,
  notes: Notes,
): Promise<void> {
  const { pacer, base } = job;
  const places = await placesOf(job, written, changed);
  const open = new Uint32Array(changed.length);
  let count = 0;
  await pacer.rows(changed.length, (start, end) => {
    for (let i = start; i < end; i++) if (places[i] !== 0) open[count++] = i;
  });
  const alive = new Uint8Array(changed.length);
  await markIntervals(changed, open.subarray(0, count), alive, ALIVE, present, pacer);
  await pacer.rows(count, (start, end) => {
    for (let n = start; n < end; n++) {
      const row = open[n]!;
      note(changed, row, places[row]!, alive[row] === ALIVE, base.number, notes);
    }
  });
}

// Finds out in which rows of the change the changed quads are.
async function placesOf({ scope, pacer }: ChangeJob, written: WrittenAside, changed: SortedRows): Promise<Uint8Array> {
  const places = new Uint8Array(changed.length);
  await markMembers(runsOf(written.added), changed, places, IN_ADDED, pacer);
  await markMembers(runsOf(written.kept), changed, places, IN_KEPT, pacer);
  if (scope === undefined) {
    await markMembers(runsOf([...written.removed, ...written.absent]), changed, places, UNWANTED, pacer);
    return places;
  }
  const [s, p, o, g] = changed.columns;
  await pacer.rows(changed.length, (start, end) => {
    for (let i = start; i < end; i++) {
      if ((places[i]! & IN_KEPT) === 0 && matches(scope, s[i]!, p[i]!, o[i]!, g[i]!)) places[i]! |= UNWANTED;
    }
  });
  return places;
}

const runsOf = (chunks: readonly WrittenOrders[]): Run[] => chunks.flatMap(({ runs }) => runs);

function note(
  { columns: [s, p, o, g, from] }: SortedRows,
  row: number,
  place: number,
  isAlive: boolean,
  base: number,
  { added, removed, handedOver }: Notes,
): void {
  const quad = [s[row]!, p[row]!, o[row]!, g[row]!] as const;
  if (isAlive) {
    // The interval is of the base, so no later commit changed the quad.
    if (from[row]! <= base) return;
    if ((place & IN_ADDED) !== 0) handedOver.pushEnded(...quad, from[row]!);
    else if ((place & UNWANTED) !== 0) removed.pushEnded(...quad, from[row]!);
    return;
  }
  // Skips quads that another chunk adds: one chunk found the quad before it was removed, a later chunk found it
  // missing.
  if ((place & IN_KEPT) !== 0 && (place & IN_ADDED) === 0) added.push(...quad);
}

const matches = (scope: IdPattern, s: number, p: number, o: number, g: number): boolean =>
  (scope.s === 0 || scope.s === s) &&
  (scope.p === 0 || scope.p === p) &&
  (scope.o === 0 || scope.o === o) &&
  (scope.g === 0 || scope.g === g);

function copyOthers(quads: QuadColumns, start: number, end: number, changed: SortedRows, rest: QuadColumns): void {
  const { s, p, o, g } = quads;
  for (let i = start; i < end; i++) {
    if (isAmong(changed, s[i]!, p[i]!, o[i]!, g[i]!)) continue;
    if (quads instanceof EndedColumns) (rest as EndedColumns).pushEnded(s[i]!, p[i]!, o[i]!, g[i]!, quads.from[i]!);
    else rest.push(s[i]!, p[i]!, o[i]!, g[i]!);
  }
}

function isAmong({ columns: [a, b, c, d], length }: SortedRows, s: number, p: number, o: number, g: number): boolean {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = a[middle]! - s || b[middle]! - p || c[middle]! - o || d[middle]! - g;
    if (order === 0) return true;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return false;
}
