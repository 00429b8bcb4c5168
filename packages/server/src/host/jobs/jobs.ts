/** The jobs of all repositories. A caller sees the jobs of its account, an administrator sees all. */
import { AccessError, NotFoundError } from '@quadrille/model';
import { v7 as uuidV7 } from 'uuid';
import { type Caller, isKnown } from '../accounts/caller.js';
import { lacks, mayDo } from '../accounts/token-rights.js';
import { isWorking, type Job, type JobKind, type JobStatus, shortened } from './job.js';
import type { JobLog } from './job-log.js';
import { unauthenticated } from '../repositories/rights.js';
import { RunningJob } from './running-job.js';

/** Which jobs are wanted. */
export interface JobFilter {
  /** Default: those that are pending or running. */
  readonly status?: JobStatus | 'all';
  readonly repository?: string;
  /** That the client gave its request. */
  readonly clientRequestId?: string;
}

/** The jobs of a service, running and kept ones. */
export class Jobs {
  readonly #running = new Map<string, RunningJob>();

  constructor(
    private readonly log: JobLog,
    private readonly now: () => number,
  ) {}

  /** Makes a pending job. The caller of this method has to complete or fail it. */
  begin(
    kind: JobKind,
    caller: Caller,
    repository: string,
    message: string,
    { clientRequestId, branch }: { clientRequestId?: string | undefined; branch?: string | undefined } = {},
  ): RunningJob {
    const uuid = uuidV7();
    const time = new Date(this.now()).toISOString();
    const { account } = caller;
    const job: Job = {
      uuid,
      account,
      repository,
      kind,
      clientRequestId,
      ...(branch !== undefined && branch !== 'main' && { branch }),
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

  /** Makes the job of an operation that is already done. */
  record(kind: JobKind, caller: Caller, repository: string, message: string, revision?: string): Promise<Job> {
    return this.begin(kind, caller, repository, message).complete(message, revision);
  }

  /**
   * The jobs of the caller, newest first: those that are pending or running, those of one status, or all. `clientRequestId` names those
   * of its own account alone: another client may have chosen the same.
   * @throws AccessError `UNAUTHENTICATED`
   */
  list(caller: Caller, options: JobFilter = {}): Job[] {
    if (!isKnown(caller)) throw unauthenticated();
    const { status, repository, clientRequestId: id } = options;
    return this.log
      .newest()
      .filter((job) => status === 'all' || (status === undefined ? isWorking(job) : job.status === status))
      .filter((job) => repository === undefined || job.repository === repository)
      .filter((job) => id === undefined || (job.clientRequestId === id && job.account === caller.account))
      .filter((job) => isOwn(caller, job));
  }

  /**
   * A job of the caller by its UUID, in upper or lower case.
   * @throws AccessError `UNAUTHENTICATED`; NotFoundError `JOB_NOT_FOUND`
   */
  get(caller: Caller, uuid: string): Job {
    if (!isKnown(caller)) throw unauthenticated();
    const job = this.log.get(uuid.toLowerCase());
    if (job !== undefined && isOwn(caller, job)) return job;
    throw new NotFoundError('JOB_NOT_FOUND', `there is no job ${uuid.slice(0, 100)}`);
  }

  /**
   * The newest job of a repository that is pending or running, else the newest of all. Background queries are left out, because
   * they belong to their caller alone. This does not check rights.
   */
  latest(repository: string): Job | undefined {
    const jobs = this.log.newest().filter((job) => job.repository === repository && job.kind !== 'query');
    return jobs.find(isWorking) ?? jobs[0];
  }

  /**
   * Aborts a job and waits for its end. A job that has ended is not changed. A commit that is already being written completes.
   * @throws AccessError `UNAUTHENTICATED`, `FORBIDDEN`; NotFoundError `JOB_NOT_FOUND`
   */
  async abort(caller: Caller, uuid: string): Promise<Job> {
    const job = this.get(caller, uuid);
    if (!mayDo(caller, 'write')) throw new AccessError('FORBIDDEN', lacks(caller, 'write'));
    const running = this.#running.get(job.uuid);
    running?.abort('asked');
    return running === undefined ? job : running.settled;
  }

  /** Forgets a job; one under way is aborted first. @throws as {@link abort} */
  async delete(caller: Caller, uuid: string): Promise<void> {
    const job = await this.abort(caller, uuid);
    await this.log.delete([job.uuid]);
  }

  /** Aborts the running jobs of one repository, or of all, and waits for their end. */
  async stop(reason: 'closing' | 'deleted', repository?: string): Promise<void> {
    const running = [...this.#running.values()].filter(
      ({ job }) => repository === undefined || job.repository === repository,
    );
    for (const job of running) job.abort(reason);
    await Promise.all(running.map((job) => job.settled));
  }

  /** The number of jobs that are pending or running. */
  get working(): number {
    return this.#running.size;
  }
}

const isOwn = (caller: Caller, job: Job): boolean =>
  caller.admin || (caller.account !== undefined && caller.account === job.account);
