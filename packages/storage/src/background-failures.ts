/** Failures of work in the background, which is tried again. They are counted, so that monitoring can show them. */

/** Work that failed when it was done last, or that had to leave something out. */
export interface JobFailure {
  /** The kind of work. */
  readonly job: string;
  /** The error of the last failure. */
  readonly error: unknown;
  /** Number of failures in a row. */
  readonly failures: number;
  /** Time of the first of these failures, in milliseconds since 1970. */
  readonly since: number;
}

/** The last failure of each kind of work, until that work succeeds. */
export class BackgroundFailures {
  readonly #failures = new Map<string, JobFailure>();

  /** The jobs that failed when they were done last. */
  get list(): readonly JobFailure[] {
    return [...this.#failures.values()];
  }

  /** Notes that a job has failed. Returns how often it has in a row. */
  note(job: string, error: unknown): number {
    const { failures = 0, since = Date.now() } = this.#failures.get(job) ?? {};
    this.#failures.set(job, { job, error, failures: failures + 1, since });
    return failures + 1;
  }

  /** Notes that a job has succeeded. */
  succeeded(job: string): void {
    this.#failures.delete(job);
  }
}
