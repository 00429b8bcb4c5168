/** The rows whose id in a column passes a test. */
import { type Batch, BatchMemory, selectRows } from '../../execute/core/batch.js';
import type { Execution, NextBatch, Operator } from '../../execute/core/operator.js';
import { finish, pauseOf, type Waiting } from '../../execute/core/waiting.js';

export class ColumnFilter implements Operator {
  readonly #made: BatchMemory;

  /** `bytes`: what the test holds. */
  constructor(
    private readonly input: Operator,
    private readonly column: number,
    private readonly passes: (id: number) => boolean,
    private readonly execution: Execution,
    private readonly bytes = 0,
  ) {
    this.#made = new BatchMemory(execution.memory);
    execution.memory.reserve(bytes);
  }

  next(want?: number): NextBatch {
    return finish(this.#nextOf(want));
  }

  *#nextOf(want: number | undefined): Waiting<Batch | undefined> {
    for (;;) {
      let batch = this.input.next(want);
      if (batch instanceof Promise) batch = (yield batch) as Batch | undefined;
      if (batch === undefined) return undefined;
      const rows = this.#rowsOf(batch);
      if (rows.length > 0) {
        this.#made.reserve(rows.length, batch.columns.length);
        return selectRows(batch, rows, rows.length);
      }
      yield* pauseOf(this.execution.control);
    }
  }

  #rowsOf({ columns, length }: Batch): Uint32Array {
    const ids = columns[this.column]!;
    const rows = new Uint32Array(length);
    let count = 0;
    for (let row = 0; row < length; row++) if (this.passes(ids[row]!)) rows[count++] = row;
    return rows.subarray(0, count);
  }

  close(): void {
    this.#made.free();
    this.execution.memory.release(this.bytes);
    this.input.close();
  }
}
