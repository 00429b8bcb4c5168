/** One aggregate of a GROUP BY: evaluates its argument for each batch, applies DISTINCT, and adds it to the accumulator. */
import type { PlanAggregate } from '../../plan/plan.js';
import { CountAccumulator, SampleAccumulator, type Accumulator, type Argument } from './accumulator.js';
import { gather, type Batch } from '../../execute/core/batch.js';
import { BatchExpression } from '../../execute/core/batch-expression.js';
import { IdTable } from '../../execute/table/id-table.js';
import { ExtremeAccumulator } from './extreme-accumulator.js';
import type { ExtremeKeys } from './extreme-keys.js';
import { InlineAccumulator } from './inline-accumulator.js';
import { SumState } from './inline-states.js';
import type { Execution } from '../../execute/core/operator.js';
import { variableColumn } from '../../execute/core/variable-column.js';
import { ValueAccumulator } from './value-accumulator.js';
import { pauseOf, type Waiting } from '../../execute/core/waiting.js';

export class GroupAggregate {
  readonly #column: number;
  readonly #expression: BatchExpression | undefined;
  #accumulator: Accumulator;
  /** For DISTINCT, (group, argument) pairs; for COUNT(DISTINCT *), groups and whole rows. */
  #seen: IdTable | undefined;

  constructor(
    private readonly plan: PlanAggregate,
    private readonly variables: readonly string[],
    private readonly keys: ExtremeKeys,
    private readonly execution: Execution,
  ) {
    const { expression } = plan;
    this.#column = expression === undefined ? -1 : variableColumn(expression, variables);
    if (expression !== undefined && this.#column === -1) {
      this.#expression = new BatchExpression(expression, variables, execution);
    }
    this.#accumulator = this.#newAccumulator();
    this.#seen = this.#newTable();
  }

  /** As {@link BatchExpression.compile}. */
  *compile(): Waiting<void> {
    yield* pauseOf(this.execution.control);
    if (this.#expression !== undefined) yield* this.#expression.compile();
  }

  *add(batch: Batch, groups: Uint32Array, groupCount: number): Waiting<void> {
    if (this.#expression !== undefined && !this.plan.distinct) {
      const done = this.#expression.eachPiece(batch, (values, start) => {
        const argument = { length: values.length, ids: undefined, values };
        return this.#accumulator.add(argument, groups.subarray(start, start + values.length), groupCount);
      });
      if (done !== undefined) yield done;
      return;
    }
    const argument = yield* this.#argument(batch);
    if (this.#seen === undefined) {
      const added = this.#accumulator.add(argument, groups, groupCount);
      if (added !== undefined) yield added;
      return;
    }
    const { ids, length } = argument;
    const columns = [groups, ...(ids === undefined ? batch.columns : [ids])];
    const rows = selectNew(this.#seen, columns, length);
    const distinctIds = ids === undefined ? undefined : gather(ids, rows, rows.length);
    const distinct = { length: rows.length, ids: distinctIds, values: undefined };
    const added = this.#accumulator.add(distinct, gather(groups, rows, rows.length), groupCount);
    if (added !== undefined) yield added;
  }

  *#argument(batch: Batch): Waiting<Argument> {
    const { length } = batch;
    if (this.#column !== -1) return { length, ids: batch.columns[this.#column]!, values: undefined };
    if (this.#expression === undefined) return { length, ids: undefined, values: undefined };
    const ids = this.#expression.ids(batch);
    return { length, ids: ids instanceof Promise ? ((yield ids) as Uint32Array) : ids, values: undefined };
  }

  results(start: number, end: number): Promise<Uint32Array> {
    return this.#accumulator.results(start, end);
  }

  /** Forgets all groups. */
  reset(): void {
    this.free();
    this.#accumulator = this.#newAccumulator();
    this.#seen = this.#newTable();
  }

  free(): void {
    this.#accumulator.free();
    this.#seen?.free();
    this.#expression?.free();
  }

  #newTable(): IdTable | undefined {
    if (!this.plan.distinct) return undefined;
    const width = this.plan.expression === undefined ? this.variables.length : 1;
    return new IdTable(width + 1, this.execution.memory);
  }

  #newAccumulator(): Accumulator {
    const { plan, execution } = this;
    const byId = this.#column !== -1 || plan.distinct;
    switch (plan.aggregator) {
      case 'count':
        return new CountAccumulator(execution);
      case 'sample':
        return new SampleAccumulator(execution);
      case 'sum':
      case 'avg':
        if (byId) return new InlineAccumulator(new SumState(plan.aggregator === 'avg', execution), plan, execution);
        return new ValueAccumulator(plan, execution);
      case 'min':
      case 'max':
        if (byId) return new ExtremeAccumulator(plan.aggregator === 'max', this.keys, execution);
        return new ValueAccumulator(plan, execution);
      default:
        return new ValueAccumulator(plan, execution);
    }
  }
}

// The rows whose tuples were not in the table before.
function selectNew(table: IdTable, columns: readonly Uint32Array[], length: number): Uint32Array {
  const rows = new Uint32Array(length);
  let count = 0;
  for (let row = 0; row < length; row++) {
    const known = table.size;
    if (table.insert(columns, row) === known) rows[count++] = row;
  }
  return rows.subarray(0, count);
}
