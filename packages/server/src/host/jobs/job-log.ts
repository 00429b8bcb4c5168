/** The running and the finished jobs, in memory and in the store. */
import type { Database, Logger } from 'quadrille';
import { hostOf } from 'quadrille/host';
import { isWorking, type Job } from './job.js';
import { type RecordChange, Records } from '../records.js';

export interface Retention {
  /** How long a finished job is kept. */
  readonly jobsKeptMs: number;
  /** The newest finished jobs that are kept however old they are. */
  readonly jobsKept: number;
  /** Most finished jobs that are kept. */
  readonly jobsKeptAtMost: number;
  /** Most memory of finished jobs. */
  readonly jobsKeptBytes: number;
}

const INTERRUPTED = 'the server ended before this was done; nothing of it was kept';
/** Finished jobs between two prunings. */
const PRUNE_EVERY = 100;

export class JobLog {
  readonly #records: Records<Job>;
  // Oldest first: the UUIDs of version 7 sort by time.
  readonly #jobs = new Map<string, Job>();
  #sincePruned = 0;

  private constructor(
    database: Database,
    private readonly retention: Retention,
    private readonly now: () => number,
    private readonly logger: Logger | undefined,
  ) {
    this.#records = new Records(hostOf(database).records, 'job');
  }

  /** Reads the stored jobs. Jobs that were running when the previous process ended become failed. */
  static async open(
    database: Database,
    retention: Retention,
    now: () => number,
    logger: Logger | undefined,
    follows = false,
  ): Promise<{ log: JobLog; interrupted: readonly Job[] }> {
    const log = new JobLog(database, retention, now, logger);
    const interrupted: Job[] = [];
    for (const [uuid, job] of await log.#records.list()) {
      log.#jobs.set(uuid, job);
      if (isWorking(job) && !follows) interrupted.push(job);
    }
    if (follows) return { log, interrupted };
    const time = new Date(now()).toISOString();
    for (const job of interrupted) {
      const error = { code: 'ABORTED', message: INTERRUPTED };
      const ended: Job = { ...job, status: 'failed', message: INTERRUPTED, error, changed: time, finished: time };
      log.put(ended);
      await log.store(ended, true);
    }
    await log.#prune();
    return { log, interrupted };
  }

  get(uuid: string): Job | undefined {
    return this.#jobs.get(uuid);
  }

  /** The newest first. */
  newest(): Job[] {
    return [...this.#jobs.values()].reverse();
  }

  /** In memory only. */
  put(job: Job): void {
    this.#jobs.set(job.uuid, job);
  }

  /** The write of a job, for a batch that also contains its effect. */
  change(job: Job): RecordChange {
    return this.#records.change(job.uuid, job);
  }

  /** Writes a job. A failed write is logged and not thrown: the outcome of the operation does not depend on its record. */
  async store(job: Job, durable: boolean): Promise<void> {
    try {
      await this.#records.put(job.uuid, job, durable ? {} : { durable: false });
      if (!isWorking(job)) await this.ended();
    } catch (error) {
      this.logger?.warn('a job could not be written', { job: job.uuid, error: String(error) });
    }
  }

  /** To be called when a job has ended and its record is written. */
  async ended(): Promise<void> {
    if (++this.#sincePruned >= PRUNE_EVERY) await this.#prune();
  }

  async delete(uuids: readonly string[]): Promise<void> {
    for (const uuid of uuids) this.#jobs.delete(uuid);
    await this.#records.delete(uuids, { durable: false });
  }

  async #prune(): Promise<void> {
    this.#sincePruned = 0;
    const { jobsKept, jobsKeptMs, jobsKeptAtMost, jobsKeptBytes } = this.retention;
    const oldest = new Date(this.now() - jobsKeptMs).toISOString();
    const gone: string[] = [];
    let kept = 0;
    let bytes = 0;
    for (const job of this.newest()) {
      if (isWorking(job)) continue;
      bytes += bytesOf(job);
      const isSpare = kept >= jobsKept && (kept >= jobsKeptAtMost || (job.finished ?? job.changed) < oldest);
      if (isSpare || bytes > jobsKeptBytes) gone.push(job.uuid);
      else kept++;
    }
    if (gone.length > 0) await this.delete(gone);
  }
}

/** Memory of a job without its texts: UUIDs, times and numbers. */
const FIXED_BYTES = 600;

const PROBLEM_BYTES = 50;

/** An estimate of the memory of a job. */
const bytesOf = ({ message, repository, account = '', error, problems = [] }: Job): number =>
  FIXED_BYTES +
  2 * (message.length + repository.length + account.length + (error?.message.length ?? 0)) +
  2 * problems.reduce((sum, problem) => sum + problem.message.length + problem.text.length + PROBLEM_BYTES, 0);
