/** Writing to standard output, or a file, no faster than it is taken. */
import type { Writable } from 'node:stream';

/** The reader of our output went away, as `head` does when it has enough. Not a failure. */
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

  /** Resolves when there is room for more. */
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

  /** Writes a lazy sequence; its chunks are gathered, since each write is a system call. */
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
        // The listener of the constructor ran first and knows what the error means.
        if (this.#failure !== undefined) reject(this.#failure);
        else if (stream.destroyed) reject(new OutputClosed());
        else resolve();
      };
      stream.on('drain', settle).on('error', settle).on('close', settle);
    });
  }
}
