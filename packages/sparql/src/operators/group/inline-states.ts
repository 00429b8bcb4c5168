/** Sums of ids that contain their value, by group, in typed arrays. */
import {
  DATE_FIRST,
  DECIMAL_FIRST,
  DECIMAL_ZERO,
  FIRST_INLINE_ID,
  INTEGER_ZERO,
  inlineInteger,
} from '@quadrille/model';
import { addDecimals, divideDecimals } from '../../expression/values/decimal.js';
import { DecimalValue, IntegerValue, type Value } from '../../expression/values/value.js';
import { GroupNumbers } from './accumulator.js';
import type { InlineState } from './inline-accumulator.js';
import type { Execution } from '../../execute/core/operator.js';

/** Digits after the point of an inline decimal. */
const SCALE = 4;
const INTEGER_NULL = new IntegerValue(0);

/** Sums of integers and of decimals are kept apart, each exact; the result of a group adds the two. */
export class SumState implements InlineState {
  readonly #integers: GroupNumbers;
  /** In units of an inline decimal. */
  readonly #decimals: GroupNumbers;
  readonly #counts: GroupNumbers;
  readonly #decimalCounts: GroupNumbers;

  constructor(
    private readonly average: boolean,
    { memory }: Execution,
    /** Sums beyond it are not exact. */
    private readonly limit = Number.MAX_SAFE_INTEGER,
  ) {
    this.#integers = new GroupNumbers(memory);
    this.#decimals = new GroupNumbers(memory);
    this.#counts = new GroupNumbers(memory);
    this.#decimalCounts = new GroupNumbers(memory);
  }

  reserve(groups: number): void {
    this.#integers.reserve(groups);
    this.#decimals.reserve(groups);
    this.#counts.reserve(groups);
    this.#decimalCounts.reserve(groups);
  }

  take(group: number, id: number): boolean {
    if (id < FIRST_INLINE_ID || id >= DATE_FIRST) return false;
    const isInteger = id < DECIMAL_FIRST;
    const sums = isInteger ? this.#integers.values : this.#decimals.values;
    const sum = sums[group]! + (id - (isInteger ? INTEGER_ZERO : DECIMAL_ZERO));
    if (sum > this.limit || sum < -this.limit) return false;
    sums[group] = sum;
    this.#counts.values[group]!++;
    if (!isInteger) this.#decimalCounts.values[group]!++;
    return true;
  }

  // The sum, then zeros, so that the number of values is right.
  *handOver(group: number): Iterable<Value> {
    const count = this.#counts.values[group]!;
    if (count === 0) return;
    yield this.#sum(group);
    if (this.average) for (let i = 1; i < count; i++) yield INTEGER_NULL;
  }

  result(group: number): number | Value {
    const count = this.#counts.values[group]!;
    const sum = this.#sum(group);
    if (this.average && count > 0) {
      return sum.kind === 'integer'
        ? (divideDecimals(sum.value, 0, count, 0) as Value)
        : (divideDecimals(sum.mantissa, sum.scale, count, 0) as Value);
    }
    return sum.kind === 'integer' ? inlineInteger(Number(sum.value)) || sum : sum;
  }

  #sum(group: number): IntegerValue | DecimalValue {
    const integers = this.#integers.values[group]!;
    if (this.#decimalCounts.values[group] === 0) return new IntegerValue(integers);
    return addDecimals(integers, 0, this.#decimals.values[group]!, SCALE) as DecimalValue;
  }

  free(): void {
    this.#integers.free();
    this.#decimals.free();
    this.#counts.free();
    this.#decimalCounts.free();
  }
}
