/** Joins by a hash table of the right side: inner, left, MINUS, and rows that have a match. */
import type { HashJoinPlan } from '../../plan/plan.js';
import {
  BatchMemory,
  CELLS_AT_ONCE,
  FIRST_ROWS,
  gather,
  gatherAll,
  rowsOfWidth,
  type Batch,
} from '../../execute/core/batch.js';
import { BatchFilter } from '../filter/filter.js';
import { isWhole, placesOf } from '../../execute/core/places.js';
import { Ramp } from '../../execute/core/ramp.js';
import { HashedRows } from '../../execute/table/hashed-rows.js';
import { MOST_NULLABLE, NullableKeys, type Probe } from './nullable-keys.js';
import type { Execution, NextBatch, Operator } from '../../execute/core/operator.js';
import { finish, pauseOf, type Waiting } from '../../execute/core/waiting.js';

/** Pairs of rows that are compared between two looks at the clock, where variables may be unbound. */
const COMPARED_BETWEEN_CHECKS = 1 << 16;

export class HashJoin implements Operator {
  /** Columns left and right whose ids find rows of the right side. */
  readonly #keys: readonly (readonly [number, number])[];
  /** Columns left and right of the shared variables that may be unbound. */
  readonly #loose: readonly (readonly [number, number])[];
  /** A variable that both sides always bind is shared. */
  readonly #isShared: boolean;
  #nullable: NullableKeys | undefined;
  /** How the rows of the batch are looked up. */
  #probes: (row: number) => readonly Probe[] = () => [];
  /** For each output column: left and right column, -1 where a side does not have it. There may be thousands. */
  readonly #leftColumns: readonly number[];
  readonly #rightColumns: readonly number[];
  /** How many of them the right side fills. */
  readonly #filledColumns: number;
  readonly #condition: BatchFilter | undefined;
  #right: HashedRows | undefined;
  #batch: Batch | undefined;
  /** The row of the batch, how it is looked up next, and the next of its matches. */
  readonly #at = { row: 0, probe: 0, match: 0 };
  #matched = new Uint8Array(0);
  #leftRows = new Uint32Array(FIRST_ROWS);
  #rightRows = new Uint32Array(FIRST_ROWS);
  #pairs = 0;
  /** Pairs of rows that may be compared before the clock is looked at. */
  #untilCheck = COMPARED_BETWEEN_CHECKS;
  /** Most pairs of a batch, and of the next one. */
  readonly #most: number;
  #want: number;
  readonly #ramp: Ramp;
  readonly #made: BatchMemory;

  constructor(
    private readonly plan: HashJoinPlan,
    private readonly left: Operator,
    private readonly rightInput: Operator,
    private readonly execution: Execution,
  ) {
    this.#made = new BatchMemory(execution.memory);
    this.#want = this.#most = rowsOfWidth(plan.variables.length);
    this.#ramp = new Ramp(plan.variables.length);
    const leftNames = plan.left.variables;
    const rightNames = plan.right.variables;
    const places = (name: string): [number, number] => [leftNames.indexOf(name), rightNames.indexOf(name)];
    this.#keys = plan.keys.map(places);
    this.#loose = plan.loose.map(places);
    this.#isShared = plan.keys.some((name) => name !== plan.column);
    this.#leftColumns = placesOf(plan.variables, leftNames);
    this.#rightColumns = placesOf(plan.variables, rightNames);
    this.#filledColumns = this.#rightColumns.filter((place) => place !== -1).length;
    this.#condition =
      plan.condition === undefined ? undefined : new BatchFilter([plan.condition], plan.variables, execution);
  }

  next(want = this.#most): NextBatch {
    this.#want = Math.min(want, this.#most);
    return finish(this.#nextOf());
  }

  *#nextOf(): Waiting<Batch | undefined> {
    if (this.#condition !== undefined) yield* this.#condition.compile();
    if (this.#right === undefined) yield* this.#readRight();
    // Without right rows there is no result: the left side is not read.
    const { mode } = this.plan;
    if (this.#right!.length === 0 && (mode === 'inner' || mode === 'semi')) return undefined;
    for (;;) {
      yield* pauseOf(this.execution.control);
      if (this.#batch === undefined) {
        if (!(yield* this.#nextLeft())) return undefined;
        // Thousands of joins in one another hand on what the innermost one has read, each with more columns.
        continue;
      }
      const batch = yield* mode === 'minus' || mode === 'semi' ? this.#choose(mode) : this.#join();
      if (batch.length > 0) return batch;
    }
  }

  *#readRight(): Waiting<void> {
    const { plan, execution } = this;
    this.#right = yield* HashedRows.read(plan.right, plan.keys, this.rightInput, execution);
    if (this.#loose.length === 0) return;
    this.#nullable = yield* NullableKeys.of(this.#right, this.#keys, this.#loose, execution.control);
  }

  *#nextLeft(): Waiting<boolean> {
    const next = this.left.next(this.#ramp.next(this.#want));
    const batch = next instanceof Promise ? ((yield next) as Batch | undefined) : next;
    this.#batch = batch;
    this.#at.row = this.#at.probe = this.#at.match = 0;
    if (batch !== undefined) yield* this.#findProbes(batch);
    if (this.plan.mode === 'left') this.#matched = new Uint8Array(this.#batch?.length ?? 0);
    return this.#batch !== undefined;
  }

  *#findProbes(batch: Batch): Waiting<void> {
    if (this.#nullable === undefined) {
      const probes = [{ right: this.#right!, keys: this.#keys.map(([column]) => batch.columns[column]!) }];
      this.#probes = () => probes;
      return;
    }
    // MINUS takes nothing away where no variable is bound on both sides.
    const alone = this.plan.mode !== 'minus' || this.#isShared || this.#loose.length > MOST_NULLABLE;
    this.#probes = (yield* this.#nullable.probes(batch, alone)).of;
  }

  *#join(): Waiting<Batch> {
    this.#pairs = 0;
    while (!this.#collectPairs()) {
      const pause = this.#look();
      if (pause !== undefined) yield pause;
    }
    const batch = this.#batch!;
    if (this.#pairs === 0) {
      this.#batch = undefined;
      return this.plan.mode === 'left' ? yield* this.#unmatched(batch) : { columns: [], length: 0 };
    }
    const isSame = isWhole(this.#leftRows, this.#pairs, batch.length);
    const { length } = this.#leftColumns;
    this.#made.reserve(this.#pairs, isSame ? this.#filledColumns : length, length);
    let joined: Batch = { columns: yield* this.#pairColumns(batch, isSame), length: this.#pairs };
    if (this.plan.mode === 'left') {
      const passing = this.#condition === undefined ? undefined : yield* this.#condition.select(joined);
      const count = passing?.length ?? joined.length;
      for (let i = 0; i < count; i++) this.#matched[this.#leftRows[passing?.[i] ?? i]!] = 1;
      if (passing !== undefined) {
        const columns = yield* gatherAll(joined.columns, passing, count, this.execution.control);
        joined = { columns, length: count };
      }
    }
    return joined;
  }

  #look(): Promise<void> | undefined {
    this.#untilCheck = COMPARED_BETWEEN_CHECKS;
    return this.execution.control.checkpoint();
  }

  // The next pairs of rows that join, as many as a batch takes. False where the clock is to be looked at before it goes on.
  #collectPairs(): boolean {
    const { length } = this.#batch!;
    for (; this.#at.row < length; this.#at.row++, this.#at.probe = 0) {
      const probes = this.#probes(this.#at.row);
      for (; this.#at.probe < probes.length; this.#at.probe++, this.#at.match = 0) {
        const { right, keys } = probes[this.#at.probe]!;
        const group = right.find(keys, this.#at.row);
        if (group === -1) continue;
        const first = right.offsets[group]!;
        const end = right.offsets[group + 1]!;
        for (let at = first + this.#at.match; at < end; at++) {
          if (this.#pairs === this.#want || this.#untilCheck === 0) {
            this.#at.match = at - first;
            return this.#untilCheck > 0;
          }
          const rightRow = right.rows[at]!;
          if (this.#loose.length > MOST_NULLABLE) {
            this.#untilCheck--;
            if (!this.#agrees(this.#at.row, rightRow)) continue;
          }
          if (this.#pairs === this.#leftRows.length) this.#growPairs();
          this.#leftRows[this.#pairs] = this.#at.row;
          this.#rightRows[this.#pairs++] = rightRow;
        }
      }
    }
    return true;
  }

  #growPairs(): void {
    const size = Math.min(this.#most, this.#pairs * 4);
    const left = new Uint32Array(size);
    const right = new Uint32Array(size);
    left.set(this.#leftRows);
    right.set(this.#rightRows);
    this.#leftRows = left;
    this.#rightRows = right;
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

  /** `isSame`: each row has one match, so that its columns are handed on. */
  *#pairColumns(batch: Batch, isSame: boolean): Waiting<Uint32Array[]> {
    const columns: Uint32Array[] = [];
    let cells = 0;
    for (const [at, left] of this.#leftColumns.entries()) {
      const right = this.#rightColumns[at]!;
      if (isSame && right === -1) {
        columns.push(batch.columns[left]!);
        continue;
      }
      columns.push(this.#pairColumn(batch, left, right));
      cells += this.#pairs;
      if (cells < CELLS_AT_ONCE) continue;
      cells = 0;
      yield* pauseOf(this.execution.control);
    }
    return columns;
  }

  #pairColumn(batch: Batch, left: number, right: number): Uint32Array {
    if (left === -1) return gather(this.#right!.columns[right]!, this.#rightRows, this.#pairs);
    const column = gather(batch.columns[left]!, this.#leftRows, this.#pairs);
    if (right !== -1) this.#fill(column, right);
    return column;
  }

  // A variable that the left side leaves unbound gets the value of the right side.
  #fill(column: Uint32Array, right: number): void {
    const source = this.#right!.columns[right]!;
    for (let i = 0; i < this.#pairs; i++) if (column[i] === 0) column[i] = source[this.#rightRows[i]!]!;
  }

  // Where no row has a match, the columns of the left side are handed on as they are.
  *#unmatched(batch: Batch): Waiting<Batch> {
    const selection = new Uint32Array(batch.length);
    let count = 0;
    for (let row = 0; row < batch.length; row++) if (this.#matched[row] === 0) selection[count++] = row;
    const isWholeBatch = count === batch.length;
    const { length: width } = this.#leftColumns;
    this.#made.reserve(count, isWholeBatch ? 1 : width, width);
    const kept = isWholeBatch
      ? batch.columns
      : yield* gatherAll(batch.columns, selection, count, this.execution.control);
    // One column serves all variables that stay unbound.
    let unbound: Uint32Array | undefined;
    const columns = this.#leftColumns.map((left) => (left === -1 ? (unbound ??= new Uint32Array(count)) : kept[left]!));
    return { columns, length: count };
  }

  // The rows without a match, or those with one.
  *#choose(mode: 'minus' | 'semi'): Waiting<Batch> {
    const batch = this.#batch!;
    const selection = new Uint32Array(batch.length);
    let count = 0;
    for (let row = 0; row < batch.length; row++) {
      this.#at.probe = this.#at.match = 0;
      let matches = this.#matches(row);
      for (; matches === undefined; matches = this.#matches(row)) {
        const pause = this.#look();
        if (pause !== undefined) yield pause;
      }
      if (matches === (mode === 'semi')) selection[count++] = row;
    }
    this.#batch = undefined;
    const columns = this.#leftColumns.map((left) => batch.columns[left]!);
    if (count === batch.length) return { columns, length: count };
    this.#made.reserve(count, columns.length);
    return { columns: yield* gatherAll(columns, selection, count, this.execution.control), length: count };
  }

  // `undefined` where the clock is to be looked at before it goes on.
  #matches(row: number): boolean | undefined {
    const probes = this.#probes(row);
    for (; this.#at.probe < probes.length; this.#at.probe++, this.#at.match = 0) {
      const { right, keys } = probes[this.#at.probe]!;
      const group = right.find(keys, row);
      if (group === -1) continue;
      if (this.#loose.length <= MOST_NULLABLE) return true;
      const first = right.offsets[group]!;
      const end = right.offsets[group + 1]!;
      for (let at = first + this.#at.match; at < end; at++) {
        if (this.#untilCheck-- === 0) {
          this.#at.match = at - first;
          return undefined;
        }
        const isShared = this.plan.mode !== 'minus' || this.#isShared || this.#sharesOne(row, right.rows[at]!);
        if (isShared && this.#agrees(row, right.rows[at]!)) return true;
      }
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
    this.#nullable?.free();
    this.#right?.free();
    this.#condition?.free();
    this.#made.free();
  }
}
