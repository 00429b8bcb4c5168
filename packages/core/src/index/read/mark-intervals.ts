/** Finds out which of many quads a state has: one by one where they are few, by going through all of it where they are many. */
import { MISS } from '../../keyspace/block-cache.js';
import type { Pacer } from '../../runtime/env.js';
import { batches } from './batches.js';
import type { IndexVersion } from '../index-version.js';
import { ANY, SPOG } from '../orders.js';
import type { SortedRows } from '../run/write-orders.js';
import { findInterval } from '../../write/net-change.js';

/** A row costs so many times as much to be looked up as to be passed by. */
const LOOKUP_COST = 16;

/**
 * Marks those rows, of the ones named by `open`, that are there at a revision, and gives them the `from` of their intervals.
 * Rows that began after it are not marked, though `state` may have them.
 */
export async function markIntervals(
  rows: SortedRows,
  open: Uint32Array,
  marks: Uint8Array,
  mark: number,
  { state, number }: { readonly state: IndexVersion; readonly number: number },
  pacer: Pacer,
): Promise<void> {
  const rowsThere = state.runs.reduce((sum, run) => sum + (run.entry.order === SPOG ? run.entry.rows : 0), 0);
  if (open.length * LOOKUP_COST > rowsThere && rowsThere > 0) {
    return markByScan(rows, marks, mark, state, number, pacer);
  }
  const [s, p, o, g, from] = rows.columns;
  for (let n = 0; n < open.length; n++) {
    const i = open[n]!;
    let interval = state.findInterval(s[i]!, p[i]!, o[i]!, g[i]!);
    if (interval === MISS) interval = await findInterval(state, number, s[i]!, p[i]!, o[i]!, g[i]!);
    if (interval > 0 && interval <= number) {
      marks[i] = mark;
      from[i] = interval;
    }
    if (n % 64 === 0 && pacer.due()) await pacer.pause();
  }
}

async function markByScan(
  rows: SortedRows,
  marks: Uint8Array,
  mark: number,
  state: IndexVersion,
  number: number,
  pacer: Pacer,
): Promise<void> {
  const scan = state.scan(ANY, number, { order: SPOG, prefix: 0, residual: [] }, true);
  const from = rows.columns[4];
  let at = 0;
  for await (const batch of batches(scan, pacer)) {
    const interval = batch.columns[4];
    for (let i = batch.start; i < batch.end && at < rows.length; i++) {
      while (at < rows.length && compareAt(rows, at, batch.columns, i) < 0) at++;
      if (at < rows.length && compareAt(rows, at, batch.columns, i) === 0) {
        marks[at] = mark;
        from[at] = interval[i]!;
        at++;
      }
    }
    if (at === rows.length) break;
  }
}

/** Compares row `at` with a row of other columns, as (s, p, o, g). */
export function compareAt(rows: SortedRows, at: number, columns: readonly Uint32Array[], row: number): number {
  for (let column = 0; column < 4; column++) {
    const difference = rows.columns[column]![at]! - columns[column]![row]!;
    if (difference !== 0) return difference;
  }
  return 0;
}
