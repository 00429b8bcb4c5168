/** A histogram of durations as Prometheus defines it. */

/** Upper bounds of the buckets, in seconds. */
export const DURATION_BOUNDS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60] as const;

/** A histogram of durations. */
export class Durations {
  /** Number of durations. */
  count = 0;
  /** Their sum. */
  seconds = 0;
  /** Cumulative counts: durations up to the bound at the same index. */
  readonly buckets: number[] = DURATION_BOUNDS.map(() => 0);

  /** Counts a duration. */
  add(seconds: number): void {
    this.count++;
    this.seconds += seconds;
    for (let i = 0; i < DURATION_BOUNDS.length; i++) if (seconds <= DURATION_BOUNDS[i]!) this.buckets[i]!++;
  }

  /** Counts all durations of another histogram. */
  addAll(others: Durations): void {
    this.count += others.count;
    this.seconds += others.seconds;
    for (let i = 0; i < this.buckets.length; i++) this.buckets[i]! += others.buckets[i]!;
  }
}
