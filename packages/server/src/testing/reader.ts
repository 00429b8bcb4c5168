/** Readers of answers over a socket of their own: slow ones, and ones that go away. */
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export class Reader {
  text = '';
  closed = false;
  readonly #socket: Socket;
  readonly #ended: Promise<void>;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('latin1');
    socket.on('data', (data: string) => (this.text += data));
    socket.on('error', () => undefined);
    this.#ended = new Promise((resolve) =>
      socket.on('close', () => {
        this.closed = true;
        resolve();
      }),
    );
    onTestFinished(() => void socket.destroy());
  }

  /** Sends a GET and reads the answer, or nothing of it until {@link read}. */
  static async get(url: string, headers: Readonly<Record<string, string>> = {}, reads = true): Promise<Reader> {
    const { hostname, port, pathname, search } = new URL(url);
    const socket = connect(Number(port), hostname);
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    const reader = new Reader(socket);
    if (!reads) socket.pause();
    const lines = Object.entries({ Host: `${hostname}:${port}`, Connection: 'close', ...headers });
    socket.write(
      `GET ${pathname}${search} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
    );
    return reader;
  }

  /** The answer has begun, and no more of it is read until {@link read}. */
  static async begun(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Reader> {
    const reader = await Reader.get(url, headers, false);
    const begun = new Promise<void>((resolve) =>
      reader.#socket.once('data', () => {
        reader.stop();
        resolve();
      }),
    );
    reader.read();
    await begun;
    return reader;
  }

  get status(): number {
    return Number(/^HTTP\/1\.1 (\d+)/.exec(this.text)?.[1] ?? 0);
  }

  /** Whether the last chunk has come. */
  get complete(): boolean {
    return this.text.endsWith('0\r\n\r\n');
  }

  stop(): void {
    this.#socket.pause();
  }

  read(): void {
    this.#socket.resume();
  }

  leave(): void {
    this.#socket.destroy();
  }

  /** Resolves when the connection is closed. */
  async end(): Promise<void> {
    await this.#ended;
  }
}
