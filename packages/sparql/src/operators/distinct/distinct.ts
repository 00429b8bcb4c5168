/** DISTINCT: passes each row on when it comes for the first time. */
import type { DistinctPlan } from '../../plan/plan.js';
import { BatchMemory, gatherAll, rowsOfWidth, type Batch } from '../../execute/core/batch.js';
import { Ramp } from '../../execute/core/ramp.js';
import { IdTable } from '../../execute/table/id-table.js';
import type { Execution, NextBatch, Operator } from '../../execute/core/operator.js';
import { finish, pauseOf, type Waiting } from '../../execute/core/waiting.js';
import { RowRuns, sortedBy } from '../../execute/table/row-runs.js';
import type { PlanOperator } from '../../execute/core/plan-operator.js';

export class Distinct implements Operator {
  /** Rows seen; `undefined` where equal rows come next to one another. */
  readonly #table: IdTable | undefined;
  readonly #runs: RowRuns;
  readonly #most: number;
  readonly #ramp: Ramp;
  readonly #made: BatchMemory;
  #selection = new Uint32Array(0);
  #done = false;

  constructor(
    plan: DistinctPlan,
    private readonly input: Operator,
    private readonly execution: Execution,
  ) {
    const { variables, sorted } = plan.input;
    this.#most = rowsOfWidth(variables.length);
    this.#ramp = new Ramp(variables.length);
    this.#made = new BatchMemory(execution.memory);
    this.#runs = new RowRuns(variables.length);
    if (!sortedBy(sorted, variables)) this.#table = new IdTable(variables.length, execution.memory);
  }

  next(want = this.#most): NextBatch {
    return finish(this.#nextOf(want));
  }

  *#nextOf(want: number): Waiting<Batch | undefined> {
    while (!this.#done) {
      yield* pauseOf(this.execution.control);
      let batch = this.input.next(this.#ramp.next(want));
      if (batch instanceof Promise) batch = (yield batch) as Batch | undefined;
      if (batch === undefined) break;
      if (this.#selection.length < batch.length) this.#selection = new Uint32Array(batch.length);
      if (this.#table !== undefined) yield* this.#table.makeRoom(batch.length, this.execution.control);
      const count = this.#table === undefined ? this.#selectStarts(batch) : this.#selectNew(batch, this.#table);
      // All rows without columns are alike.
      this.#done = batch.columns.length === 0;
      if (count === batch.length) return batch;
      if (count === 0) continue;
      this.#made.reserve(count, batch.columns.length);
      const columns = yield* gatherAll(batch.columns, this.#selection, count, this.execution.control);
      return { columns, length: count };
    }
    return undefined;
  }

  #selectStarts({ columns, length }: Batch): number {
    let count = 0;
    for (let row = 0; row < length; row++) if (this.#runs.begins(columns, row)) this.#selection[count++] = row;
    return count;
  }

  #selectNew({ columns, length }: Batch, table: IdTable): number {
    let count = 0;
    for (let row = 0; row < length; row++) {
      const known = table.size;
      if (table.insert(columns, row) === known) this.#selection[count++] = row;
    }
    return count;
  }

  close(): void {
    this.#table?.free();
    this.#made.free();
    this.input.close();
  }
}

export const distinct: PlanOperator<DistinctPlan> = {
  open: (plan, { openAs, isOrdered, execution }) => {
    const { input } = plan;
    // Equal rows may be recognised by their neighbours.
    return new Distinct(plan, openAs(input, isOrdered || sortedBy(input.sorted, input.variables)), execution);
  },
};
