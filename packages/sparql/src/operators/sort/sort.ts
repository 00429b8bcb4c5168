/** ORDER BY: keeps the rows, ranks the keys, sorts by the ranks. With a limit it keeps at most a few times as many rows. */
import type { Value } from '../../expression/values/value.js';
import { valueBytes } from '../../expression/values/value-bytes.js';
import { ValueMemory } from '../../control/value-memory.js';
import type { SortPlan } from '../../plan/plan.js';
import { BatchMemory, gatherAll, rowsOfWidth, type Batch } from '../../execute/core/batch.js';
import { BatchExpression } from '../../execute/core/batch-expression.js';
import { RowStore } from '../../execute/table/id-table.js';
import type { Execution, NextBatch, Operator } from '../../execute/core/operator.js';
import { finish, pauseOf, type Waiting } from '../../execute/core/waiting.js';
import { variableColumn } from '../../execute/core/variable-column.js';
import { radixSort, type RankColumn } from './radix-sort.js';
import { FirstKeys } from './first-keys.js';
import { rankIds, rankValues } from './sort-ranks.js';

/** With a limit, at least `LEAST_KEPT` rows and `KEPT_PER_LIMIT` times the limit are kept before all but the first ones are dropped. */
const LEAST_KEPT = 16_384;
const KEPT_PER_LIMIT = 4;

/** Of a value and its place in an array. */
const keptBytes = (value: Value | undefined): number => valueBytes(value) + 8;

interface Key {
  readonly descending: boolean;
  /** The column that it is, or -1. */
  readonly column: number;
  readonly expression: BatchExpression | undefined;
  /** Of computed keys, the value of each kept row. */
  values: (Value | undefined)[];
}

export class Sort implements Operator {
  readonly #keys: readonly Key[];
  readonly #keepAtMost: number;
  #store: RowStore;
  #order: Uint32Array | undefined;
  #row = 0;
  readonly #most: number;
  readonly #made: BatchMemory;
  /** Of the values of computed keys. */
  readonly #memory: ValueMemory;
  /** Rows behind these are dropped at once. */
  #first: FirstKeys | undefined;

  constructor(
    private readonly plan: SortPlan,
    private readonly input: Operator,
    private readonly execution: Execution,
  ) {
    const { variables } = plan.input;
    this.#keys = plan.keys.map(({ expression, descending }) => {
      const column = variableColumn(expression, variables);
      const compiled = column === -1 ? new BatchExpression(expression, variables, execution) : undefined;
      return { descending, column, expression: compiled, values: [] };
    });
    this.#most = rowsOfWidth(variables.length);
    this.#made = new BatchMemory(execution.memory);
    const { limit } = plan;
    this.#keepAtMost = limit === undefined ? Infinity : Math.max(limit * KEPT_PER_LIMIT, LEAST_KEPT);
    this.#memory = new ValueMemory(execution.memory);
    this.#store = new RowStore(variables.length, execution.memory);
    const [first] = this.#keys;
    if (first !== undefined && first.column !== -1) this.#first = FirstKeys.of(limit, first.descending, execution);
  }

  next(): NextBatch {
    return finish(this.#nextOf());
  }

  *#nextOf(): Waiting<Batch | undefined> {
    if (this.#order === undefined) {
      yield* this.#read();
      this.#order = yield* this.#sorted();
    }
    yield* pauseOf(this.execution.control);
    const rows = this.#order.subarray(this.#row, this.#row + this.#most);
    const { length } = rows;
    this.#row += length;
    if (length === 0) return undefined;
    this.#made.reserve(length, this.#store.width);
    return { columns: yield* gatherAll(this.#store.columns, rows, length, this.execution.control), length };
  }

  *#read(): Waiting<void> {
    for (const { expression } of this.#keys) {
      yield* pauseOf(this.execution.control);
      if (expression !== undefined) yield* expression.compile();
    }
    if (this.plan.limit === 0) return;
    for (;;) {
      yield* pauseOf(this.execution.control);
      let batch = this.input.next(this.#most);
      if (batch instanceof Promise) batch = (yield batch) as Batch | undefined;
      if (batch === undefined) return;
      const kept = this.#first === undefined ? batch : yield* this.#withoutLater(batch, this.#first);
      for (const { expression, values } of this.#keys) {
        const evaluated = expression?.eachPiece(kept, (piece) => {
          for (const value of piece) {
            this.#memory.reserve(keptBytes(value));
            values.push(value);
          }
        });
        if (evaluated !== undefined) yield evaluated;
      }
      yield* this.#store.add(kept.columns, kept.length, this.execution.control);
      if (this.#store.length >= this.#keepAtMost) yield* this.#cut();
    }
  }

  /** The rows in order, as many as are asked for. */
  *#sorted(): Waiting<Uint32Array> {
    const { length, columns } = this.#store;
    const bytes = length * 4 * (this.#keys.length + 2);
    this.execution.memory.reserve(bytes);
    try {
      const ranked: RankColumn[] = [];
      for (const { column, values, descending } of this.#keys) {
        const ranks =
          column === -1 ? rankValues(values, this.execution) : rankIds(columns[column]!, length, this.execution);
        ranked.push({ ...(yield* ranks), descending });
      }
      const order = yield* radixSort(length, ranked, this.execution.control);
      return order.subarray(0, this.plan.limit ?? length);
    } finally {
      this.execution.memory.release(bytes);
    }
  }

  *#cut(): Waiting<void> {
    const order = yield* this.#sorted();
    const kept = new RowStore(this.#store.width, this.execution.memory);
    const columns = yield* gatherAll(this.#store.columns, order, order.length, this.execution.control);
    yield* kept.add(columns, order.length, this.execution.control);
    for (const key of this.#keys) {
      if (key.column === -1) key.values = Array.from(order, (row) => key.values[row]);
    }
    this.#countValues();
    this.#store.free();
    this.#store = kept;
    const first = this.#keys[0];
    if (this.#first !== undefined || first === undefined || first.column === -1) return;
    const id = columns[first.column]![order.length - 1]!;
    const value = id === 0 ? undefined : ((yield this.execution.terms.value(id)) as Value);
    this.#first = FirstKeys.behind(id, value, first.descending, this.execution);
  }

  #countValues(): void {
    let bytes = 0;
    for (const { values } of this.#keys) for (const value of values) bytes += keptBytes(value);
    this.#memory.shrinkTo(bytes);
  }

  // Drops rows that sort behind all rows that stay.
  *#withoutLater(batch: Batch, first: FirstKeys): Waiting<Batch> {
    const selection = new Uint32Array(batch.length);
    const count = yield* first.select(batch.columns[this.#keys[0]!.column]!, batch.length, selection);
    if (count === batch.length) return batch;
    return { columns: yield* gatherAll(batch.columns, selection, count, this.execution.control), length: count };
  }

  close(): void {
    this.#store.free();
    this.#made.free();
    this.#memory.free();
    this.#first?.free();
    for (const { expression } of this.#keys) expression?.free();
    this.#order ??= new Uint32Array(0);
    this.#row = this.#order.length;
    this.input.close();
  }
}
