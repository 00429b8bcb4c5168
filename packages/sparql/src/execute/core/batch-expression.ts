/** Evaluates an expression for every row of a batch. */
import { EQUALITY_KEY, expressionSize, type Expression } from '../../algebra/algebra.js';
import { compileInSteps, type CompiledExpression, type Row } from '../../expression/compile.js';
import { isOwnKey } from '../../expression/values/equality-key.js';
import { ERROR, type Value } from '../../expression/values/value.js';
import { ValueMemory } from '../../control/value-memory.js';
import type { Batch } from './batch.js';
import { expressionContext, type RowContext } from './expression-context.js';
import type { Execution } from './operator.js';
import { variableColumn } from './variable-column.js';
import { finish, inSteps, type Waiting } from './waiting.js';

/** Some rows of a batch as expressions see them: only the columns that they look at are turned into values. */
class BatchRows implements Row {
  index = 0;
  readonly columns: ((Value | undefined)[] | undefined)[] = [];

  value(slot: number): Value | undefined {
    return this.columns[slot]![this.index];
  }
}

// A regular expression over a long text takes a while, and so do thousands of parts.
const ROWS_BETWEEN_CHECKS = 16;
const PARTS_BETWEEN_CHECKS = 4096;
/** Bytes of texts that the rows of one piece build together, and which part of the budget they may take. */
const PIECE_BYTES = 1024 * 1024;
const PIECE_SHARE = 16;

export class BatchExpression {
  #compiled: CompiledExpression | undefined;
  readonly #context: RowContext;
  /** The column of an expression that is nothing but a variable, or -1. */
  readonly #variable: number;
  /** The column of a variable whose key is asked for, or -1. */
  readonly #keyOf: number;
  readonly #rows = new BatchRows();
  /** Of the texts that the present piece has built, those between as well. */
  readonly #memory: ValueMemory;
  readonly #pieceBytes: number;
  #rowsBetweenChecks = 1;

  constructor(
    private readonly expression: Expression,
    variables: readonly string[],
    private readonly execution: Execution,
  ) {
    this.#memory = new ValueMemory(execution.memory);
    this.#pieceBytes = Math.min(PIECE_BYTES, execution.memory.budgetBytes / PIECE_SHARE);
    this.#context = expressionContext(variables, execution, this.#memory);
    this.#variable = variableColumn(expression, variables);
    const isKey = expression.subType === 'operator' && expression.operator === EQUALITY_KEY;
    this.#keyOf = isKey ? variableColumn(expression.args[0]!, variables) : -1;
  }

  /** Compiles it, unless that was done. Operators do so before they read anything: what is wrong with constants is said then. */
  *compile(): Waiting<CompiledExpression> {
    if (this.#compiled !== undefined) return this.#compiled;
    const rowsOfParts = Math.floor(PARTS_BETWEEN_CHECKS / expressionSize(this.expression));
    this.#rowsBetweenChecks = Math.max(1, Math.min(ROWS_BETWEEN_CHECKS, rowsOfParts));
    this.#compiled = yield* inSteps(compileInSteps(this.expression, this.#context), this.execution.control);
    return this.#compiled;
  }

  /**
   * Hands over the value of each row, or ERROR, in pieces: of some rows where texts are long. Whoever keeps values counts them:
   * they are not counted here afterwards.
   */
  eachPiece(
    batch: Batch,
    take: (values: (Value | undefined)[], start: number) => void | Promise<void>,
  ): void | Promise<void> {
    return finish(this.#eachPiece(batch, take));
  }

  *#eachPiece(
    batch: Batch,
    take: (values: (Value | undefined)[], start: number) => void | Promise<void>,
  ): Waiting<void> {
    for (let start = 0; start < batch.length;) {
      const values = yield* this.#piece(batch, start);
      const taken = take(values, start);
      if (taken !== undefined) yield taken;
      this.#memory.shrinkTo(0);
      start += values.length;
    }
  }

  // The values of rows from `start` on: of all others, or where texts are long of some, so that few are in memory at once.
  *#piece(batch: Batch, start: number): Waiting<(Value | undefined)[]> {
    const { terms, control } = this.execution;
    const rows = this.#rows;
    const { slots, volatile, waits, evaluate } = yield* this.compile();
    let end = batch.length;
    for (const slot of slots) {
      const pause = control.checkpoint();
      if (pause !== undefined) yield pause;
      const values = terms.someValues(batch.columns[slot]!, start, end);
      const some = values instanceof Promise ? ((yield values) as (Value | undefined)[]) : values;
      rows.columns[slot] = some;
      end = start + some.length;
    }
    const { calls } = this.#context;
    const out: (Value | undefined)[] = [];
    for (let row = start; row < end; row++) {
      if ((row - start) % this.#rowsBetweenChecks === 0) {
        const pause = control.checkpoint();
        if (pause !== undefined) yield pause;
      }
      rows.index = row - start;
      if (volatile) calls.endRow();
      let value = evaluate(rows);
      if (waits) {
        if (calls.pending !== undefined) value = (yield this.#settled(evaluate)) as Value;
        calls.endRow();
      }
      out.push(value);
      if (this.#memory.used > this.#pieceBytes) break;
    }
    return out;
  }

  /** The value of the present row when all that it waits for is there. */
  async #settled(evaluate: CompiledExpression['evaluate']): Promise<Value> {
    const { calls } = this.#context;
    let value: Value = ERROR;
    while (calls.pending !== undefined) {
      await this.execution.control.whileRunning(calls.pending);
      calls.resume();
      value = evaluate(this.#rows);
    }
    return value;
  }

  /** The id of the value for each row, 0 where there is none. */
  ids(batch: Batch): Uint32Array | Promise<Uint32Array> {
    if (this.#variable !== -1) return batch.columns[this.#variable]!.subarray(0, batch.length);
    const ids = new Uint32Array(batch.length);
    const keyed = this.#keyOf === -1 ? undefined : batch.columns[this.#keyOf]!;
    const done = this.eachPiece(batch, (values, start) => {
      // Most terms are keys themselves, and have an id.
      const others = keyed && values.map((value) => (value !== undefined && isOwnKey(value) ? undefined : value));
      const found = this.execution.terms.ids(others ?? values, values.length);
      const put = (some: Uint32Array): void => {
        if (others !== undefined)
          for (let i = 0; i < some.length; i++) if (others[i] === undefined) some[i] = keyed![start + i]!;
        ids.set(some, start);
      };
      return found instanceof Promise ? found.then(put) : put(found);
    });
    return done === undefined ? ids : done.then(() => ids);
  }

  free(): void {
    this.#memory.free();
  }
}
