/** All rows of an operator, found by the ids of some of their columns. */
import type { Plan } from '../../plan/plan.js';
import { IdTable, RowStore } from './id-table.js';
import type { Execution, Operator } from '../core/operator.js';
import { rowsOfWidth, type Batch } from '../core/batch.js';
import { pauseOf, type Waiting } from '../core/waiting.js';

const ROWS_BETWEEN_CHECKS = 100_000;
/** Ids of so many times as many values as there are rows are counted by themselves: that takes no more memory than a hash table. */
const DENSE_SHARE = 4;

export class HashedRows {
  /** Rows of key n: `rows[offsets[n] … offsets[n + 1])`. */
  offsets = new Uint32Array(1);
  rows = new Uint32Array(0);
  #table: IdTable | undefined;
  /** The least key where keys are numbered by their distance from it: terms that came together often have ids in sequence. */
  #least = 0;
  /** How many numbers of keys there are. */
  #keys = 0;
  #bytes = 0;

  private constructor(
    private readonly execution: Execution,
    /** Shared by all that find its rows. */
    private readonly store: RowStore,
    private readonly keys: readonly number[],
  ) {}

  static *read(plan: Plan, keys: readonly string[], input: Operator, execution: Execution): Waiting<HashedRows> {
    const keyColumns = keys.map((name) => plan.variables.indexOf(name));
    const store = new RowStore(plan.variables.length, execution.memory);
    const hashed = new HashedRows(execution, store, keyColumns);
    for (;;) {
      let batch = input.next();
      if (batch instanceof Promise) batch = (yield batch) as Batch | undefined;
      if (batch === undefined) break;
      yield* store.add(batch.columns, batch.length, execution.control);
    }
    input.close();
    yield* hashed.#arrange();
    return hashed;
  }

  /** The same rows by other columns. Each of both is to be freed. */
  *by(keys: readonly number[]): Waiting<HashedRows> {
    const other = new HashedRows(this.execution, this.store, keys);
    yield* other.#arrange();
    return other;
  }

  get columns(): readonly Uint32Array[] {
    return this.store.columns;
  }

  get length(): number {
    return this.store.length;
  }

  /** The number of a key that some row has, or -1. */
  find(columns: readonly Uint32Array[], row: number): number {
    if (this.#table !== undefined) return this.#table.find(columns, row);
    const number = columns[0]![row]! - this.#least;
    const { offsets } = this;
    return number >= 0 && number < this.#keys && offsets[number]! < offsets[number + 1]! ? number : -1;
  }

  #reserve(bytes: number): void {
    this.execution.memory.reserve(bytes);
    this.#bytes += bytes;
  }

  *#arrange(): Waiting<void> {
    const isDense = this.keys.length === 1 && this.length > 0 && (yield* this.#findDense());
    yield* this.#sort(isDense ? this.columns[this.keys[0]!]! : yield* this.#numberByTable());
  }

  // Whether ids themselves can number the keys.
  *#findDense(): Waiting<boolean> {
    const column = this.columns[this.keys[0]!]!;
    let least = 0xffff_ffff;
    let greatest = 0;
    yield* this.#chunks((start, end) => {
      for (let row = start; row < end; row++) {
        const id = column[row]!;
        if (id < least) least = id;
        if (id > greatest) greatest = id;
      }
    });
    if (greatest - least >= this.length * DENSE_SHARE) return false;
    this.#least = least;
    this.#keys = greatest - least + 1;
    return true;
  }

  *#numberByTable(): Waiting<Uint32Array> {
    const { length } = this;
    const table = (this.#table = new IdTable(this.keys.length, this.execution.memory));
    this.#reserve(length * 4);
    const numbers = new Uint32Array(length);
    const keys = this.keys.map((column) => this.columns[column]!);
    const rowsAtOnce = rowsOfWidth(keys.length);
    for (let start = 0; start < length; start += rowsAtOnce) {
      const end = Math.min(start + rowsAtOnce, length);
      yield* table.makeRoom(end - start, this.execution.control);
      for (let row = start; row < end; row++) numbers[row] = table.insert(keys, row);
      yield* pauseOf(this.execution.control);
    }
    this.#keys = table.size;
    return numbers;
  }

  // Counting sort of the rows by the numbers of their keys.
  *#sort(numbers: Uint32Array): Waiting<void> {
    const { length } = this;
    const least = this.#least;
    this.#reserve((length + this.#keys) * 4);
    const offsets = new Uint32Array(this.#keys + 2);
    const rows = new Uint32Array(length);
    yield* this.#chunks((start, end) => {
      for (let row = start; row < end; row++) offsets[numbers[row]! - least + 2]!++;
    });
    for (let key = 2; key < offsets.length; key++) offsets[key]! += offsets[key - 1]!;
    yield* this.#chunks((start, end) => {
      for (let row = start; row < end; row++) rows[offsets[numbers[row]! - least + 1]!++] = row;
    });
    this.offsets = offsets.subarray(0, this.#keys + 1);
    this.rows = rows;
  }

  *#chunks(work: (start: number, end: number) => void): Waiting<void> {
    for (let start = 0; start < this.length; start += ROWS_BETWEEN_CHECKS) {
      work(start, Math.min(start + ROWS_BETWEEN_CHECKS, this.length));
      yield* pauseOf(this.execution.control);
    }
  }

  free(): void {
    this.store.free();
    this.#table?.free();
    this.execution.memory.release(this.#bytes);
    this.#bytes = 0;
  }
}
