/**
 * SUM and AVG of ids that contain their value. When a group gets another kind of id, or its sum becomes inexact, an aggregate
 * over values takes over the state of that group.
 */
import type { Value } from '../../expression/values/value.js';
import type { PlanAggregate } from '../../plan/plan.js';
import type { Accumulator, Argument } from './accumulator.js';
import { BATCH_ROWS } from '../../execute/core/batch.js';
import type { Execution } from '../../execute/core/operator.js';
import { ValueAccumulator } from './value-accumulator.js';

/** The state of each group as numbers. */
export interface InlineState {
  reserve(groups: number): void;
  /** Adds an id; false where its value cannot be added exactly. */
  take(group: number, id: number): boolean;
  /** Values that bring an aggregate over values to the state of the group. */
  handOver(group: number): Iterable<Value>;
  /** An id, or a value that has to get one. */
  result(group: number): number | Value;
  free(): void;
}

/** Which of the two keeps a group. */
const INLINE = 0;
const LEAVING = 1;
const BY_VALUE = 2;

export class InlineAccumulator implements Accumulator {
  readonly #byValue: ValueAccumulator;
  #places = new Uint8Array(16);
  #slowRows = new Uint32Array(0);

  constructor(
    private readonly state: InlineState,
    plan: Pick<PlanAggregate, 'aggregator' | 'iri' | 'separator'>,
    private readonly execution: Execution,
  ) {
    this.#byValue = new ValueAccumulator(plan, execution);
  }

  async add({ ids, length }: Argument, groups: Uint32Array, groupCount: number): Promise<void> {
    this.#reserve(groupCount);
    const count = this.#takeAll(ids!, groups, length);
    if (count === 0) return;
    const slow = this.#slowRows.subarray(0, count);
    const slowIds = slow.map((row) => ids![row]!);
    const slowGroups = slow.map((row) => groups[row]!);
    for (const group of slowGroups) {
      if (this.#places[group] === LEAVING) await this.#handOver(group);
    }
    await this.#byValue.add({ ids: slowIds, values: undefined, length: count }, slowGroups);
  }

  // Collects the rows that need values. After the first such row of a group all later ones do too, so that their order is kept.
  #takeAll(ids: Uint32Array, groups: Uint32Array, length: number): number {
    const { state } = this;
    const places = this.#places;
    if (this.#slowRows.length < length) this.#slowRows = new Uint32Array(length);
    let slow = 0;
    for (let row = 0; row < length; row++) {
      const group = groups[row]!;
      if (places[group] === INLINE) {
        if (state.take(group, ids[row]!)) continue;
        places[group] = LEAVING;
      }
      this.#slowRows[slow++] = row;
    }
    return slow;
  }

  async #handOver(group: number): Promise<void> {
    this.#places[group] = BY_VALUE;
    const aggregate = this.#byValue.of(group);
    let count = 0;
    for (const value of this.state.handOver(group)) {
      aggregate.add(value);
      if (++count % BATCH_ROWS === 0) await this.execution.control.checkpoint();
    }
  }

  #reserve(groups: number): void {
    this.state.reserve(groups);
    if (groups <= this.#places.length) return;
    const grown = new Uint8Array(Math.max(groups, this.#places.length * 2));
    grown.set(this.#places);
    this.#places = grown;
  }

  async results(start: number, end: number): Promise<Uint32Array> {
    this.#reserve(end);
    const ids = new Uint32Array(end - start);
    const values: (Value | undefined)[] = new Array(end - start);
    for (let group = start; group < end; group++) {
      const inline = this.#places[group] === INLINE;
      const result = inline ? this.state.result(group) : this.#byValue.result(group);
      if (typeof result === 'number') ids[group - start] = result;
      else values[group - start] = result;
    }
    const computed = await this.execution.terms.ids(values, values.length);
    for (let i = 0; i < ids.length; i++) if (ids[i] === 0) ids[i] = computed[i]!;
    return ids;
  }

  free(): void {
    this.state.free();
    this.#byValue.free();
  }
}
