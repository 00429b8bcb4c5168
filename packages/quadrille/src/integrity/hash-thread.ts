/** Hashes the lines of large changes in a thread of Node.js, while the next lines are made. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Lines, LineThread } from './line-hash.js';
import { compiledLineHash } from './line-hash.js';

/** Bytes and lines of a message. */
const MESSAGE_BYTES = 256 * 1024;
const MESSAGE_LINES = 4096;
/** Messages that may wait for the thread. */
const MOST_WAITING = 8;

/** A text, so that no bundle has to find a file. It answers each message, and the last one, which has no lines, with the sum. */
const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads');
const { memory, sumStart, freeStart, hashLines } = new WebAssembly.Instance(workerData).exports;
const lengthsAt = freeStart();
parentPort.on('message', ({ bytes, lengths }) => {
  if (lengths.length === 0) return parentPort.postMessage(new Uint16Array(memory.buffer, sumStart(), 1024).slice());
  const linesAt = lengthsAt + lengths.byteLength;
  const lacking = linesAt + bytes.length - memory.buffer.byteLength;
  if (lacking > 0) memory.grow(Math.ceil(lacking / 65536));
  new Int32Array(memory.buffer, lengthsAt, lengths.length).set(lengths);
  new Uint8Array(memory.buffer).set(bytes, linesAt);
  hashLines(lengthsAt, lengths.length, linesAt);
  parentPort.postMessage(undefined);
});
`;

export class HashThread implements LineThread {
  readonly #worker: Worker;
  #bytes = new Uint8Array(MESSAGE_BYTES);
  #lengths = new Int32Array(MESSAGE_LINES);
  #filled = 0;
  #count = 0;
  #waiting = 0;
  #sum: Uint16Array | undefined;
  #failure: Error | undefined;
  #wake: () => void = () => undefined;

  /** `undefined` where there is no second core. Rejects if there is no WebAssembly with vectors. */
  static async open(): Promise<HashThread | undefined> {
    return availableParallelism() < 2 ? undefined : new HashThread(await compiledLineHash());
  }

  private constructor(module: WebAssembly.Module) {
    // The thread does not inherit options of the command line, such as `--input-type`.
    this.#worker = new Worker(PROGRAM, { eval: true, workerData: module, name: 'quadrille-hash', execArgv: [] });
    this.#worker.on('message', (sum: Uint16Array | undefined) => {
      this.#waiting--;
      this.#sum = sum;
      this.#wake();
    });
    const fail = (error: Error): void => {
      this.#failure ??= error;
      this.#wake();
    };
    this.#worker.on('error', fail);
    this.#worker.on('exit', () => fail(new Error('the thread that hashes has ended')));
  }

  async add({ bytes, lengths, count }: Lines): Promise<void> {
    if (this.#filled + bytes.length > this.#bytes.length || this.#count + count > MESSAGE_LINES) {
      this.#send();
      if (bytes.length > this.#bytes.length) this.#bytes = new Uint8Array(bytes.length);
      await this.#until(() => this.#waiting < MOST_WAITING);
    }
    this.#bytes.set(bytes, this.#filled);
    this.#lengths.set(lengths.subarray(0, count), this.#count);
    this.#filled += bytes.length;
    this.#count += count;
  }

  async sum(): Promise<Uint16Array> {
    if (this.#count > 0) this.#send();
    this.#send();
    await this.#until(() => this.#waiting === 0);
    return this.#sum!;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #send(): void {
    const bytes = this.#bytes.subarray(0, this.#filled);
    const lengths = this.#lengths.subarray(0, this.#count);
    this.#worker.postMessage({ bytes, lengths }, [bytes.buffer, lengths.buffer]);
    this.#waiting++;
    this.#bytes = new Uint8Array(MESSAGE_BYTES);
    this.#lengths = new Int32Array(MESSAGE_LINES);
    this.#filled = this.#count = 0;
  }

  async #until(isReached: () => boolean): Promise<void> {
    while (!isReached()) {
      if (this.#failure !== undefined) throw this.#failure;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
