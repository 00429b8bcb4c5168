/** ORDER BY: keeps the rows, ranks the keys, sorts by the ranks. With a limit it keeps at most a few times as many rows. */
import { compareForOrder } from '../../expression/values/order.js';
import type { Value } from '../../expression/values/value.js';
import { valueBytes } from '../../expression/values/value-bytes.js';
import { ValueMemory } from '../../control/value-memory.js';
import type { SortPlan } from '../../plan/plan.js';
import { BATCH_ROWS, gather, selectRows, type Batch } from '../core/batch.js';
import { BatchExpression } from '../core/batch-expression.js';
import { RowStore } from '../table/id-table.js';
import type { Execution, NextBatch, Operator } from '../core/operator.js';
import { finish, pauseOf, type Waiting } from '../core/waiting.js';
import { variableColumn } from '../core/variable-column.js';
import { radixSort, type RankColumn } from './radix-sort.js';
import { inlineClass, rankIds, rankValues } from './sort-ranks.js';

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
  /** Of the values of computed keys. */
  readonly #memory: ValueMemory;
  /** After rows were dropped: the first key of the last row that stayed. Rows behind it are dropped at once. */
  #worst: { readonly id: number; readonly value: Value | undefined } | undefined;

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
    const { limit } = plan;
    this.#keepAtMost = limit === undefined ? Infinity : Math.max(limit * KEPT_PER_LIMIT, LEAST_KEPT);
    this.#memory = new ValueMemory(execution.memory);
    this.#store = new RowStore(variables.length, execution.memory);
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
    const rows = this.#order.subarray(this.#row, this.#row + BATCH_ROWS);
    this.#row += rows.length;
    if (rows.length === 0) return undefined;
    return { columns: this.#store.columns.map((column) => gather(column, rows, rows.length)), length: rows.length };
  }

  *#read(): Waiting<void> {
    if (this.plan.limit === 0) return;
    for (;;) {
      yield* pauseOf(this.execution.control);
      let batch = this.input.next();
      if (batch instanceof Promise) batch = (yield batch) as Batch | undefined;
      if (batch === undefined) return;
      const kept = this.#worst === undefined ? batch : yield* this.#withoutLater(batch);
      for (const { expression, values } of this.#keys) {
        const evaluated = expression?.eachPiece(kept, (piece) => {
          for (const value of piece) {
            this.#memory.reserve(keptBytes(value));
            values.push(value);
          }
        });
        if (evaluated !== undefined) yield evaluated;
      }
      this.#store.append(kept.columns, kept.length);
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
    const columns = this.#store.columns.map((column) => gather(column, order, order.length));
    kept.append(columns, order.length);
    for (const key of this.#keys) {
      if (key.column === -1) key.values = Array.from(order, (row) => key.values[row]);
    }
    this.#countValues();
    this.#store.free();
    this.#store = kept;
    const first = this.#keys[0];
    if (first === undefined || first.column === -1) return;
    const id = columns[first.column]![order.length - 1]!;
    this.#worst = { id, value: id === 0 ? undefined : ((yield this.execution.terms.value(id)) as Value) };
  }

  #countValues(): void {
    let bytes = 0;
    for (const { values } of this.#keys) for (const value of values) bytes += keptBytes(value);
    this.#memory.shrinkTo(bytes);
  }

  // Drops rows that sort behind all rows that stayed.
  *#withoutLater(batch: Batch): Waiting<Batch> {
    const { column } = this.#keys[0]!;
    const ids = batch.columns[column]!;
    const selection = new Uint32Array(batch.length);
    const byId = this.#selectById(ids, batch.length, selection);
    if (byId !== -1) return selectRows(batch, selection, byId);
    let count = 0;
    const read = this.execution.terms.eachPiece(ids, batch.length, (values, start) => {
      count = this.#selectByValue(values, start, selection, count);
    });
    if (read !== undefined) yield read;
    return selectRows(batch, selection, count);
  }

  // -1 where ids alone cannot decide.
  #selectById(ids: Uint32Array, rows: number, selection: Uint32Array): number {
    const { descending } = this.#keys[0]!;
    const worst = this.#worst!.id;
    const kind = inlineClass(worst);
    if (kind === 0) return -1;
    let count = 0;
    for (let row = 0; row < rows; row++) {
      const id = ids[row]!;
      if (inlineClass(id) !== kind) return -1;
      if (descending ? id >= worst : id <= worst) selection[count++] = row;
    }
    return count;
  }

  // The values are those of rows from `start` on; `selected` rows were selected before them.
  #selectByValue(
    values: readonly (Value | undefined)[],
    start: number,
    selection: Uint32Array,
    selected: number,
  ): number {
    const { descending } = this.#keys[0]!;
    const { value: worst } = this.#worst!;
    let count = selected;
    for (let i = 0; i < values.length; i++) {
      const order = compareForOrder(values[i], worst);
      if (descending ? order >= 0 : order <= 0) selection[count++] = start + i;
    }
    return count;
  }

  close(): void {
    this.#store.free();
    this.#memory.free();
    for (const { expression } of this.#keys) expression?.free();
    this.#order ??= new Uint32Array(0);
    this.#row = this.#order.length;
    this.input.close();
  }
}
