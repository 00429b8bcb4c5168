/** The rows of several inputs, one after the other. */
import type { UnionPlan } from '../../plan/plan.js';
import { arrangeColumns, rowsOfWidth, type Batch } from '../../execute/core/batch.js';
import type { PlanOperator } from '../../execute/core/plan-operator.js';
import type { Execution, NextBatch, Operator } from '../../execute/core/operator.js';
import { placesOf } from '../../execute/core/places.js';
import { finish, pauseOf, type Waiting } from '../../execute/core/waiting.js';

/** The columns of the rows, and those of each input. */
interface Columns {
  readonly variables: readonly string[];
  readonly inputs: readonly { readonly variables: readonly string[] }[];
}

export class Union implements Operator {
  /** Which input is read, and where the columns stand in it. */
  #at = 0;
  #columns: readonly number[] | undefined;
  readonly #most: number;

  constructor(
    private readonly plan: Columns,
    private readonly operators: readonly Operator[],
    private readonly execution: Execution,
  ) {
    this.#most = rowsOfWidth(plan.variables.length);
  }

  next(want = this.#most): NextBatch {
    return finish(this.#nextOf(Math.min(want, this.#most)));
  }

  *#nextOf(want: number): Waiting<Batch | undefined> {
    for (; this.#at < this.operators.length; this.#at++) {
      yield* pauseOf(this.execution.control);
      const operator = this.operators[this.#at]!;
      let batch = operator.next(want);
      if (batch instanceof Promise) batch = (yield batch) as Batch | undefined;
      if (batch !== undefined) {
        this.#columns ??= placesOf(this.plan.variables, this.plan.inputs[this.#at]!.variables);
        return arrangeColumns(batch, this.#columns);
      }
      operator.close();
      this.#columns = undefined;
    }
    return undefined;
  }

  close(): void {
    for (const operator of this.operators) operator.close();
    this.#at = this.operators.length;
  }
}

export const union: PlanOperator<UnionPlan> = {
  // Of thousands most are opened when it is their turn.
  open: (plan, { execution, openAs }) =>
    new Union(
      plan,
      plan.inputs.map((input, i) => openAs(input, false, i)),
      execution,
    ),
};
