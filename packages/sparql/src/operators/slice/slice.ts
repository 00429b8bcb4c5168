/** LIMIT and OFFSET. */
import type { SlicePlan } from '../../plan/plan.js';
import { BATCH_ROWS, gather, sliceRows, type Batch } from '../../execute/core/batch.js';
import type { PlanOperator } from '../../execute/core/plan-operator.js';
import type { Execution, NextBatch, Operator } from '../../execute/core/operator.js';
import { finish, pauseOf, type Waiting } from '../../execute/core/waiting.js';

class Slice implements Operator {
  #skip: number;
  #left: number;

  constructor(
    plan: SlicePlan,
    private readonly input: Operator,
  ) {
    this.#skip = plan.start;
    this.#left = plan.length ?? Infinity;
  }

  next(want = BATCH_ROWS): NextBatch {
    return finish(this.#nextOf(want));
  }

  *#nextOf(want: number): Waiting<Batch | undefined> {
    while (this.#left > 0) {
      let batch = this.input.next(Math.min(this.#skip + this.#left, want));
      if (batch instanceof Promise) batch = (yield batch) as Batch | undefined;
      if (batch === undefined) return undefined;
      const start = Math.min(this.#skip, batch.length);
      const end = Math.min(batch.length, start + this.#left);
      this.#skip -= start;
      this.#left -= end - start;
      if (this.#left === 0) this.input.close();
      if (end > start) return sliceRows(batch, start, end);
    }
    return undefined;
  }

  close(): void {
    this.#left = 0;
    this.input.close();
  }
}

/** LIMIT and OFFSET of the rows of each value of a column. */
class SliceOfEach implements Operator {
  readonly #column: number;
  readonly #end: number;
  /** By value: how many rows have come. */
  readonly #rows = new Map<number, number>();

  constructor(
    private readonly plan: SlicePlan,
    private readonly input: Operator,
    private readonly execution: Execution,
  ) {
    this.#column = plan.input.variables.indexOf(plan.of!);
    this.#end = plan.start + (plan.length ?? Infinity);
  }

  next(want = BATCH_ROWS): NextBatch {
    return finish(this.#nextOf(want));
  }

  *#nextOf(want: number): Waiting<Batch | undefined> {
    for (;;) {
      yield* pauseOf(this.execution.control);
      let batch = this.input.next(want);
      if (batch instanceof Promise) batch = (yield batch) as Batch | undefined;
      if (batch === undefined) return undefined;
      const passing = this.#pass(batch);
      if (passing.length === batch.length) return batch;
      if (passing.length > 0) {
        const columns = batch.columns.map((column) => gather(column, passing, passing.length));
        return { columns, length: passing.length };
      }
    }
  }

  #pass({ columns, length }: Batch): Uint32Array {
    const values = columns[this.#column]!;
    const passing = new Uint32Array(length);
    let count = 0;
    for (let row = 0; row < length; row++) {
      const before = this.#rows.get(values[row]!) ?? 0;
      if (before < this.#end) this.#rows.set(values[row]!, before + 1);
      if (before >= this.plan.start && before < this.#end) passing[count++] = row;
    }
    return passing.subarray(0, count);
  }

  close(): void {
    this.input.close();
    this.#rows.clear();
  }
}

export const slice: PlanOperator<SlicePlan> = {
  detail: ({ start, length, of }) =>
    `offset ${start}${length === undefined ? '' : ` limit ${length}`}${of === undefined ? '' : ` of each ?${of}`}`,
  open: (plan, { open, execution }) =>
    plan.of === undefined ? new Slice(plan, open(plan.input)) : new SliceOfEach(plan, open(plan.input), execution),
};
