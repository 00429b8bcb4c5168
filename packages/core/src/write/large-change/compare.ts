/** The second step of a large change: finds out which of its rows the base has. */
import { FIRST_INLINE_ID, UNPUBLISHED } from '../../format/layout.js';
import type { IndexAt } from '../../index/read/find-interval.js';
import { markIntervals } from '../../index/read/mark-intervals.js';
import type { SortedRows } from '../../index/run/write-orders.js';
import type { Pacer } from '../../runtime/env.js';
import { selectRows } from './sorted-quads.js';

/** Sorted rows that are to be added. Ids from `freshFrom` on were assigned after the change began. */
export interface AddedChunk {
  readonly rows: SortedRows;
  readonly freshFrom: number;
}

const MISSING = 0;
const FOUND = 1;
const OWN = 2;

/** `missing` are the rows that the base lacks. `found` are the rows that it has, with the `from` of their intervals. */
export interface Compared {
  readonly missing: SortedRows;
  readonly found: SortedRows;
}

/**
 * Compares rows to be added with the base. Rows of an earlier chunk of the same change are in neither part. They are
 * in the index under the placeholder revision.
 */
export async function compareAdded({ rows, freshFrom }: AddedChunk, at: IndexAt, pacer: Pacer): Promise<Compared> {
  const marks = new Uint8Array(rows.length);
  const open = new Uint32Array(rows.length);
  let count = 0;
  await pacer.rows(rows.length, (start, end) => {
    count = rowsWithout(rows.columns, freshFrom, start, end, open, count);
  });
  // Intervals that began after the base belong to later commits. The fourth step handles them.
  await markIntervals(rows, open.subarray(0, count), marks, FOUND, at, pacer);
  await pacer.rows(rows.length, (start, end) => markOwn(rows.columns[4], marks, start, end));
  return split(rows, marks, pacer);
}

/** Compares rows to be removed with the base. */
export async function compareRemoved(rows: SortedRows, at: IndexAt, pacer: Pacer): Promise<Compared> {
  const marks = new Uint8Array(rows.length);
  const all = new Uint32Array(rows.length);
  await pacer.rows(rows.length, (start, end) => {
    for (let i = start; i < end; i++) all[i] = i;
  });
  await markIntervals(rows, all, marks, FOUND, at, pacer);
  return split(rows, marks, pacer);
}

async function split(rows: SortedRows, marks: Uint8Array, pacer: Pacer): Promise<Compared> {
  const missing = await selectRows(rows, marks, MISSING, pacer);
  return { missing, found: await selectRows(rows, marks, FOUND, pacer) };
}

function markOwn(from: Uint32Array, marks: Uint8Array, start: number, end: number): void {
  for (let i = start; i < end; i++) if (marks[i] === FOUND && from[i] === UNPUBLISHED) marks[i] = OWN;
}

// Collects the rows without a fresh id. Returns the new end of `out`.
function rowsWithout(
  [s, p, o, g]: SortedRows['columns'],
  freshFrom: number,
  start: number,
  end: number,
  out: Uint32Array,
  at: number,
): number {
  const isFresh = (id: number): boolean => id >= freshFrom && id < FIRST_INLINE_ID;
  let filled = at;
  for (let i = start; i < end; i++) {
    if (!isFresh(s[i]!) && !isFresh(p[i]!) && !isFresh(o[i]!) && !isFresh(g[i]!)) out[filled++] = i;
  }
  return filled;
}
