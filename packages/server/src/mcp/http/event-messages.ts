/** The messages of a stream of server-sent events. */

/** A longer event is not one of this protocol. */
const MOST_CHARACTERS = 10 * 1024 ** 2;

/** @throws Error where an event is too long, or no JSON */
export async function* eventMessages(body: ReadableStream<Uint8Array>): AsyncGenerator<object> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    const events = text.split(/\r?\n\r?\n/);
    text = events.pop()!;
    if (text.length > MOST_CHARACTERS) throw new Error('an event is too long');
    for (const event of events) {
      const data = event.split(/\r?\n/).flatMap((line) => /^data: ?(.*)$/.exec(line)?.[1] ?? []);
      if (data.length > 0) yield JSON.parse(data.join('\n')) as object;
    }
  }
}
