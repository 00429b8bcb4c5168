/** The quads that match a pattern, in the order of an index. */
import { DEFAULT_GRAPH } from '@quadrille/model';
import { MISS, type IdPattern, type IdScan, type IdSeeker } from '../../dataset/id-dataset.js';
import type { ScanPlan } from '../../plan/plan.js';
import { BATCH_ROWS, BatchBuilder, type Batch } from '../../execute/core/batch.js';
import { idRanges, type IdRange } from '../../plan/id-ranges.js';
import { stepped, type Execution, type NextBatch, type Operator, type Step } from '../../execute/core/operator.js';
import { IdTable } from '../../execute/table/id-table.js';
import { resolvePattern, RowFilter, type Position, type ResolvedPattern } from './pattern-columns.js';
import type { PlanOperator } from '../../execute/core/plan-operator.js';

/** Fewer rows of what is read anyhow are not worth a batch. */
const LEAST_ROWS = 16;

class Scan implements Operator {
  readonly #pattern: ResolvedPattern;
  readonly #filter: RowFilter;
  /** The graphs that are read one after the other; 0: those that the pattern has. */
  readonly #graphs: number[];
  /** Where graphs that are read one after the other are merged: the triples that have come. */
  readonly #seen: IdTable | undefined;
  readonly #positions: readonly Position[];
  #ranges: readonly IdRange[];
  #range = 0;
  #scan: IdScan | undefined;
  /** Of ranges of one object each. */
  #seeker: IdSeeker | undefined;
  /** What is left of the rows that the scan has read. */
  #from = 0;
  #to = 0;
  #want = BATCH_ROWS;

  constructor(
    private readonly plan: ScanPlan,
    private readonly execution: Execution,
  ) {
    this.#pattern = resolvePattern(plan.pattern, execution);
    const { graph, g } = this.#pattern;
    const { ids = [] } = graph;
    const isByGraph = plan.order === 'gspo' && g === 0 && ids.length > 0 && !ids.includes(DEFAULT_GRAPH);
    this.#filter = new RowFilter(
      isByGraph ? { ...this.#pattern, graph: { ...graph, accepts: undefined, unique: false } } : this.#pattern,
    );
    this.#graphs = isByGraph ? [...ids] : [g];
    this.#seen = isByGraph && graph.unique ? new IdTable(TRIPLE, execution.memory) : undefined;
    this.#positions = plan.variables.map((name) => this.#pattern.variables.get(name)![0]!);
    this.#ranges = this.#pattern.possible ? rangesOf(plan, execution) : [];
  }

  next(want = BATCH_ROWS): NextBatch {
    this.#want = want;
    return stepped(this.#step);
  }

  readonly #step = (): Step => {
    for (;;) {
      const pause = this.execution.control.checkpoint();
      if (pause !== undefined) return pause;
      this.#scan ??= this.#open();
      if (this.#scan === undefined) return undefined;
      if (this.#from === this.#to) {
        const rows = this.#scan.next();
        if (rows === MISS) return this.#scan.fetch();
        if (rows === 0) {
          this.#nextRange();
          continue;
        }
        this.#from = this.#scan.start;
        this.#to = this.#scan.end;
      }
      const start = this.#from;
      this.#from = Math.min(this.#to, start + Math.max(this.#want, LEAST_ROWS));
      const batch =
        this.#filter.passesAll && this.#seen === undefined
          ? this.#copy(this.#scan, start, this.#from)
          : this.#pick(this.#scan, start, this.#from);
      if (batch.length > 0) return batch;
    }
  };

  #open(): IdScan | undefined {
    const range = this.#ranges[this.#range];
    const g = this.#graphs[0];
    if (range === undefined || g === undefined) return undefined;
    const { s, p, o } = this.#pattern;
    if (isOne(range) && this.plan.order === 'posg' && s === 0) {
      this.#seeker ??= this.execution.dataset.seeker({ s: false, p: true, o: true, g: g !== 0 });
      this.#seeker.seek(0, p, range.least, g);
      return this.#seeker;
    }
    const pattern: IdPattern = { s, p, o, g };
    const { order } = this.plan;
    return this.execution.dataset.scan(pattern, { ...(order === undefined ? {} : { order }), ...range });
  }

  #nextRange(): void {
    if (this.#scan !== this.#seeker) this.#scan!.close();
    this.#scan = undefined;
    if (this.#range + 1 < this.#ranges.length) this.#range++;
    else this.#graphs.shift();
  }

  #copy(scan: IdScan, start: number, end: number): Batch {
    return { columns: this.#positions.map((position) => scan[position].slice(start, end)), length: end - start };
  }

  #pick(scan: IdScan, start: number, end: number): Batch {
    const builder = new BatchBuilder(this.#positions.length, end - start);
    for (let row = start; row < end; row++) {
      if (!this.#filter.passes(scan, row) || !this.#isNew(scan, row)) continue;
      builder.reserve(1);
      for (let i = 0; i < this.#positions.length; i++) {
        builder.columns[i]![builder.length] = scan[this.#positions[i]!][row]!;
      }
      builder.length++;
    }
    return builder.take();
  }

  #isNew({ s, p, o }: IdScan, row: number): boolean {
    if (this.#seen === undefined) return true;
    const known = this.#seen.size;
    return this.#seen.insert([s, p, o], row) === known;
  }

  close(): void {
    if (this.#scan !== this.#seeker) this.#scan?.close();
    this.#seeker?.close();
    this.#scan = this.#seeker = undefined;
    this.#seen?.free();
    this.#ranges = [];
  }
}

const isOne = (range: IdRange): range is Required<IdRange> =>
  range.least !== undefined && range.least === range.greatest;

const EVERYTHING: IdRange = {};
/** Columns of a triple. */
const TRIPLE = 3;

function rangesOf({ range, within }: ScanPlan, execution: Execution): IdRange[] {
  // The ranges of a sort leave out the same rows as the comparisons.
  const given = within === undefined ? undefined : execution.ranges?.get(within);
  if (given !== undefined) return [...given];
  return range === undefined ? [EVERYTHING] : idRanges(range, (term) => execution.resolve(term));
}

export const scan: PlanOperator<ScanPlan> = {
  detail: ({ pattern, order, range, within }, print) =>
    [
      print.pattern(pattern),
      order,
      range === undefined ? undefined : `range of ?${range.variable}`,
      within === undefined ? undefined : 'parts of it',
    ]
      .filter((part) => part !== undefined)
      .join(', '),
  open: (plan, { execution }) => new Scan(plan, execution),
};
