/** All rows of an operator, found by the ids of some of their columns. */
import type { Plan } from '../../plan/plan.js';
import { IdTable, RowStore } from './id-table.js';
import type { Execution, Operator } from '../core/operator.js';
import { FIRST_ROWS, type Batch } from '../core/batch.js';
import type { Waiting } from '../core/waiting.js';

const ROWS_BETWEEN_CHECKS = 100_000;

export class HashedRows {
  /** Rows of key n: `rows[offsets[n] … offsets[n + 1])`. */
  offsets = new Uint32Array(1);
  rows = new Uint32Array(0);
  readonly #store: RowStore;
  readonly #table: IdTable;
  #groups = new Uint32Array(FIRST_ROWS);
  #bytes = 0;

  private constructor(
    private readonly execution: Execution,
    width: number,
    private readonly keys: readonly number[],
  ) {
    this.#store = new RowStore(width, execution.memory);
    this.#table = new IdTable(keys.length, execution.memory);
  }

  static *read(plan: Plan, keys: readonly string[], input: Operator, execution: Execution): Waiting<HashedRows> {
    const keyColumns = keys.map((name) => plan.variables.indexOf(name));
    const hashed = new HashedRows(execution, plan.variables.length, keyColumns);
    for (;;) {
      let batch = input.next();
      if (batch instanceof Promise) batch = (yield batch) as Batch | undefined;
      if (batch === undefined) break;
      hashed.#add(batch.columns, batch.length);
    }
    input.close();
    yield* hashed.#arrange();
    return hashed;
  }

  get columns(): readonly Uint32Array[] {
    return this.#store.columns;
  }

  get length(): number {
    return this.#store.length;
  }

  /** The number of a key, or -1. */
  find(columns: readonly Uint32Array[], row: number): number {
    return this.#table.find(columns, row);
  }

  #add(columns: readonly Uint32Array[], rows: number): void {
    const first = this.length;
    this.#store.append(columns, rows);
    const keys = this.keys.map((column) => columns[column]!);
    if (first + rows > this.#groups.length) this.#growGroups(first + rows);
    for (let row = 0; row < rows; row++) this.#groups[first + row] = this.#table.insert(keys, row);
  }

  #growGroups(rows: number): void {
    const length = Math.max(rows, this.#groups.length * 2);
    this.#reserve((length - this.#groups.length) * 4);
    const grown = new Uint32Array(length);
    grown.set(this.#groups);
    this.#groups = grown;
  }

  #reserve(bytes: number): void {
    this.execution.memory.reserve(bytes);
    this.#bytes += bytes;
  }

  // Counting sort of the rows by their keys.
  *#arrange(): Waiting<void> {
    const { length } = this;
    this.#reserve((length + this.#table.size) * 4);
    const offsets = new Uint32Array(this.#table.size + 2);
    const rows = new Uint32Array(length);
    yield* this.#chunks((row) => offsets[this.#groups[row]! + 2]!++);
    for (let group = 2; group < offsets.length; group++) offsets[group]! += offsets[group - 1]!;
    yield* this.#chunks((row) => {
      rows[offsets[this.#groups[row]! + 1]!++] = row;
    });
    this.offsets = offsets.subarray(0, this.#table.size + 1);
    this.rows = rows;
    this.#groups = new Uint32Array(0);
  }

  *#chunks(visit: (row: number) => void): Waiting<void> {
    for (let start = 0; start < this.length; start += ROWS_BETWEEN_CHECKS) {
      const end = Math.min(start + ROWS_BETWEEN_CHECKS, this.length);
      for (let row = start; row < end; row++) visit(row);
      const pause = this.execution.control.checkpoint();
      if (pause !== undefined) yield pause;
    }
  }

  free(): void {
    this.#store.free();
    this.#table.free();
    this.execution.memory.release(this.#bytes);
    this.#bytes = 0;
  }
}
