/** Makes the body of a reply from a lazy sequence of text, with backpressure. */
import type { Turn } from '../host/index.js';

const encoder = new TextEncoder();
const MIN_CHUNK = 16 * 1024;
/** Longer pieces are handed over in parts, so that a slow reader is seen to take something. */
const MAX_CHUNK = 64 * 1024;

/**
 * The body of a reply: a text if it is short, else a stream. The beginning is read before this resolves, so that an early error still
 * gets its own status. The iteration stops when the client disconnects. With a `turn` the time in which the client takes nothing does not
 * count, and a stream ends the turn.
 */
export async function textBody(
  chunks: AsyncIterable<string>,
  turn?: Turn,
): Promise<string | ReadableStream<Uint8Array>> {
  const iterator = chunks[Symbol.asyncIterator]();
  const beginning = await gather(iterator);
  if (beginning.done) return beginning.text;
  turn?.pause();
  // Chunks are read only when the connection takes them.
  return new ReadableStream<Uint8Array>(new TextSource(iterator, beginning, turn), { highWaterMark: 0 });
}

class TextSource implements UnderlyingDefaultSource<Uint8Array> {
  #bytes: Uint8Array;
  #done: boolean;
  #stopListening: (() => void) | undefined;

  constructor(
    private readonly iterator: AsyncIterator<string>,
    beginning: Gathered,
    private readonly turn: Turn | undefined,
  ) {
    this.#bytes = encoder.encode(beginning.text);
    this.#done = beginning.done;
  }

  /** A turn may be ended while nobody reads: the reader has to hear of it, and what the query holds is freed. */
  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#stopListening = this.turn?.task.control.onFailure((error) => {
      if (!this.turn!.waits) return;
      controller.error(error);
      this.cancel(error).catch(() => undefined);
    });
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    try {
      const turn = this.turn?.resume();
      if (turn !== undefined) await turn;
      if (this.#bytes.length === 0) await this.#read();
      if (this.#bytes.length > 0) controller.enqueue(this.#take());
      if (this.#bytes.length > 0 || !this.#done) return this.turn?.pause();
      this.#end();
      controller.close();
    } catch (error) {
      // The turn may have ended, and not the source: what that holds is freed.
      await this.cancel(error).catch(() => undefined);
      throw error;
    }
  }

  async cancel(reason?: unknown): Promise<void> {
    try {
      await this.iterator.return?.();
    } finally {
      this.#end(reason);
    }
  }

  async #read(): Promise<void> {
    if (this.#done) return;
    const { text, done } = await gather(this.iterator);
    this.#bytes = encoder.encode(text);
    this.#done = done;
  }

  #take(): Uint8Array {
    const chunk = this.#bytes.subarray(0, MAX_CHUNK);
    this.#bytes = this.#bytes.subarray(chunk.length);
    return chunk;
  }

  #end(error?: unknown): void {
    this.#stopListening?.();
    this.turn?.leave(error);
  }
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
