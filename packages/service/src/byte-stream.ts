/** Streams of bytes that can be stopped, begun in part, and tell when they were read to their end. */

/** Ends with the signal's reason also while a chunk is awaited: a sender may never send another. */
export async function* stoppable(source: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const iterator = source[Symbol.asyncIterator]();
  let stop!: (reason: unknown) => void;
  const stopped = new Promise<never>((_, reject) => (stop = reject));
  stopped.catch(() => undefined);
  const onAbort = (): void => stop(signal.reason);
  signal.addEventListener('abort', onAbort);
  let ended = false;
  try {
    signal.throwIfAborted();
    for (;;) {
      const next = await Promise.race([iterator.next(), stopped]);
      if (next.done === true) {
        ended = true;
        return;
      }
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    // Not awaited: a generator that waits for its sender only returns when that one sends.
    if (!ended) void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

/** Reads up to `limit` bytes ahead: whether that was all, and everything as a stream again. */
export async function readAhead(
  source: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<{ bytes: number | undefined; chunks: AsyncGenerator<Uint8Array> }> {
  const iterator = source[Symbol.asyncIterator]();
  const start: Uint8Array[] = [];
  let length = 0;
  let ended = false;
  while (length <= limit && !ended) {
    const next = await iterator.next();
    ended = next.done === true;
    if (next.done === true) break;
    start.push(next.value);
    length += next.value.length;
  }
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      yield* start;
      start.length = 0;
      while (!ended) {
        const next = await iterator.next();
        ended = next.done === true;
        if (next.done !== true) yield next.value;
      }
    } finally {
      if (!ended) await iterator.return?.();
    }
  }
  return { bytes: ended ? length : undefined, chunks: chunks() };
}

/** Calls back when the last byte was taken. */
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
