/**
 * Runs an inner plan for some rows of the input at a time. These rows are the seed of the inner plan and have numbers, so that each
 * inner row names its input row. For joins, OPTIONAL and EXISTS whose pattern is best looked up by the values of the input.
 */
import { inlineBoolean } from '@quadrille/model';
import type { ApplyPlan } from '../../plan/plan.js';
import {
  BatchMemory,
  CELLS_AT_ONCE,
  gather,
  gatherAll,
  rowsOfWidth,
  sliceRows,
  type Batch,
} from '../../execute/core/batch.js';
import { RowStore } from '../../execute/table/id-table.js';
import type { Execution, NextBatch, Operator } from '../../execute/core/operator.js';
import { finish, pauseOf, type Waiting } from '../../execute/core/waiting.js';
import type { PlanOperator } from '../../execute/core/plan-operator.js';

/** Opens the inner plan with rows for its seed. */
export type OpenInner = (seed: string, rows: Batch) => Operator;

// The inner plan may scan what the seed does not restrict: larger parts then mean fewer scans.
const MOST_BATCHES = 16;
/** The matches of at most this many batches of rows are kept at once. */
const MOST_JOINED_BATCHES = 4;
const ROWS_BETWEEN_CHECKS = 65_536;

/** Rows of the input with the rows of the inner plan that belong to them. */
interface Matches {
  readonly rows: Batch;
  readonly store: RowStore;
  /** Matches of row n: `order[ends[n - 1] … ends[n])`, rows of the store. */
  readonly ends: Uint32Array;
  readonly order: Uint32Array;
  /** The next row, and the next of its matches. */
  row: number;
  at: number;
}

/** Rows of the input whose matches come in their order. */
interface OrderedMatches {
  readonly rows: Batch;
  /** The first row of which no match has come. */
  next: number;
}

/** Whether rows come with their matches. Else they are only tested, and perhaps few of them pass. */
const gives = ({ mode }: ApplyPlan): boolean => mode === 'left' || mode === 'inner';

/** Whether an apply hands on the rows of its inner plan in the order in which they come: that of the input rows. */
const followsInner = (plan: ApplyPlan): boolean => gives(plan) && plan.inner.sorted[0] === plan.rowNumber;

class Apply implements Operator {
  readonly #seedColumns: readonly number[];
  readonly #numberColumn: number;
  /** Output columns: from the input, else from the inner plan. */
  readonly #outputs: readonly (readonly [number, number])[];
  /** How many rows the inner plan is run for next: few, as long as few are wanted. */
  #rows = 0;
  /** What the input gave and is not used yet. */
  #waiting: Batch | undefined;
  #inner: Operator | undefined;
  #matches: Matches | undefined;
  #ordered: OrderedMatches | undefined;
  readonly #gives: boolean;
  /** Whether the inner plan gives its rows in the order of the input rows. */
  readonly #isOrdered: boolean;
  readonly #made: BatchMemory;
  /** Of the rows that the inner plan is run for, and of the order of their matches. */
  readonly #gathered: BatchMemory;
  readonly #arranged: BatchMemory;
  /** Rows of a batch of the input, and of the output. */
  readonly #batchRows: number;
  readonly #most: number;

  constructor(
    private readonly plan: ApplyPlan,
    private readonly input: Operator,
    private readonly open: OpenInner,
    private readonly execution: Execution,
  ) {
    this.#made = new BatchMemory(execution.memory);
    this.#gathered = new BatchMemory(execution.memory);
    this.#arranged = new BatchMemory(execution.memory);
    this.#batchRows = rowsOfWidth(plan.input.variables.length);
    this.#most = rowsOfWidth(plan.variables.length);
    this.#gives = gives(plan);
    this.#isOrdered = followsInner(plan);
    const names = plan.input.variables;
    this.#seedColumns = plan.seedVariables.map((name) => names.indexOf(name));
    this.#numberColumn = plan.inner.variables.indexOf(plan.rowNumber);
    this.#outputs = plan.variables.map((name) => [names.indexOf(name), plan.inner.variables.indexOf(name)] as const);
  }

  next(want = this.#most): NextBatch {
    return finish(this.#nextOf(want));
  }

  // Small parts grow fourfold up to a batch, then by `times`.
  #grow(times: number, batches: number): void {
    if (this.plan.rowsAtOnce !== undefined) return;
    const rows = this.#rows;
    const most = this.#batchRows;
    this.#rows = rows < most ? Math.min(rows * 4, most) : Math.min(rows * times, batches * most);
  }

  *#nextOf(want: number): Waiting<Batch | undefined> {
    if (this.plan.rowsAtOnce === 'all') this.#rows = Infinity;
    this.#rows ||= this.#gives && want < this.#most ? Math.min(want, this.plan.firstRows) : this.plan.firstRows;
    for (;;) {
      yield* pauseOf(this.execution.control);
      const isOrdered = this.#ordered !== undefined;
      const joined = isOrdered ? yield* this.#nextOrdered(this.#ordered!, want) : yield* this.#nextMatches();
      if (joined !== undefined) return joined;
      if (isOrdered) continue;
      const rows = yield* this.#gatherInput();
      if (rows === undefined) return undefined;
      if (this.#gives) {
        if (this.#isOrdered) {
          this.#ordered = { rows, next: 0 };
          this.#openInner(rows);
        } else this.#matches = yield* this.#findMatches(rows);
        this.#grow(2, MOST_JOINED_BATCHES);
        continue;
      }
      const tested = yield* this.#tested(rows, yield* this.#findMatched(rows));
      this.#grow(4, MOST_BATCHES);
      if (tested.length > 0) return tested;
    }
  }

  *#gatherInput(): Waiting<Batch | undefined> {
    const given = this.#waiting ?? this.input.next(Math.min(this.#rows, this.#batchRows));
    const first = given instanceof Promise ? ((yield given) as Batch | undefined) : given;
    this.#waiting = undefined;
    if (first === undefined) return undefined;
    if (first.length > this.#rows) {
      this.#waiting = sliceRows(first, this.#rows, first.length);
      return sliceRows(first, 0, this.#rows);
    }
    if (first.length * 2 >= this.#rows) return first;
    const store = new RowStore(first.columns.length, this.execution.memory);
    for (let batch: Batch | undefined = first; batch !== undefined;) {
      yield* store.add(batch.columns, batch.length, this.execution.control);
      const missing = this.#rows - store.length;
      const next = missing > 0 ? this.input.next(Math.min(missing, this.#batchRows)) : undefined;
      batch = next instanceof Promise ? ((yield next) as Batch | undefined) : next;
    }
    store.free();
    this.#gathered.reserve(store.length, store.width);
    return { columns: store.columns, length: store.length };
  }

  #openInner(rows: Batch): Operator {
    const numbers = new Uint32Array(rows.length);
    for (let row = 0; row < rows.length; row++) numbers[row] = row + 1;
    const columns = [...this.#seedColumns.map((column) => rows.columns[column]!), numbers];
    this.#inner = this.open(this.plan.seed, { columns, length: rows.length });
    return this.#inner;
  }

  #closeInner(): void {
    this.#inner?.close();
    this.#inner = undefined;
  }

  // Which rows have a match. Stops as soon as all of them have one.
  *#findMatched(rows: Batch): Waiting<Uint8Array> {
    const matched = new Uint8Array(rows.length);
    const inner = this.#openInner(rows);
    let left = rows.length;
    while (left > 0) {
      let batch = inner.next();
      if (batch instanceof Promise) batch = (yield batch) as Batch | undefined;
      if (batch === undefined) break;
      const numbers = batch.columns[this.#numberColumn]!;
      for (let i = 0; i < batch.length; i++) {
        const row = numbers[i]! - 1;
        if (matched[row] === 1) continue;
        matched[row] = 1;
        left--;
      }
    }
    this.#closeInner();
    return matched;
  }

  *#tested(rows: Batch, matched: Uint8Array): Waiting<Batch> {
    const { mode } = this.plan;
    if (mode === 'mark') {
      const marks = Uint32Array.from(matched, (mark) => inlineBoolean(mark === 1));
      return { columns: this.#outputs.map(([input]) => rows.columns[input] ?? marks), length: rows.length };
    }
    const wanted = mode === 'semi' ? 1 : 0;
    const selection = new Uint32Array(rows.length);
    let count = 0;
    for (let row = 0; row < rows.length; row++) if (matched[row] === wanted) selection[count++] = row;
    const columns = this.#outputs.map(([input]) => rows.columns[input]!);
    if (count === rows.length) return { columns, length: count };
    this.#made.reserve(count, columns.length);
    return { columns: yield* gatherAll(columns, selection, count, this.execution.control), length: count };
  }

  // All matches of some rows, arranged by row.
  *#findMatches(rows: Batch): Waiting<Matches> {
    const store = new RowStore(this.plan.inner.variables.length, this.execution.memory);
    const inner = this.#openInner(rows);
    const ends = new Uint32Array(rows.length);
    for (;;) {
      let batch = inner.next();
      if (batch instanceof Promise) batch = (yield batch) as Batch | undefined;
      if (batch === undefined) break;
      yield* store.add(batch.columns, batch.length, this.execution.control);
      const numbers = batch.columns[this.#numberColumn]!;
      for (let i = 0; i < batch.length; i++) ends[numbers[i]! - 1]!++;
    }
    this.#closeInner();
    let total = 0;
    for (let row = 0; row < rows.length; row++) {
      const count = ends[row]!;
      ends[row] = total;
      total += count;
    }
    this.#arranged.reserve(total + rows.length, 1);
    const order = new Uint32Array(total);
    const numbers = store.columns[this.#numberColumn]!;
    for (let i = 0; i < total; i++) {
      if (i % ROWS_BETWEEN_CHECKS === 0) yield* pauseOf(this.execution.control);
      order[ends[numbers[i]! - 1]!++] = i;
    }
    return { rows, store, ends, order, row: 0, at: 0 };
  }

  // The next rows with their matches; a row without one alone.
  *#nextMatches(): Waiting<Batch | undefined> {
    const matches = this.#matches;
    if (matches === undefined) return undefined;
    const { rows, store, ends, order } = matches;
    const room = Math.min(this.#most, order.length - matches.at + rows.length - matches.row);
    const inputRows = new Uint32Array(room);
    const found = new Int32Array(room);
    let count = 0;
    while (count < room && matches.row < rows.length) {
      const { row } = matches;
      const end = ends[row]!;
      inputRows[count] = row;
      if (matches.at < end) found[count++] = order[matches.at++]!;
      else if (this.plan.mode === 'left' && end === (row === 0 ? 0 : ends[row - 1]!)) found[count++] = -1;
      if (matches.at >= end) matches.row++;
    }
    if (matches.row >= rows.length) {
      this.#matches = undefined;
      store.free();
    }
    return count === 0 ? undefined : yield* this.#combine(rows, store.columns, inputRows.subarray(0, count), found);
  }

  /** The next matches as they come, with the rows before them that have none. */
  *#nextOrdered(matches: OrderedMatches, want: number): Waiting<Batch | undefined> {
    const { rows } = matches;
    let batch = this.#inner!.next(want);
    if (batch instanceof Promise) batch = (yield batch) as Batch | undefined;
    const length = batch?.length ?? 0;
    const inputRows = new Uint32Array(length + rows.length - matches.next);
    const found = new Int32Array(inputRows.length);
    let count = 0;
    const passTo = (end: number): void => {
      for (; matches.next < end; matches.next++) {
        if (this.plan.mode !== 'left') continue;
        inputRows[count] = matches.next;
        found[count++] = -1;
      }
    };
    const numbers = batch?.columns[this.#numberColumn];
    for (let i = 0; i < length; i++) {
      const row = numbers![i]! - 1;
      if (row < matches.next - 1) throw new Error('the inner plan of an apply does not keep the order of its seed');
      passTo(row);
      matches.next = row + 1;
      inputRows[count] = row;
      found[count++] = i;
    }
    if (batch === undefined) {
      passTo(rows.length);
      this.#ordered = undefined;
      this.#closeInner();
    }
    if (count === 0) return undefined;
    return yield* this.#combine(rows, batch?.columns ?? [], inputRows.subarray(0, count), found);
  }

  *#combine(rows: Batch, matches: readonly Uint32Array[], inputRows: Uint32Array, found: Int32Array): Waiting<Batch> {
    const { length } = inputRows;
    this.#made.reserve(length, this.#outputs.length);
    const columns: Uint32Array[] = [];
    let cells = 0;
    for (const [input, inner] of this.#outputs) {
      const column = input === -1 ? new Uint32Array(length) : gather(rows.columns[input]!, inputRows, length);
      columns.push(column);
      const source = matches[inner];
      if (source !== undefined) {
        for (let i = 0; i < length; i++) if (column[i] === 0 && found[i] !== -1) column[i] = source[found[i]!]!;
      }
      cells += length;
      if (cells < CELLS_AT_ONCE) continue;
      cells = 0;
      yield* pauseOf(this.execution.control);
    }
    return { columns, length };
  }

  close(): void {
    this.#closeInner();
    this.#ordered = undefined;
    this.#matches?.store.free();
    this.#matches = undefined;
    this.#made.free();
    this.#gathered.free();
    this.#arranged.free();
    this.input.close();
  }
}

const AT_ONCE = { one: ', row by row', all: ', all rows at once' } as const;

export const apply: PlanOperator<ApplyPlan> = {
  detail: ({ mode, seedVariables, rowsAtOnce }, { names }) =>
    `${mode} with ${names(seedVariables)}${rowsAtOnce === undefined ? '' : AT_ONCE[rowsAtOnce]}`,
  open: (plan, { open, openAlone, execution }) => {
    const openInner = (seed: string, rows: Batch): Operator =>
      openAlone(plan.inner, followsInner(plan), {
        ...execution,
        seedRows: (name) => (name === seed ? rows : execution.seedRows(name)),
      });
    return new Apply(plan, open(plan.input), openInner, execution);
  },
};
