/** Predicates, or named graphs, with their numbers of quads, from what the store has counted. */
import { DEFAULT_GRAPH } from '@quadrille/model';
import type { StatisticsPlan } from '../../plan/plan.js';
import type { IdCounts, IdStatistics } from '../../dataset/id-dataset.js';
import { BATCH_ROWS, type Batch } from '../../execute/core/batch.js';
import { integerId } from '../count/count.js';
import type { Execution, NextBatch, Operator } from '../../execute/core/operator.js';
import { finish, pauseOf, type Waiting } from '../../execute/core/waiting.js';
import type { PlanOperator } from '../../execute/core/plan-operator.js';

/** The named graphs that there are, in ascending order: all that are stored, or those of `among`. */
export function namedGraphs(
  counts: IdCounts,
  among: readonly number[] | undefined,
  { constants, dataset }: Execution,
): Uint32Array<ArrayBuffer> {
  const isThere = (id: number): boolean => (counts.get(id) ?? 0) > 0 || dataset.extraGraphs?.has(id) === true;
  const ids = among === undefined ? counts.keys() : new Set(among.map((constant) => constants[constant]!));
  return Uint32Array.from([...ids].filter((id) => id !== 0 && id !== DEFAULT_GRAPH && isThere(id))).sort();
}

export class StatisticsScan implements Operator {
  #counts: IdCounts | undefined;
  #keys = new Uint32Array(0);
  #row = 0;

  constructor(
    private readonly plan: StatisticsPlan,
    private readonly execution: Execution,
  ) {}

  next(): NextBatch {
    return finish(this.#nextOf());
  }

  *#nextOf(): Waiting<Batch | undefined> {
    yield* pauseOf(this.execution.control);
    const counts = (this.#counts ??= yield* this.#read());
    const keys = this.#keys.subarray(this.#row, this.#row + BATCH_ROWS);
    if (keys.length === 0) return undefined;
    this.#row += keys.length;
    const { variables, keyVariable, countVariables } = this.plan;
    const numbers = countVariables.length === 0 ? keys : yield* this.#numbers(keys, counts);
    return { columns: variables.map((name) => (name === keyVariable ? keys : numbers)), length: keys.length };
  }

  *#read(): Waiting<IdCounts> {
    const statistics = (yield this.execution.dataset.statistics()) as IdStatistics;
    const counts = statistics[this.plan.key];
    const { key, among } = this.plan;
    this.#keys =
      key === 'graphs'
        ? namedGraphs(counts, among, this.execution)
        : Uint32Array.from([...counts.keys()].filter((id) => counts.get(id)! > 0)).sort();
    return counts;
  }

  *#numbers(keys: Uint32Array, counts: IdCounts): Waiting<Uint32Array> {
    const numbers = new Uint32Array(keys.length);
    for (let i = 0; i < keys.length; i++) {
      const id = integerId(counts.get(keys[i]!)!, this.execution);
      numbers[i] = id instanceof Promise ? ((yield id) as number) : id;
    }
    return numbers;
  }

  close(): void {
    this.#row = this.#keys.length;
  }
}

export const statistics: PlanOperator<StatisticsPlan> = {
  detail: ({ key, among }) => (among === undefined ? key : `${key} of ${among.length}`),
  open: (plan, { execution }) => new StatisticsScan(plan, execution),
};
