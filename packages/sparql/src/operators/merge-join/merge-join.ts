/** Joins two inputs that ascend by the same variable, without keeping either. */
import type { MergeJoinPlan } from '../../plan/plan.js';
import { BatchBuilder, BatchMemory, rowsOfWidth, type Batch } from '../../execute/core/batch.js';
import { Ramp } from '../../execute/core/ramp.js';
import { RowStore } from '../../execute/table/id-table.js';
import type { Execution, NextBatch, Operator } from '../../execute/core/operator.js';
import { finish, pauseOf, type Waiting } from '../../execute/core/waiting.js';
import type { PlanOperator } from '../../execute/core/plan-operator.js';

/** One side: its current batch, and the next row of it. */
class Side {
  batch: Batch | undefined;
  row = 0;
  ended = false;
  readonly #ramp: Ramp;

  constructor(
    readonly input: Operator,
    readonly key: number,
    width: number,
  ) {
    this.#ramp = new Ramp(width);
  }

  get id(): number {
    return this.batch!.columns[this.key]![this.row]!;
  }

  /** Whether the batch has a next row. Asked first, since a generator for each row would cost more than joining it. */
  get isReady(): boolean {
    return this.batch !== undefined && this.row < this.batch.length;
  }

  /** Loads a batch that has a next row; false at the end. */
  *fill(want: number): Waiting<boolean> {
    if (this.isReady) return true;
    if (this.ended) return false;
    const next = this.input.next(this.#ramp.next(want));
    this.batch = next instanceof Promise ? ((yield next) as Batch | undefined) : next;
    this.row = 0;
    this.ended = this.batch === undefined;
    return !this.ended;
  }

  /** Goes to the first row of the batch with at least this id, by galloping search. */
  skipTo(id: number): void {
    const column = this.batch!.columns[this.key]!;
    const { length } = this.batch!;
    let step = 1;
    let low = this.row;
    while (low + step < length && column[low + step]! < id) {
      low += step;
      step *= 2;
    }
    let high = Math.min(low + step, length);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (column[middle]! < id) low = middle + 1;
      else high = middle;
    }
    this.row = low;
  }
}

export class MergeJoin implements Operator {
  readonly #left: Side;
  readonly #right: Side;
  /** Per output column: left column, or -1 and the right one. */
  readonly #outputs: readonly (readonly [number, number])[];
  /** Right rows of the present key, in columns. */
  readonly #group: RowStore;
  readonly #made: BatchMemory;
  #groupId = 0;
  readonly #most: number;
  #want: number;
  #at = 0;

  constructor(
    plan: MergeJoinPlan,
    left: Operator,
    right: Operator,
    private readonly execution: Execution,
  ) {
    const { variables: leftNames } = plan.left;
    const { variables: rightNames } = plan.right;
    const { length: width } = plan.variables;
    this.#left = new Side(left, leftNames.indexOf(plan.key), width);
    this.#right = new Side(right, rightNames.indexOf(plan.key), width);
    this.#want = this.#most = rowsOfWidth(width);
    this.#outputs = plan.variables.map((name) => [leftNames.indexOf(name), rightNames.indexOf(name)] as const);
    this.#made = new BatchMemory(execution.memory);
    this.#group = new RowStore(rightNames.length, execution.memory);
  }

  next(want = this.#most): NextBatch {
    this.#want = Math.min(want, this.#most);
    return finish(this.#nextOf(this.#want));
  }

  *#nextOf(want: number): Waiting<Batch | undefined> {
    const out = new BatchBuilder(this.#outputs.length);
    while (out.length < want) {
      yield* pauseOf(this.execution.control);
      if (this.#at < this.#group.length) {
        this.#emit(out);
        if (this.#at === this.#group.length) this.#left.row++;
        continue;
      }
      if (!this.#left.isReady && !(yield* this.#left.fill(want))) break;
      if (this.#left.id !== this.#groupId && !(yield* this.#align())) break;
      // The next left row has the same key, or a new one: its right rows are read from the beginning.
      this.#at = 0;
      this.#emitRun(out);
    }
    this.#made.reserve(out.length, this.#outputs.length);
    return out.length === 0 ? undefined : out.take();
  }

  // Left rows one after the other that have the key, as long as the output takes whole groups.
  #emitRun(out: BatchBuilder): void {
    const side = this.#left;
    while (out.length < this.#want && side.row < side.batch!.length && side.id === this.#groupId) {
      this.#at = 0;
      this.#emit(out);
      if (this.#at < this.#group.length) return;
      side.row++;
    }
  }

  #emit(out: BatchBuilder): void {
    const rows = Math.min(this.#group.length - this.#at, this.#most);
    out.reserve(rows);
    for (let i = 0; i < this.#outputs.length; i++) {
      const [left, right] = this.#outputs[i]!;
      const column = out.columns[i]!;
      if (left !== -1) column.fill(this.#left.batch!.columns[left]![this.#left.row]!, out.length, out.length + rows);
      else for (let n = 0; n < rows; n++) column[out.length + n] = this.#group.columns[right]![this.#at + n]!;
    }
    out.length += rows;
    this.#at += rows;
  }

  // Brings both sides to their next common id, and gathers the right rows that have it; false at the end.
  *#align(): Waiting<boolean> {
    while (!this.#meet()) {
      if (!(yield* this.#left.fill(this.#want)) || !(yield* this.#right.fill(this.#want))) return false;
    }
    this.#group.length = 0;
    this.#groupId = this.#left.id;
    // They may go on in the next batch.
    do yield* this.#gather();
    while (!this.#right.isReady && (yield* this.#right.fill(this.#want)));
    return true;
  }

  // Moves both sides on within their batches. Whether they have come to a common id.
  #meet(): boolean {
    const left = this.#left;
    const right = this.#right;
    while (left.isReady && right.isReady) {
      const leftId = left.id;
      const rightId = right.id;
      if (leftId === rightId) return true;
      if (leftId < rightId) left.skipTo(rightId);
      else right.skipTo(leftId);
    }
    return false;
  }

  *#gather(): Waiting<void> {
    const side = this.#right;
    const { columns } = side.batch!;
    const first = side.row;
    while (side.isReady && side.id === this.#groupId) side.row++;
    const rows = side.row - first;
    if (rows > 0)
      yield* this.#group.add(
        columns.map((column) => column.subarray(first)),
        rows,
        this.execution.control,
      );
  }

  close(): void {
    this.#left.input.close();
    this.#right.input.close();
    this.#group.free();
    this.#made.free();
  }
}

export const mergeJoin: PlanOperator<MergeJoinPlan> = {
  detail: ({ key }) => `on ?${key}`,
  open: (plan, { openAs, execution }) =>
    new MergeJoin(plan, openAs(plan.left, true), openAs(plan.right, true), execution),
};
