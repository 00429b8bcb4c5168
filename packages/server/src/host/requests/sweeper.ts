/** Runs a task at once and then every hour, one at a time. Failures are logged, and tried again an hour later. */
import type { Logger } from 'quadrille';
import { unref } from '../platform/timers.js';

const HOUR_MS = 60 * 60_000;

export class Sweeper {
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void>;

  constructor(
    private readonly task: () => Promise<void>,
    private readonly logger: Logger | undefined,
  ) {
    this.#running = this.#run();
    this.#timer = unref(setInterval(() => (this.#running = this.#running.then(() => this.#run())), HOUR_MS));
  }

  /** Resolves when nothing runs any more. */
  close(): Promise<void> {
    clearInterval(this.#timer);
    return this.#running;
  }

  async #run(): Promise<void> {
    try {
      await this.task();
    } catch (error) {
      this.logger?.warn('old records could not be removed', { error: String(error) });
    }
  }
}
