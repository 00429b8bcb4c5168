/** The state of one aggregate for all groups. COUNT and SAMPLE are here; sums and extremes have files of their own. */
import { ValueMemory } from '../../control/value-memory.js';
import { ERROR, type Value } from '../../expression/values/value.js';
import { valueBytes } from '../../expression/values/value-bytes.js';
import { integerId } from '../count/count.js';
import type { Memory } from '../../control/memory.js';
import type { Execution } from '../../execute/core/operator.js';

/** The argument of an aggregate for some rows, as ids or as values; as neither for COUNT(*). */
export interface Argument {
  readonly length: number;
  readonly ids: Uint32Array | undefined;
  readonly values: readonly (Value | undefined)[] | undefined;
}

/** One aggregate of all groups. */
export interface Accumulator {
  /** Adds rows; `groups[row]` is the group of each row, below `groupCount`. */
  add(argument: Argument, groups: Uint32Array, groupCount: number): void | Promise<void>;
  /** Ids of the results of groups `start … end`, 0 where there is none. */
  results(start: number, end: number): Promise<Uint32Array>;
  free(): void;
}

const FIRST_GROUPS = 16;
/** Of an entry of a map. */
const ENTRY_BYTES = 48;

/** A number for each group. */
export class GroupNumbers {
  values = new Float64Array(FIRST_GROUPS);

  constructor(private readonly memory: Memory) {
    memory.reserve(FIRST_GROUPS * Float64Array.BYTES_PER_ELEMENT);
  }

  /** Makes room for so many groups. */
  reserve(groups: number): void {
    if (groups <= this.values.length) return;
    const length = Math.max(groups, this.values.length * 2);
    this.memory.reserve((length - this.values.length) * Float64Array.BYTES_PER_ELEMENT);
    const grown = new Float64Array(length);
    grown.set(this.values);
    this.values = grown;
  }

  free(): void {
    this.memory.release(this.values.byteLength);
    this.values = new Float64Array(0);
  }
}

/** COUNT: of rows, or of those whose argument has a value. */
export class CountAccumulator implements Accumulator {
  readonly #counts: GroupNumbers;

  constructor(private readonly execution: Execution) {
    this.#counts = new GroupNumbers(execution.memory);
  }

  add({ ids, values, length }: Argument, groups: Uint32Array, groupCount: number): void {
    this.#counts.reserve(groupCount);
    const counts = this.#counts.values;
    if (ids !== undefined) countBound(ids, groups, counts, length);
    else if (values !== undefined) countValues(values, groups, counts);
    else if (groupCount === 1) counts[0]! += length;
    else for (let row = 0; row < length; row++) counts[groups[row]!]!++;
  }

  async results(start: number, end: number): Promise<Uint32Array> {
    const ids = new Uint32Array(end - start);
    this.#counts.reserve(end);
    for (let group = start; group < end; group++) {
      const id = integerId(this.#counts.values[group]!, this.execution);
      ids[group - start] = typeof id === 'number' ? id : await id;
    }
    return ids;
  }

  free(): void {
    this.#counts.free();
  }
}

function countBound(ids: Uint32Array, groups: Uint32Array, counts: Float64Array, length: number): void {
  for (let row = 0; row < length; row++) if (ids[row] !== 0) counts[groups[row]!]!++;
}

function countValues(values: readonly (Value | undefined)[], groups: Uint32Array, counts: Float64Array): void {
  for (let row = 0; row < values.length; row++) {
    const value = values[row];
    if (value !== undefined && value !== ERROR) counts[groups[row]!]!++;
  }
}

/** SAMPLE: the first argument that has a value. */
export class SampleAccumulator implements Accumulator {
  /** Ids; 0 where there is none yet, and where a value is kept instead. */
  readonly #ids: GroupNumbers;
  readonly #values = new Map<number, Value>();
  readonly #memory: ValueMemory;

  constructor(private readonly execution: Execution) {
    this.#ids = new GroupNumbers(execution.memory);
    this.#memory = new ValueMemory(execution.memory);
  }

  add({ ids, values, length }: Argument, groups: Uint32Array, groupCount: number): void {
    this.#ids.reserve(groupCount);
    const samples = this.#ids.values;
    for (let row = 0; row < length; row++) {
      const group = groups[row]!;
      if (ids !== undefined) {
        if (samples[group] === 0) samples[group] = ids[row]!;
        continue;
      }
      const value = values?.[row];
      if (value === undefined || value === ERROR || this.#values.has(group)) continue;
      this.#memory.reserve(valueBytes(value) + ENTRY_BYTES);
      this.#values.set(group, value);
    }
  }

  async results(start: number, end: number): Promise<Uint32Array> {
    this.#ids.reserve(end);
    const ids = Uint32Array.from(this.#ids.values.subarray(start, end));
    if (this.#values.size === 0) return ids;
    const values = Array.from(ids, (_, i) => this.#values.get(start + i));
    return this.execution.terms.ids(values, values.length);
  }

  free(): void {
    this.#ids.free();
    this.#memory.free();
    this.#values.clear();
  }
}
