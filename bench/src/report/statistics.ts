/** Median and spread of a few runs. */
export interface Spread {
  /** The median. */
  readonly median: number;
  /** The smallest value. */
  readonly min: number;
  /** The greatest value. */
  readonly max: number;
}

/** @throws Error if there is no value */
export function spreadOf(values: readonly number[]): Spread {
  if (values.length === 0) throw new Error('no values');
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const median = sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
  return { median, min: sorted[0]!, max: sorted.at(-1)! };
}

/** The geometric mean of at least one value; all must be above 0. */
export function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

/** Mean and standard error of values that come one after the other (Welford). */
export class RunningMean {
  #count = 0;
  #mean = 0;
  #squares = 0;

  add(value: number): void {
    const distance = value - this.#mean;
    this.#mean += distance / ++this.#count;
    this.#squares += distance * (value - this.#mean);
  }

  get count(): number {
    return this.#count;
  }

  /** The standard error of the mean as a share of the mean. Infinity for fewer than two values. */
  get error(): number {
    if (this.#count < 2) return Infinity;
    if (this.#squares === 0) return 0;
    return Math.sqrt(this.#squares / (this.#count - 1) / this.#count) / Math.abs(this.#mean);
  }
}

/** The standard error of the mean as a share of the mean. Infinity for fewer than two values. */
export function relativeError(values: readonly number[]): number {
  const mean = new RunningMean();
  for (const value of values) mean.add(value);
  return mean.error;
}
