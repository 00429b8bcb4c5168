/** Steps through the rows of a scan one by one, for readers that join two scans. */
import { MISS } from '../../keyspace/block-cache.js';
import type { MergeScan } from './merge-scan.js';

export class RowCursor {
  #at = 0;
  done = false;

  constructor(private readonly scan: MergeScan) {}

  /**
   * Steps to the next row; the first call steps to the first row. Returns a promise only if a block must be fetched.
   */
  advance(): Promise<void> | undefined {
    this.#at++;
    if (this.#at < this.scan.batch.end) return undefined;
    const rows = this.scan.next();
    if (rows === MISS) return this.#fetch();
    this.#at = this.scan.batch.start;
    this.done = rows === 0;
    return undefined;
  }

  async #fetch(): Promise<void> {
    let rows: number = MISS;
    while (rows === MISS) {
      await this.scan.fetch();
      rows = this.scan.next();
    }
    this.#at = this.scan.batch.start;
    this.done = rows === 0;
  }

  /** A column of the present row: a, b, c, d in the sequence of the order, `from`, `to`. */
  value(column: number): number {
    return this.scan.batch.columns[column]![this.#at]!;
  }

  close(): void {
    this.scan.close();
  }
}
