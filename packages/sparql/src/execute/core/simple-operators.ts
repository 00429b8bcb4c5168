/** Small operators: one row, VALUES, UNION, projection, LIMIT and OFFSET. */
import type { ProjectPlan, SlicePlan, UnionPlan, ValuesPlan } from '../../plan/plan.js';
import { placesOf } from './places.js';
import { BATCH_ROWS, sliceRows, type Batch } from './batch.js';
import type { Execution, NextBatch, Operator } from './operator.js';
import { finish, type Waiting } from './waiting.js';

/** Returns rows that are given. */
export class Rows implements Operator {
  #at = 0;

  constructor(private readonly batch: Batch) {}

  next(): Batch | undefined {
    if (this.#at >= this.batch.length) return undefined;
    const end = Math.min(this.#at + BATCH_ROWS, this.batch.length);
    const batch = sliceRows(this.batch, this.#at, end);
    this.#at = end;
    return batch;
  }

  close(): void {
    this.#at = this.batch.length;
  }
}

export const unit = (): Operator => new Rows({ columns: [], length: 1 });

export function values(plan: ValuesPlan, execution: Execution): Operator {
  const columns = plan.variables.map((_, column) =>
    Uint32Array.from(plan.constants, (row) => {
      const constant = row[column];
      return constant === undefined ? 0 : execution.constants[constant]!;
    }),
  );
  return new Rows({ columns, length: plan.constants.length });
}

/** The columns of a plan's variables, zeros for those that the input does not have. */
export function arrangeColumns(batch: Batch, columns: readonly number[]): Batch {
  // There may be thousands of variables without a value.
  let zeros: Uint32Array | undefined;
  const arranged = columns.map((at) => (at === -1 ? (zeros ??= new Uint32Array(batch.length)) : batch.columns[at]!));
  return { columns: arranged, length: batch.length };
}

export class Union implements Operator {
  readonly #inputs: { readonly operator: Operator; readonly columns: readonly number[] }[];

  constructor(
    plan: UnionPlan,
    private readonly operators: readonly Operator[],
  ) {
    this.#inputs = operators.map((operator, i) => ({
      operator,
      columns: placesOf(plan.variables, plan.inputs[i]!.variables),
    }));
  }

  next(want?: number): NextBatch {
    return finish(this.#nextOf(want));
  }

  *#nextOf(want: number | undefined): Waiting<Batch | undefined> {
    for (let input = this.#inputs[0]; input !== undefined; input = this.#inputs[0]) {
      let batch = input.operator.next(want);
      if (batch instanceof Promise) batch = (yield batch) as Batch | undefined;
      if (batch !== undefined) return arrangeColumns(batch, input.columns);
      input.operator.close();
      this.#inputs.shift();
    }
    return undefined;
  }

  close(): void {
    for (const operator of this.operators) operator.close();
  }
}

export class Project implements Operator {
  readonly #columns: readonly number[];

  constructor(
    plan: ProjectPlan,
    private readonly input: Operator,
  ) {
    this.#columns = placesOf(plan.variables, plan.input.variables);
  }

  next(want?: number): NextBatch {
    const batch = this.input.next(want);
    return batch instanceof Promise ? batch.then(this.#arrange) : this.#arrange(batch);
  }

  readonly #arrange = (batch: Batch | undefined): Batch | undefined =>
    batch === undefined ? undefined : arrangeColumns(batch, this.#columns);

  close(): void {
    this.input.close();
  }
}

export class Slice implements Operator {
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
