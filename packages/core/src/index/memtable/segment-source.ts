/** A source of a scan that reads a sorted segment of a table in memory. */
import type { RowColumns } from '../block/block-codec.js';
import type { Order } from '../orders.js';
import type { Missing, RowSource, SourceOptions } from '../read/row-source.js';
import { compactWindow, windowPool } from '../read/row-source.js';
import type { RowTable } from './row-table.js';

/** Rows of the first window: many readers want no more. Each window has up to {@link STEP} times as many as the one before. */
const FIRST_ROWS = 64;
const STEP = 8;

/** The rows `start` to `end` of a segment. */
export class SegmentSource implements RowSource {
  columns: RowColumns;
  position = 0;
  length = 0;
  #next: number;
  #most = FIRST_ROWS;
  #pool;
  readonly #values: RowColumns;
  #closed = false;

  constructor(
    table: RowTable,
    private readonly order: Order,
    private readonly segment: Uint32Array,
    start: number,
    private end: number,
    private readonly options: SourceOptions,
  ) {
    this.#values = table.columns;
    this.#next = start;
    this.#pool = windowPool(end - start);
    this.columns = this.#pool.take();
  }

  /** Continues with other rows of the segment. */
  restart(start: number, end: number): void {
    this.#next = start;
    this.#most = FIRST_ROWS;
    this.end = end;
    this.position = this.length = 0;
    const pool = windowPool(end - start);
    if (this.#closed || pool.rows > this.#pool.rows) {
      this.close();
      this.#pool = pool;
      this.columns = pool.take();
      this.#closed = false;
    }
  }

  fill(): number {
    const [a, b, c, d] = this.order.columns;
    const [outA, outB, outC, outD, outFrom, outTo] = this.columns;
    const values = this.#values;
    while (this.#next < this.end) {
      const count = Math.min(this.end - this.#next, this.#most, this.#pool.rows);
      this.#most *= STEP;
      for (let i = 0; i < count; i++) {
        const row = this.segment[this.#next + i]!;
        outA[i] = values[a]![row]!;
        outB[i] = values[b]![row]!;
        outC[i] = values[c]![row]!;
        outD[i] = values[d]![row]!;
        outFrom[i] = values[4][row]!;
        outTo[i] = values[5][row]!;
      }
      this.#next += count;
      this.position = 0;
      this.length = compactWindow(this.columns, 0, count, this.options.range, this.options.filters);
      if (this.length > 0) return this.length;
    }
    this.length = this.position;
    return 0;
  }

  missing(): Missing {
    throw new Error('rows in memory have no missing block');
  }

  close(): void {
    if (!this.#closed) this.#pool.give(this.columns);
    this.#closed = true;
  }
}
