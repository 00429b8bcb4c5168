/** Keeps the rows for which all expressions are true; an error is not true. */
import { expressionSize, type Expression } from '../../algebra/algebra.js';
import { effectiveBoolean } from '../../expression/values/ebv.js';
import { comparisonsIn, rangeOf } from '../../plan/parts/scan-range.js';
import type { FilterPlan } from '../../plan/plan.js';
import { BatchMemory, gatherAll, rowsOfWidth, selectRows, type Batch } from '../../execute/core/batch.js';
import { BatchExpression } from '../../execute/core/batch-expression.js';
import { compileIdTest, TRUE, UNKNOWN, type IdTest } from '../../execute/core/id-filter.js';
import { PassingIds } from '../../execute/core/passing-ids.js';
import { placesOf } from '../../execute/core/places.js';
import type { Execution, NextBatch, Operator } from '../../execute/core/operator.js';
import { Ramp } from '../../execute/core/ramp.js';
import { finish, inSteps, pauseOf, type Waiting } from '../../execute/core/waiting.js';
import type { PlanOperator } from '../../execute/core/plan-operator.js';

/** Parts of expressions that are evaluated by ids before the event loop may get its turn. */
const PARTS_AT_ONCE = 65_536;

/** Of fewer rows the values are read. For each row the index of order may have `MOST_BY_ORDER` literals that pass. */
const LEAST_BY_ORDER = 512;
const MOST_BY_ORDER = 8;
/** Where so many times as many rows come as were expected, the index of order may be worth it after all. */
const MORE_ROWS = 4;

class Filter implements Operator {
  readonly #filter: BatchFilter;
  /** Columns of the input that are handed on. */
  readonly #columns: readonly number[];
  readonly #most: number;
  readonly #ramp: Ramp;
  readonly #made: BatchMemory;

  constructor(
    plan: FilterPlan,
    private readonly input: Operator,
    private readonly execution: Execution,
  ) {
    const { length: width } = plan.input.variables;
    this.#most = rowsOfWidth(width);
    this.#ramp = new Ramp(width);
    this.#made = new BatchMemory(execution.memory);
    this.#filter = new BatchFilter(plan.expressions, plan.input.variables, execution, plan.input.rows);
    this.#columns = placesOf(plan.variables, plan.input.variables);
  }

  next(want = this.#most): NextBatch {
    return finish(this.#nextOf(want));
  }

  *#nextOf(want: number): Waiting<Batch | undefined> {
    yield* this.#filter.compile();
    for (;;) {
      let batch = this.input.next(this.#ramp.next(want));
      if (batch instanceof Promise) batch = (yield batch) as Batch | undefined;
      if (batch === undefined) return undefined;
      const selection = yield* this.#filter.select(batch);
      if (selection?.length === 0) continue;
      const columns = this.#columns.map((column) => batch.columns[column]!);
      if (selection === undefined) return { columns, length: batch.length };
      const { length } = selection;
      this.#made.reserve(length, columns.length);
      return { columns: yield* gatherAll(columns, selection, length, this.execution.control), length };
    }
  }

  close(): void {
    this.#filter.free();
    this.#made.free();
    this.input.close();
  }
}

/** The expressions of a filter. Those that ids can answer are evaluated first. */
export class BatchFilter {
  #steps: readonly FilterStep[] | undefined;
  /** Whether the index of order might answer more than it does. */
  #mayBeOrdered = false;
  #seen = 0;
  private readonly control: Execution['control'];

  /** `rows`: about how many are coming. A plan is made for other constants, too. */
  constructor(
    private readonly expressions: readonly Expression[],
    private readonly variables: readonly string[],
    private readonly execution: Execution,
    private rows = 0,
  ) {
    this.control = execution.control;
  }

  /** Compiles the expressions, unless that was done: what is wrong with constants is said before anything is read. */
  *compile(): Waiting<readonly FilterStep[]> {
    if (this.#steps !== undefined) return this.#steps;
    const steps: FilterStep[] = [];
    const ordered = yield* this.#byOrder();
    steps.push(...ordered.map(({ step }) => step));
    for (const expression of this.expressions) {
      if (ordered.some(({ expressions }) => expressions.includes(expression))) continue;
      yield* pauseOf(this.control);
      steps.push(yield* FilterStep.compiled(expression, this.variables, this.execution));
    }
    this.#steps = [...steps.filter((step) => step.byId), ...steps.filter((step) => !step.byId)];
    return this.#steps;
  }

  /** Comparisons of a variable with constants that the index of order answers, together. */
  *#byOrder(): Waiting<{ readonly expressions: readonly Expression[]; readonly step: FilterStep }[]> {
    this.#mayBeOrdered = false;
    const found: { readonly expressions: readonly Expression[]; readonly step: FilterStep }[] = [];
    for (const [column, name] of this.variables.entries()) {
      const expressions = this.expressions.filter((expression) => comparisonsIn(expression, name) !== undefined);
      const range = rangeOf(
        name,
        expressions.flatMap((expression) => comparisonsIn(expression, name)!),
      );
      if (range === undefined) continue;
      const isWorthIt = this.rows >= LEAST_BY_ORDER;
      const passing = isWorthIt ? yield* PassingIds.of(range, this.rows * MOST_BY_ORDER, this.execution) : undefined;
      if (passing === undefined) {
        this.#mayBeOrdered = true;
        continue;
      }
      const all = expressions.reduce((left, right) => ({
        ...right,
        subType: 'operator',
        operator: '&&',
        args: [left, right],
      }));
      found.push({
        expressions,
        step: yield* FilterStep.compiled(all, this.variables, this.execution, { column, passing }),
      });
    }
    return found;
  }

  /** The rows that pass, ascending; `undefined`: all. */
  *select(batch: Batch): Waiting<Uint32Array | undefined> {
    let selection: Uint32Array | undefined;
    this.#count(batch.length);
    for (const step of yield* this.compile()) {
      yield* pauseOf(this.control);
      const narrowed = selection === undefined ? batch : selectRows(batch, selection, selection.length);
      const passing = yield* step.select(narrowed);
      if (passing === undefined) continue;
      selection = selection === undefined ? passing : passing.map((row) => selection![row]!);
      if (selection.length === 0) return selection;
    }
    return selection;
  }

  #count(rows: number): void {
    this.#seen += rows;
    if (this.#seen < Math.max(this.rows, LEAST_BY_ORDER) * MORE_ROWS) return;
    this.rows = this.#seen;
    if (!this.#mayBeOrdered) return;
    this.free();
    this.#steps = undefined;
  }

  free(): void {
    for (const step of this.#steps ?? []) step.free();
  }
}

class FilterStep {
  /** Asked where ids do not answer. */
  readonly #values: BatchExpression;
  /** Rows that ids answer before the event loop may get its turn: a condition may have thousands of parts. */
  readonly #rowsAtOnce: number;
  private readonly control: Execution['control'];

  private constructor(
    expression: Expression,
    variables: readonly string[],
    private readonly execution: Execution,
    private readonly test: IdTest | undefined,
    private readonly bytes: number,
  ) {
    this.control = execution.control;
    this.#rowsAtOnce = Math.max(1, Math.floor(PARTS_AT_ONCE / expressionSize(expression)));
    this.#values = new BatchExpression(expression, variables, execution);
  }

  /** `ordered`: what passes all of the expression, by one of its columns. */
  static *compiled(
    expression: Expression,
    variables: readonly string[],
    execution: Execution,
    ordered?: { readonly column: number; readonly passing: PassingIds },
  ): Waiting<FilterStep> {
    const own = yield* inSteps(compileIdTest(expression, variables, execution), execution.control);
    const test = ordered === undefined ? own : orderTest(ordered.column, ordered.passing, own);
    const bytes = ordered?.passing.bytes ?? 0;
    execution.memory.reserve(bytes);
    const step = new FilterStep(expression, variables, execution, test, bytes);
    if (test === undefined) yield* step.#values.compile();
    return step;
  }

  get byId(): boolean {
    return this.test !== undefined;
  }

  *select(batch: Batch): Waiting<Uint32Array | undefined> {
    const answers = new Uint8Array(batch.length);
    const unknown = this.test === undefined ? undefined : yield* this.#ask(this.test, batch, answers);
    if (unknown === undefined || unknown.length > 0) {
      const rest = unknown === undefined ? batch : selectRows(batch, unknown, unknown.length);
      const evaluated = this.#values.eachPiece(rest, (values, start) => {
        for (let i = 0; i < values.length; i++) {
          answers[unknown?.[start + i] ?? start + i] = effectiveBoolean(values[i]!) === true ? TRUE : 0;
        }
      });
      if (evaluated !== undefined) yield evaluated;
    }
    return rowsThatPass(answers);
  }

  free(): void {
    this.execution.memory.release(this.bytes);
    this.#values.free();
  }

  // Fills in the answers that ids give, and returns the rows that need values.
  *#ask(test: IdTest, batch: Batch, answers: Uint8Array): Waiting<Uint32Array> {
    const unknown = new Uint32Array(batch.length);
    let count = 0;
    for (let row = 0; row < batch.length;) {
      const end = Math.min(batch.length, row + this.#rowsAtOnce);
      for (; row < end; row++) {
        const answer = test(batch.columns, row);
        answers[row] = answer;
        if (answer === UNKNOWN) unknown[count++] = row;
      }
      if (row === batch.length) break;
      const pause = this.control.checkpoint();
      if (pause !== undefined) yield pause;
    }
    return unknown.subarray(0, count);
  }
}

const orderTest =
  (column: number, passing: PassingIds, other: IdTest | undefined): IdTest =>
  (columns, row) => {
    const answer = passing.test(columns[column]![row]!);
    return answer === UNKNOWN && other !== undefined ? other(columns, row) : answer;
  };

function rowsThatPass(answers: Uint8Array): Uint32Array | undefined {
  const selection = new Uint32Array(answers.length);
  let count = 0;
  for (let row = 0; row < answers.length; row++) if (answers[row] === TRUE) selection[count++] = row;
  return count === answers.length ? undefined : selection.subarray(0, count);
}

export const filter: PlanOperator<FilterPlan> = {
  detail: ({ expressions }, print) => expressions.map((expression) => print.expression(expression)).join(' && '),
  open: (plan, { open, execution }) => new Filter(plan, open(plan.input), execution),
};
