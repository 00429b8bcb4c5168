/** The distinct ids of one open position of a pattern: an index scan that skips the rows with the same id. */
import { MISS, type IdScan } from '../../dataset/id-dataset.js';
import type { DistinctScanPlan } from '../../plan/plan.js';
import { BATCH_ROWS, BatchBuilder, type Batch } from '../../execute/core/batch.js';
import type { Execution, NextBatch, Operator } from '../../execute/core/operator.js';
import { finish, type Waiting } from '../../execute/core/waiting.js';
import { resolvePattern, RowFilter, type Position, type ResolvedPattern } from '../scan/pattern-columns.js';
import type { PlanOperator } from '../../execute/core/plan-operator.js';

/** With fewer new ids in a window a seek is cheaper than reading on. */
const FEW_IDS = 64;
const LAST_ID = 0xffff_ffff;

export class DistinctScan implements Operator {
  readonly #pattern: ResolvedPattern;
  readonly #filter: RowFilter;
  readonly #position: Position;
  #scan: IdScan | undefined;
  #last = 0;
  #done: boolean;

  constructor(
    private readonly plan: DistinctScanPlan,
    private readonly execution: Execution,
  ) {
    this.#pattern = resolvePattern(plan.pattern, execution);
    this.#filter = new RowFilter(this.#pattern);
    const positions = [...plan.order] as Position[];
    this.#position = positions.find((position) => this.#pattern[position] === 0)!;
    this.#done = !this.#pattern.possible;
  }

  next(): NextBatch {
    return finish(this.#nextOf());
  }

  *#nextOf(): Waiting<Batch | undefined> {
    const builder = new BatchBuilder(1);
    while (!this.#done && builder.length < BATCH_ROWS) {
      const pause = this.execution.control.checkpoint();
      if (pause !== undefined) yield pause;
      const scan = (this.#scan ??= this.#open());
      const rows = scan.next();
      if (rows === MISS) yield scan.fetch();
      else if (rows === 0) this.#done = true;
      else this.#take(scan, builder);
    }
    return builder.length === 0 ? undefined : builder.take();
  }

  #open(): IdScan {
    const { s, p, o, g } = this.#pattern;
    return this.execution.dataset.scan({ s, p, o, g }, { order: this.plan.order, least: this.#last + 1 });
  }

  #take(scan: IdScan, builder: BatchBuilder): void {
    const column = scan[this.#position];
    const before = builder.length;
    builder.reserve(scan.end - scan.start);
    const out = builder.columns[0]!;
    for (let row = scan.start; row < scan.end; row++) {
      const id = column[row]!;
      if (id === this.#last || !this.#filter.passes(scan, row)) continue;
      out[builder.length++] = this.#last = id;
    }
    if (this.#last === LAST_ID) this.#done = true;
    // Only an id that was found may be skipped: the row of another one that passes the filter may follow.
    else if (column[scan.end - 1] === this.#last && builder.length - before < FEW_IDS) this.#leap();
  }

  #leap(): void {
    this.#scan?.close();
    this.#scan = undefined;
  }

  close(): void {
    this.#done = true;
    this.#leap();
  }
}

export const distinctScan: PlanOperator<DistinctScanPlan> = {
  detail: ({ pattern }, print) => print.pattern(pattern),
  open: (plan, { execution }) => new DistinctScan(plan, execution),
};
