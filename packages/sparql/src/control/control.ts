/** Ends an evaluation early: by the signal of the caller, by the deadline, or by a failure. Also pauses for the event loop. */
import { EvaluationError, QuadrilleError, yieldTurn } from '@quadrille/model';
import { Clock } from './clock.js';

/** What ends an evaluation early. */
export interface ControlOptions {
  /** Ends it with `ABORTED`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Ends it with `QUERY_TIMEOUT`. Milliseconds.
   * @defaultValue no limit
   */
  readonly timeoutMs?: number | undefined;
}

/** How long work may go on before the event loop gets its turn. */
const SLICE_MS = 4;
const CALLS_PER_CLOCK = 64;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * The control of one evaluation, or of all that belong to one request. The first failure counts. {@link release} must be called at
 * the end.
 */
export class EvaluationControl {
  #failure: Error | undefined;
  #controller: AbortController | undefined;
  #listeners: Set<(error: Error) => void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sliceEnd = performance.now() + SLICE_MS;
  #calls = 0;
  readonly #signal: AbortSignal | undefined;
  readonly clock: Clock;

  /** With `shared` the clock does not run yet, and only the owner frees the control, by {@link dispose}. */
  constructor(
    { signal, timeoutMs = Infinity }: ControlOptions,
    private readonly shared = false,
  ) {
    this.#signal = signal;
    this.clock = new Clock(timeoutMs);
    if (!shared) this.clock.start();
    this.#look();
  }

  get failure(): Error | undefined {
    if (this.#failure === undefined) this.#look();
    return this.#failure;
  }

  // Signal and clock are polled: a listener and a timer would cost more than most evaluations take.
  #look(): void {
    if (this.#signal?.aborted === true) this.#abort();
    else if (this.clock.passed()) this.#timeOut();
  }

  /** Ends the evaluation with this error, unless it has ended already. */
  fail(error: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = toEvaluationError(error);
    for (const listener of this.#listeners ?? []) listener(this.#failure);
    this.#listeners?.clear();
  }

  /** A signal that is aborted with the evaluation, for calls to other hosts. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = new AbortController();
      this.#controller = controller;
      this.onFailure((error) => controller.abort(error));
    }
    return this.#controller.signal;
  }

  throwIfFailed(): void {
    const { failure } = this;
    if (failure !== undefined) throw failure;
  }

  /** For what asks a signal. */
  throwIfAborted(): void {
    this.throwIfFailed();
  }

  /** Calls `listener` once when the evaluation fails; the result removes it. */
  onFailure(listener: (error: Error) => void): () => void {
    const { failure } = this;
    if (failure !== undefined) listener(failure);
    else {
      this.#listeners ??= this.#listen();
      this.#listeners.add(listener);
    }
    return () => this.#listeners?.delete(listener);
  }

  // Whoever listens waits for something, and looks at no clock meanwhile.
  #listen(): Set<(error: Error) => void> {
    this.#signal?.addEventListener('abort', this.#abort);
    this.#setTimer();
    return new Set();
  }

  #setTimer(): void {
    if (!this.clock.running || this.clock.limitMs === Infinity || this.#timer !== undefined) return;
    const timer = setTimeout(() => this.#ring(), Math.max(1, Math.min(this.clock.leftMs() + 1, LONGEST_TIMER_MS)));
    this.#timer = timer;
    const node: { unref?: () => void } | number = timer as { unref?: () => void } | number;
    if (typeof node === 'object') node.unref?.();
  }

  // The clock may have stood still since the timer was set.
  #ring(): void {
    this.#timer = undefined;
    this.#look();
    if (this.#failure === undefined) this.#setTimer();
  }

  /** From now on time counts: parsing, planning, running. */
  startClock(): void {
    this.clock.start();
    if (this.#listeners !== undefined) this.#setTimer();
  }

  /** From now on the evaluation waits for its turn or its reader. */
  stopClock(): void {
    this.clock.stop();
  }

  /** Waits for a promise, but not longer than the evaluation lasts. */
  whileRunning<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const stop = this.onFailure(reject);
      promise.then(resolve, reject).finally(stop);
    });
  }

  /** False after a failure. Cheap, for synchronous loops, in which no timer can fire. */
  alive(): boolean {
    if (++this.#calls % CALLS_PER_CLOCK === 0) this.#look();
    return this.#failure === undefined;
  }

  /** Yields to the event loop when its time has come, so that timers and signals take effect. */
  checkpoint(): Promise<void> | undefined {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#signal?.aborted === true) this.throwIfFailed();
    return performance.now() > this.#sliceEnd ? this.#pause() : undefined;
  }

  async #pause(): Promise<void> {
    this.clock.rest();
    await yieldTurn();
    const now = performance.now();
    this.clock.resume(now);
    this.#sliceEnd = now + SLICE_MS;
    this.throwIfFailed();
  }

  /** For evaluations: frees what the control holds, unless it goes on with others. */
  release(): void {
    if (!this.shared) this.dispose();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.clock.stop();
    if (this.#listeners === undefined) return;
    this.#signal?.removeEventListener('abort', this.#abort);
    this.#listeners.clear();
  }

  readonly #abort = (): void => {
    const cause: unknown = this.#signal?.reason;
    this.fail(new EvaluationError('ABORTED', 'the evaluation was aborted', { cause }));
  };

  #timeOut(): void {
    const { limitMs } = this.clock;
    this.fail(
      new EvaluationError('QUERY_TIMEOUT', `the evaluation took longer than ${limitMs} ms`, {
        details: { timeoutMs: limitMs },
      }),
    );
  }
}

/** Our own errors as they are; anything else as an EvaluationError with the cause. */
export function toEvaluationError(error: unknown): Error {
  if (error instanceof QuadrilleError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const tooDeep = error instanceof RangeError && /call stack/i.test(message);
  const reason = tooDeep ? 'it is too large or nested too deep' : (message.split('\n')[0] ?? '');
  return new EvaluationError('UNSUPPORTED', `the request could not be evaluated: ${reason}`, { cause: error });
}
