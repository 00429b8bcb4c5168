/** The side of a job that does the work: it tells how far it is, and hears when it is to stop. */
import { EvaluationError } from '@quadrille/model';
import { publicError } from '../public-error.js';
import { type Job, type JobChange, isWorking, shortened } from './job.js';
import type { JobLog } from './job-log.js';
import type { RecordChange } from '../records.js';

/** Shorter jobs are stored once, when they have ended. */
const FIRST_STORED_MS = 100;
const STORED_EVERY_MS = 500;

/** Why an import ended that was told to. */
export type AbortReason = 'asked' | 'disconnected' | 'closing';
const ABORT_MESSAGES: Readonly<Record<AbortReason, string>> = {
  asked: 'aborted; nothing of it was kept',
  disconnected: 'the client went away; nothing of it was kept',
  closing: 'the server was stopped; nothing of it was kept',
};

export class RunningJob {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #storedAt: number | undefined;
  #completed: Job | undefined;
  #reason: AbortReason | undefined;
  #settle!: (job: Job) => void;
  /** Resolves when it has ended, however it did. */
  readonly settled = new Promise<Job>((resolve) => (this.#settle = resolve));

  constructor(
    private readonly log: JobLog,
    readonly uuid: string,
    private readonly now: () => number,
  ) {
    this.#timer = setTimeout(() => void this.store(false), FIRST_STORED_MS).unref();
  }

  get job(): Job {
    return this.log.get(this.uuid)!;
  }

  /** Aborted when the work is to stop. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason: AbortReason): void {
    this.#reason ??= reason;
    this.#controller.abort(new EvaluationError('ABORTED', ABORT_MESSAGES[this.#reason]));
  }

  start(message: string): void {
    this.#change({ status: 'running', message, started: this.#time() });
  }

  /** `fraction` of the whole work, where it is known. */
  progress(change: JobChange, fraction?: number): void {
    const reached = fraction === undefined ? 0 : Math.min(99, Math.floor(fraction * 100));
    this.#change({ ...change, percent: Math.max(this.job.percent, reached) });
    if (this.#storedAt !== undefined && this.now() - this.#storedAt >= STORED_EVERY_MS) void this.store(false);
  }

  /** Writes the record. It is on disk when this resolves if it is `durable`. */
  async store(durable: boolean): Promise<void> {
    // What is on its way with the revision must have the last word.
    if (!isWorking(this.job) || this.#completed !== undefined) return;
    this.#storedAt = this.now();
    await this.log.store(this.job, durable);
  }

  /**
   * The record of its completion, to be written in one batch with the revision: a process that ends in between would
   * otherwise leave a job that failed and a revision that it made.
   */
  completion(message: string, revision: string): RecordChange {
    const time = this.#time();
    const change: JobChange = { status: 'completed', percent: 100, message, revision };
    this.#completed = shortened({ ...this.job, ...change, changed: time, finished: time });
    return this.log.change(this.#completed);
  }

  async complete(message: string, revision: string | undefined): Promise<Job> {
    if (this.#completed === undefined || this.#completed.revision !== revision) {
      return this.#end({ status: 'completed', percent: 100, message, revision });
    }
    clearTimeout(this.#timer);
    this.log.put(this.#completed);
    await this.log.ended();
    this.#settle(this.job);
    return this.job;
  }

  /** As aborted where somebody asked for that, else as failed: a client that goes away has asked for nothing. */
  fail(error: unknown): Promise<Job> {
    const reason = this.#reason;
    const message = reason === undefined ? '' : ABORT_MESSAGES[reason];
    if (reason === 'asked' || reason === 'closing') return this.#end({ status: 'aborted', message });
    const told = reason === undefined ? publicError(error) : { code: 'ABORTED', message };
    return this.#end({ status: 'failed', message: told.message, error: told });
  }

  async #end(change: JobChange): Promise<Job> {
    clearTimeout(this.#timer);
    this.#change({ ...change, finished: this.#time() });
    // Who was told that it runs has to be told how it ended, also after a power failure.
    await this.log.store(this.job, this.#storedAt !== undefined);
    this.#settle(this.job);
    return this.job;
  }

  #change(change: JobChange): void {
    this.log.put(shortened({ ...this.job, ...change, changed: this.#time() }));
  }

  #time(): string {
    return new Date(this.now()).toISOString();
  }
}
