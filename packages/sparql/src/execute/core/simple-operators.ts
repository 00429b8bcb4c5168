/** Small operators: one row, VALUES, UNION, projection, LIMIT and OFFSET. */
import type { ProjectPlan, SlicePlan, UnionPlan, ValuesPlan } from '../../plan/plan.js';
import { placesOf } from './places.js';
import { BATCH_ROWS, BatchMemory, gather, rowsOfWidth, sliceRows, type Batch } from './batch.js';
import type { Execution, NextBatch, Operator } from './operator.js';
import { finish, pauseOf, type Waiting } from './waiting.js';

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

export const unit = (): Operator => new Rows({ columns: [], length: 1 });

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
    const idOf = (constant: number | undefined): number => (constant === undefined ? 0 : ids[constant]!);
    const columns = variables.map((_, column) => Uint32Array.from(rows, (row) => idOf(row[column])));
    return { columns, length: rows.length };
  }

  close(): void {
    this.#at = Infinity;
    this.#made.free();
  }
}

/** The columns of a plan's variables, zeros for those that the input does not have. */
export function arrangeColumns(batch: Batch, columns: readonly number[]): Batch {
  // There may be thousands of variables without a value.
  let zeros: Uint32Array | undefined;
  const arranged = columns.map((at) => (at === -1 ? (zeros ??= new Uint32Array(batch.length)) : batch.columns[at]!));
  return { columns: arranged, length: batch.length };
}

export class Union implements Operator {
  /** Which input is read, and where the columns stand in it. */
  #at = 0;
  #columns: readonly number[] | undefined;
  readonly #most: number;

  constructor(
    private readonly plan: UnionPlan,
    private readonly operators: readonly Operator[],
    private readonly execution: Execution,
  ) {
    this.#most = rowsOfWidth(plan.variables.length);
  }

  next(want = this.#most): NextBatch {
    return finish(this.#nextOf(Math.min(want, this.#most)));
  }

  *#nextOf(want: number): Waiting<Batch | undefined> {
    for (; this.#at < this.operators.length; this.#at++) {
      yield* pauseOf(this.execution.control);
      const operator = this.operators[this.#at]!;
      let batch = operator.next(want);
      if (batch instanceof Promise) batch = (yield batch) as Batch | undefined;
      if (batch !== undefined) {
        this.#columns ??= placesOf(this.plan.variables, this.plan.inputs[this.#at]!.variables);
        return arrangeColumns(batch, this.#columns);
      }
      operator.close();
      this.#columns = undefined;
    }
    return undefined;
  }

  close(): void {
    for (const operator of this.operators) operator.close();
    this.#at = this.operators.length;
  }
}

export class Project implements Operator {
  readonly #columns: readonly number[];
  readonly #most: number;

  constructor(
    plan: ProjectPlan,
    private readonly input: Operator,
  ) {
    this.#columns = placesOf(plan.variables, plan.input.variables);
    this.#most = rowsOfWidth(this.#columns.length);
  }

  next(want = this.#most): NextBatch {
    const batch = this.input.next(Math.min(want, this.#most));
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

/** LIMIT and OFFSET of the rows of each value of a column. */
export class SliceOfEach implements Operator {
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
