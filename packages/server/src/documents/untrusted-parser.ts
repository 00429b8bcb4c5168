/**
 * Parses documents in a thread with bounds of memory and time, for formats that are read as a whole or refer to other documents.
 * Short documents are parsed without a thread if the parser needs no more memory than their length.
 */
import type { AsyncParserOptions, AsyncRdfParser, RdfFormat } from '@quadrille/formats';
import { openParser } from '@quadrille/formats';
import { WorkerParser } from '@quadrille/formats-extra/worker';

/** Number of threads, and memory of each. Their product bounds the memory of all. */
const MAX_THREADS = 8;
const THREAD_MEMORY_MB = 256;
/** Documents up to this length are parsed without a thread. */
const SHORT_BYTES = 32 * 1024;

let running = 0;
const waiting: (() => void)[] = [];

/** The same format with this parser. `always`: uses a thread for short documents too. */
export function untrusted(format: RdfFormat, { always = false }: { always?: boolean } = {}): RdfFormat {
  // Without these members a load does not use its own thread, which has no bounds.
  const {
    createParser: _,
    createAsyncParser: __,
    createFastParser: ___,
    load: ____,
    module: _____,
    ...others
  } = format;
  return {
    ...others,
    createAsyncParser: (options) => new UntrustedParser(format, options, always ? 0 : SHORT_BYTES),
  };
}

class UntrustedParser implements AsyncRdfParser {
  #held: Uint8Array[] = [];
  #bytes = 0;
  #thread: WorkerParser | undefined;
  #leave: () => void = () => undefined;

  constructor(
    private readonly format: RdfFormat,
    private readonly options: AsyncParserOptions,
    private readonly shortBytes: number,
  ) {}

  async push(chunk: Uint8Array): Promise<void> {
    if (this.#thread !== undefined) return this.#inThread((thread) => thread.push(chunk));
    this.#held.push(chunk.slice());
    this.#bytes += chunk.length;
    if (this.#bytes > this.shortBytes) await this.#startThread();
  }

  async end(): Promise<void> {
    if (this.#thread === undefined && this.#bytes <= this.shortBytes && this.shortBytes > 0) return this.#parseHere();
    if (this.#thread === undefined) await this.#startThread();
    await this.#inThread((thread) => thread.end());
    this.#leave();
  }

  async #parseHere(): Promise<void> {
    const parser = await openParser(this.format, this.options);
    for (const chunk of this.#held) await parser.push(chunk);
    await parser.end();
  }

  async #startThread(): Promise<void> {
    const { signal } = this.options;
    const free = await enter(signal);
    this.#leave = (): void => {
      signal?.removeEventListener('abort', this.#leave);
      free();
    };
    signal?.addEventListener('abort', this.#leave);
    const format = this.format.name;
    this.#thread = new WorkerParser({ ...this.options, format, maxMemoryMb: THREAD_MEMORY_MB });
    const held = this.#held;
    this.#held = [];
    for (const chunk of held) await this.#inThread((thread) => thread.push(chunk));
  }

  async #inThread(step: (thread: WorkerParser) => Promise<void>): Promise<void> {
    try {
      await step(this.#thread!);
    } catch (error) {
      this.#leave();
      throw error;
    }
  }
}

/** Waits for a free thread. Resolves with the function that frees it. */
async function enter(signal: AbortSignal | undefined): Promise<() => void> {
  signal?.throwIfAborted();
  if (running < MAX_THREADS) running++;
  else await turn(signal);
  let left = false;
  return () => {
    if (left) return;
    left = true;
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
  };
}

function turn(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const go = (): void => {
      signal?.removeEventListener('abort', stop);
      resolve();
    };
    const stop = (): void => {
      waiting.splice(waiting.indexOf(go), 1);
      reject(signal?.reason as Error);
    };
    waiting.push(go);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
