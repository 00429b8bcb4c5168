/** A batch: solutions in columns of ids. Operators exchange batches. */

import type { Memory } from '../../control/memory.js';
import { pauseOf, type Pauses, type Waiting } from './waiting.js';

const NO_ROWS = new Uint32Array(0);

/** Largest number of rows in a batch. */
export const BATCH_ROWS = 4096;

/** Ids of one batch: an operator that copies them all holds up the event loop for less than a millisecond. */
export const CELLS_AT_ONCE = 1 << 17;

/** Most rows of a batch with so many columns: operators without end stand in one another where a request has thousands of variables. */
export const rowsOfWidth = (width: number): number =>
  width <= CELLS_AT_ONCE / BATCH_ROWS ? BATCH_ROWS : Math.max(1, Math.floor(CELLS_AT_ONCE / width));

/**
 * Some rows: `columns[i][row]` is the id of variable i of the operator's plan node, 0 where it is unbound. Columns may be longer than
 * `length`. Nobody changes a batch after it was handed on, so batches may share columns.
 */
export interface Batch {
  readonly columns: readonly Uint32Array[];
  readonly length: number;
}

/**
 * Columns start with room for this many rows, which is enough for most batches of small queries. V8 allocates a typed array of up
 * to 64 bytes in its heap. A longer one costs ten times as much, because its bytes are allocated and freed separately.
 */
export const FIRST_ROWS = 16;

/** Fills a batch row by row. */
export class BatchBuilder {
  columns: Uint32Array[];
  length = 0;
  #capacity: number;
  readonly #most: number;

  constructor(
    readonly width: number,
    capacity = FIRST_ROWS,
  ) {
    this.#capacity = capacity;
    this.#most = rowsOfWidth(width);
    this.columns = Array.from({ length: width }, () => new Uint32Array(capacity));
  }

  get isFull(): boolean {
    return this.length >= this.#most;
  }

  /** Makes room for `rows` more rows. */
  reserve(rows: number): void {
    const wanted = this.length + rows;
    if (wanted <= this.#capacity) return;
    this.#capacity = Math.max(wanted, this.#capacity * 2, FIRST_ROWS);
    for (let i = 0; i < this.width; i++) this.columns[i] = grown(this.columns[i]!, this.#capacity, this.length);
  }

  /** Returns the rows and empties the builder. Room for others has to be reserved. */
  take(): Batch {
    const batch = { columns: this.columns, length: this.length };
    this.columns = this.columns.map(() => NO_ROWS);
    this.length = this.#capacity = 0;
    return batch;
  }
}

/** The memory of a column apart from its rows, in bytes. It counts only in batches of many columns. */
const COLUMN_BYTES = 128;
const POINTER_BYTES = 8;
const FEW_COLUMNS = 32;

/** The memory of the batch that an operator made last: whoever reads it lets go of it before the next one. */
export class BatchMemory {
  #bytes = 0;

  constructor(private readonly memory: Memory) {}

  /**
   * Counts a batch that is about to be made, in place of the last one: `width` new columns, of `columns` in all.
   * @throws EvaluationError `QUERY_MEMORY`
   */
  reserve(rows: number, width: number, columns = width): void {
    const bytes =
      width * (rows * Uint32Array.BYTES_PER_ELEMENT + (width > FEW_COLUMNS ? COLUMN_BYTES : 0)) +
      (columns > FEW_COLUMNS ? columns * POINTER_BYTES : 0);
    if (bytes > this.#bytes) this.memory.reserve(bytes - this.#bytes);
    else this.memory.release(this.#bytes - bytes);
    this.#bytes = bytes;
  }

  free(): void {
    this.memory.release(this.#bytes);
    this.#bytes = 0;
  }
}

/** The rows of a batch whose numbers are in `selection`. */
export function selectRows(batch: Batch, selection: Uint32Array, count: number): Batch {
  if (count === batch.length) return batch;
  const columns = batch.columns.map((column) => gather(column, selection, count));
  return { columns, length: count };
}

export function gather(column: Uint32Array, selection: Uint32Array, count: number): Uint32Array {
  const out = new Uint32Array(count);
  for (let i = 0; i < count; i++) out[i] = column[selection[i]!]!;
  return out;
}

/** A column of more rows, with the first `used` ones of another. */
export function grown(column: Uint32Array, size: number, used = column.length): Uint32Array {
  const out = new Uint32Array(size);
  out.set(column.subarray(0, used));
  return out;
}

/** As {@link gather}, of many columns: the event loop has its turns. */
export function* gatherAll(
  columns: readonly Uint32Array[],
  selection: Uint32Array,
  count: number,
  control: Pauses,
): Waiting<Uint32Array[]> {
  const out: Uint32Array[] = [];
  let cells = 0;
  for (const column of columns) {
    out.push(gather(column, selection, count));
    cells += count;
    if (cells < CELLS_AT_ONCE) continue;
    cells = 0;
    yield* pauseOf(control);
  }
  return out;
}

/** Rows `start … end` of a batch. */
export function sliceRows(batch: Batch, start: number, end: number): Batch {
  if (start === 0 && end >= batch.length) return batch;
  return { columns: batch.columns.map((column) => column.subarray(start, end)), length: end - start };
}

/** The columns of a plan's variables, zeros for those that the input does not have. */
export function arrangeColumns(batch: Batch, columns: readonly number[]): Batch {
  // There may be thousands of variables without a value.
  let zeros: Uint32Array | undefined;
  const arranged = columns.map((at) => (at === -1 ? (zeros ??= new Uint32Array(batch.length)) : batch.columns[at]!));
  return { columns: arranged, length: batch.length };
}
