/** Makes the body of a reply from a lazy sequence of text, with backpressure. */

const encoder = new TextEncoder();
const MIN_CHUNK = 16 * 1024;

/**
 * The body of a reply: a text if it is short, else a stream. The beginning is read before this resolves, so that an early
 * error still gets its own status. The iteration stops when the client disconnects.
 */
export async function textBody(chunks: AsyncIterable<string>): Promise<string | ReadableStream<Uint8Array>> {
  const iterator = chunks[Symbol.asyncIterator]();
  const beginning = await gather(iterator);
  if (beginning.done) return beginning.text;
  let ready: Gathered | undefined = beginning;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { text, done } = ready ?? (await gather(iterator));
        ready = undefined;
        if (text !== '') controller.enqueue(encoder.encode(text));
        if (done) controller.close();
      },
      async cancel() {
        await iterator.return?.();
      },
    },
    // Chunks are read only when the connection takes them.
    { highWaterMark: 0 },
  );
}

interface Gathered {
  readonly text: string;
  readonly done: boolean;
}

/** Joins small pieces, because every chunk has the same fixed cost. */
async function gather(iterator: AsyncIterator<string>): Promise<Gathered> {
  let text = '';
  while (text.length < MIN_CHUNK) {
    const result = await iterator.next();
    if (result.done === true) return { text, done: true };
    text += result.value;
  }
  return { text, done: false };
}
