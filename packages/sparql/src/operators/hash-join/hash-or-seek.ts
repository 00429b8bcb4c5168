/** A hash join that goes on by seeks where one side has far fewer rows than was estimated. */
import type { HashJoinPlan } from '../../plan/plan.js';
import type { Batch } from '../../execute/core/batch.js';
import type { Execution, NextBatch, Operator } from '../../execute/core/operator.js';
import { Rows } from '../values/values.js';
import { finish, type Waiting } from '../../execute/core/waiting.js';
import { RowStore } from '../../execute/table/id-table.js';
import { Preceded } from '../seek/first-rows.js';
import { HashJoin } from './hash-join.js';
import { SeekJoin } from '../seek/seek-join.js';
import type { PlanOperator } from '../../execute/core/plan-operator.js';

type ForFew = NonNullable<HashJoinPlan['forFew']>;

/** Reads the right side. If it has few rows, they are looked up in the pattern of the left side, which is not read then. */
class HashOrSeek implements Operator {
  readonly #rows: RowStore;
  #operator: Operator | undefined;
  #isClosed = false;

  constructor(
    private readonly plan: HashJoinPlan,
    private readonly forFew: ForFew,
    private readonly openLeft: () => Operator,
    private readonly right: Operator,
    private readonly execution: Execution,
  ) {
    this.#rows = new RowStore(plan.right.variables.length, execution.memory);
  }

  next(want?: number): NextBatch {
    return this.#operator === undefined ? finish(this.#begin(want)) : this.#operator.next(want);
  }

  *#begin(want: number | undefined): Waiting<Batch | undefined> {
    const isWhole = yield* this.#readFew();
    // It may have been closed meanwhile.
    if (this.#isClosed) return undefined;
    const { length } = this.#rows;
    const columns = this.#rows.columns.map((column) => column.subarray(0, length));
    const rows = new Rows({ columns, length });
    if (isWhole) {
      this.right.close();
      this.#operator = new SeekJoin(this.forFew.plan(), rows, this.execution);
    } else {
      const all = new Preceded({ columns, length }, this.right);
      this.#operator = new HashJoin(this.plan, this.openLeft(), all, this.execution);
    }
    const next = this.#operator.next(want);
    return next instanceof Promise ? ((yield next) as Batch | undefined) : next;
  }

  // Whether these are all rows of the right side.
  *#readFew(): Waiting<boolean> {
    while (this.#rows.length <= this.forFew.rows) {
      const pause = this.execution.control.checkpoint();
      if (pause !== undefined) yield pause;
      const next = this.right.next();
      const batch = next instanceof Promise ? ((yield next) as Batch | undefined) : next;
      if (batch === undefined) return true;
      yield* this.#rows.add(batch.columns, batch.length, this.execution.control);
    }
    return false;
  }

  close(): void {
    this.#isClosed = true;
    // The join that was chosen closes the right side, or it was closed.
    (this.#operator ?? this.right).close();
    this.#rows.free();
  }
}

export const hashJoin: PlanOperator<HashJoinPlan> = {
  detail: ({ mode, keys, loose }, { names }) => {
    if (keys.length + loose.length === 0) return `${mode} of all pairs`;
    const bound = loose.length === 0 ? [] : [`${names(loose)} where bound`];
    return `${mode} on ${[...(keys.length === 0 ? [] : [names(keys)]), ...bound].join(', ')}`;
  },
  open: (plan, { open, openAs, isOrdered, execution }) => {
    const { forFew } = plan;
    const right = openAs(plan.right, false);
    // Seeks give the rows in the order of the right side.
    if (forFew === undefined || isOrdered) return new HashJoin(plan, open(plan.left), right, execution);
    return new HashOrSeek(plan, forFew, () => open(plan.left), right, execution);
  },
};
