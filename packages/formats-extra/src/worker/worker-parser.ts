/**
 * A parser in a thread of its own, for documents that nobody vouches for: what it takes of memory and time is bounded, and a
 * document that takes more is an error of the document, not the end of the process.
 */
import { Worker } from 'node:worker_threads';
import { DEFAULT_LIMITS } from '@quadrille/formats';
import type { AsyncParserOptions, AsyncRdfParser, ParserLimits } from '@quadrille/formats';
import { EvaluationError, ParseError } from '@quadrille/model';
import { errorOf } from './messages.js';
import type { FromThread, ThreadOptions, ToThread } from './messages.js';
import { Replay } from './recording.js';

export interface WorkerParserOptions extends AsyncParserOptions {
  /** The format: a name, media type or extension. */
  readonly format: string;
  /** Most memory that objects of the thread may take; longest document, token and term follow from it. Default 512 MB. */
  readonly maxMemoryMb?: number | undefined;
  /** Most time that the thread may be at work. Default 30 s, and for every megabyte of the document 2 s more. */
  readonly timeoutMs?: number | undefined;
  readonly timeoutMsPerMb?: number | undefined;
  /** Called when the sink was given a batch of about 256 KB; the next one waits for it. */
  readonly onBatch?: (() => Promise<void> | void) | undefined;
}

/** What a thread is sent at once. */
const SLICE_BYTES = 256 * 1024;
const MEGABYTE = 1024 * 1024;
const DEFAULT_MEMORY_MB = 512;

export class WorkerParser implements AsyncRdfParser {
  readonly #options: WorkerParserOptions;
  readonly #taken = new Int32Array(new SharedArrayBuffer(4));
  readonly #replay: Replay;
  readonly #worker: Worker;
  /** Batches are taken one after the other. */
  #batches: Promise<void> = Promise.resolve();
  #waiting: { readonly resolve: () => void; readonly reject: (error: unknown) => void } | undefined;
  #failure: { readonly error: unknown } | undefined;
  #bytes = 0;
  /** Whether the thread has something to do, and how many things keep it waiting; the first one is its own start. */
  #working = false;
  #holds = 1;
  /** Time that the thread was at work, and since when it is. */
  #busyMs = 0;
  #busySince: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #onAbort = (): void => this.#fail(this.#options.signal?.reason);

  constructor(options: WorkerParserOptions) {
    this.#options = options;
    this.#replay = new Replay(options.sink);
    const { format, source, baseIRI, loadDocument, maxMemoryMb = DEFAULT_MEMORY_MB, signal } = options;
    const limits = limitsWithin(options.limits, maxMemoryMb * MEGABYTE);
    const canLoad = loadDocument !== undefined;
    const workerData: ThreadOptions = { format, source, baseIRI, limits, canLoad, taken: this.#taken };
    this.#worker = new Worker(new URL('thread.js', import.meta.url), {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb, maxYoungGenerationSizeMb: 32 },
    });
    this.#worker.on('message', (message: FromThread) => this.#receive(message));
    this.#worker.on('error', (error) => this.#fail(this.#threadError(error)));
    this.#worker.on('exit', () => this.#fail(new EvaluationError('ABORTED', 'the thread that parses has ended')));
    if (signal?.aborted === true) this.#onAbort();
    signal?.addEventListener('abort', this.#onAbort);
  }

  /** Resolves when the thread has parsed the chunk and the sink has what it gave. The chunk may be reused then. */
  async push(chunk: Uint8Array): Promise<void> {
    for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
      const bytes = chunk.slice(at, at + SLICE_BYTES);
      this.#bytes += bytes.length;
      await this.#step({ type: 'push', bytes }, [bytes.buffer]);
    }
  }

  /** Parses what is left, and ends the thread. */
  async end(): Promise<void> {
    try {
      await this.#step({ type: 'end' });
    } finally {
      await this.close();
    }
  }

  /** Ends the thread. Can be called at any time and more than once; needed where neither `end` nor an error came. */
  async close(): Promise<void> {
    this.#working = false;
    this.#measure();
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    this.#failure ??= { error: new EvaluationError('ABORTED', 'the parser is closed') };
    await this.#worker.terminate();
  }

  async #step(message: ToThread, transfer: ArrayBuffer[] = []): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      if (this.#failure !== undefined) {
        reject(this.#failure.error);
        return;
      }
      this.#waiting = { resolve, reject };
      this.#working = true;
      this.#measure();
      this.#worker.postMessage(message, transfer);
    });
  }

  #receive(message: FromThread): void {
    if (message.type === 'batch') this.#batches = this.#batches.then(() => this.#take(message.bytes));
    else if (message.type === 'load') void this.#load(message.url);
    else if (message.type === 'failed') void this.#batches.then(() => this.#fail(errorOf(message)));
    else if (message.type === 'ready') {
      this.#holds--;
      this.#measure();
    } else {
      this.#working = false;
      this.#measure();
      void this.#batches.then(() => this.#waiting?.resolve());
    }
  }

  async #take(batch: Uint8Array): Promise<void> {
    if (this.#failure !== undefined) return;
    try {
      this.#replay.play(batch);
      const { onBatch } = this.#options;
      // The time that the receiver takes is not the thread's.
      if (onBatch !== undefined) await this.#held(async () => onBatch());
      Atomics.add(this.#taken, 0, 1);
      Atomics.notify(this.#taken, 0);
    } catch (error) {
      this.#fail(error);
    }
  }

  async #load(url: string): Promise<void> {
    let answer: ToThread;
    try {
      const { loadDocument, signal } = this.#options;
      answer = { type: 'document', url, text: await this.#held(() => loadDocument!(url, signal)) };
    } catch (error) {
      answer = { type: 'noDocument', url, reason: error instanceof Error ? error.message : String(error) };
    }
    this.#worker.postMessage(answer, []);
  }

  #fail(error: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = { error };
    this.#waiting?.reject(error);
    void this.close();
  }

  /** Something that the thread waits for. */
  async #held<T>(work: () => Promise<T>): Promise<T> {
    this.#holds++;
    this.#measure();
    try {
      return await work();
    } finally {
      this.#holds--;
      this.#measure();
    }
  }

  /** Starts or stops the clock, as the thread is at work or not. */
  #measure(): void {
    const isBusy = this.#working && this.#holds === 0;
    if (isBusy === (this.#busySince !== undefined)) return;
    if (!isBusy) {
      clearTimeout(this.#timer);
      this.#busyMs += performance.now() - this.#busySince!;
      this.#busySince = undefined;
      return;
    }
    const { timeoutMs = 30_000, timeoutMsPerMb = 2000 } = this.#options;
    const allowed = timeoutMs + (timeoutMsPerMb * this.#bytes) / MEGABYTE;
    const late = (): void => this.#fail(this.#error(`parsing takes longer than ${Math.ceil(allowed / 1000)} s`));
    this.#busySince = performance.now();
    this.#timer = setTimeout(late, Math.max(0, allowed - this.#busyMs));
  }

  #threadError(error: Error): Error {
    const { code } = error as { code?: unknown };
    if (code !== 'ERR_WORKER_OUT_OF_MEMORY') return error;
    return this.#error(`parsing needs more than ${this.#options.maxMemoryMb ?? DEFAULT_MEMORY_MB} MB`, error);
  }

  #error(reason: string, cause?: unknown): ParseError {
    return new ParseError('RDF_SYNTAX', reason, { source: this.#options.source }, { cause });
  }
}

/**
 * Limits under which no single step takes much of the memory. Node.js ends a thread that comes near its limit, but only
 * between steps: one string of more than 16 MB, where no room is left, ends the process.
 */
function limitsWithin(limits: ParserLimits | undefined, memoryBytes: number): ParserLimits {
  const least = (given: number | undefined, usual: number, share: number): number =>
    Math.min(given ?? usual, Math.floor(memoryBytes / share));
  return {
    ...limits,
    maxTermBytes: least(limits?.maxTermBytes, DEFAULT_LIMITS.maxTermBytes, 32),
    maxLineBytes: least(limits?.maxLineBytes, DEFAULT_LIMITS.maxLineBytes, 16),
    // Values of JSON take up to sixteen times their text.
    maxDocumentBytes: least(limits?.maxDocumentBytes, DEFAULT_LIMITS.maxDocumentBytes, 32),
  };
}
