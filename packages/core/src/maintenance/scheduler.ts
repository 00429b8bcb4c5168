/**
 * Starts the work behind the commits of one repository: flushes and merges, one at a time, cut into slices. What fails is
 * remembered, and tried again later and later, as long as there are commits.
 */
import type { Mutex } from '@quadrille/model';
import { CorruptionError } from '@quadrille/model';
import type { IndexVersion } from '../index/index-version.js';
import type { Generation } from '../open/generation.js';
import type { Users } from '../open/users.js';
import type { Env } from '../runtime/env.js';
import { Pacer } from '../runtime/env.js';
import { flushMemtable } from './flush.js';
import type { Job } from './jobs.js';
import { JOBS } from './jobs.js';

/** A job that failed is tried again after so long, then after twice that, and so on. */
const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 10 * 60 * 1000;
/** Commits wait for a flush where the memtable has so many times the rows that it is to have. */
const OVERFULL = 8;

/** What the scheduler needs of a repository. */
export interface Scheduled {
  readonly inMemory: boolean;
  readonly generation: Generation;
  /** Held during each job. */
  readonly maintenance: Mutex;
  readonly users: Users;
  readonly env: Env;
}

/** Work behind the commits that fails, and is tried again. */
export interface JobFailure {
  readonly job: string;
  /** What it failed with last. */
  readonly error: unknown;
  /** How often in a row. */
  readonly failures: number;
  /** When it failed first, in milliseconds since 1970. */
  readonly since: number;
}

interface Waiting extends JobFailure {
  /** By `env.ticks`. */
  readonly notBefore: number;
  /** Some runs cannot be read: the job is done without them, and goes on being reported. */
  readonly lasting: boolean;
}

export class Scheduler {
  readonly #failures = new Map<string, Waiting>();
  readonly #damaged = { runs: new Set<number>(), hashRuns: new Set<number>() };
  #busy = false;
  /** The index version that was looked at last, and whether any of its runs are to be merged. */
  #seen: IndexVersion | undefined;
  #mergeDue = false;

  constructor(private readonly repository: Scheduled) {}

  /** Whether jobs are being done. */
  get busy(): boolean {
    return this.#busy;
  }

  /** Jobs that failed the last time. */
  get failures(): readonly JobFailure[] {
    return [...this.#failures.values()];
  }

  /** Starts what is due, in the background. To be called after each publication. */
  start(): void {
    const { repository } = this;
    if (this.#failures.size > 0 && repository.inMemory) this.#forgetDone(repository.generation);
    if (this.#busy || !repository.inMemory || !this.#isAnyDue(repository.generation)) return;
    this.#busy = true;
    repository.users.enter();
    void this.#runAll().finally(() => {
      this.#busy = false;
      repository.users.leave();
    });
  }

  // After most commits nothing is due: runs are looked at only where they are other ones.
  #isAnyDue(generation: Generation): boolean {
    const { index, dictionary, keyspace } = generation;
    if (index.active.rows >= keyspace.tuning.memtableRows || dictionary.tailDue) return true;
    if (index !== this.#seen) {
      this.#seen = index;
      this.#mergeDue = JOBS.some((job) => job.isDue(generation, this.#damaged));
    }
    return this.#mergeDue && JOBS.some((job) => !this.#waits(job) && job.isDue(generation, this.#damaged));
  }

  // What failed and is not due any more needs no second attempt, for instance after the state was read anew.
  #forgetDone(generation: Generation): void {
    for (const job of JOBS) {
      if (this.#failures.get(job.name)?.lasting === false && !job.isDue(generation, this.#damaged))
        this.#failures.delete(job.name);
    }
  }

  #waits({ name }: Job): boolean {
    const failure = this.#failures.get(name);
    return failure !== undefined && this.repository.env.ticks() < failure.notBefore;
  }

  async #runAll(): Promise<void> {
    for (const job of JOBS) if (!this.#waits(job)) await this.#run(job);
    this.#seen = undefined;
  }

  async #run(job: Job): Promise<void> {
    const { repository } = this;
    const pacer = new Pacer(repository.env);
    try {
      await repository.maintenance.run(async () => {
        const { generation } = repository;
        if (job.isDue(generation, this.#damaged)) await job.run(generation, this.#damaged, pacer);
      });
      if (this.#failures.get(job.name)?.lasting === false) this.#failures.delete(job.name);
    } catch (error) {
      const found = error instanceof CorruptionError && (await this.#findDamaged(job, pacer));
      this.#note(job.name, error, found);
    }
  }

  #note(job: string, error: unknown, lasting: boolean): void {
    const { env } = this.repository;
    const { failures = 0, since = env.now() } = this.#failures.get(job) ?? {};
    const delay = Math.min(FIRST_DELAY_MS * 2 ** failures, LONGEST_DELAY_MS);
    this.#failures.set(job, { job, error, failures: failures + 1, since, notBefore: env.ticks() + delay, lasting });
  }

  // Whether there are runs that cannot be read: the next time the job does without them.
  async #findDamaged(job: Job, pacer: Pacer): Promise<boolean> {
    try {
      const { runs = [], hashRuns = [] } = (await job.findDamaged?.(this.repository.generation, pacer)) ?? {};
      for (const id of runs) this.#damaged.runs.add(id);
      for (const id of hashRuns) this.#damaged.hashRuns.add(id);
      return runs.length + hashRuns.length > 0;
    } catch {
      // What the job itself failed with says more.
      return false;
    }
  }

  /** The indexes were made anew. */
  forgetDamage(): void {
    this.#damaged.runs.clear();
    this.#damaged.hashRuns.clear();
    this.#failures.clear();
  }

  /** Resolves when the memtable takes more rows; `undefined` where it does now. Flushes it where the background is late. */
  room(): Promise<void> | undefined {
    const { generation, maintenance, env } = this.repository;
    const isFull = (): boolean => generation.index.active.rows >= OVERFULL * generation.keyspace.tuning.memtableRows;
    if (!isFull()) return undefined;
    return maintenance.run(async () => {
      if (isFull()) await flushMemtable(generation, new Pacer(env));
    });
  }
}
