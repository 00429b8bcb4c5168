/** Finds out which of many quads an index has. Looks up few quads one by one; scans the index for many quads. */
import { MISS } from '../../keyspace/block-cache.js';
import type { Pacer } from '../../runtime/env.js';
import { batches } from './batches.js';
import { MergeScan } from './merge-scan.js';
import { ANY, SPOG } from '../orders.js';
import type { SortedRows } from '../run/write-orders.js';
import type { IndexVersion } from '../index-version.js';
import type { IndexAt } from './find-interval.js';
import { newLanes, QuadSeeker } from './quad-seeker.js';
import { indexSources } from './seek-sources.js';

/** Cost of a lookup, in scanned rows. */
const LOOKUP_COST = 16;
/** Lookups between two looks at the clock. */
const LOOKUPS_AT_ONCE = 64;

/**
 * Sets `mark` for those rows in `open` that are present at a revision, and sets their `from`. Rows are sorted. Later
 * commits do not count, even if the index has them.
 */
export async function markIntervals(
  rows: SortedRows,
  open: Uint32Array,
  marks: Uint8Array,
  mark: number,
  at: IndexAt,
  pacer: Pacer,
): Promise<void> {
  return new IntervalMarker(at).mark(rows, open, marks, mark, pacer);
}

/** {@link markIntervals} of one revision, again and again: opening a seeker takes longer than a lookup. */
export class IntervalMarker {
  #seeker: QuadSeeker | undefined;

  constructor(private readonly at: IndexAt) {}

  async mark(rows: SortedRows, open: Uint32Array, marks: Uint8Array, mark: number, pacer: Pacer): Promise<void> {
    if (open.length === 0) return;
    if (isCheaperByScan(open, this.at.index)) return markByScan(rows, open, marks, mark, this.at, pacer);
    const seeker = (this.#seeker ??= seekerAt(this.at));
    try {
      for (let n = 0; n < open.length;) {
        const end = Math.min(n + LOOKUPS_AT_ONCE, open.length);
        n = markSome(rows, open, n, end, marks, mark, seeker);
        if (n < end) await seeker.fetch();
        if (pacer.due()) await pacer.pause();
      }
    } finally {
      // It is used again, with the sources that are open.
      seeker.reset();
    }
  }
}

const ALL_BOUND = { s: true, p: true, o: true, g: true };

function seekerAt({ index, number }: IndexAt): QuadSeeker {
  const lanes = newLanes((path, key) => indexSources(index, path, number, key), true);
  return new QuadSeeker(ALL_BOUND, lanes, index.hasNamedGraphs());
}

// Marks rows until one must be fetched first. Returns the index at which it stopped.
function markSome(
  { columns: [s, p, o, g, from] }: SortedRows,
  open: Uint32Array,
  start: number,
  end: number,
  marks: Uint8Array,
  mark: number,
  seeker: QuadSeeker,
): number {
  for (let n = start; n < end; n++) {
    const i = open[n]!;
    seeker.seek(s[i]!, p[i]!, o[i]!, g[i]!);
    const found = seeker.next();
    if (found === MISS) return n;
    if (found === 0) continue;
    marks[i] = mark;
    from[i] = seeker.from[seeker.start]!;
  }
  return end;
}

function isCheaperByScan(open: Uint32Array, { runs }: IndexVersion): boolean {
  const rowsThere = runs.reduce((sum, run) => sum + (run.entry.order === SPOG ? run.entry.rows : 0), 0);
  return open.length * LOOKUP_COST > rowsThere && rowsThere > 0;
}

// Scans the index from the first subject to the last one.
async function markByScan(
  rows: SortedRows,
  open: Uint32Array,
  marks: Uint8Array,
  mark: number,
  { index, number }: IndexAt,
  pacer: Pacer,
): Promise<void> {
  const [subjects, , , , from] = rows.columns;
  const bounds = { least: subjects[open[0]!]!, greatest: subjects[open.at(-1)!]! };
  const { plus, minus } = index.sources(ANY, number, { order: SPOG, prefix: 0, residual: [] }, true, bounds);
  let n = 0;
  for await (const batch of batches(new MergeScan(plus, minus), pacer)) {
    const interval = batch.columns[4];
    for (let i = batch.start; i < batch.end && n < open.length; i++) {
      while (n < open.length && compareAt(rows, open[n]!, batch.columns, i) < 0) n++;
      if (n < open.length && compareAt(rows, open[n]!, batch.columns, i) === 0) {
        marks[open[n]!] = mark;
        from[open[n]!] = interval[i]!;
        n++;
      }
    }
    if (n === open.length) break;
  }
}

/** Compares row `at` with a row of other columns, as (s, p, o, g). */
export function compareAt(rows: SortedRows, at: number, columns: readonly ArrayLike<number>[], row: number): number {
  for (let column = 0; column < 4; column++) {
    const difference = rows.columns[column]![at]! - columns[column]![row]!;
    if (difference !== 0) return difference;
  }
  return 0;
}
