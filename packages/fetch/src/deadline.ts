/** The time that one fetch has, and whatever else ends it: one signal for the sockets, one reason for the caller. */
import { EvaluationError, FetchError } from '@quadrille/model';

export class Deadline {
  readonly #controller = new AbortController();
  readonly #total: ReturnType<typeof setTimeout>;
  readonly #caller: AbortSignal | undefined;
  readonly #host: string;

  constructor(host: string, totalMs: number, caller: AbortSignal | undefined) {
    this.#host = host;
    this.#caller = caller;
    this.#total = setTimeout(() => this.#timeout('the fetch', totalMs), totalMs);
    if (caller?.aborted) this.#aborted();
    caller?.addEventListener('abort', this.#aborted, { once: true });
  }

  /** Fires when the fetch is over, for whatever reason. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The result of a step, unless it takes too long or the fetch ends before it. */
  within<T>(step: Promise<T>, limitMs: number, what: string): Promise<T> {
    return new Promise((resolve, reject) => {
      const { signal } = this;
      const timer = setTimeout(() => this.#timeout(what, limitMs), limitMs);
      const over = (): void => {
        settled();
        reject(signal.reason);
      };
      const settled = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', over);
      };
      signal.addEventListener('abort', over);
      // A step that fails after the end of the fetch fails because of it.
      step.then(resolve, reject).finally(settled);
      if (signal.aborted) over();
    });
  }

  /** Why the fetch ended, where it is over; else the error itself if it is one of ours, or wrapped as one. */
  reasonFor(error: unknown, wrap: (error: unknown) => Error): Error {
    return this.signal.aborted ? (this.signal.reason as Error) : wrap(error);
  }

  /** Ends the fetch: its sockets are destroyed, no timer and no listener is left. */
  end(reason: Error = new FetchError('FETCH_FAILED', `the fetch from ${this.#host} was closed`)): void {
    clearTimeout(this.#total);
    this.#caller?.removeEventListener('abort', this.#aborted);
    this.#controller.abort(reason);
  }

  #timeout(what: string, limitMs: number): void {
    const host = this.#host;
    this.end(
      new FetchError('FETCH_TIMEOUT', `${what} from ${host} took longer than ${limitMs} ms`, { details: { host } }),
    );
  }

  readonly #aborted = (): void => {
    const cause: unknown = this.#caller?.reason;
    this.end(new EvaluationError('ABORTED', `the fetch from ${this.#host} was aborted`, { cause }));
  };
}
