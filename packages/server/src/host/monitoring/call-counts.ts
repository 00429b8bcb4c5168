/** Counts of RPC calls, for the metrics. */
import { Durations } from './durations.js';

/** The calls of one method with one outcome. */
export interface CallCount {
  /** The name of a known method; `none` for all other names. */
  readonly method: string;
  /** `ok`, or the code of the error. */
  readonly code: string;
  /** How long the calls took. */
  readonly durations: Durations;
}

/** Numbers of calls by method and result. */
export class CallCounts {
  readonly #counts = new Map<string, CallCount>();

  /** The counts of each method and result. */
  [Symbol.iterator](): Iterator<CallCount> {
    return this.#counts.values();
  }

  /** Counts a call that took so many seconds. */
  count(method: string, code: string, seconds: number): void {
    const key = `${code} ${method}`;
    let entry = this.#counts.get(key);
    if (entry === undefined) this.#counts.set(key, (entry = { method, code, durations: new Durations() }));
    entry.durations.add(seconds);
  }
}
