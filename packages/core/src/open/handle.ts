/**
 * A repository of an open store: who it is, how far it is open, and the generation that is in memory. There is one handle
 * a repository; it outlives unloads and failed writes, which only replace its generation.
 */
import { Mutex, StateError, yieldTurn } from '@quadrille/model';
import { repositoryDeleted } from '../catalogue/names.js';
import { RunNumbers } from '../index/run/run-session.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import type { RevisionRecord } from '../revision/record.js';
import { Scheduler } from '../maintenance/scheduler.js';
import { withoutDelta } from '../revision/record.js';
import type { Env } from '../runtime/env.js';
import type { Generation, RepositoryParts } from './generation.js';
import { memoryUse } from './memory-use.js';
import { readGeneration, readGenerationFromLog } from './replay.js';
import { Users } from './users.js';

/**
 * `dropping`: its deletion waits for the commits that are staged; it still succeeds or fails. `closed`: it was deleted,
 * or its store is closed, and every call fails.
 */
export type Lifecycle = 'opening' | 'open' | 'dropping' | 'closed';

export class RepositoryHandle implements RepositoryParts {
  readonly users: Users;
  readonly writeLock = new Mutex();
  /** One flush or merge at a time. Taken before the write lock. */
  readonly maintenance = new Mutex();
  readonly numbers = new RunNumbers(1);
  readonly retiring = new Set<number>();
  readonly scheduler: Scheduler = new Scheduler(this);
  /** Called before it is read from the storage again. */
  onReading: (() => void) | undefined;
  #lifecycle: Lifecycle = 'opening';
  #generation: Generation | undefined;
  #reading: Promise<void> | undefined;
  /** The head without its delta: all that an unloaded repository keeps. */
  #head!: RevisionRecord;
  #firstNumber = 0;

  private constructor(
    readonly keyspace: Keyspace,
    readonly env: Env,
  ) {
    this.users = new Users(env);
    // Also a write of a flush or a load: what is in memory may be ahead of the storage.
    keyspace.onWriteFailure = (error) => {
      if (this.#generation !== undefined) this.#generation.failure ??= error;
    };
  }

  static async open(keyspace: Keyspace, env: Env): Promise<RepositoryHandle> {
    const handle = new RepositoryHandle(keyspace, env);
    handle.#begin(await readGeneration(handle, true));
    return handle;
  }

  /** Opens on the log and the terms alone, where the indexes cannot be read: only to rebuild them. */
  static async openOnLog(keyspace: Keyspace, env: Env): Promise<RepositoryHandle> {
    const handle = new RepositoryHandle(keyspace, env);
    handle.#begin(await readGenerationFromLog(handle));
    return handle;
  }

  #begin(generation: Generation): void {
    this.#install(generation);
    this.#firstNumber = generation.published.number;
    this.users.lastUsed = this.env.ticks();
    if (this.#lifecycle === 'opening') this.#lifecycle = 'open';
  }

  #install(generation: Generation): void {
    generation.onPublished = () => this.scheduler.start();
    generation.room = () => this.scheduler.room();
    this.#generation = generation;
  }

  // ── Lifecycle ───────────────────────────────────────────────────────────────────────────────────────────────────

  get lifecycle(): Lifecycle {
    return this.#lifecycle;
  }

  /** @throws NotFoundError `REPOSITORY_DELETED`, StateError `STORE_NOT_OPEN` */
  check(): void {
    this.keyspace.check();
    if (this.#lifecycle === 'closed') throw storeClosed();
  }

  /**
   * Deletes the repository. `mark` makes that lasting; where it fails the repository goes on as if nothing had happened.
   * When this resolves, nothing of the repository is written any more.
   */
  async drop(mark: () => Promise<void>): Promise<void> {
    const { keyspace } = this;
    this.#lifecycle = 'dropping';
    try {
      // Commits that are staged come before the deletion; those that wait for the lock find the repository gone.
      await this.writeLock.run(async () => {
        await this.#generation?.committer.drain();
        await mark();
        keyspace.end(repositoryDeleted(keyspace.name));
      });
      this.#lifecycle = 'closed';
    } catch (error) {
      if (this.#lifecycle === 'dropping') this.#lifecycle = 'open';
      throw error;
    }
    await keyspace.quiet();
  }

  /** Refuses new calls and waits for the commits and jobs under way; after that nothing is read or written. */
  async close(): Promise<void> {
    if (this.#lifecycle === 'closed') return;
    this.#lifecycle = 'closed';
    await this.#reading?.catch(() => undefined);
    await this.maintenance.run(() => this.writeLock.run(async () => this.#generation?.committer.drain()));
    this.keyspace.end(storeClosed());
    await this.keyspace.quiet();
  }

  // ── In memory or unloaded ───────────────────────────────────────────────────────────────────────────────────────

  /** The generation in memory. @throws StateError where the repository is unloaded: {@link ready} comes first */
  get generation(): Generation {
    if (this.#generation === undefined)
      throw new StateError('STORE_NOT_OPEN', `repository ${this.keyspace.name} is not in memory`);
    return this.#generation;
  }

  get inMemory(): boolean {
    return this.#generation !== undefined;
  }

  /** The newest published revision; without its delta where the repository is unloaded. */
  get head(): RevisionRecord {
    return this.#generation === undefined ? this.#head : this.#generation.published;
  }

  /** Resolves when it is in memory, for at least this turn of the event loop; `undefined` where it is there already. */
  ready(): Promise<void> | undefined {
    this.check();
    if (this.#generation !== undefined) return undefined;
    return (this.#reading ??= this.#readAgain());
  }

  async #readAgain(): Promise<void> {
    this.onReading?.();
    this.users.enter();
    try {
      this.#begin(await readGeneration(this, false));
    } finally {
      this.#reading = undefined;
      // Those who waited have begun by then.
      void yieldTurn().then(() => this.users.leave());
    }
  }

  /** Reads the state anew after a failed write. Under the maintenance lock, the write lock and the dictionary's lock. */
  async recover(): Promise<void> {
    const failed = this.generation;
    this.#install(await readGeneration(this, true));
    failed.index.supersede();
  }

  /** Whether nothing uses it and all of it stands in the storage. */
  get idle(): boolean {
    const generation = this.#generation;
    if (generation === undefined || this.users.count > 0 || this.scheduler.busy) return false;
    if (this.#lifecycle !== 'open' || generation.failure !== undefined || this.retiring.size > 0) return false;
    return generation.staged.number === generation.published.number;
  }

  /** Forgets all but the head. Only while it is {@link idle}. */
  unload(): void {
    const { generation } = this;
    generation.index.supersede();
    this.#head = withoutDelta(generation.published);
    this.#generation = undefined;
  }

  /** About how many bytes it takes in memory, beside the block cache. */
  get memoryBytes(): number {
    return this.#generation === undefined ? 0 : memoryUse(this.#generation);
  }

  /** Revisions made since it was read. */
  get commits(): number {
    return this.#generation === undefined ? 0 : this.#generation.published.number - this.#firstNumber;
  }
}

const storeClosed = (): StateError => new StateError('STORE_NOT_OPEN', 'the store is closed');
