/** Joins that begin or go on by another method than was planned, where the rows are far fewer or more than was estimated. */
import type { HashJoinPlan, SeekPlan } from '../../plan/plan.js';
import type { Batch } from '../core/batch.js';
import type { Execution, NextBatch, Operator } from '../core/operator.js';
import { Rows } from '../core/simple-operators.js';
import { finish, type Waiting } from '../core/waiting.js';
import { RowStore } from '../table/id-table.js';
import { FirstRows, Preceded } from './first-rows.js';
import { HashJoin } from './hash-join.js';
import { SeekJoin } from './seek-join.js';

type Afterwards = NonNullable<SeekPlan['afterwards']>;
type ForFew = NonNullable<HashJoinPlan['forFew']>;

/** Looks rows up. After as many as a hash table of the pattern would have cost, it makes that table for the rest. Rows keep their order. */
export class SeekThenHash implements Operator {
  readonly #first: FirstRows;
  #operator: Operator;
  #isClosed = false;

  constructor(
    plan: SeekPlan,
    private readonly afterwards: Afterwards,
    input: Operator,
    private readonly openHash: (plan: HashJoinPlan, left: Operator) => Operator,
    execution: Execution,
  ) {
    this.#first = new FirstRows(input, afterwards.rows);
    this.#operator = new SeekJoin(plan, this.#first, execution);
  }

  next(want?: number): NextBatch {
    const batch = this.#operator.next(want);
    if (batch instanceof Promise) return batch.then((rows) => rows ?? this.#joinRest(want));
    return batch ?? this.#joinRest(want);
  }

  #joinRest(want: number | undefined): NextBatch {
    const rest = this.#isClosed ? undefined : this.#first.takeRest();
    if (rest === undefined) return undefined;
    // The seeks have ended. They are not closed before the rest, which would close the input.
    const seeks = this.#operator;
    const hashed = this.openHash(this.afterwards.plan(), rest);
    this.#operator = {
      next: (rows) => hashed.next(rows),
      close: () => {
        hashed.close();
        seeks.close();
      },
    };
    return this.#operator.next(want);
  }

  close(): void {
    this.#isClosed = true;
    this.#operator.close();
  }
}

/** Reads the right side. If it has few rows, they are looked up in the pattern of the left side, which is not read then. */
export class HashOrSeek implements Operator {
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
    if (isWhole) this.#operator = new SeekJoin(this.forFew.plan(), rows, this.execution);
    else {
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
      this.#rows.append(batch.columns, batch.length);
    }
    return false;
  }

  close(): void {
    this.#isClosed = true;
    this.#operator?.close();
    this.right.close();
    this.#rows.free();
  }
}
