/** A job as the code that runs it sees it: reports progress and the outcome, and has a signal that aborts the work. */
import { EvaluationError, NotFoundError } from '@quadrille/model';
import { publicError } from '../public-error.js';
import { type Job, type JobChange, isWorking, shortened } from './job.js';
import type { JobLog } from './job-log.js';
import type { RecordChange } from '../records.js';
import { unref } from '../platform/timers.js';

/** A job that ends earlier is stored once, at its end. */
const FIRST_STORED_MS = 100;
const STORED_EVERY_MS = 500;

/** Why a job was aborted. */
export type AbortReason = 'asked' | 'disconnected' | 'closing' | 'deleted';
const ABORT_MESSAGES: Readonly<Record<AbortReason, string>> = {
  asked: 'aborted; nothing of it was kept',
  disconnected: 'the client closed the connection; nothing of it was kept',
  closing: 'the server was stopped; nothing of it was kept',
  deleted: 'the repository was deleted; nothing of it was kept',
};

export class RunningJob {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #storedAt: number | undefined;
  #completed: Job | undefined;
  #reason: AbortReason | undefined;
  #settle!: (job: Job) => void;
  /** Resolves when the job has completed, failed or been aborted. */
  readonly settled = new Promise<Job>((resolve) => (this.#settle = resolve));

  constructor(
    private readonly log: JobLog,
    readonly uuid: string,
    private readonly now: () => number,
  ) {
    this.#timer = unref(setTimeout(() => void this.store(false), FIRST_STORED_MS));
  }

  get job(): Job {
    return this.log.get(this.uuid)!;
  }

  /** Aborted when the work has to stop. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason: AbortReason): void {
    this.#reason ??= reason;
    const message = ABORT_MESSAGES[this.#reason];
    const error =
      this.#reason === 'deleted'
        ? new NotFoundError('REPOSITORY_DELETED', message)
        : new EvaluationError('ABORTED', message);
    this.#controller.abort(error);
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
    // A record that is written together with the revision must not be overwritten by an older state.
    if (!isWorking(this.job) || this.#completed !== undefined) return;
    this.#storedAt = this.now();
    await this.log.store(this.job, durable);
  }

  /**
   * The record of the completed job, to be written in one batch with its revision. With two writes, a process that ends between
   * them would leave a revision whose job has failed.
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

  /** Ends as `failed`, also when the client disconnected; as `aborted` for the other reasons to abort. */
  fail(error: unknown): Promise<Job> {
    const reason = this.#reason;
    const message = reason === undefined ? '' : ABORT_MESSAGES[reason];
    if (reason !== undefined && reason !== 'disconnected') return this.#end({ status: 'aborted', message });
    const told = reason === undefined ? publicError(error) : { code: 'ABORTED', message };
    return this.#end({ status: 'failed', message: told.message, error: told });
  }

  async #end(change: JobChange): Promise<Job> {
    clearTimeout(this.#timer);
    this.#change({ ...change, finished: this.#time() });
    // If the running job was stored, its end has to survive a power failure too.
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
