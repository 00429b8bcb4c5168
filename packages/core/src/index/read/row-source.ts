/**
 * Sorted sources of rows for scans and merges: windows of decoded columns, filled step by step. A source hands out
 * only rows inside its {@link RevisionRange} that pass its residual filters.
 */
import { MISS } from '../../keyspace/block-cache.js';
import { FOREVER, GROUP_ROWS } from '../../format/layout.js';
import type { RowColumns } from '../block/block-codec.js';
import { decodeColumn, decodeRows, FROM, newRowColumns, TO } from '../block/block-codec.js';
import type { Bounds } from '../orders.js';
import { withPlace } from '../orders.js';
import type { Run } from '../run/run.js';

/** Bounds of `from` and `to`, all included. A source hands out only intervals within them. */
export interface RevisionRange {
  readonly minFrom: number;
  readonly maxFrom: number;
  readonly minTo: number;
  readonly maxTo: number;
}

export const EVERYTHING: RevisionRange = { minFrom: 0, maxFrom: FOREVER, minTo: 0, maxTo: FOREVER };
/** Rows that began at or before a revision. */
export const begunBy = (revision: number): RevisionRange => ({
  minFrom: 0,
  maxFrom: revision,
  minTo: 0,
  maxTo: FOREVER,
});
/** Intervals that contain a revision. */
export const aliveAt = (revision: number): RevisionRange => ({
  minFrom: 0,
  maxFrom: revision,
  minTo: revision + 1,
  maxTo: FOREVER,
});
/** Rows that ended at or before a revision. */
export const endedBy = (revision: number): RevisionRange => ({
  minFrom: 0,
  maxFrom: FOREVER,
  minTo: 0,
  maxTo: revision,
});

/** A residual condition: the column at place `column` of the order has this id. */
export interface ColumnFilter {
  readonly column: number;
  readonly id: number;
}

/** A block that must be fetched before {@link RowSource.fill} can continue. */
export interface Missing {
  readonly run: Run;
  readonly block: number;
}

export interface RowSource {
  /** The current window: rows `position` to `length`. `from` and `to` are filled only if requested at creation. */
  columns: RowColumns;
  position: number;
  length: number;
  /**
   * Reads the next window. Returns its number of rows, 0 at the end, or {@link MISS} if {@link missing} must be
   * fetched first.
   */
  fill(): number;
  missing(): Missing;
  close(): void;
}

/** Reuses windows: six new columns would cost more than a lookup. */
class WindowPool {
  readonly #free: RowColumns[] = [];

  constructor(
    readonly rows: number,
    private readonly limit: number,
  ) {}

  take(): RowColumns {
    return this.#free.pop() ?? newRowColumns(this.rows);
  }

  give(columns: RowColumns): void {
    if (this.#free.length < this.limit) this.#free.push(columns);
  }
}

/** How many times as large as the last one a window may be. */
const GROWTH = 4;
/** Up to this number of rows are decoded one by one, without the rest of their group. */
const FEW_ROWS = 48;
const SMALL_WINDOW = GROUP_ROWS;
const LARGE_WINDOW = 2048;
const smallWindows = new WindowPool(SMALL_WINDOW, 64);
const largeWindows = new WindowPool(LARGE_WINDOW, 16);

/** The pool of windows for a range of this many rows. */
export const windowPool = (rows: number): WindowPool => (rows <= SMALL_WINDOW * 2 ? smallWindows : largeWindows);

/** Removes the rows of a window that are outside the range or fail a filter. Returns the new end. */
export function compactWindow(
  columns: RowColumns,
  from: number,
  to: number,
  range: RevisionRange | undefined,
  filters: readonly ColumnFilter[],
): number {
  const [a, b, c, d, f, t] = columns;
  let kept = from;
  for (let i = from; i < to; i++) {
    if (
      range !== undefined &&
      (f[i]! < range.minFrom || f[i]! > range.maxFrom || t[i]! < range.minTo || t[i]! > range.maxTo)
    )
      continue;
    if (filters.length > 0 && !passesFilters(columns, i, filters)) continue;
    if (kept !== i) {
      a[kept] = a[i]!;
      b[kept] = b[i]!;
      c[kept] = c[i]!;
      d[kept] = d[i]!;
      f[kept] = f[i]!;
      t[kept] = t[i]!;
    }
    kept++;
  }
  return kept;
}

export function passesFilters(columns: RowColumns, row: number, filters: readonly ColumnFilter[]): boolean {
  for (const { column, id } of filters) if (columns[column]![row] !== id) return false;
  return true;
}

export interface SourceOptions {
  readonly range: RevisionRange;
  readonly filters: readonly ColumnFilter[];
  /** Whether the reader needs `from` and `to`. */
  readonly revisions: boolean;
}

/** Whether none, some or all rows of a block are in a range. */
export const OUTSIDE = 0;
export const PARTLY = 1;
export const INSIDE = 2;

export function blockFit(run: Run, block: number, range: RevisionRange): number {
  const minFrom = run.minFrom(block);
  const maxFrom = run.maxFrom(block);
  const minTo = run.minTo(block);
  const maxTo = run.maxTo(block);
  if (minFrom > range.maxFrom || maxFrom < range.minFrom || minTo > range.maxTo || maxTo < range.minTo) return OUTSIDE;
  const inside = minFrom >= range.minFrom && maxFrom <= range.maxFrom && minTo >= range.minTo && maxTo <= range.maxTo;
  return inside ? INSIDE : PARTLY;
}

/** The rows of a run whose first `prefix` ids are `ids`, and whose next id is within the bounds. */
export class RunSource implements RowSource {
  columns: RowColumns = NO_COLUMNS;
  position = 0;
  length = 0;
  #row = UNKNOWN;
  #end = UNKNOWN;
  /** Groups of the next window. Perhaps only the first rows are wanted, so windows are small at first. */
  #groups = 1;
  #pool: WindowPool = smallWindows;
  #missingBlock = -1;
  readonly #low: readonly number[];
  readonly #high: readonly number[];
  /** Number of first places that have the same id in all rows. */
  readonly #known: number;

  constructor(
    private readonly run: Run,
    ids: readonly number[],
    private prefix: number,
    private readonly options: SourceOptions,
    bounds?: Bounds,
  ) {
    this.#known = prefix;
    this.#low = bounds === undefined ? ids : withPlace(ids, prefix, bounds.least);
    this.#high = bounds === undefined ? ids : withPlace(ids, prefix, bounds.greatest);
    if (bounds !== undefined) this.prefix++;
  }

  /** Restarts at a row of the range. The ids may have changed meanwhile. */
  restart(row: number): void {
    this.close();
    this.#row = row;
    this.#end = UNKNOWN;
    this.#groups = 1;
    this.position = this.length = 0;
  }

  /** Goes on at the block that can have a quad, if it is a later one. The caller wants no row below the quad. */
  passOver(quad: readonly number[]): void {
    const block = this.run.boundaryBlock(quad, quad.length, false);
    if (this.#row !== UNKNOWN && block > 0) this.#row = Math.max(this.#row, this.run.table.starts[block]!);
  }

  fill(): number {
    if (this.#end === UNKNOWN && !this.#locate()) return MISS;
    while (this.#row < this.#end) {
      const block = this.run.blockOf(this.#row);
      const first = this.run.table.starts[block]!;
      const blockEnd = this.run.table.starts[block + 1]!;
      const fit = this.#fit(block);
      if (fit === OUTSIDE) {
        this.#row = blockEnd;
        continue;
      }
      const at = this.run.find(block);
      if (at === MISS) {
        this.#missingBlock = block;
        return MISS;
      }
      if (this.#window(at, first, Math.min(blockEnd, this.#end), fit) > 0) return this.length - this.position;
    }
    this.length = this.position;
    return 0;
  }

  #locate(): boolean {
    const { run, prefix } = this;
    const low = this.#low;
    const high = this.#high;
    if (prefix === 0) {
      if (this.#row === UNKNOWN) this.#row = 0;
      this.#end = run.entry.rows;
    } else {
      if (this.#row === UNKNOWN) {
        if (!this.#found(run.locate(low, prefix, false), false)) return false;
        if (low === high) this.#end = run.endOfLast;
      }
      if (this.#end === UNKNOWN && !this.#found(run.locate(high, prefix, true), true)) return false;
    }
    this.#pool = windowPool(this.#end - this.#row);
    if (this.#row < this.#end) this.columns = this.#pool.take();
    return true;
  }

  #found(row: number, after: boolean): boolean {
    if (row === MISS) this.#missingBlock = this.run.boundaryBlock(after ? this.#high : this.#low, this.prefix, after);
    else if (after) this.#end = row;
    else this.#row = row;
    return row !== MISS;
  }

  #fit(block: number): number {
    return blockFit(this.run, block, this.options.range);
  }

  // Decodes from the row's group on.
  #window(at: number, blockFirst: number, rowsEnd: number, fit: number): number {
    const firstGroup = Math.floor((this.#row - blockFirst) / GROUP_ROWS);
    const most = Math.min(this.#groups, this.#pool.rows / GROUP_ROWS);
    this.#groups = most * GROWTH;
    const groups = Math.min(Math.ceil((rowsEnd - blockFirst) / GROUP_ROWS), firstGroup + most);
    const base = blockFirst + firstGroup * GROUP_ROWS;
    this.position = this.#row - base;
    const end = Math.min(rowsEnd, blockFirst + groups * GROUP_ROWS);
    this.length = end - base;
    this.#row = end;
    this.#decode(at, firstGroup, groups);
    if (fit === PARTLY || this.options.revisions) {
      this.run.revisionColumn(at, FROM, firstGroup, groups, this.columns[FROM]);
      this.run.revisionColumn(at, TO, firstGroup, groups, this.columns[TO]);
    }
    if (fit === PARTLY || this.options.filters.length > 0) {
      const range = fit === PARTLY ? this.options.range : undefined;
      this.length = compactWindow(this.columns, this.position, this.length, range, this.options.filters);
    }
    return this.length - this.position;
  }

  // The ids of the prefix are known. Where the window is a small part of a group, only its rows are decoded.
  #decode(at: number, firstGroup: number, lastGroup: number): void {
    const { words } = this.run.cache;
    const { position: from, length: to } = this;
    const isPart = lastGroup - firstGroup === 1 && to - from <= FEW_ROWS;
    for (let column = 0; column < 4; column++) {
      const values = this.columns[column]!;
      if (column < this.#known) values.fill(this.#low[column]!, from, to);
      else if (isPart) decodeRows(words, at, column, firstGroup, from, to, values);
      else decodeColumn(words, at, column, firstGroup, lastGroup, values);
    }
  }

  missing(): Missing {
    return { run: this.run, block: this.#missingBlock };
  }

  close(): void {
    if (this.columns !== NO_COLUMNS) this.#pool.give(this.columns);
    this.columns = NO_COLUMNS;
    this.#row = this.#end = 0;
  }
}

// Placeholder before a window is taken and after it was given back.
const NO_COLUMNS = newRowColumns(0);
const UNKNOWN = -1;
