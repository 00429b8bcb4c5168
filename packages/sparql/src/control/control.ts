/** Ends an evaluation early: by the signal of the caller, by the deadline, or by a failure. Also pauses for the event loop. */
import { EvaluationError, QuadrilleError, yieldTurn } from '@quadrille/model';

export interface ControlOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

/** How long work may go on before the event loop gets its turn. */
const SLICE_MS = 4;
const CALLS_PER_CLOCK = 64;

/** The control of one evaluation. The first failure counts. {@link dispose} must be called at the end. */
export class EvaluationControl {
  #failure: Error | undefined;
  #controller: AbortController | undefined;
  #listeners: Set<(error: Error) => void> | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #timeoutMs: number | undefined;
  readonly #deadline: number;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  #sliceEnd = performance.now() + SLICE_MS;
  #calls = 0;

  constructor({ signal, timeoutMs }: ControlOptions) {
    this.#signal = signal;
    this.#timeoutMs = timeoutMs;
    this.#deadline = timeoutMs === undefined ? Infinity : performance.now() + timeoutMs;
    if (timeoutMs !== undefined && Number.isFinite(timeoutMs)) {
      this.#timer = setTimeout(() => this.#timeOut(), Math.min(timeoutMs, 2 ** 31 - 1));
      const timer: { unref?: () => void } | number = this.#timer as { unref?: () => void } | number;
      if (typeof timer === 'object') timer.unref?.();
    }
    this.#lookAtSignal();
  }

  get failure(): Error | undefined {
    if (this.#failure === undefined) this.#lookAtSignal();
    return this.#failure;
  }

  // The signal is polled: a listener would cost more than most evaluations take.
  #lookAtSignal(): void {
    if (this.#signal?.aborted === true) this.#abort();
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

  #listen(): Set<(error: Error) => void> {
    this.#signal?.addEventListener('abort', this.#abort);
    return new Set();
  }

  /** False after a failure. Cheap, for synchronous loops, in which no timer can fire. */
  alive(): boolean {
    if (++this.#calls % CALLS_PER_CLOCK === 0 && performance.now() > this.#deadline) this.#timeOut();
    return this.#failure === undefined;
  }

  /** Yields to the event loop when its time has come, so that timers and signals take effect. */
  checkpoint(): Promise<void> | undefined {
    this.throwIfFailed();
    return performance.now() > this.#sliceEnd ? this.#pause() : undefined;
  }

  async #pause(): Promise<void> {
    await yieldTurn();
    this.#sliceEnd = performance.now() + SLICE_MS;
    if (performance.now() > this.#deadline) this.#timeOut();
    this.throwIfFailed();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    if (this.#listeners === undefined) return;
    this.#signal?.removeEventListener('abort', this.#abort);
    this.#listeners.clear();
  }

  readonly #abort = (): void => {
    const cause: unknown = this.#signal?.reason;
    this.fail(new EvaluationError('ABORTED', 'the evaluation was aborted', { cause }));
  };

  #timeOut(): void {
    const limit = this.#timeoutMs ?? 0;
    this.fail(
      new EvaluationError('QUERY_TIMEOUT', `the evaluation took longer than ${limit} ms`, {
        details: { timeoutMs: limit },
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
