/** Finds out which of many quads an index has. Looks up few quads one by one; scans the index for many quads. */
import { MISS } from '../../keyspace/block-cache.js';
import type { Pacer } from '../../runtime/env.js';
import { FOREVER, UNPUBLISHED } from '../../format/layout.js';
import type { RowColumns } from '../block/block-codec.js';
import { FROM } from '../block/block-codec.js';
import { ANY, SPOG } from '../orders.js';
import type { Run } from '../run/run.js';
import type { SortedRows } from '../run/write-orders.js';
import type { IndexVersion } from '../index-version.js';
import type { IndexAt } from './find-interval.js';
import { newLanes, QuadSeeker } from './quad-seeker.js';
import type { RowSource } from './row-source.js';
import { RunSource } from './row-source.js';
import { indexSources } from './seek-sources.js';

/** Cost of a lookup, in rows that a scan passes. So many lookups would read nearly all blocks, too. */
const LOOKUP_COST = 128;
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
  const rowsThere = runs.reduce((sum, { entry }) => sum + (isPassed(entry) ? entry.rows : 0), 0);
  return open.length * LOOKUP_COST > rowsThere && rowsThere > 0;
}

// Blocks of history are mostly outside the revision.
const isPassed = ({ order, kind }: Run['entry']): boolean => order === SPOG && kind !== 'history';

/** Of each open row the `from` of its newest interval that has begun, as far as it has not ended; 0 without one. */
interface Found {
  readonly rows: SortedRows;
  readonly open: Uint32Array;
  readonly from: Uint32Array;
}

// Goes through the sources of the index one by one, from the first subject to the last one. They need not be merged: the interval with the
// greatest `from` decides.
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
  const found = { rows, open, from: new Uint32Array(open.length) };
  try {
    for (const source of plus) await passThrough(source, found, begin, pacer);
    for (const source of minus) await passThrough(source, found, end, pacer);
  } finally {
    for (const source of [...plus, ...minus]) source.close();
  }
  await pacer.rows(open.length, (first, last) => {
    for (let n = first; n < last; n++) {
      if (found.from[n] === 0) continue;
      marks[open[n]!] = mark;
      from[open[n]!] = found.from[n]!;
    }
  });
}

type Note = (found: Found, n: number, from: number) => void;

// Rows that a change has written aside have a placeholder, and are newer than all others.
const age = (from: number): number => (from === UNPUBLISHED ? FOREVER : from);

function begin({ from: newest }: Found, n: number, from: number): void {
  if (newest[n] === 0 || age(from) > age(newest[n]!)) newest[n] = from;
}

function end({ from: newest }: Found, n: number, from: number): void {
  if (newest[n] === from) newest[n] = 0;
}

// Notes the intervals of a source that open rows have. Blocks that can have none of them are passed over.
async function passThrough(source: RowSource, found: Found, note: Note, pacer: Pacer): Promise<void> {
  const { open, rows } = found;
  for (let n = 0; n < open.length;) {
    if (source instanceof RunSource) source.passOver(quadAt(rows, open[n]!));
    const count = source.fill();
    if (count === 0) return;
    if (count === MISS) {
      const { run, block } = source.missing();
      await run.cache.fetch(run.source, [block]);
    } else n = noteWindow(source, found, n, note);
    if (pacer.due()) await pacer.pause();
  }
}

function quadAt({ columns: [s, p, o, g] }: SortedRows, row: number): number[] {
  return [s[row]!, p[row]!, o[row]!, g[row]!];
}

// Returns the first open row that the next window can have.
function noteWindow({ columns, position, length }: RowSource, found: Found, first: number, note: Note): number {
  const { rows, open } = found;
  let n = first;
  for (let i = position; i < length && n < open.length;) {
    const order = compareAt(rows, open[n]!, columns, i);
    if (order === 0) note(found, n, columns[FROM][i++]!);
    else if (order > 0) i = firstNotBelow(columns, i + 1, length, rows, open[n]!);
    else n++;
  }
  return n;
}

// The first row of a window, from `start` on, that is not below a row. The steps to it grow.
function firstNotBelow(columns: RowColumns, start: number, end: number, rows: SortedRows, at: number): number {
  let low = start;
  let step = 1;
  for (; low + step <= end && compareAt(rows, at, columns, low + step - 1) > 0; step *= 2) low += step;
  for (let high = Math.min(low + step - 1, end); low < high;) {
    const middle = (low + high) >>> 1;
    if (compareAt(rows, at, columns, middle) > 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Compares row `at` with a row of other columns, as (s, p, o, g). */
export function compareAt(rows: SortedRows, at: number, columns: readonly ArrayLike<number>[], row: number): number {
  for (let column = 0; column < 4; column++) {
    const x = rows.columns[column]![at]!;
    const y = columns[column]![row]!;
    if (x !== y) return x < y ? -1 : 1;
  }
  return 0;
}
