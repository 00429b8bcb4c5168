/**
 * How a query thread reads values: it writes a key into shared memory, tells the main thread and sleeps. The main thread
 * writes the value, as it is stored, into the same memory. So all storages work alike, and the thread needs no files.
 */
import { MAX_KEY_BYTES, MAX_VALUE_BYTES } from '@quadrille/storage';
import type { Bytes, StorageDriver, StorageEngine } from '@quadrille/storage';
import { receiveError, sendError } from './sent-errors.js';
import type { SentError } from './sent-errors.js';

const PENDING = 0;
const FOUND = 1;
const MISSING = 2;
const FAILED = 3;

/** Words of the header: the state, and the number of bytes that follow. */
const STATE = 0;
const LENGTH = 1;
const HEADER_BYTES = 8;
/** Room for the envelope of a value. */
const ENVELOPE_BYTES = 64;
const CONTENT_BYTES = Math.max(MAX_KEY_BYTES, MAX_VALUE_BYTES + ENVELOPE_BYTES);

export const newReadMemory = (): SharedArrayBuffer => new SharedArrayBuffer(HEADER_BYTES + CONTENT_BYTES);

class ReadMemory {
  readonly words: Int32Array;
  readonly content: Uint8Array;

  constructor(memory: SharedArrayBuffer) {
    this.words = new Int32Array(memory, 0, HEADER_BYTES / 4);
    this.content = new Uint8Array(memory, HEADER_BYTES);
  }

  put(bytes: Uint8Array): void {
    this.content.set(bytes);
    this.words[LENGTH] = bytes.length;
  }

  /** A copy of the bytes, in memory that is not shared: it stays, and can be decoded as text. */
  take(): Uint8Array {
    return this.content.slice(0, this.words[LENGTH]);
  }
}

/** The side of the query thread. */
export class ReadRequests {
  readonly #memory: ReadMemory;

  constructor(
    memory: SharedArrayBuffer,
    /** Tells the main thread that a key is in the memory. */
    private readonly ask: () => void,
  ) {
    this.#memory = new ReadMemory(memory);
  }

  /** The stored value of a key. Blocks the thread. @throws what the storage throws */
  read(key: Bytes): Bytes | undefined {
    const memory = this.#memory;
    memory.put(key);
    Atomics.store(memory.words, STATE, PENDING);
    this.ask();
    Atomics.wait(memory.words, STATE, PENDING);
    const state = Atomics.load(memory.words, STATE);
    if (state === MISSING) return undefined;
    const bytes = memory.take();
    if (state === FOUND) return bytes;
    throw receiveError(JSON.parse(new TextDecoder().decode(bytes)) as SentError);
  }
}

/** The side of the main thread. */
export class ReadAnswers {
  readonly #memory: ReadMemory;

  constructor(
    memory: SharedArrayBuffer,
    private readonly engine: StorageEngine,
    private readonly driver: StorageDriver,
  ) {
    this.#memory = new ReadMemory(memory);
  }

  /** Answers the request in the memory. */
  answer(): void {
    const key = this.#memory.take();
    try {
      if (this.engine.canGetSync) this.#found(this.driver.getSync!(key));
      else void this.#answerLater(key);
    } catch (error) {
      this.#failed(error);
    }
  }

  // While the storage is reopened, a read of the engine waits for that. Then the driver can be read.
  async #answerLater(key: Bytes): Promise<void> {
    try {
      while (!this.engine.canGetSync) await this.engine.get(key);
      this.#found(this.driver.getSync!(key));
    } catch (error) {
      this.#failed(error);
    }
  }

  #found(value: Bytes | undefined): void {
    if (value !== undefined) this.#memory.put(value);
    this.#wake(value === undefined ? MISSING : FOUND);
  }

  #failed(error: unknown): void {
    const { message, ...rest } = sendError(error);
    this.#memory.put(new TextEncoder().encode(JSON.stringify({ ...rest, message: message.slice(0, 1000) })));
    this.#wake(FAILED);
  }

  #wake(state: number): void {
    const { words } = this.#memory;
    Atomics.store(words, STATE, state);
    Atomics.notify(words, STATE);
  }
}
