/** Predicates, or named graphs, with their numbers of quads, from what the store has counted. */
import { DEFAULT_GRAPH } from '@quadrille/model';
import type { StatisticsPlan } from '../../plan/plan.js';
import { BATCH_ROWS, type Batch } from '../core/batch.js';
import { integerId } from './count.js';
import type { Execution, Operator } from '../core/operator.js';

export class StatisticsScan implements Operator {
  #counts: ReadonlyMap<number, number> | undefined;
  #keys = new Uint32Array(0);
  #row = 0;

  constructor(
    private readonly plan: StatisticsPlan,
    private readonly execution: Execution,
  ) {}

  async next(): Promise<Batch | undefined> {
    await this.execution.control.checkpoint();
    const counts = (this.#counts ??= await this.#read());
    const keys = this.#keys.subarray(this.#row, this.#row + BATCH_ROWS);
    if (keys.length === 0) return undefined;
    this.#row += keys.length;
    const { variables, keyVariable, countVariables } = this.plan;
    const numbers = countVariables.length === 0 ? keys : await this.#numbers(keys, counts);
    return { columns: variables.map((name) => (name === keyVariable ? keys : numbers)), length: keys.length };
  }

  async #read(): Promise<ReadonlyMap<number, number>> {
    const counts = (await this.execution.dataset.statistics())[this.plan.key];
    const isNamed = (id: number): boolean => this.plan.key === 'predicates' || id !== DEFAULT_GRAPH;
    this.#keys = Uint32Array.from([...counts.keys()].filter((id) => isNamed(id) && counts.get(id)! > 0)).sort();
    return counts;
  }

  async #numbers(keys: Uint32Array, counts: ReadonlyMap<number, number>): Promise<Uint32Array> {
    const numbers = new Uint32Array(keys.length);
    for (let i = 0; i < keys.length; i++) numbers[i] = await integerId(counts.get(keys[i]!)!, this.execution);
    return numbers;
  }

  close(): void {
    this.#row = this.#keys.length;
  }
}
