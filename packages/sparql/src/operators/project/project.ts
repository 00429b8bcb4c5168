/** Some columns of the input, in another order. */
import type { ProjectPlan } from '../../plan/plan.js';
import { arrangeColumns, rowsOfWidth, type Batch } from '../../execute/core/batch.js';
import type { PlanOperator } from '../../execute/core/plan-operator.js';
import type { NextBatch, Operator } from '../../execute/core/operator.js';
import { placesOf } from '../../execute/core/places.js';

class Project implements Operator {
  readonly #columns: readonly number[];
  readonly #most: number;

  constructor(
    plan: ProjectPlan,
    private readonly input: Operator,
  ) {
    this.#columns = placesOf(plan.variables, plan.input.variables);
    this.#most = rowsOfWidth(this.#columns.length);
  }

  next(want = this.#most): NextBatch {
    const batch = this.input.next(Math.min(want, this.#most));
    return batch instanceof Promise ? batch.then(this.#arrange) : this.#arrange(batch);
  }

  readonly #arrange = (batch: Batch | undefined): Batch | undefined =>
    batch === undefined ? undefined : arrangeColumns(batch, this.#columns);

  close(): void {
    this.input.close();
  }
}

export const project: PlanOperator<ProjectPlan> = {
  detail: ({ variables }, { names }) => names(variables),
  open: (plan, { open }) => new Project(plan, open(plan.input)),
};
