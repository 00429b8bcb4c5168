/** Upkeep of repositories as jobs, while they are in use: checks for damage, and compactions. */
import { CorruptionError } from '@quadrille/model';
import type { Logger, Repository } from 'quadrille';
import type { Caller } from '../accounts/caller.js';
import type { Jobs } from '../jobs/jobs.js';
import type { RunningJob } from '../jobs/running-job.js';
import { AdmissionQueue } from '../queries/admission-queue.js';
import { bytesText } from '../text.js';
import { ownerOf, type Rights } from './rights.js';

/** The kinds of maintenance. */
export type MaintenanceKind = 'verify' | 'compact';

/** Each reads a whole repository: they would take the disk from requests. */
const LIMITS = { atOnce: 1, atOncePerAccount: 1, waitingPerAccount: 10 };

/** Checks and compactions as jobs. */
export class Maintenance {
  readonly #queue = new AdmissionQueue('maintenance jobs', LIMITS);

  constructor(
    private readonly rights: Rights,
    private readonly jobs: Jobs,
    private readonly logger: Logger | undefined,
  ) {}

  /**
   * Starts a check (`verify`) or a compaction for the owner of a repository, after those that were asked for before. A check that finds
   * damage fails, and the log tells where it is.
   * @returns the UUID of the job
   * @throws AccessError, NotFoundError as {@link Rights.open}
   */
  async start(caller: Caller, name: string, kind: MaintenanceKind): Promise<string> {
    const repository = await this.rights.open(caller, name, 'own');
    const running = this.jobs.begin(kind, caller, name, `waiting to ${kind}`);
    void this.#run(running, repository, kind, caller.account ?? ownerOf(name));
    return running.uuid;
  }

  async #run(running: RunningJob, repository: Repository, kind: MaintenanceKind, account: string): Promise<void> {
    try {
      const leave = await this.#queue.enter(account, running.signal);
      running.start(kind === 'verify' ? 'checking everything' : 'compacting');
      const work = kind === 'verify' ? this.#verify(repository) : compact(repository);
      // A check that is aborted reads on, and keeps its place until it ends: nobody starts many by aborting them.
      work.then(leave, leave);
      await running.complete(await orAborted(work, running.signal, kind), undefined);
    } catch (error) {
      await running.fail(error);
    }
  }

  async #verify(repository: Repository): Promise<string> {
    const { ok, checked, problems } = await repository.maintenance.verify();
    const counts = Object.entries(checked).map(([what, count]) => `${String(count)} ${what}`);
    if (ok) return `everything is in order; checked ${counts.join(', ')}`;
    this.logger?.error('a check found damage', { repository: repository.name, problems: problems.slice(0, 100) });
    throw new CorruptionError('INDEX_DISAGREES', `${String(problems.length)} problems`);
  }
}

async function compact(repository: Repository): Promise<string> {
  const { bytesBefore, bytesAfter } = await repository.maintenance.compact();
  return `compacted from ${bytesText(bytesBefore)} to ${bytesText(bytesAfter)}`;
}

/** A check that is aborted reads to its end without anybody. A compaction has to end: its store cannot be closed before. */
function orAborted(work: Promise<string>, signal: AbortSignal, kind: MaintenanceKind): Promise<string> {
  if (kind === 'compact') return work;
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  return Promise.race([work, aborted]);
}
