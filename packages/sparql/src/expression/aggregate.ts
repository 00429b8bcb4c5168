/** The set functions of SPARQL (1.2, section 18.6.1), one accumulator per group. The caller removes duplicates. */
import { valueBytes } from './values/value-bytes.js';
import type { BoundAggregate } from '../algebra/algebra.js';
import { add, divide } from './values/arithmetic.js';
import { compareForOrder } from './values/order.js';
import {
  DoubleValue,
  ERROR,
  IntegerValue,
  isNumeric,
  StringValue,
  textOf,
  type NumericValue,
  type Value,
} from './values/value.js';

export type Aggregator = BoundAggregate['aggregator'];

export interface Accumulator {
  /**
   * The value of the expression for one solution of the group; {@link ERROR} where it has none. Gives the bytes that the
   * aggregate keeps more than before.
   */
  add(value: Value): number;
  /** Characters of the text that the result builds. */
  readonly length?: number;
  /** The value of the group so far; undefined for an error. */
  result(): Value | undefined;
}

/**
 * The accumulator of an aggregate for one group. An error among the values makes that of SUM, AVG, MIN, MAX and GROUP_CONCAT
 * an error; COUNT and SAMPLE pass over it. Without any value COUNT, SUM and AVG are 0, GROUP_CONCAT is empty, the others an error.
 * For COUNT(*) add any value for each solution.
 */
export function createAggregate(aggregator: Aggregator, separator = ' '): Accumulator {
  switch (aggregator) {
    case 'count':
      return new Count();
    case 'sum':
      return new Sum();
    case 'avg':
      return new Average();
    case 'min':
      return new Extreme(-1);
    case 'max':
      return new Extreme(1);
    case 'sample':
      return new Sample();
    case 'group_concat':
      return new GroupConcat(separator);
    default:
      throw new Error(`unknown aggregate ${String(aggregator)}`);
  }
}

class Count implements Accumulator {
  #count = 0;

  add(value: Value): number {
    if (value !== ERROR) this.#count++;
    return 0;
  }

  result(): Value {
    return new IntegerValue(this.#count);
  }
}

/** Adds up plain integers as a number and doubles as another one, which costs no value, and everything else as values. */
class Sum implements Accumulator {
  #small = 0;
  #doubles: number | undefined;
  #rest: NumericValue | undefined;
  #failed = false;

  add(value: Value): number {
    if (value.kind === 'integer' && typeof value.value === 'number') {
      const sum = this.#small + value.value;
      if (Number.isSafeInteger(sum)) {
        this.#small = sum;
        return 0;
      }
    }
    if (value.kind === 'double') {
      this.#doubles = (this.#doubles ?? 0) + value.value;
      return 0;
    }
    const before = valueBytes(this.#rest);
    if (isNumeric(value)) this.#rest = this.#checked(this.#rest === undefined ? value : add(this.#rest, value));
    else this.#failed = true;
    return valueBytes(this.#rest) - before;
  }

  #checked(sum: Value): NumericValue | undefined {
    if (isNumeric(sum)) return sum;
    this.#failed = true;
    return undefined;
  }

  result(): NumericValue | undefined {
    if (this.#failed) return undefined;
    let sum: Value = new IntegerValue(this.#small);
    if (this.#rest !== undefined) sum = add(this.#rest, sum);
    if (this.#doubles !== undefined && isNumeric(sum)) sum = add(sum, new DoubleValue(this.#doubles));
    return isNumeric(sum) ? sum : undefined;
  }
}

class Average implements Accumulator {
  readonly #sum = new Sum();
  #count = 0;

  add(value: Value): number {
    this.#count++;
    return this.#sum.add(value);
  }

  result(): Value | undefined {
    const sum = this.#sum.result();
    if (sum === undefined || this.#count === 0) return sum;
    const average = divide(sum, new IntegerValue(this.#count));
    return average === ERROR ? undefined : average;
  }
}

/** MIN and MAX by the order of ORDER BY, so that values of different types can be compared; of equal ones the first. */
class Extreme implements Accumulator {
  #best: Value | undefined;
  #failed = false;

  constructor(private readonly direction: -1 | 1) {}

  add(value: Value): number {
    if (value === ERROR) this.#failed = true;
    else if (this.#best === undefined || compareForOrder(value, this.#best) === this.direction) {
      const more = valueBytes(value) - valueBytes(this.#best);
      this.#best = value;
      return more;
    }
    return 0;
  }

  result(): Value | undefined {
    return this.#failed ? undefined : this.#best;
  }
}

class Sample implements Accumulator {
  #value: Value | undefined;

  add(value: Value): number {
    if (value === ERROR || this.#value !== undefined) return 0;
    this.#value = value;
    return valueBytes(value);
  }

  result(): Value | undefined {
    return this.#value;
  }
}

/** Of the texts that STR() gives; blank nodes and triple terms have none. */
class GroupConcat implements Accumulator {
  readonly #parts: string[] = [];
  length = 0;
  #failed = false;

  constructor(private readonly separator: string) {}

  add(value: Value): number {
    const text = textOf(value);
    if (text === undefined) this.#failed = true;
    if (text === undefined || this.#failed) return 0;
    this.length += text.length + this.separator.length;
    this.#parts.push(text);
    return valueBytes(value);
  }

  result(): Value | undefined {
    return this.#failed ? undefined : new StringValue(this.#parts.join(this.separator));
  }
}
