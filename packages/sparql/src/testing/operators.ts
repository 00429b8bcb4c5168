/** Shorthands for tests of single operators: an evaluation without a planner, rows in, rows out. */
import { dataFactory } from '@quadrille/model';
import { EvaluationControl } from '../control/control.js';
import type { Batch } from '../execute/core/batch.js';
import { Memory } from '../control/memory.js';
import type { Execution, Operator } from '../execute/core/operator.js';
import { OpenedRepositories } from '../operators/repository/opened-repositories.js';
import { OpenSessions } from '../operators/repository/other-sessions.js';
import { SolutionTerms } from '../execute/core/solution-terms.js';
import type { IdDataset } from '../dataset/id-dataset.js';
import type { SeedPlan } from '../plan/plan.js';

export interface ExecutionOptions {
  readonly constants?: readonly number[];
  readonly budgetBytes?: number;
  readonly timeoutMs?: number;
}

export function executionOn(dataset: IdDataset, options: ExecutionOptions = {}): Execution {
  const { constants = [], budgetBytes = 2 ** 30, timeoutMs } = options;
  const control = new EvaluationControl({ timeoutMs });
  const memory = new Memory({ budgetBytes });
  return {
    dataset,
    control,
    memory,
    terms: new SolutionTerms(dataset, control, memory),
    constants,
    resolve: (term) => term,
    now: new Date(0),
    baseIRI: undefined,
    newBlankNode: () => dataFactory.blankNode(),
    extension: () => undefined,
    aggregate: () => undefined,
    remote: undefined,
    others: new OpenSessions(new OpenedRepositories(undefined, control)),
    seedRows: () => ({ columns: [], length: 0 }),
    watch: undefined,
  };
}

/** Rows that an operator reads, some at a time. */
export class RowsInput implements Operator {
  closed = false;
  #row = 0;

  constructor(
    private readonly rows: readonly (readonly number[])[],
    private readonly width: number,
    private readonly batchRows = 3,
  ) {}

  async next(): Promise<Batch | undefined> {
    const rows = this.rows.slice(this.#row, this.#row + this.batchRows);
    this.#row += rows.length;
    if (rows.length === 0) return undefined;
    const columns = Array.from({ length: this.width }, (_, i) => {
      // Columns may be longer than the batch.
      const column = new Uint32Array(rows.length + 1).fill(7);
      rows.forEach((row, at) => (column[at] = row[i]!));
      return column;
    });
    return { columns, length: rows.length };
  }

  close(): void {
    this.closed = true;
  }
}

/** The plan of {@link RowsInput}. */
export function rowsPlan(
  variables: readonly string[],
  { certain = variables, sorted = [] }: { certain?: readonly string[]; sorted?: readonly string[] } = {},
): SeedPlan {
  return { type: 'seed', seed: 'rows', variables, certain: new Set(certain), rows: 1, sorted, cost: 1, first: 1 };
}

/** All rows of an operator. */
export async function rowsOf(operator: Operator): Promise<number[][]> {
  const rows: number[][] = [];
  for (;;) {
    const batch = await operator.next();
    if (batch === undefined) return rows;
    if (batch.length === 0) throw new Error('an operator handed on a batch without rows');
    for (let row = 0; row < batch.length; row++) rows.push(batch.columns.map((column) => column[row]!));
  }
}

/** Rows as text in an order that does not depend on theirs. */
export const sortedText = (rows: readonly (readonly number[])[]): string[] => rows.map((row) => row.join(' ')).sort();

/** Random numbers that are the same each time. */
export function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
