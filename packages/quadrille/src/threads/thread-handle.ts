/** A query thread as the main thread sees it: its state, and the one job that it has at a time. */
import { Worker } from 'node:worker_threads';
import { SessionDescriber } from '@quadrille/core/share';
import { EvaluationError } from '@quadrille/model';
import type { AnswerPiece } from '@quadrille/sparql';
import type { FromThread, QueryMessage, ThreadData, ToThread } from './messages.js';
import type { ReadAnswers } from './read-channel.js';
import { receiveError, sendError } from './sent-errors.js';
import type { MemorySlot } from './thread-memory.js';

/** Memory of new objects of a thread. */
const YOUNG_MEGABYTES = 32;
/** A thread that goes on for so long after a cancellation is ended. */
const CANCEL_MS = 1000;

/** The caller of a thread. */
export interface ThreadJob {
  piece(piece: AnswerPiece): void;
  /** Encoded statistics of the session's revision. */
  statistics(): Promise<Uint8Array>;
  /** The last call: the thread reads nothing more. Without an error the answer is complete. */
  ended(error: Error | undefined): void;
}

export interface ThreadStart {
  readonly file: URL;
  readonly data: ThreadData;
  readonly reads: ReadAnswers;
  readonly slot: MemorySlot;
  /** Largest heap of the thread in megabytes. */
  readonly heapMegabytes: number;
  /** Called when the thread is ready, when it has no job any more, and when it has ended. */
  readonly onChange: (thread: ThreadHandle) => void;
}

export class ThreadHandle {
  readonly describer = new SessionDescriber();
  /** Why the thread ended before it was ready. */
  startError: Error | undefined;
  readonly #worker: Worker;
  #state: 'starting' | 'idle' | 'busy' | 'ended' = 'starting';
  #job: ThreadJob | undefined;
  #failure: Error | undefined;
  #cancelTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly start: ThreadStart) {
    const { file, data, heapMegabytes } = start;
    const worker = new Worker(file, {
      workerData: data,
      name: 'quadrille-query',
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
      // The thread does not inherit options of the command line, such as `--input-type`.
      execArgv: [],
    });
    this.#worker = worker;
    worker.on('message', (message: FromThread) => this.#receive(message));
    worker.on('error', (error: Error) => (this.#failure = error));
    worker.on('exit', (code) => this.#exited(code));
  }

  get state(): 'starting' | 'idle' | 'busy' | 'ended' {
    return this.#state;
  }

  /** Bytes that the operators of its query hold. */
  get usedBytes(): number {
    return this.#state === 'ended' ? 0 : this.start.slot.used;
  }

  /** Reserves the thread, which is idle. */
  reserve(): void {
    this.#state = 'busy';
    this.#worker.ref();
  }

  /** Begins a job on the reserved thread. */
  run(job: ThreadJob, message: QueryMessage, transfer: readonly ArrayBuffer[]): void {
    if (this.#state === 'ended') throw lost(this.#failure ?? new Error('it has ended'));
    this.#job = job;
    this.#worker.postMessage(message, transfer);
  }

  /** Makes the thread idle. */
  release(): void {
    clearTimeout(this.#cancelTimer);
    this.#job = undefined;
    if (this.#state === 'busy') this.#idle();
  }

  // A thread without a job does not keep the process alive.
  #idle(): void {
    this.#state = 'idle';
    this.#worker.unref();
    this.start.onChange(this);
  }

  post(message: ToThread): void {
    this.#worker.postMessage(message, []);
  }

  /** Cancels the job. A thread that does not obey is ended. */
  cancel(): void {
    if (this.#job === undefined) return;
    this.post({ type: 'cancel' });
    clearTimeout(this.#cancelTimer);
    this.#cancelTimer = setTimeout(() => void this.end(), CANCEL_MS);
    this.#cancelTimer.unref();
  }

  /** Ends the thread. Its job fails with the error. */
  async end(error?: Error): Promise<void> {
    this.#failure ??= error;
    await this.#worker.terminate();
  }

  #receive(message: FromThread): void {
    switch (message.type) {
      case 'read':
        this.start.reads.answer();
        break;
      case 'ready':
        this.#idle();
        break;
      case 'statistics':
        void this.#sendStatistics();
        break;
      case 'piece':
        this.#job?.piece(message.piece);
        break;
      case 'end':
        this.#endJob(undefined);
        break;
      case 'failed':
        this.#endJob(receiveError(message.error));
        break;
    }
  }

  async #sendStatistics(): Promise<void> {
    try {
      this.post({ type: 'statistics', bytes: await this.#job!.statistics() });
    } catch (error) {
      this.post({ type: 'noStatistics', error: sendError(error) });
    }
  }

  #endJob(error: Error | undefined): void {
    const job = this.#job;
    this.release();
    job?.ended(error);
  }

  #exited(code: number): void {
    const error = this.#failure ?? new Error(`it ended with code ${String(code)}`);
    if (this.#state === 'starting') this.startError = error;
    this.#state = 'ended';
    this.start.slot.giveBack();
    this.#endJob(lost(error));
    this.start.onChange(this);
  }
}

/** The error of a query whose thread has ended. */
function lost(cause: Error): Error {
  if ('code' in cause && cause.code === 'STORE_NOT_OPEN') return cause;
  if ('code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY')
    return new EvaluationError('QUERY_MEMORY', 'the thread of the evaluation has no memory left', { cause });
  return new EvaluationError('THREAD_FAILED', `the thread of the evaluation has failed: ${cause.message}`, { cause });
}
