/**
 * A scan: the rows of one revision that match a pattern, in the sequence of an order. It merges the sources of
 * present quads and removes the rows that the sources of tombstones have. Steps are synchronous; missing blocks are
 * fetched between them.
 */
import { MISS } from '../../keyspace/block-cache.js';
import type { RowColumns } from '../block/block-codec.js';
import { newRowColumns } from '../block/block-codec.js';
import type { Missing, RowSource } from './row-source.js';

/** Rows of a merged batch: the first one has few, because many readers want no more. */
const FIRST_ROWS = 64;
const BATCH_ROWS = 2048;

/** The rows `start` to `end` of the columns a, b, c, d and `from`. Valid until the next step. */
export interface RowBatch {
  columns: RowColumns;
  start: number;
  end: number;
}

export class MergeScan {
  readonly batch: RowBatch;
  /** Sources with a window, by their present rows. */
  readonly #open: RowSource[] = [];
  readonly #minus: RowSource[] = [];
  readonly #unfilled: RowSource[] = [];
  #blocked: RowSource | undefined;
  #merged: RowColumns | undefined;
  #closed = false;

  constructor(
    private sources: readonly RowSource[],
    private minusSources: readonly RowSource[],
  ) {
    this.batch = { columns: sources[0]?.columns ?? EMPTY, start: 0, end: 0 };
    this.restart(sources, minusSources);
  }

  /** Restarts with other sources, none of which has a window yet. The caller owns the earlier sources again. */
  restart(sources: readonly RowSource[], minusSources: readonly RowSource[]): void {
    this.sources = sources;
    this.minusSources = minusSources;
    this.#open.length = this.#minus.length = this.#unfilled.length = 0;
    for (const source of sources) this.#unfilled.push(source);
    for (const source of minusSources) this.#unfilled.push(source);
    this.#closed = false;
  }

  /**
   * Reads the next batch. Returns its number of rows, 0 at the end, or {@link MISS} if the caller must await {@link
   * fetch} first.
   */
  next(): number {
    if (this.#unfilled.length > 0 && !this.#fillAll()) return MISS;
    if (this.#open.length === 0) return this.#finish();
    if (this.#open.length === 1 && this.#minus.length === 0) {
      const source = this.#open[0]!;
      return this.#handOut(source, source.length);
    }
    return this.#merge();
  }

  async fetch(): Promise<void> {
    const missing: Missing = this.#blocked!.missing();
    await missing.run.cache.fetch(missing.run.source, [missing.block]);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const source of this.sources) source.close();
    for (const source of this.minusSources) source.close();
  }

  #finish(): number {
    this.close();
    this.batch.start = this.batch.end = 0;
    return 0;
  }

  #fillAll(): boolean {
    while (this.#unfilled.length > 0) {
      const source = this.#unfilled.at(-1)!;
      const rows = source.fill();
      if (rows === MISS) {
        this.#blocked = source;
        return false;
      }
      this.#unfilled.pop();
      if (rows > 0) insertSource(source, this.sources.includes(source) ? this.#open : this.#minus);
    }
    return true;
  }

  // Hands out the rows of a source up to `end` in its own window, without a copy.
  #handOut(source: RowSource, end: number): number {
    this.batch.columns = source.columns;
    this.batch.start = source.position;
    this.batch.end = end;
    this.#advance(this.#open, end);
    return end - this.batch.start;
  }

  #merge(): number {
    const most = this.#merged === undefined ? FIRST_ROWS : BATCH_ROWS;
    if (this.#merged === undefined || this.#merged[0].length < most) this.#merged = newRowColumns(most);
    const out = this.#merged;
    let count = 0;
    while (count < most && (this.#unfilled.length === 0 || this.#fillAll()) && this.#open.length > 0) {
      const source = this.#open[0]!;
      const end = this.#stretch(source);
      if (end === source.position) continue;
      if (end - source.position >= HAND_OUT_ROWS) {
        // This many rows are not copied. The rows merged before are handed out first.
        if (count === 0) return this.#handOut(source, end);
        break;
      }
      const rows = Math.min(end - source.position, most - count);
      copyRows(source.columns, source.position, rows, out, count);
      count += rows;
      this.#advance(this.#open, source.position + rows);
    }
    this.batch.columns = out;
    this.batch.start = 0;
    this.batch.end = count;
    if (count > 0) return count;
    return this.#unfilled.length > 0 ? MISS : this.#finish();
  }

  // The end of the present rows of the least source that come before the rows of all other sources. If there is no
  // such row, the method has advanced a source.
  #stretch(source: RowSource): number {
    let end = source.length;
    if (this.#minus.length > 0) {
      // Tombstones are sorted like rows. A tombstone below the row belongs to an earlier row, or to none in this
      // scan.
      const tombstone = this.#minus[0]!;
      const order = compareRows(tombstone, source);
      if (order <= 0) {
        const past = order < 0 ? firstFrom(tombstone, tombstone.length, source) : tombstone.position + 1;
        this.#advance(this.#minus, past);
        if (order === 0) this.#advance(this.#open, source.position + 1);
        return source.position;
      }
      end = firstFrom(source, end, tombstone);
    }
    const second = this.#open[1];
    if (second !== undefined) end = firstFrom(source, end, second);
    // Equal rows of two sources: one of them is taken.
    return Math.max(end, source.position + 1);
  }

  // Moves the first source of a list to a later row.
  #advance(list: RowSource[], to: number): void {
    const source = list[0]!;
    source.position = to;
    if (to < source.length) settleFirst(list);
    else this.#unfilled.push(list.shift()!);
  }
}

/** From this number of adjacent rows on, rows are handed out in place. */
const HAND_OUT_ROWS = 128;

const EMPTY = newRowColumns(1);

/** Puts a source into its place of a list that is sorted by present rows. */
export function insertSource(source: RowSource, list: RowSource[]): void {
  list.unshift(source);
  settleFirst(list);
}

/** Moves the first source of a list, which has another present row than before, to its place among the others. */
export function settleFirst(list: RowSource[]): void {
  const source = list[0]!;
  let at = 0;
  for (; at + 1 < list.length && compareRows(list[at + 1]!, source) < 0; at++) list[at] = list[at + 1]!;
  list[at] = source;
}

/** Compares the present rows of two sources by their four places, then by `from`. */
export function compareRows(x: RowSource, y: RowSource): number {
  return compareAt(x.columns, x.position, y.columns, y.position);
}

/** The first row of a window, between its position and `end`, that is not below the present row of another source. */
export function firstFrom(source: RowSource, end: number, other: RowSource): number {
  const { columns } = source;
  const { columns: others, position: row } = other;
  let low = source.position;
  let step = 1;
  while (low + step <= end && compareAt(columns, low + step - 1, others, row) < 0) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step - 1, end);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareAt(columns, middle, others, row) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Without a subtraction, which would be no small integer for ids above 2^31.
function compareAt(x: RowColumns, i: number, y: RowColumns, j: number): number {
  for (let column = 0; column < 5; column++) {
    const a = x[column]![i]!;
    const b = y[column]![j]!;
    if (a !== b) return a < b ? -1 : 1;
  }
  return 0;
}

const BULK_ROWS = 24;

export function copyRows(columns: RowColumns, from: number, rows: number, out: RowColumns, to: number): void {
  for (let column = 0; column < 6; column++) {
    const values = columns[column]!;
    const target = out[column]!;
    if (rows >= BULK_ROWS) target.set(values.subarray(from, from + rows), to);
    else for (let i = 0; i < rows; i++) target[to + i] = values[from + i]!;
  }
}
