/** Joins by a hash table of the right side: inner, left and MINUS. */
import type { HashJoinPlan } from '../../plan/plan.js';
import { BATCH_ROWS, BatchMemory, gather, selectRows, type Batch } from '../core/batch.js';
import { BatchFilter } from '../core/filter.js';
import { Ramp } from '../core/ramp.js';
import { HashedRows } from '../table/hashed-rows.js';
import type { Execution, NextBatch, Operator } from '../core/operator.js';
import { finish, type Waiting } from '../core/waiting.js';

export class HashJoin implements Operator {
  readonly #keys: readonly number[];
  /** Columns left and right of the shared variables that may be unbound. */
  readonly #loose: readonly (readonly [number, number])[];
  /** For each output column: left and right column, -1 where a side does not have it. */
  readonly #outputs: readonly (readonly [number, number])[];
  readonly #condition: BatchFilter | undefined;
  #right: HashedRows | undefined;
  #batch: Batch | undefined;
  #row = 0;
  /** The next match of the row. */
  #match = 0;
  #matched = new Uint8Array(0);
  readonly #leftRows = new Uint32Array(BATCH_ROWS);
  readonly #rightRows = new Uint32Array(BATCH_ROWS);
  #pairs = 0;
  /** Most pairs of the next batch. */
  #want = BATCH_ROWS;
  readonly #ramp = new Ramp();
  readonly #made: BatchMemory;

  constructor(
    private readonly plan: HashJoinPlan,
    private readonly left: Operator,
    private readonly rightInput: Operator,
    private readonly execution: Execution,
  ) {
    this.#made = new BatchMemory(execution.memory);
    const leftNames = plan.left.variables;
    const rightNames = plan.right.variables;
    this.#keys = plan.keys.map((name) => leftNames.indexOf(name));
    this.#loose = plan.loose.map((name) => [leftNames.indexOf(name), rightNames.indexOf(name)] as const);
    this.#outputs = plan.variables.map((name) => [leftNames.indexOf(name), rightNames.indexOf(name)] as const);
    this.#condition =
      plan.condition === undefined ? undefined : new BatchFilter([plan.condition], plan.variables, execution);
  }

  next(want = BATCH_ROWS): NextBatch {
    this.#want = Math.min(want, BATCH_ROWS);
    return finish(this.#nextOf());
  }

  *#nextOf(): Waiting<Batch | undefined> {
    this.#right ??= yield* HashedRows.read(this.plan.right, this.plan.keys, this.rightInput, this.execution);
    // Without right rows there is no result: the left side is not read.
    if (this.#right.length === 0 && this.plan.mode === 'inner') return undefined;
    for (;;) {
      const pause = this.execution.control.checkpoint();
      if (pause !== undefined) yield pause;
      if (this.#batch === undefined && !(yield* this.#nextLeft())) return undefined;
      const batch = this.plan.mode === 'minus' ? this.#subtract() : yield* this.#join();
      if (batch.length > 0) return batch;
    }
  }

  *#nextLeft(): Waiting<boolean> {
    const next = this.left.next(this.#ramp.next(this.#want));
    this.#batch = next instanceof Promise ? ((yield next) as Batch | undefined) : next;
    this.#row = this.#match = 0;
    if (this.plan.mode === 'left') this.#matched = new Uint8Array(this.#batch?.length ?? 0);
    return this.#batch !== undefined;
  }

  *#join(): Waiting<Batch> {
    this.#collectPairs();
    const batch = this.#batch!;
    if (this.#pairs === 0) {
      this.#batch = undefined;
      return this.plan.mode === 'left' ? this.#unmatched(batch) : { columns: [], length: 0 };
    }
    this.#made.reserve(this.#pairs, this.#outputs.length);
    let joined: Batch = { columns: this.#pairColumns(batch), length: this.#pairs };
    if (this.plan.mode === 'left') {
      const passing = this.#condition === undefined ? undefined : yield* this.#condition.select(joined);
      const count = passing?.length ?? joined.length;
      for (let i = 0; i < count; i++) this.#matched[this.#leftRows[passing?.[i] ?? i]!] = 1;
      if (passing !== undefined) joined = selectRows(joined, passing, count);
    }
    return joined;
  }

  // The next pairs of rows that join, as many as a batch takes.
  #collectPairs(): void {
    const { columns, length } = this.#batch!;
    const right = this.#right!;
    const keys = this.#keys.map((column) => columns[column]!);
    this.#pairs = 0;
    for (; this.#row < length; this.#row++, this.#match = 0) {
      const group = right.find(keys, this.#row);
      if (group === -1) continue;
      const first = right.offsets[group]!;
      const end = right.offsets[group + 1]!;
      for (let at = first + this.#match; at < end; at++) {
        if (this.#pairs === this.#want) {
          this.#match = at - first;
          return;
        }
        const rightRow = right.rows[at]!;
        if (this.#loose.length > 0 && !this.#agrees(this.#row, rightRow)) continue;
        this.#leftRows[this.#pairs] = this.#row;
        this.#rightRows[this.#pairs++] = rightRow;
      }
    }
  }

  // Variables that may be unbound have equal values where both sides bind them.
  #agrees(leftRow: number, rightRow: number): boolean {
    for (const [left, right] of this.#loose) {
      const a = this.#batch!.columns[left]![leftRow]!;
      const b = this.#right!.columns[right]![rightRow]!;
      if (a !== 0 && b !== 0 && a !== b) return false;
    }
    return true;
  }

  #pairColumns(batch: Batch): Uint32Array[] {
    return this.#outputs.map(([left, right]) => {
      if (left === -1) return gather(this.#right!.columns[right]!, this.#rightRows, this.#pairs);
      const column = gather(batch.columns[left]!, this.#leftRows, this.#pairs);
      if (right !== -1) this.#fill(column, right);
      return column;
    });
  }

  // A variable that the left side leaves unbound gets the value of the right side.
  #fill(column: Uint32Array, right: number): void {
    const source = this.#right!.columns[right]!;
    for (let i = 0; i < this.#pairs; i++) if (column[i] === 0) column[i] = source[this.#rightRows[i]!]!;
  }

  #unmatched(batch: Batch): Batch {
    const selection = new Uint32Array(batch.length);
    let count = 0;
    for (let row = 0; row < batch.length; row++) if (this.#matched[row] === 0) selection[count++] = row;
    const columns = this.#outputs.map(([left]) =>
      left === -1 ? new Uint32Array(count) : gather(batch.columns[left]!, selection, count),
    );
    return { columns, length: count };
  }

  #subtract(): Batch {
    const batch = this.#batch!;
    const selection = new Uint32Array(batch.length);
    let count = 0;
    const keys = this.#keys.map((column) => batch.columns[column]!);
    for (let row = 0; row < batch.length; row++) if (!this.#isRemoved(keys, row)) selection[count++] = row;
    this.#batch = undefined;
    const kept = selectRows(batch, selection, count);
    return { columns: this.#outputs.map(([left]) => kept.columns[left]!), length: count };
  }

  #isRemoved(keys: readonly Uint32Array[], row: number): boolean {
    const right = this.#right!;
    const group = right.find(keys, row);
    if (group === -1) return false;
    if (this.#loose.length === 0) return true;
    for (let at = right.offsets[group]!; at < right.offsets[group + 1]!; at++) {
      if (this.#agrees(row, right.rows[at]!) && (keys.length > 0 || this.#sharesOne(row, right.rows[at]!))) return true;
    }
    return false;
  }

  // MINUS takes nothing away where no variable is bound on both sides.
  #sharesOne(leftRow: number, rightRow: number): boolean {
    return this.#loose.some(
      ([left, right]) => this.#batch!.columns[left]![leftRow] !== 0 && this.#right!.columns[right]![rightRow] !== 0,
    );
  }

  close(): void {
    this.left.close();
    this.rightInput.close();
    this.#right?.free();
    this.#condition?.free();
    this.#made.free();
  }
}
