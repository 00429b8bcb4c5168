/** Binds a variable to the value of an expression. An error leaves it unbound. */
import type { ExtendPlan } from '../../plan/plan.js';
import type { Batch } from './batch.js';
import { BatchExpression } from './batch-expression.js';
import { continueSolutions } from './expression-context.js';
import type { Execution, Operator } from './operator.js';

export class Extend implements Operator {
  readonly #expression: BatchExpression;
  /** Where the columns come from; `undefined` where the new one stands behind all of the input, of which there may be thousands. */
  readonly #columns: readonly number[] | undefined;

  constructor(
    plan: ExtendPlan,
    private readonly input: Operator,
    private readonly execution: Execution,
  ) {
    const { variables } = plan.input;
    this.#expression = new BatchExpression(plan.expression, variables, execution);
    const { length } = variables;
    const appended =
      plan.variables.length === length + 1 &&
      plan.variables[length] === plan.variable &&
      variables.every((name, i) => plan.variables[i] === name);
    if (!appended)
      this.#columns = plan.variables.map((name) => (name === plan.variable ? -1 : variables.indexOf(name)));
  }

  async next(want?: number): Promise<Batch | undefined> {
    await this.execution.control.checkpoint();
    const batch = await this.input.next(want);
    if (batch === undefined) return undefined;
    const ids = await this.#expression.ids(batch);
    const columns = this.#columns?.map((at) => (at === -1 ? ids : batch.columns[at]!)) ?? [...batch.columns, ids];
    const extended = { columns, length: batch.length };
    continueSolutions(batch, extended);
    return extended;
  }

  close(): void {
    this.#expression.free();
    this.input.close();
  }
}
