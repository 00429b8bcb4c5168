/** Binds a variable to the value of an expression. An error leaves it unbound. */
import type { ExtendPlan } from '../../plan/plan.js';
import { BatchMemory, rowsOfWidth, type Batch } from '../../execute/core/batch.js';
import { BatchExpression } from '../../execute/core/batch-expression.js';
import type { Execution, NextBatch, Operator } from '../../execute/core/operator.js';
import { finish, pauseOf, type Waiting } from '../../execute/core/waiting.js';
import type { PlanOperator } from '../../execute/core/plan-operator.js';

class Extend implements Operator {
  readonly #expression: BatchExpression;
  /** Where the columns come from; `undefined` where the new one stands behind all of the input, of which there may be thousands. */
  readonly #columns: readonly number[] | undefined;
  readonly #most: number;
  readonly #made: BatchMemory;

  constructor(
    plan: ExtendPlan,
    private readonly input: Operator,
    private readonly execution: Execution,
  ) {
    const { variables } = plan.input;
    this.#expression = new BatchExpression(plan.expression, variables, execution);
    this.#most = rowsOfWidth(plan.variables.length);
    this.#made = new BatchMemory(execution.memory);
    const { length } = variables;
    const appended =
      plan.variables.length === length + 1 &&
      plan.variables[length] === plan.variable &&
      variables.every((name, i) => plan.variables[i] === name);
    if (!appended)
      this.#columns = plan.variables.map((name) => (name === plan.variable ? -1 : variables.indexOf(name)));
  }

  next(want = this.#most): NextBatch {
    return finish(this.#nextOf(Math.min(want, this.#most)));
  }

  *#nextOf(want: number): Waiting<Batch | undefined> {
    yield* pauseOf(this.execution.control);
    yield* this.#expression.compile();
    let batch = this.input.next(want);
    if (batch instanceof Promise) batch = (yield batch) as Batch | undefined;
    if (batch === undefined) return undefined;
    this.#made.reserve(batch.length, 1, batch.columns.length + 1);
    const found = this.#expression.ids(batch);
    const ids = found instanceof Promise ? ((yield found) as Uint32Array) : found;
    const { columns: given } = batch;
    const columns = this.#columns?.map((at) => (at === -1 ? ids : given[at]!)) ?? [...given, ids];
    return { columns, length: batch.length };
  }

  close(): void {
    this.#expression.free();
    this.#made.free();
    this.input.close();
  }
}

export const extend: PlanOperator<ExtendPlan> = {
  detail: ({ variable, expression }, print) => `?${variable} := ${print.expression(expression)}`,
  open: (plan, { open, execution }) => new Extend(plan, open(plan.input), execution),
};
