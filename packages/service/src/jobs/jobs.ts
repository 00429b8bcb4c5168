/** The jobs of all repositories: made, found, aborted, deleted. A caller sees its own, an administrator all. */
import { AccessError, NotFoundError } from '@quadrille/model';
import { v7 as uuidV7 } from 'uuid';
import { type Caller, isKnown } from '../accounts/caller.js';
import { isWorking, type Job, type JobKind, type JobStatus, shortened } from './job.js';
import type { JobLog } from './job-log.js';
import { unauthenticated } from '../repositories/rights.js';
import { RunningJob } from './running-job.js';

export class Jobs {
  readonly #running = new Map<string, RunningJob>();

  constructor(
    private readonly log: JobLog,
    private readonly now: () => number,
  ) {}

  /** A job that waits to run. Whoever begins it has to end it. */
  begin(kind: JobKind, caller: Caller, repository: string, message: string): RunningJob {
    const uuid = uuidV7();
    const time = new Date(this.now()).toISOString();
    const { account } = caller;
    const job: Job = {
      uuid,
      account,
      repository,
      kind,
      status: 'pending',
      message,
      percent: 0,
      created: time,
      changed: time,
    };
    this.log.put(shortened(job));
    const running = new RunningJob(this.log, uuid, this.now);
    this.#running.set(uuid, running);
    void running.settled.then(() => this.#running.delete(uuid));
    return running;
  }

  /** Something that is done already. */
  record(kind: JobKind, caller: Caller, repository: string, message: string, revision?: string): Promise<Job> {
    return this.begin(kind, caller, repository, message).complete(message, revision);
  }

  /**
   * Those of the caller: under way, or of one status. The newest first.
   * @throws AccessError `UNAUTHENTICATED`
   */
  list(caller: Caller, options: { status?: JobStatus; repository?: string } = {}): Job[] {
    if (!isKnown(caller)) throw unauthenticated();
    const { status, repository } = options;
    return this.log
      .newest()
      .filter((job) => (status === undefined ? isWorking(job) : job.status === status))
      .filter((job) => repository === undefined || job.repository === repository)
      .filter((job) => isOwn(caller, job));
  }

  /**
   * Under way or finished. `uuid` in any case.
   * @throws AccessError `UNAUTHENTICATED`; NotFoundError `JOB_NOT_FOUND`
   */
  get(caller: Caller, uuid: string): Job {
    if (!isKnown(caller)) throw unauthenticated();
    const job = this.log.get(uuid.toLowerCase());
    if (job !== undefined && isOwn(caller, job)) return job;
    throw new NotFoundError('JOB_NOT_FOUND', `there is no job ${uuid.slice(0, 100)}`);
  }

  /**
   * Of a repository: the newest that is under way, else the newest of all. Queries are the business of those who ask. The
   * caller's rights are not looked at.
   */
  latest(repository: string): Job | undefined {
    const jobs = this.log.newest().filter((job) => job.repository === repository && job.kind !== 'query');
    return jobs.find(isWorking) ?? jobs[0];
  }

  /**
   * Stops a job and waits until it has; one that has ended is left as it is. A commit that is already being written is completed.
   * @throws AccessError `UNAUTHENTICATED`, `FORBIDDEN`; NotFoundError `JOB_NOT_FOUND`
   */
  async abort(caller: Caller, uuid: string): Promise<Job> {
    const job = this.get(caller, uuid);
    if (caller.readOnly) throw new AccessError('FORBIDDEN', 'this token may only read');
    const running = this.#running.get(job.uuid);
    running?.abort('asked');
    return running === undefined ? job : running.settled;
  }

  /** Forgets a job; one under way is aborted first. @throws as {@link abort} */
  async delete(caller: Caller, uuid: string): Promise<void> {
    const job = await this.abort(caller, uuid);
    await this.log.delete([job.uuid]);
  }

  /** Aborts what runs on a repository that is to go, or everything, and waits for it. */
  async stop(reason: 'asked' | 'closing', repository?: string): Promise<void> {
    const running = [...this.#running.values()].filter(
      ({ job }) => repository === undefined || job.repository === repository,
    );
    for (const job of running) job.abort(reason);
    await Promise.all(running.map((job) => job.settled));
  }

  /** How many are under way, for whoever watches the server. */
  get working(): number {
    return this.#running.size;
  }
}

const isOwn = (caller: Caller, job: Job): boolean =>
  caller.admin || (caller.account !== undefined && caller.account === job.account);
