/** For each row of the input, the quads that match a pattern with the row's ids in it: an index nested loop. */
import { DEFAULT_GRAPH } from '@quadrille/model';
import { MISS, type IdSeeker, type SoughtIds } from '../../dataset/id-dataset.js';
import type { SeekPlan } from '../../plan/plan.js';
import { BatchMemory, FIRST_ROWS, grown, selectRows, type Batch } from '../../execute/core/batch.js';
import type { Execution, Operator } from '../../execute/core/operator.js';
import { POSITIONS, resolvePattern, RowFilter, type Position, type ResolvedPattern } from '../scan/pattern-columns.js';
import type { PlanOperator } from '../../execute/core/plan-operator.js';
import { LookupJoin, type Found } from './lookup-join.js';
import { SeekThenHash } from './seek-then-hash.js';

/** In place of a column that is not read from the index. */
const UNREAD = new Uint32Array(0);

/** Which positions are bound, as bits. */
const boundMask = (s: number, p: number, o: number, g: number): number => (s && 1) | (p && 2) | (o && 4) | (g && 8);

interface Output {
  /** Its place among the output columns. */
  readonly at: number;
  /** The column of the input that it has where that is bound, or -1. */
  readonly input: number;
  readonly position: Position;
}

export class SeekJoin extends LookupJoin {
  readonly #pattern: ResolvedPattern;
  readonly #filter: RowFilter;
  /** For each position: the column of the input that binds it, or -1. */
  readonly #bound: readonly number[];
  /** The output columns that are read from the index, for all rows or where the input has none. */
  readonly #outputs: readonly Output[];
  /** Positions bound by a column that may be unbound in some rows: seekers by which of them are bound. */
  readonly #seekers = new Map<number, IdSeeker>();
  #seeker: IdSeeker | undefined;
  #seeking = false;
  #matched = false;
  // The output rows so far: the input row of each, and for each read position its ids.
  #inputRows: Uint32Array = UNREAD;
  #reads: Uint32Array[];
  readonly #collected: BatchMemory;
  #count = 0;
  /** Of these rows, where the next batch begins: one row of the input may have more matches than a batch has rows. */
  #from = 0;

  constructor(
    private readonly plan: SeekPlan,
    input: Operator,
    execution: Execution,
  ) {
    const columns = plan.input.variables;
    super(plan.variables, columns, input, execution);
    this.#pattern = resolvePattern(plan.pattern, execution);
    this.#filter = new RowFilter(this.#pattern);
    const nameAt = new Map<Position, string>();
    for (const [name, positions] of this.#pattern.variables) for (const at of positions) nameAt.set(at, name);
    this.#bound = POSITIONS.map((position) => columns.indexOf(nameAt.get(position) ?? ''));
    this.#outputs = this.#readOutputs();
    this.#collected = new BatchMemory(execution.memory);
    this.#reads = this.#outputs.map(() => UNREAD);
    this.#grow(FIRST_ROWS);
  }

  get #testsOnly(): boolean {
    return this.plan.mode === 'semi' || this.plan.mode === 'anti';
  }

  #readOutputs(): Output[] {
    if (this.#testsOnly) return [];
    const { variables, input: before } = this.plan;
    // Whether the pattern may have to fill an input column in some rows.
    const fills = (column: number): boolean =>
      this.#bound.includes(column) && !before.certain.has(before.variables[column]!);
    return [...this.#pattern.variables].flatMap(([name, [position]]) => {
      const at = variables.indexOf(name);
      const input = at === -1 ? -1 : this.inputs[at]!;
      return at !== -1 && (input === -1 || fills(input)) ? [{ at, input, position: position! }] : [];
    });
  }

  protected get isLeft(): boolean {
    return this.#from > 0;
  }

  protected find(batch: Batch): Found {
    if (this.#from > 0) return 'enough';
    return (this.#testsOnly ? this.#testRows(batch) : this.#joinRows(batch)) ? 'enough' : 'miss';
  }

  protected fetch(batch: Batch): Promise<void> {
    return this.#seeker!.fetch(this.#ahead(batch));
  }

  /** What is sought for the next rows by the same seeker. */
  *#ahead(batch: Batch): Generator<SoughtIds, void, undefined> {
    const end = this.endOfAhead(batch);
    for (let row = this.row + 1; row < end; row++) {
      const [s, p, o, g] = this.#idsOf(batch, row);
      if (this.#seekers.get(boundMask(s, p, o, g)) === this.#seeker) yield [s, p, o, g];
    }
  }

  #idsOf(batch: Batch, row: number): SoughtIds {
    return [
      this.#idAt(batch, row, 0, this.#pattern.s),
      this.#idAt(batch, row, 1, this.#pattern.p),
      this.#idAt(batch, row, 2, this.#pattern.o),
      this.#idAt(batch, row, 3, this.#pattern.g),
    ];
  }

  protected take(batch: Batch): Batch {
    return this.#testsOnly ? this.#tested(batch) : this.#joined(batch);
  }

  // True when the output is full or the batch is used up; false where the seeker has to fetch.
  #joinRows(batch: Batch): boolean {
    while (this.row < batch.length && this.#count < this.room) {
      if (!this.#seeking) this.#begin(batch);
      const found = this.#seeker === undefined ? 0 : this.#seeker.next();
      if (found === MISS) return false;
      if (found > 0) {
        this.#collect(batch, this.#seeker!);
        continue;
      }
      if (!this.#matched && this.plan.mode === 'left') this.#push(batch, undefined, 0);
      this.row++;
      this.#seeking = false;
    }
    return true;
  }

  #collect(batch: Batch, seeker: IdSeeker): void {
    const { start, end } = seeker;
    this.#reserve(end - start);
    if (this.#filter.passesAll) {
      this.#matched = true;
      const from = this.#count;
      this.#inputRows.fill(this.row, from, from + end - start);
      for (let i = 0; i < this.#outputs.length; i++) {
        const column = seeker[this.#outputs[i]!.position];
        const out = this.#reads[i]!;
        if (end - start === 1) out[from] = column[start]!;
        else for (let row = start, to = from; row < end; row++) out[to++] = column[row]!;
      }
      this.#count += end - start;
      return;
    }
    for (let row = start; row < end; row++) {
      if (!this.#filter.passes(seeker, row)) continue;
      this.#matched = true;
      this.#push(batch, seeker, row);
    }
  }

  #push(batch: Batch, seeker: IdSeeker | undefined, row: number): void {
    this.#reserve(1);
    const to = this.#count++;
    this.#inputRows[to] = this.row;
    for (let i = 0; i < this.#outputs.length; i++) {
      const { input, position } = this.#outputs[i]!;
      const reads = this.#reads[i]!;
      if (seeker !== undefined) reads[to] = seeker[position][row]!;
      else reads[to] = input === -1 ? 0 : batch.columns[input]![this.row]!;
    }
  }

  // Starts the seek for the current row.
  #begin(batch: Batch): void {
    this.#seeking = true;
    this.#matched = false;
    this.#seeker = undefined;
    if (!this.#pattern.possible) return;
    const s = this.#idAt(batch, this.row, 0, this.#pattern.s);
    const p = this.#idAt(batch, this.row, 1, this.#pattern.p);
    const o = this.#idAt(batch, this.row, 2, this.#pattern.o);
    const g = this.#idAt(batch, this.row, 3, this.#pattern.g);
    if (this.#bound[3] !== -1 && g !== 0 && (g === DEFAULT_GRAPH || !this.#pattern.graph.accepts!(g))) return;
    this.#seeker = this.#seekerFor(s, p, o, g);
    this.#filter.reset();
    this.#seeker.seek(s, p, o, g);
  }

  #idAt(batch: Batch, row: number, position: number, constant: number): number {
    const column = this.#bound[position]!;
    return column === -1 ? constant : batch.columns[column]![row]!;
  }

  #seekerFor(s: number, p: number, o: number, g: number): IdSeeker {
    const bound = boundMask(s, p, o, g);
    let seeker = this.#seekers.get(bound);
    if (seeker === undefined) {
      const { order } = this.plan;
      const positions = { s: s !== 0, p: p !== 0, o: o !== 0, g: g !== 0 };
      // An order of graphs is of use only where the subject is not known.
      const isOrdered = order !== undefined && g !== 0 && s === 0;
      seeker = this.execution.dataset.seeker(isOrdered ? { ...positions, order } : positions);
      this.#seekers.set(bound, seeker);
    }
    return seeker;
  }

  #joined(batch: Batch): Batch {
    const from = this.#from;
    const to = Math.min(this.#count, from + this.most);
    const count = to - from;
    const columns = this.copied(batch, this.#inputRows.subarray(from, to), count, this.#outputs.length);
    this.#outputs.forEach(({ at }, i) => {
      columns[at] = this.#reads[i]!.slice(from, to);
    });
    this.#from = to < this.#count ? to : 0;
    if (this.#from === 0) this.#count = 0;
    return { columns, length: count };
  }

  #reserve(rows: number): void {
    const wanted = this.#count + rows;
    if (wanted <= this.#inputRows.length) return;
    this.#grow(Math.max(wanted, this.#inputRows.length * 2));
  }

  #grow(size: number): void {
    this.#collected.reserve(size, 1 + this.#outputs.length);
    this.#inputRows = grown(this.#inputRows, size, this.#count);
    this.#reads = this.#reads.map((column) => grown(column, size, this.#count));
  }

  // For semi and anti joins only whether there is a match counts.
  #testRows(batch: Batch): boolean {
    const end = Math.min(batch.length, this.end);
    while (this.row < end) {
      if (!this.#seeking) this.#begin(batch);
      const found = this.#seeker === undefined ? 0 : this.#seeker.next();
      if (found === MISS) return false;
      if (found > 0 && !this.#anyPasses(this.#seeker!)) continue;
      if (found > 0 === (this.plan.mode === 'semi')) {
        this.#reserve(1);
        this.#inputRows[this.#count++] = this.row;
      }
      this.row++;
      this.#seeking = false;
    }
    return true;
  }

  #anyPasses(seeker: IdSeeker): boolean {
    if (this.#filter.passesAll) return true;
    for (let row = seeker.start; row < seeker.end; row++) if (this.#filter.passes(seeker, row)) return true;
    return false;
  }

  #tested({ columns, length }: Batch): Batch {
    const kept = { columns: this.inputs.map((input) => columns[input]!), length };
    this.made.reserve(this.#count, this.inputs.length);
    const batch = selectRows(kept, this.#inputRows, this.#count);
    this.#count = 0;
    return batch;
  }

  override close(): void {
    for (const seeker of this.#seekers.values()) seeker.close();
    this.#seekers.clear();
    this.#collected.free();
    super.close();
  }
}

export const seek: PlanOperator<SeekPlan> = {
  detail: ({ mode, pattern, order }, print) =>
    `${mode} ${print.pattern(pattern)}${order === undefined ? '' : `, ${order}`}`,
  open: (plan, opening) => {
    const join = (input: Operator): Operator => new SeekJoin(plan, input, opening.execution);
    return plan.afterwards === undefined
      ? join(opening.open(plan.input))
      : new SeekThenHash(plan.afterwards, opening, opening.open(plan.input), join);
  },
};
