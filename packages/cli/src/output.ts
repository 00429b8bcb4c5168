/** Output with backpressure. */
import type { Writable } from 'node:stream';

/** The reader of the output has closed it, as `head` does. This is no failure. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed';
}

export class Output {
  #failure: Error | undefined;
  readonly #stream: Writable;

  constructor(stream: Writable) {
    this.#stream = stream;
    stream.on('error', (error: NodeJS.ErrnoException) => {
      this.#failure = error.code === 'EPIPE' ? new OutputClosed() : error;
    });
  }

  /** Resolves when the stream accepts more. */
  async write(text: string): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#stream.write(text)) return;
    await this.#drained();
  }

  async line(text: string): Promise<void> {
    await this.write(`${text}\n`);
  }

  async json(value: unknown): Promise<void> {
    await this.line(JSON.stringify(value));
  }

  /** Writes a lazy sequence. Small chunks are joined, because each write is a system call. */
  async writeAll(chunks: AsyncIterable<string>): Promise<void> {
    let text = '';
    for await (const chunk of chunks) {
      text += chunk;
      if (text.length < 64 * 1024) continue;
      await this.write(text);
      text = '';
    }
    if (text !== '') await this.write(text);
  }

  #drained(): Promise<void> {
    const stream = this.#stream;
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        stream.off('drain', settle);
        stream.off('error', settle);
        stream.off('close', settle);
        // The listener of the constructor has handled the error already.
        if (this.#failure !== undefined) reject(this.#failure);
        else if (stream.destroyed) reject(new OutputClosed());
        else resolve();
      };
      stream.on('drain', settle).on('error', settle).on('close', settle);
    });
  }
}

/** A document that ends with the end of a line, as a terminal and other programs expect of a text. */
export async function* endingLine(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let last = '\n';
  for await (const chunk of chunks) {
    if (chunk !== '') last = chunk;
    yield chunk;
  }
  if (!last.endsWith('\n')) yield '\n';
}
