/** Predicates, or named graphs, with their numbers of quads, from what the store has counted. */
import { DEFAULT_GRAPH } from '@quadrille/model';
import type { StatisticsPlan } from '../../plan/plan.js';
import type { IdCounts, IdStatistics } from '../../dataset/id-dataset.js';
import { BATCH_ROWS, type Batch } from '../core/batch.js';
import { integerId } from './count.js';
import type { Execution, NextBatch, Operator } from '../core/operator.js';
import { finish, pauseOf, type Waiting } from '../core/waiting.js';

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
    const isNamed = (id: number): boolean => this.plan.key === 'predicates' || id !== DEFAULT_GRAPH;
    this.#keys = Uint32Array.from([...counts.keys()].filter((id) => isNamed(id) && counts.get(id)! > 0)).sort();
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
