/** Random numbers for tests, the same for the same seed. */
export class Random {
  constructor(private state: number) {}

  /** From 0 to less than 1. */
  next(): number {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0;
    return this.state / 2 ** 32;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  of<T>(some: readonly T[]): T {
    return some[this.below(some.length)]!;
  }
}
