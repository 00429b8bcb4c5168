/**
 * A scan: the rows of one state that match a pattern, in the order of an index. It merges the sources that say a quad is
 * there and takes away those that say it is gone. Steps are synchronous; what has to be fetched is fetched between them.
 */
import { MISS } from '../../keyspace/block-cache.js';
import type { RowColumns } from '../block/block-codec.js';
import { newRowColumns } from '../block/block-codec.js';
import type { Missing, RowSource } from './row-source.js';

const BATCH_ROWS = 2048;

/** Places a, b, c, d and the `from` revision of the rows `start … end`. Good until the next step. */
export interface RowBatch {
  columns: RowColumns;
  start: number;
  end: number;
}

export class MergeScan {
  readonly batch: RowBatch;
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

  /** Begins anew with other sources, none of which has a window yet. Those of before are the caller's again. */
  restart(sources: readonly RowSource[], minusSources: readonly RowSource[]): void {
    this.sources = sources;
    this.minusSources = minusSources;
    this.#open.length = this.#minus.length = this.#unfilled.length = 0;
    for (const source of sources) this.#unfilled.push(source);
    for (const source of minusSources) this.#unfilled.push(source);
    this.#closed = false;
  }

  /** Makes the next batch: the number of its rows, 0 at the end, {@link MISS} if {@link fetch} has to be awaited first. */
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
      if (rows > 0) (this.sources.includes(source) ? this.#open : this.#minus).push(source);
    }
    return true;
  }

  // The rows of a source up to `end`, as they stand in its window.
  #handOut(source: RowSource, end: number): number {
    this.batch.columns = source.columns;
    this.batch.start = source.position;
    this.batch.end = end;
    this.#advance(source, this.#open, end);
    return end - this.batch.start;
  }

  #merge(): number {
    const out = (this.#merged ??= newRowColumns(BATCH_ROWS));
    let count = 0;
    while (count < BATCH_ROWS && (this.#unfilled.length === 0 || this.#fillAll()) && this.#open.length > 0) {
      const source = least(this.#open);
      const end = this.#stretch(source);
      if (end === source.position) continue;
      if (end - source.position >= HAND_OUT_ROWS) {
        // As much as that is not copied: what was merged so far goes first.
        if (count === 0) return this.#handOut(source, end);
        break;
      }
      const rows = Math.min(end - source.position, BATCH_ROWS - count);
      copyRows(source.columns, source.position, rows, out, count);
      count += rows;
      this.#advance(source, this.#open, source.position + rows);
    }
    this.batch.columns = out;
    this.batch.start = 0;
    this.batch.end = count;
    if (count > 0) return count;
    return this.#unfilled.length > 0 ? MISS : this.#finish();
  }

  // Where the rows of the least source end that come before those of all others and are not taken away. Where there are
  // none, a source has advanced.
  #stretch(source: RowSource): number {
    let end = source.length;
    if (this.#minus.length > 0) {
      // Tombstones are sorted as the rows are: one that is behind the row has found its row, or has none here.
      const tombstone = least(this.#minus);
      const order = compareRows(tombstone, source);
      if (order <= 0) {
        this.#advance(tombstone, this.#minus, order < 0 ? firstFrom(tombstone, tombstone.length, source) : undefined);
        if (order === 0) this.#advance(source, this.#open);
        return source.position;
      }
      end = firstFrom(source, end, tombstone);
    }
    for (const other of this.#open) if (other !== source) end = firstFrom(source, end, other);
    // Rows that are in two sources are equal: one of them goes on.
    return Math.max(end, source.position + 1);
  }

  #advance(source: RowSource, list: RowSource[], to = source.position + 1): void {
    source.position = to;
    if (to < source.length) return;
    list.splice(list.indexOf(source), 1);
    this.#unfilled.push(source);
  }
}

/** So many rows in a row are handed out in place. */
const HAND_OUT_ROWS = 128;

const EMPTY = newRowColumns(1);

export function least(sources: readonly RowSource[]): RowSource {
  let best = sources[0]!;
  for (let i = 1; i < sources.length; i++) if (compareRows(sources[i]!, best) < 0) best = sources[i]!;
  return best;
}

/** By the four places, then by `from`. */
export function compareRows(x: RowSource, y: RowSource): number {
  return compareAt(x.columns, x.position, y.columns, y.position);
}

/** The first row of a window, from the one it is at to `end`, that does not come before the row another source is at. */
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

function compareAt(x: RowColumns, i: number, y: RowColumns, j: number): number {
  return (
    x[0][i]! - y[0][j]! || x[1][i]! - y[1][j]! || x[2][i]! - y[2][j]! || x[3][i]! - y[3][j]! || x[4][i]! - y[4][j]!
  );
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
