/**
 * Runs an inner plan for some rows of the input at a time. They stand in it as its seed, numbered, so that each row it gives
 * says which row of the input it belongs to: OPTIONAL and EXISTS over patterns that are best looked up by what is known.
 */
import { inlineBoolean } from '@quadrille/model';
import type { ApplyPlan } from '../plan/plan.js';
import { BATCH_ROWS, gather, selectRows, type Batch } from './batch.js';
import { RowStore } from './id-table.js';
import type { Execution, Operator } from './operator.js';

/** Opens the inner plan with rows for its seed. */
export type OpenInner = (seed: string, rows: Batch) => Operator;

// The inner plan may scan what the seed does not narrow down: large inputs then come in larger parts.
const FIRST_ROWS = BATCH_ROWS;
const MOST_ROWS = 65_536;

export class Apply implements Operator {
  readonly #seedColumns: readonly number[];
  readonly #numberColumn: number;
  /** Output columns: from the input, else from the inner plan. */
  readonly #outputs: readonly (readonly [number, number])[];
  #rows = FIRST_ROWS;
  #pending: Batch | undefined;
  #results: Batch[] = [];
  #inner: Operator | undefined;

  constructor(
    private readonly plan: ApplyPlan,
    private readonly input: Operator,
    private readonly open: OpenInner,
    private readonly execution: Execution,
  ) {
    const names = plan.input.variables;
    this.#seedColumns = plan.seedVariables.map((name) => names.indexOf(name));
    this.#numberColumn = plan.inner.variables.indexOf(plan.rowNumber);
    this.#outputs = plan.variables.map((name) => [names.indexOf(name), plan.inner.variables.indexOf(name)] as const);
  }

  async next(): Promise<Batch | undefined> {
    while (this.#results.length === 0) {
      await this.execution.control.checkpoint();
      const rows = await this.#gatherInput();
      if (rows === undefined) return undefined;
      if (this.plan.mode === 'left') await this.#join(rows);
      else await this.#test(rows);
      this.#rows = Math.min(this.#rows * 4, MOST_ROWS);
    }
    return this.#results.shift();
  }

  async #gatherInput(): Promise<Batch | undefined> {
    const first = this.#pending ?? (await this.input.next());
    this.#pending = undefined;
    if (first === undefined || this.#rows === FIRST_ROWS) return first;
    const store = new RowStore(first.columns.length, this.execution.memory);
    let length = 0;
    for (let batch: Batch | undefined = first; batch !== undefined; batch = await this.input.next()) {
      store.append(batch.columns, batch.length);
      length += batch.length;
      if (length >= this.#rows) break;
    }
    store.free();
    return { columns: store.columns.map((column) => column.subarray(0, length)), length };
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
  async #test(rows: Batch): Promise<void> {
    const matched = new Uint8Array(rows.length);
    const inner = this.#openInner(rows);
    let left = rows.length;
    for (let batch = await inner.next(); batch !== undefined && left > 0; batch = await inner.next()) {
      const numbers = batch.columns[this.#numberColumn]!;
      for (let i = 0; i < batch.length; i++) {
        const row = numbers[i]! - 1;
        if (matched[row] === 1) continue;
        matched[row] = 1;
        left--;
      }
    }
    this.#closeInner();
    this.#emitTested(rows, matched);
  }

  #emitTested(rows: Batch, matched: Uint8Array): void {
    const { mode } = this.plan;
    const pick = ({ columns, length }: Batch, marks?: Uint32Array): void => {
      if (length === 0) return;
      this.#results.push({ columns: this.#outputs.map(([input]) => columns[input] ?? marks!), length });
    };
    if (mode === 'mark') {
      pick(
        rows,
        Uint32Array.from(matched, (mark) => inlineBoolean(mark === 1)),
      );
      return;
    }
    const wanted = mode === 'semi' ? 1 : 0;
    const selection = new Uint32Array(rows.length);
    let count = 0;
    for (let row = 0; row < rows.length; row++) if (matched[row] === wanted) selection[count++] = row;
    pick(selectRows(rows, selection, count));
  }

  // Every row with each of its matches, in the order of the input; a row without one alone.
  async #join(rows: Batch): Promise<void> {
    const store = new RowStore(this.plan.inner.variables.length, this.execution.memory);
    const inner = this.#openInner(rows);
    const counts = new Uint32Array(rows.length + 1);
    for (let batch = await inner.next(); batch !== undefined; batch = await inner.next()) {
      store.append(batch.columns, batch.length);
      const numbers = batch.columns[this.#numberColumn]!;
      for (let i = 0; i < batch.length; i++) counts[numbers[i]!]!++;
    }
    this.#closeInner();
    this.#emitJoined(rows, store, counts);
    store.free();
  }

  // Counting sort by row number; `counts[n]` is the number of matches of row n - 1.
  #emitJoined(rows: Batch, store: RowStore, counts: Uint32Array): void {
    let total = 0;
    const first = new Uint32Array(rows.length);
    for (let row = 0; row < rows.length; row++) {
      first[row] = total;
      total += Math.max(counts[row + 1]!, 1);
    }
    const inputRows = new Uint32Array(total);
    const matches = new Int32Array(total).fill(-1);
    for (let row = 0; row < rows.length; row++) {
      inputRows.fill(row, first[row], first[row]! + Math.max(counts[row + 1]!, 1));
    }
    const numbers = store.columns[this.#numberColumn]!;
    for (let i = 0; i < store.length; i++) matches[first[numbers[i]! - 1]!++] = i;
    for (let start = 0; start < total; start += BATCH_ROWS) {
      const end = Math.min(start + BATCH_ROWS, total);
      this.#results.push(this.#combine(rows, store, inputRows.subarray(start, end), matches.subarray(start, end)));
    }
  }

  #combine(rows: Batch, store: RowStore, inputRows: Uint32Array, matches: Int32Array): Batch {
    const { length } = inputRows;
    const columns = this.#outputs.map(([input, inner]) => {
      const column = input === -1 ? new Uint32Array(length) : gather(rows.columns[input]!, inputRows, length);
      if (inner === -1) return column;
      const source = store.columns[inner]!;
      for (let i = 0; i < length; i++) if (column[i] === 0 && matches[i] !== -1) column[i] = source[matches[i]!]!;
      return column;
    });
    return { columns, length };
  }

  close(): void {
    this.#closeInner();
    this.input.close();
  }
}
