/** The rows whose id in a column is within some ranges. */
import type { IdRange } from '../../plan/id-ranges.js';
import { selectRows, type Batch } from '../../execute/core/batch.js';
import type { NextBatch, Operator } from '../../execute/core/operator.js';
import { finish, type Waiting } from '../../execute/core/waiting.js';

export class RangeFilter implements Operator {
  constructor(
    private readonly input: Operator,
    private readonly column: number,
    private readonly ranges: readonly IdRange[],
  ) {}

  next(want?: number): NextBatch {
    return finish(this.#nextOf(want));
  }

  // The input asks the control.
  *#nextOf(want?: number): Waiting<Batch | undefined> {
    for (;;) {
      let batch = this.input.next(want);
      if (batch instanceof Promise) batch = (yield batch) as Batch | undefined;
      if (batch === undefined) return undefined;
      const kept = this.#select(batch);
      if (kept.length > 0) return kept;
    }
  }

  #select(batch: Batch): Batch {
    const ids = batch.columns[this.column]!;
    const selection = new Uint32Array(batch.length);
    let count = 0;
    for (let row = 0; row < batch.length; row++) if (this.#isWithin(ids[row]!)) selection[count++] = row;
    return selectRows(batch, selection, count);
  }

  #isWithin(id: number): boolean {
    for (const { least = 0, greatest = 0xffff_ffff } of this.ranges) if (id >= least && id <= greatest) return true;
    return false;
  }

  close(): void {
    this.input.close();
  }
}
