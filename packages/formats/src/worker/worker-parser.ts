/**
 * A parser in a thread of its own. Chunks are sent ahead of parsing, and the results wait until the next call: the sink is called
 * only while `push` or `end` runs, and both threads work at the same time.
 */
import { Worker } from 'node:worker_threads';
import { EvaluationError, ParseError } from '@quadrille/model';
import { checkJsonLdOptions } from '../json-ld-options.js';
import { DEFAULT_LIMITS } from '../parser.js';
import type { AsyncParserOptions, AsyncRdfParser, ParserLimits } from '../parser.js';
import { errorOf } from './messages.js';
import type { FromThread, ThreadOptions, ToThread } from './messages.js';
import { BATCH_BYTES, Replay } from './recording.js';

export interface WorkerParserOptions extends AsyncParserOptions {
  /** Name, media type or extension of the format. With `module` it is the name. */
  readonly format: string;
  /** URL of the module that exports the format. */
  readonly module?: string | undefined;
  /** Largest heap of the thread in megabytes. The limits of documents, tokens and terms depend on it. */
  readonly maxMemoryMb?: number | undefined;
  /** Longest time that the thread may work, in milliseconds, and the addition for every megabyte of the document. */
  readonly timeoutMs?: number | undefined;
  readonly timeoutMsPerMb?: number | undefined;
  /** Whether the thread has a low priority. */
  readonly background?: boolean | undefined;
  /** The file that the thread runs. By default it knows the formats of this package. */
  readonly thread?: URL | undefined;
}

/** The file of a thread that knows the formats of this package. */
export const threadFile = new URL('thread.js', import.meta.url);

/** Size of a message to the thread, and number of bytes that may wait there. */
const SLICE_BYTES = 256 * 1024;
const AHEAD_BYTES = 16 * SLICE_BYTES;
const MEGABYTE = 1024 * 1024;

export class WorkerParser implements AsyncRdfParser {
  readonly #options: WorkerParserOptions;
  readonly #taken = new Int32Array(new SharedArrayBuffer(4));
  readonly #replay: Replay;
  readonly #worker: Worker;
  /** Batches that were received and not yet replayed. */
  readonly #batches: Uint8Array<ArrayBuffer>[] = [];
  /** Memory of chunks that the thread has parsed, for reuse. */
  readonly #spare: ArrayBuffer[] = [];
  readonly #loadErrors = new Map<string, unknown>();
  /** Number of bytes sent, and of those that the thread has not parsed yet. */
  #bytes = 0;
  #unparsed = 0;
  #ending = false;
  /** A failure that ends the parse at once. */
  #failure: { readonly error: unknown } | undefined;
  /** The fault of the document. It is thrown after all batches before it are replayed. */
  #fault: Error | undefined;
  #wake: () => void = () => undefined;
  /** Number of tasks that the thread waits for. The first one is its own start. */
  #holds = 1;
  /** Time that the thread has worked, and the start of its current work. */
  #busyMs = 0;
  #busySince: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #onAbort = (): void => this.#fail(this.#options.signal?.reason);

  /** @throws InvalidArgumentError `INVALID_OPTION` */
  constructor(options: WorkerParserOptions) {
    checkJsonLdOptions(options.jsonLd, 'WorkerParser');
    this.#options = options;
    this.#replay = new Replay(options.sink);
    const { thread = threadFile, maxMemoryMb, signal } = options;
    const resourceLimits =
      maxMemoryMb === undefined ? {} : { maxOldGenerationSizeMb: maxMemoryMb, maxYoungGenerationSizeMb: 32 };
    // The thread does not inherit options of the command line, such as `--input-type`.
    this.#worker = new Worker(thread, { workerData: this.#threadOptions(), resourceLimits, execArgv: [] });
    this.#worker.on('message', (message: FromThread) => this.#receive(message));
    this.#worker.on('error', (error) => this.#fail(this.#threadError(error)));
    this.#worker.on('exit', () => this.#fail(new EvaluationError('ABORTED', 'the thread that parses has ended')));
    if (signal?.aborted === true) this.#onAbort();
    signal?.addEventListener('abort', this.#onAbort);
  }

  /** Resolves when the thread has room for more. The chunk may be reused then. */
  async push(chunk: Uint8Array): Promise<void> {
    for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
      const slice = chunk.subarray(at, at + SLICE_BYTES);
      const bytes = new Uint8Array(this.#spare.pop() ?? new ArrayBuffer(SLICE_BYTES), 0, slice.length);
      bytes.set(slice);
      this.#bytes += slice.length;
      this.#unparsed += slice.length;
      this.#send({ type: 'push', bytes }, [bytes.buffer]);
      await this.#until(() => this.#unparsed <= AHEAD_BYTES);
    }
  }

  /** Resolves when the document is parsed, the sink has all statements, and the thread has ended. */
  async end(): Promise<void> {
    try {
      this.#ending = true;
      this.#send({ type: 'end' });
      await this.#until(() => !this.#ending);
    } finally {
      await this.close();
    }
  }

  /** Ends the thread. May be called at any time and repeatedly. Needed only if neither `end` was called nor an error was thrown. */
  async close(): Promise<void> {
    this.#failure ??= { error: new EvaluationError('ABORTED', 'the parser is closed') };
    this.#batches.length = 0;
    this.#measure();
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    this.#wake();
    await this.#worker.terminate();
  }

  #threadOptions(): ThreadOptions {
    const { format, module, source, baseIRI, loadDocument, maxMemoryMb, background = false } = this.#options;
    const { limits, readSoFar, jsonLd, onFault, onDropped } = this.#options;
    return {
      format,
      module,
      source,
      baseIRI,
      limits: maxMemoryMb === undefined ? limits : limitsWithin(limits, maxMemoryMb * MEGABYTE),
      readSoFar,
      jsonLd,
      canLoad: loadDocument !== undefined,
      skips: onFault !== undefined,
      tellsDropped: onDropped !== undefined,
      background,
      taken: this.#taken,
    };
  }

  #send(message: ToThread, transfer: ArrayBuffer[] = []): void {
    if (this.#failure !== undefined) throw this.#failure.error;
    this.#measure();
    this.#worker.postMessage(message, transfer);
  }

  /** Replays incoming batches until a condition holds. */
  async #until(isSo: () => boolean): Promise<void> {
    for (;;) {
      for (let batch = this.#batches[0]; batch !== undefined; batch = this.#batches[0]) await this.#take(batch);
      if (this.#failure !== undefined) throw this.#failure.error;
      if (this.#fault !== undefined) {
        this.#fail(this.#fault);
        throw this.#fault;
      }
      if (isSo()) return;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  async #take(batch: Uint8Array<ArrayBuffer>): Promise<void> {
    try {
      this.#replay.play(batch);
      this.#batches.shift();
      this.#measure();
      const { onBatch } = this.#options;
      // The time of the receiver does not count as work of the thread.
      if (onBatch !== undefined) await this.#held(async () => onBatch());
    } catch (error) {
      this.#fail(error);
    }
    if (this.#failure !== undefined) return;
    Atomics.add(this.#taken, 0, 1);
    Atomics.notify(this.#taken, 0);
    const { buffer } = batch;
    if (buffer.byteLength === BATCH_BYTES) this.#worker.postMessage({ type: 'spare', buffer }, [buffer]);
  }

  #receive(message: FromThread): void {
    if (this.#failure !== undefined) return;
    if (message.type === 'batch') this.#batches.push(message.bytes);
    else if (message.type === 'load') void this.#load(message.url);
    else if (message.type === 'fault' || message.type === 'dropped') this.#tell(message);
    else if (message.type === 'failed') {
      this.#fault = errorOf(message, this.#options.source, this.#loadErrors);
    } else if (message.type === 'ready') this.#holds--;
    else if (message.bytes === undefined) this.#ending = false;
    else {
      this.#unparsed -= message.bytes.length;
      this.#spare.push(message.bytes.buffer);
    }
    this.#measure();
    this.#wake();
  }

  /** Passes on what the thread leaves out. The receiver may end the parse by an error. */
  #tell(message: FromThread & { type: 'fault' | 'dropped' }): void {
    try {
      if (message.type === 'dropped') this.#options.onDropped?.(message.dropped);
      else this.#options.onFault?.(new ParseError('RDF_SYNTAX', message.reason, message.position), message.text);
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
      this.#loadErrors.set(url, error);
      answer = { type: 'noDocument', url, reason: error instanceof Error ? error.message : String(error) };
    }
    this.#worker.postMessage(answer, []);
  }

  #fail(error: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = { error };
    void this.close();
  }

  /** Runs a task that the thread waits for. */
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

  /** Starts or stops the clock of the thread. With batches that wait to be replayed, the thread may itself be waiting. */
  #measure(): void {
    const hasWork = (this.#unparsed > 0 || this.#ending) && this.#fault === undefined && this.#failure === undefined;
    const isBusy = hasWork && this.#holds === 0 && this.#batches.length === 0;
    if (isBusy === (this.#busySince !== undefined)) return;
    if (!isBusy) {
      clearTimeout(this.#timer);
      this.#busyMs += performance.now() - this.#busySince!;
      this.#busySince = undefined;
      return;
    }
    this.#busySince = performance.now();
    const { timeoutMs, timeoutMsPerMb = 0 } = this.#options;
    if (timeoutMs === undefined) return;
    const allowed = timeoutMs + (timeoutMsPerMb * this.#bytes) / MEGABYTE;
    const late = (): void => this.#fail(this.#error(`parsing takes longer than ${Math.ceil(allowed / 1000)} s`));
    this.#timer = setTimeout(late, Math.max(0, allowed - this.#busyMs));
  }

  #threadError(error: Error): Error {
    const { code } = error as { code?: unknown };
    if (code !== 'ERR_WORKER_OUT_OF_MEMORY') return error;
    const { maxMemoryMb } = this.#options;
    return this.#error(
      maxMemoryMb === undefined ? 'parsing needs too much memory' : `parsing needs more than ${maxMemoryMb} MB`,
      error,
    );
  }

  #error(reason: string, cause?: unknown): ParseError {
    return new ParseError('RDF_SYNTAX', reason, { source: this.#options.source }, { cause });
  }
}

/**
 * Limits so that no single step takes much of the memory. Node.js ends a thread that approaches its limit, but only between steps:
 * a single string of more than 16 MB without room for it ends the whole process.
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
