/** Aggregates over values, one object for each group. Every aggregate can be computed this way. */
import { createAggregate } from '../../expression/aggregate.js';
import { ERROR, type Value } from '../../expression/values/value.js';
import type { PlanAggregate } from '../../plan/plan.js';
import type { Accumulator, Argument } from './accumulator.js';
import type { Execution } from '../core/operator.js';

type Aggregate = ReturnType<typeof createAggregate>;

/** The approximate size of the aggregate of one group, in bytes. */
const AGGREGATE_BYTES = 160;

/** The approximate size of a kept text beside its characters, in bytes. */
const TEXT_BYTES = 32;

function textBytes(value: Value | undefined): number {
  const text = value !== undefined && 'value' in value ? value.value : '';
  return TEXT_BYTES + (typeof text === 'string' ? text.length : 0);
}

export class ValueAccumulator implements Accumulator {
  readonly #aggregates: (Aggregate | undefined)[] = [];
  #bytes = 0;

  constructor(
    private readonly plan: Pick<PlanAggregate, 'aggregator' | 'separator'>,
    private readonly execution: Execution,
  ) {}

  async add({ ids, values, length }: Argument, groups: Uint32Array): Promise<void> {
    const all = values ?? (await this.execution.terms.values(ids!, length));
    for (let row = 0; row < length; row++) this.of(groups[row]!).add(all[row] ?? ERROR);
    // GROUP_CONCAT alone keeps its arguments.
    if (this.plan.aggregator === 'group_concat') this.#account(all.reduce((sum, value) => sum + textBytes(value), 0));
  }

  /** The aggregate of a group. */
  of(group: number): Aggregate {
    const known = this.#aggregates[group];
    if (known !== undefined) return known;
    while (this.#aggregates.length < group) this.#aggregates.push(undefined);
    this.#account(AGGREGATE_BYTES);
    return (this.#aggregates[group] = createAggregate(this.plan.aggregator, this.plan.separator));
  }

  #account(bytes: number): void {
    this.#bytes += bytes;
    this.execution.memory.reserve(bytes);
  }

  results(start: number, end: number): Promise<Uint32Array> {
    const values: (Value | undefined)[] = [];
    for (let group = start; group < end; group++) values.push(this.of(group).result());
    return this.execution.terms.ids(values, values.length);
  }

  free(): void {
    this.execution.memory.release(this.#bytes);
    this.#bytes = 0;
    this.#aggregates.length = 0;
  }
}
