/** From a lazy sequence of text to the body of an answer, with backpressure. */

const encoder = new TextEncoder();
const MIN_CHUNK = 16 * 1024;

/**
 * The body of an answer: its text where it is short, else a stream. The beginning is read before this returns, so that
 * an error that shows early still gets its own status. A client that goes away stops the iteration.
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
    // Nothing is read ahead of what the connection asks for.
    { highWaterMark: 0 },
  );
}

interface Gathered {
  readonly text: string;
  readonly done: boolean;
}

/** Small pieces together, since each chunk that goes out costs the same. */
async function gather(iterator: AsyncIterator<string>): Promise<Gathered> {
  let text = '';
  while (text.length < MIN_CHUNK) {
    const result = await iterator.next();
    if (result.done === true) return { text, done: true };
    text += result.value;
  }
  return { text, done: false };
}
