/** Seeks that go on by a hash table, where the rows are far more than was estimated. */
import type { Afterwards } from '../../plan/plan.js';
import type { NextBatch, Operator } from '../../execute/core/operator.js';
import type { Opening } from '../../execute/core/plan-operator.js';
import { FirstRows } from './first-rows.js';

/** Looks rows up. After as many as a hash table of the pattern would have cost, it makes that table for the rest. Rows keep their order. */
export class SeekThenHash implements Operator {
  readonly #first: FirstRows;
  #operator: Operator;
  #isClosed = false;

  constructor(
    private readonly afterwards: Afterwards,
    private readonly opening: Opening,
    input: Operator,
    /** Opens the join by seeks. */
    open: (input: Operator) => Operator,
  ) {
    this.#first = new FirstRows(input, afterwards.rows);
    this.#operator = open(this.#first);
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
    const hashed = this.#openHash(rest);
    this.#operator = {
      next: (rows) => hashed.next(rows),
      close: () => {
        hashed.close();
        seeks.close();
      },
    };
    return this.#operator.next(want);
  }

  // Nobody else closes the rest where there is no memory for the table.
  #openHash(rest: Operator): Operator {
    try {
      const plan = this.afterwards.plan();
      const { later, openAs, execution } = this.opening;
      return later((more) => more.joinByHash(plan, rest, openAs(plan.right, false), execution));
    } catch (error) {
      rest.close();
      throw error;
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#operator.close();
  }
}
