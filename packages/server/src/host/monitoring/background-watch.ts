/** Logs the failures of background work: flushes and merges that fail and that the store tries again. */
import type { Database, Logger } from 'quadrille';
import { unref } from '../platform/timers.js';

const CHECKED_EVERY_MS = 10_000;

type Failure = ReturnType<Database['metrics']>['backgroundFailures'][number];

export class BackgroundWatch {
  /** The failures at the last check, by repository and job. */
  #known = new Map<string, Failure>();
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly database: Pick<Database, 'metrics' | 'state'>,
    private readonly logger: Logger,
    everyMs = CHECKED_EVERY_MS,
  ) {
    this.#timer = unref(setInterval(() => this.check(), everyMs));
  }

  /** Logs what has failed since the last check, and what succeeds again. */
  check(): void {
    if (this.database.state === 'closed') return;
    const found = new Map<string, Failure>();
    for (const failure of this.database.metrics().backgroundFailures) {
      const { repository, job, code, message, count, since } = failure;
      const key = `${repository} ${job}`;
      found.set(key, failure);
      if (count === this.#known.get(key)?.count) continue;
      this.logger.error('background work failed', { repository, job, code, error: message, count, since });
    }
    for (const [key, { repository, job }] of this.#known) {
      if (!found.has(key)) this.logger.info('background work does not fail any more', { repository, job });
    }
    this.#known = found;
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
