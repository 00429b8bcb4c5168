/** Aggregates over values, one object for each group. Every aggregate can be computed this way. */
import { createAggregate, type Accumulator as Aggregate } from '../../expression/aggregate.js';
import { ExtensionAccumulator } from '../../expression/extension-functions.js';
import { ERROR, type Value } from '../../expression/values/value.js';
import { ValueMemory } from '../../control/value-memory.js';
import type { PlanAggregate } from '../../plan/plan.js';
import type { Accumulator, Argument } from './accumulator.js';
import type { Execution } from '../../execute/core/operator.js';

/** The approximate size of the aggregate of one group, in bytes. */
const AGGREGATE_BYTES = 160;
/** Characters of results that are built before they get their ids. */
const RESULT_CHARACTERS = 256 * 1024;

export class ValueAccumulator implements Accumulator {
  readonly #aggregates: (Aggregate | undefined)[] = [];
  readonly #memory: ValueMemory;

  constructor(
    private readonly plan: Pick<PlanAggregate, 'aggregator' | 'iri' | 'separator'>,
    private readonly execution: Execution,
  ) {
    this.#memory = new ValueMemory(execution.memory);
  }

  add({ ids, values, length }: Argument, groups: Uint32Array): void | Promise<void> {
    if (values !== undefined) return this.#addAll(values, groups, 0);
    return this.execution.terms.eachPiece(ids!, length, (piece, start) => this.#addAll(piece, groups, start));
  }

  // Few values come at once, so that what they keep is counted after them.
  #addAll(values: readonly (Value | undefined)[], groups: Uint32Array, start: number): void {
    let bytes = 0;
    for (let i = 0; i < values.length; i++) bytes += this.of(groups[start + i]!).add(values[i] ?? ERROR);
    if (bytes !== 0) this.#memory.reserve(bytes);
  }

  /** The aggregate of a group. */
  of(group: number): Aggregate {
    const known = this.#aggregates[group];
    if (known !== undefined) return known;
    while (this.#aggregates.length < group) this.#aggregates.push(undefined);
    this.#memory.reserve(AGGREGATE_BYTES);
    return (this.#aggregates[group] = this.#newAggregate());
  }

  #newAggregate(): Aggregate {
    const { aggregator, iri, separator } = this.plan;
    if (iri === undefined) return createAggregate(aggregator, separator);
    return new ExtensionAccumulator(iri, this.execution.aggregate(iri)!.create());
  }

  /** The result of a group. Its text counts until the aggregate is freed: it is built of parts that stay. */
  result(group: number): Value | undefined {
    const aggregate = this.of(group);
    if (aggregate.length !== undefined) this.#memory.reserveText(aggregate.length);
    return aggregate.result();
  }

  async results(start: number, end: number): Promise<Uint32Array> {
    const ids = new Uint32Array(end - start);
    for (let group = start; group < end;) {
      const values: (Value | undefined)[] = [];
      const first = group - start;
      const before = this.#memory.used;
      for (let characters = 0; group < end && characters < RESULT_CHARACTERS; group++) {
        values.push(this.result(group));
        characters += this.of(group).length ?? 0;
      }
      ids.set(await this.execution.terms.ids(values, values.length), first);
      this.#memory.shrinkTo(before);
    }
    return ids;
  }

  free(): void {
    this.#memory.free();
    this.#aggregates.length = 0;
  }
}
