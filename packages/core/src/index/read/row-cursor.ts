/** Steps through the rows of a scan one by one, for readers that join two scans. Steps are synchronous. */
import { MISS } from '../../keyspace/block-cache.js';
import { newRowColumns } from '../block/block-codec.js';
import type { MergeScan } from './merge-scan.js';

const NO_ROWS = newRowColumns(0);

export class RowCursor {
  /** The present row: a, b, c, d in the sequence of the order, `from`, `to`. */
  columns = NO_ROWS;
  row = -1;
  done = false;
  #end = 0;

  constructor(private readonly scan: MergeScan) {}

  /** Steps to the next row; the first call steps to the first row. Returns false if the caller must await {@link fetch}, and call it again. */
  step(): boolean {
    return ++this.row < this.#end || this.#next();
  }

  #next(): boolean {
    const { scan } = this;
    const rows = scan.next();
    this.row = -1;
    this.#end = 0;
    if (rows === MISS) return false;
    this.done = rows === 0;
    this.columns = scan.batch.columns;
    this.row = scan.batch.start;
    this.#end = scan.batch.end;
    return true;
  }

  /** Fetches what the last step lacked. */
  fetch(): Promise<void> {
    return this.scan.fetch();
  }

  value(column: number): number {
    return this.columns[column]![this.row]!;
  }

  close(): void {
    this.scan.close();
  }
}

/** Compares the present rows of two cursors by their first places. */
export function compareCursors(x: RowCursor, y: RowCursor, places: number): number {
  for (let place = 0; place < places; place++) {
    const difference = x.columns[place]![x.row]! - y.columns[place]![y.row]!;
    if (difference !== 0) return difference;
  }
  return 0;
}
