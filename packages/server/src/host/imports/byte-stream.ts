/** Streams of bytes: with a signal and time limits, read ahead, and with a callback at their end. */
import { InvalidArgumentError, LimitError } from '@quadrille/model';
import type { ByteBudget } from '../byte-budget.js';
import { platform } from '#host-platform';
import { unref } from '../platform/timers.js';

/** Time limits for the sender of a stream. */
export interface SenderLimits {
  /** Longest wait for the next bytes. */
  readonly idleMs: number;
  /** Bytes a second over the whole time of waiting, once that time is longer than `idleMs`. */
  readonly minRate: number;
  /** What is sent, for messages. Default `document`. */
  readonly what?: string;
  /** Called now and then while the sender is waited for. If it returns false, others need the place. */
  readonly mayStay?: (rate: () => number, waitedMs: number) => boolean;
}

/**
 * The same stream. It fails with the reason of the signal, also while it waits for a chunk, and when the sender is too slow.
 * Only the time of waiting for the sender is counted.
 * @throws LimitError `INPUT_TIMEOUT`
 */
export async function* stoppable(
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
  limits: SenderLimits,
): AsyncGenerator<Uint8Array> {
  const iterator = source[Symbol.asyncIterator]();
  let stopped: { readonly reason: unknown } | undefined;
  let endWait: (reason: unknown) => void = () => undefined;
  const stop = (reason: unknown): void => {
    stopped ??= { reason };
    endWait(reason);
  };
  // Promise.race with one promise for all chunks would keep every chunk in memory until that promise settles.
  const nextChunk = (): Promise<IteratorResult<Uint8Array>> =>
    new Promise((resolve, reject) => {
      if (stopped !== undefined) return reject(stopped.reason as Error);
      endWait = reject;
      iterator.next().then(resolve, reject);
    });
  const onAbort = (): void => stop(signal?.reason);
  signal?.addEventListener('abort', onAbort);
  const patience = new Patience(limits, stop);
  let ended = false;
  try {
    signal?.throwIfAborted();
    for (;;) {
      patience.waits();
      const next = await nextChunk();
      if (next.done === true) {
        ended = true;
        return;
      }
      patience.got(next.value.length);
      yield next.value;
    }
  } finally {
    patience.end();
    signal?.removeEventListener('abort', onAbort);
    // Not awaited: `return` of a generator that waits for its sender resolves only with the next chunk.
    if (!ended) void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

/** Checks periodically whether the sender is too slow. A timer for each chunk would cost more than the chunk. */
class Patience {
  readonly #timer: NodeJS.Timeout;
  #since: number | undefined;
  #waitedMs = 0;
  #bytes = 0;

  constructor(
    private readonly limits: SenderLimits,
    private readonly stop: (reason: unknown) => void,
  ) {
    this.#timer = unref(setInterval(() => this.#look(), Math.max(10, Math.min(1000, limits.idleMs / 4))));
  }

  waits(): void {
    this.#since = performance.now();
  }

  got(bytes: number): void {
    this.#waitedMs += performance.now() - (this.#since ?? 0);
    this.#since = undefined;
    this.#bytes += bytes;
  }

  end(): void {
    clearInterval(this.#timer);
  }

  /** Bytes for each second of waiting for the sender, at this moment. */
  readonly #rate = (): number => {
    const waits = this.#since === undefined ? 0 : performance.now() - this.#since;
    return (this.#bytes / (this.#waitedMs + waits)) * 1000;
  };

  #look(): void {
    if (this.#since === undefined) return;
    const { idleMs, minRate, mayStay, what = 'document' } = this.limits;
    const waits = performance.now() - this.#since;
    const waited = this.#waitedMs + waits;
    const isSlow = waited > idleMs && this.#bytes < (waited / 1000) * minRate;
    const isInTheWay = mayStay?.(this.#rate, waited) === false;
    if (waits <= idleMs && !isSlow && !isInTheWay) return;
    const why = isInTheWay
      ? 'others wait for the place of this import, which came slowest'
      : isSlow
        ? `less than ${String(minRate)} bytes a second came`
        : `nothing came for ${String(idleMs)} ms`;
    this.stop(new LimitError('INPUT_TIMEOUT', `the ${what} was not sent: ${why}`));
  }
}

/** A stream of which the beginning is in memory. */
export interface ReadAhead {
  /** The length of the stream; `undefined` if its end was not reached. */
  readonly bytes: number | undefined;
  /** The whole stream. It can be iterated once. */
  readonly chunks: AsyncGenerator<Uint8Array>;
  /** Gives the bytes back to the budget, unless {@link chunks} has been read that far. */
  readonly release: () => void;
}

/** Reads ahead until more than `limit` bytes are in memory, the stream ends, or the budget is exceeded. */
export async function readAhead(
  source: AsyncIterable<Uint8Array>,
  limit: number,
  budget: ByteBudget,
): Promise<ReadAhead> {
  const iterator = source[Symbol.asyncIterator]();
  const start: Uint8Array[] = [];
  let length = 0;
  let ended = false;
  let held = 0;
  const release = (): void => {
    budget.release(held);
    held = 0;
  };
  try {
    while (length <= limit && !ended && !budget.exceeded) {
      const next = await iterator.next();
      ended = next.done === true;
      if (next.done === true) break;
      start.push(next.value);
      length += next.value.length;
      held += next.value.length;
      budget.hold(next.value.length);
    }
  } catch (error) {
    release();
    throw error;
  }
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      yield* start;
      start.length = 0;
      release();
      while (!ended) {
        const next = await iterator.next();
        ended = next.done === true;
        if (next.done !== true) yield next.value;
      }
    } finally {
      release();
      if (!ended) await iterator.return?.();
    }
  }
  return { bytes: ended ? length : undefined, chunks: chunks(), release };
}

/** All bytes of a stream. @throws InvalidArgumentError `INVALID_OPTION` where there are more than were announced */
export async function wholeOf(source: AsyncIterable<Uint8Array>, announced: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of source) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > announced)
      throw new InvalidArgumentError('INVALID_OPTION', `the document is longer than the ${announced} bytes announced`);
  }
  return platform.concat(chunks);
}

/** Calls `onEnd` when the last chunk was read. */
export async function* withEnd(source: AsyncIterable<Uint8Array>, onEnd: () => void): AsyncGenerator<Uint8Array> {
  yield* source;
  onEnd();
}

export async function* readerChunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  let ended = false;
  try {
    for (;;) {
      const { value, done } = await reader.read();
      ended = done;
      if (done) return;
      yield value;
    }
  } finally {
    if (!ended) await reader.cancel().catch(() => undefined);
  }
}
