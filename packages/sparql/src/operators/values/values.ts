/** Rows that are there before the plan runs: one without variables, those of a seed, and VALUES. */
import type { SeedPlan, UnitPlan, ValuesPlan } from '../../plan/plan.js';
import { BatchMemory, rowsOfWidth, sliceRows, type Batch } from '../../execute/core/batch.js';
import type { PlanOperator } from '../../execute/core/plan-operator.js';
import type { Execution, NextBatch, Operator } from '../../execute/core/operator.js';
import { finish, pauseOf, type Waiting } from '../../execute/core/waiting.js';

/** Returns rows that are given. */
export class Rows implements Operator {
  #at = 0;
  readonly #most: number;

  constructor(private readonly batch: Batch) {
    this.#most = rowsOfWidth(batch.columns.length);
  }

  next(): Batch | undefined {
    if (this.#at >= this.batch.length) return undefined;
    const end = Math.min(this.#at + this.#most, this.batch.length);
    const batch = sliceRows(this.batch, this.#at, end);
    this.#at = end;
    return batch;
  }

  close(): void {
    this.#at = this.batch.length;
  }
}

const ONE: Batch = { columns: [], length: 1 };

export class Values implements Operator {
  #at = 0;
  readonly #made: BatchMemory;

  constructor(
    private readonly plan: ValuesPlan,
    private readonly execution: Execution,
  ) {
    this.#made = new BatchMemory(execution.memory);
  }

  next(): NextBatch {
    return finish(this.#nextOf());
  }

  *#nextOf(): Waiting<Batch | undefined> {
    yield* pauseOf(this.execution.control);
    const { constants: ids } = this.execution;
    const { constants, variables } = this.plan;
    const { length: width } = variables;
    const rows = constants.slice(this.#at, this.#at + rowsOfWidth(width));
    this.#at += rows.length;
    if (rows.length === 0) return undefined;
    this.#made.reserve(rows.length, width);
    const columns = variables.map((_, column) => {
      const out = new Uint32Array(rows.length);
      for (let at = 0; at < out.length; at++) {
        const constant = rows[at]![column];
        if (constant !== undefined) out[at] = ids[constant]!;
      }
      return out;
    });
    return { columns, length: rows.length };
  }

  close(): void {
    this.#at = Infinity;
    this.#made.free();
  }
}

export const unit: PlanOperator<UnitPlan> = { open: () => new Rows(ONE) };
export const seed: PlanOperator<SeedPlan> = { open: (plan, { execution }) => new Rows(execution.seedRows(plan.seed)) };
export const values: PlanOperator<ValuesPlan> = {
  detail: ({ constants, variables }, { names }) => `${constants.length} rows of ${names(variables)}`,
  open: (plan, { execution }) => new Values(plan, execution),
};
