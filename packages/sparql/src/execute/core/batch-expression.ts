/** Evaluates an expression for every row of a batch. */
import type { Expression } from '../../algebra/algebra.js';
import { compileExpression, type CompiledExpression, type Row } from '../../expression/compile.js';
import type { Value } from '../../expression/values/value.js';
import type { Batch } from './batch.js';
import { expressionContext, type RowContext } from './expression-context.js';
import type { Execution } from './operator.js';
import { variableColumn } from './variable-column.js';

/** The rows of one batch as expressions see them: only the columns that they look at are turned into values. */
class BatchRows implements Row {
  index = 0;
  readonly columns: ((Value | undefined)[] | undefined)[] = [];

  value(slot: number): Value | undefined {
    return this.columns[slot]![this.index];
  }
}

// A regular expression over a long text takes a while.
const ROWS_BETWEEN_CHECKS = 128;

export class BatchExpression {
  readonly #compiled: CompiledExpression;
  readonly #context: RowContext;
  /** The column of an expression that is nothing but a variable, or -1. */
  readonly #variable: number;
  readonly #rows = new BatchRows();

  constructor(
    expression: Expression,
    variables: readonly string[],
    private readonly execution: Execution,
  ) {
    this.#context = expressionContext(variables, execution);
    this.#compiled = compileExpression(expression, this.#context);
    this.#variable = variableColumn(expression, variables);
  }

  /** The value for each row, or ERROR. */
  async values(batch: Batch): Promise<(Value | undefined)[]> {
    const { terms } = this.execution;
    const rows = this.#rows;
    for (const slot of this.#compiled.slots) {
      await this.execution.control.checkpoint();
      const values = terms.values(batch.columns[slot]!, batch.length);
      rows.columns[slot] = values instanceof Promise ? await values : values;
    }
    const { volatile } = this.#compiled;
    const out: (Value | undefined)[] = new Array(batch.length);
    for (let row = 0; row < batch.length; row++) {
      if (row % ROWS_BETWEEN_CHECKS === 0) await this.execution.control.checkpoint();
      rows.index = row;
      if (volatile) this.#context.at(batch, row);
      out[row] = this.#compiled.evaluate(rows);
    }
    return out;
  }

  /** The id of the value for each row, 0 where there is none. */
  async ids(batch: Batch): Promise<Uint32Array> {
    if (this.#variable !== -1) return batch.columns[this.#variable]!.subarray(0, batch.length);
    return this.execution.terms.ids(await this.values(batch), batch.length);
  }
}
