/**
 * Starts the background work of one repository: flushes and merges, one at a time, in time slices. Remembers the
 * error of a job that failed. Later commits start the job again, after a delay that grows with each failure.
 */
import type { Mutex } from '@quadrille/model';
import { CorruptionError } from '@quadrille/model';
import type { JobFailure } from '@quadrille/storage';
import type { KnownSettings } from '../keyspace/stored-settings.js';
import type { Dictionary } from '../dictionary/dictionary.js';
import type { IndexVersion } from '../index/index-version.js';
import type { Timeline } from '../timeline/timeline.js';
import type { Env } from '../runtime/env.js';
import { Pacer } from '../runtime/env.js';
import type { Gate } from '../runtime/gate.js';
import { flushMemtable } from './flush.js';
import type { Job } from './jobs.js';
import { hasManyTerms, INDEXING, JOBS } from './jobs.js';

/** Delay after the first failure of a job, in milliseconds. It doubles with each further failure. */
const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 10 * 60 * 1000;
/** Factor by which the memtable may exceed `memtableRows` until commits must wait for a flush. */
const OVERFULL = 8;

/** The parts of a repository that the scheduler uses. */
export interface Scheduled {
  readonly inMemory: boolean;
  readonly timeline: Timeline;
  readonly settings: KnownSettings;
  /** Held while a job runs. */
  readonly maintenance: Mutex;
  readonly users: Gate;
  readonly env: Env;
}

interface Waiting extends JobFailure {
  /** Time of the next attempt, by `env.ticks`. */
  readonly notBefore: number;
  /** Whether damaged runs cause the failure. Then the job runs without them, and the failure stays reported. */
  readonly lasting: boolean;
}

export class Scheduler {
  readonly #failures = new Map<string, Waiting>();
  readonly #damaged = { runs: new Set<number>(), hashRuns: new Set<number>() };
  #busy = false;
  /** The index version of the last check, and whether any of its runs were due for a merge. */
  #seen: IndexVersion | undefined;
  #mergeDue = false;
  /** How many indexes of values are being opened. */
  #openings = 0;
  /** The dictionaries of which they were opened. */
  readonly #opening: { textIndex?: Dictionary; orderIndex?: Dictionary } = {};

  constructor(private readonly repository: Scheduled) {}

  /** Whether a job is running, or an index that needs one is being opened. */
  get busy(): boolean {
    return this.#busy || this.#openings > 0;
  }

  /** The jobs whose last attempt failed. */
  get failures(): readonly JobFailure[] {
    return [...this.#failures.values()];
  }

  /** Starts the jobs that are due, in the background. Call it after each publication. */
  start(): void {
    const { repository } = this;
    this.#openIndexes();
    if (this.#failures.size > 0 && repository.inMemory) this.#forgetDone(repository.timeline);
    if (this.#busy || !repository.inMemory || !this.#isAnyDue(repository.timeline)) return;
    this.#busy = true;
    repository.users.enter();
    void this.#runAll().finally(() => {
      this.#busy = false;
      repository.users.leave();
    });
  }

  // Indexes of values are kept up to date in the background: that of texts where the settings ask for one, that of order where there are
  // many terms. Commits open those of vectors.
  #openIndexes(): void {
    const { repository } = this;
    if (!repository.inMemory) return;
    const { dictionary } = repository.timeline;
    const text = repository.settings.known?.search?.text;
    if (text !== undefined)
      this.#openIndex('textIndex', dictionary, async () => {
        const { TextIndex } = await import('../texts.js');
        return TextIndex.open(dictionary, text.fold ?? 'case');
      });
    if (hasManyTerms(dictionary) && !dictionary.keyspace.readOnly)
      this.#openIndex('orderIndex', dictionary, async () => {
        const { OrderIndex } = await import('../values/order-index.js');
        return OrderIndex.open(dictionary);
      });
  }

  #openIndex(kind: 'textIndex' | 'orderIndex', dictionary: Dictionary, open: () => Promise<unknown>): void {
    if (dictionary[kind] !== undefined || this.#opening[kind] === dictionary) return;
    this.#opening[kind] = dictionary;
    this.#openings++;
    const opened = (): void => void this.#openings--;
    void open()
      .finally(opened)
      .then(
        () => this.start(),
        () => undefined,
      );
  }

  // After most commits no job is due. So runs are checked only when the index version has changed.
  #isAnyDue(timeline: Timeline): boolean {
    const { index, dictionary, keyspace } = timeline;
    if (index.active.rows >= keyspace.tuning.memtableRows || dictionary.tailDue) return true;
    for (const job of INDEXING) if (job.isDue(timeline, this.#damaged) && !this.#waits(job)) return true;
    if (index !== this.#seen) {
      this.#seen = index;
      this.#mergeDue = JOBS.some((job) => job.isDue(timeline, this.#damaged));
    }
    return this.#mergeDue && JOBS.some((job) => !this.#waits(job) && job.isDue(timeline, this.#damaged));
  }

  // A failed job that is no longer due is forgotten, for example after a new timeline was read.
  #forgetDone(timeline: Timeline): void {
    for (const job of JOBS) {
      if (this.#failures.get(job.name)?.lasting === false && !job.isDue(timeline, this.#damaged))
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
        const { timeline } = repository;
        if (job.isDue(timeline, this.#damaged)) await job.run(timeline, this.#damaged, pacer);
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

  // Finds the damaged runs of a failed job, which the next attempt leaves out. Returns false if there are none.
  async #findDamaged(job: Job, pacer: Pacer): Promise<boolean> {
    try {
      const { runs = [], hashRuns = [] } = (await job.findDamaged?.(this.repository.timeline, pacer)) ?? {};
      for (const id of runs) this.#damaged.runs.add(id);
      for (const id of hashRuns) this.#damaged.hashRuns.add(id);
      return runs.length + hashRuns.length > 0;
    } catch {
      // The error of the job itself is more useful than this one.
      return false;
    }
  }

  /** Call it after the indexes were rebuilt. */
  forgetDamage(): void {
    this.#damaged.runs.clear();
    this.#damaged.hashRuns.clear();
    this.#failures.clear();
  }

  /**
   * Waits until the memtable takes more rows; returns `undefined` if it takes them now. If it is overfull, the call
   * flushes it.
   */
  room(): Promise<void> | undefined {
    const { timeline, maintenance, env } = this.repository;
    const isFull = (): boolean => timeline.index.active.rows >= OVERFULL * timeline.keyspace.tuning.memtableRows;
    if (!isFull()) return undefined;
    return maintenance.run(async () => {
      if (isFull()) await flushMemtable(timeline, new Pacer(env));
    });
  }
}
