/** From a lazy sequence of text to the body of an answer, with backpressure. */

const encoder = new TextEncoder();
const MIN_CHUNK = 16 * 1024;

/**
 * The body of an answer. The first chunk is read before this returns, so that an error that shows at once still gets
 * its own status. A client that goes away stops the iteration.
 */
export async function textBody(chunks: AsyncIterable<string>): Promise<ReadableStream<Uint8Array>> {
  const iterator = chunks[Symbol.asyncIterator]();
  let next: IteratorResult<string> | undefined = await iterator.next();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let text = '';
        while (text.length < MIN_CHUNK) {
          const result = next ?? (await iterator.next());
          next = undefined;
          if (result.done === true) {
            if (text !== '') controller.enqueue(encoder.encode(text));
            controller.close();
            return;
          }
          text += result.value;
        }
        controller.enqueue(encoder.encode(text));
      },
      async cancel() {
        await iterator.return?.();
      },
    },
    // Nothing is read ahead of what the connection asks for.
    { highWaterMark: 0 },
  );
}
