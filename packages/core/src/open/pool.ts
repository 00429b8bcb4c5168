/**
 * The repositories of a store that are in memory. If they exceed the store's budget together, those that nothing uses
 * are unloaded, least recently used first. The holder of an unloaded repository can go on using it: the next call
 * reads it again.
 */
import { yieldTurn } from '@quadrille/model';
import { BackgroundFailures, type JobFailure } from '@quadrille/storage';
import type { Env } from '../runtime/env.js';
import { Pacer } from '../runtime/env.js';
import { flushMemtable, flushTail } from '../maintenance/flush.js';
import type { RepositoryHandle } from './handle.js';

/** Share of the budget that is freed at once, so that not every further repository causes an unload. */
const FREED_SHARE = 1 / 8;
/** Longest log that an unload leaves to be replayed. Replaying it takes about 10 ms. A longer log is flushed first. */
const REPLAYED_REVISIONS = 1000;
const REPLAYED_ROWS = 16_384;
/** Name of the work, for monitoring. */
const FLUSH = 'flush before unloading';

/** A flush that failed before a repository was unloaded. */
export interface FailedFlush extends JobFailure {
  /** Name of the repository. */
  readonly repository: string;
}

export interface MemoryBudget {
  readonly bytes: number;
  /**
   * Number of most recently used repositories that stay in memory whatever their size. Reading one again costs more
   * than exceeding the budget.
   */
  readonly spared: number;
}

/** Estimated memory of a repository, and its place among the repositories by the end of its last use. */
interface Usage {
  bytes: number;
  ended: number;
}

/** The objects of a store's users, which hold the handles. */
interface Pooled {
  readonly handle: RepositoryHandle;
}

export class OpenRepositories<R extends Pooled> {
  readonly #inMemory = new Map<string, R>();
  readonly #usage = new Map<R, Usage>();
  /** Unloaded repositories that somebody may still hold. There must be only one object of a name. */
  readonly #unloaded = new Map<string, WeakRef<R>>();
  readonly #collected = new FinalizationRegistry<string>((name) => {
    if (this.#unloaded.get(name)?.deref() === undefined) this.#unloaded.delete(name);
  });
  /** Repositories whose revisions somebody awaits. Nothing else may hold an unloaded one. */
  readonly #awaited = new Set<R>();
  /** Flushes before unloading that failed, by the key of the repository. */
  readonly #flushes = new BackgroundFailures();
  #bytes = 0;
  #commits = 0;
  #uses = 0;
  #trimming: Promise<void> | undefined;
  /** Those that became idle and were not tried since. */
  readonly #idle = new Set<R>();
  /** After nothing could be unloaded, the number of repositories that must become idle until all are tried again. */
  #patience = 0;
  #closed = false;

  constructor(
    private readonly budget: MemoryBudget,
    private readonly env: Env,
  ) {}

  /** The repository of a name; `undefined` if it is neither in memory nor held by anybody. */
  find(name: string): R | undefined {
    return this.#inMemory.get(name) ?? this.#unloaded.get(name)?.deref();
  }

  /** Adds an opened repository. */
  add(repository: R): void {
    const { handle } = repository;
    handle.onReading = () => this.#enter(repository);
    handle.users.onQuiet = () => this.#measure(repository);
    if (handle.root === handle)
      handle.publications.onWaiting = (waited) => {
        if (waited) this.#awaited.add(repository);
        else this.#awaited.delete(repository);
      };
    this.#enter(repository);
    this.#measure(repository);
  }

  /** Lets go of a line that is deleted. Returns false if somebody uses it. */
  discard(repository: R): boolean {
    const { handle } = repository;
    if (handle.inMemory && !handle.idle) return false;
    if (handle.inMemory) {
      this.#leave(repository);
      handle.unload();
    }
    this.#unloaded.delete(handle.key);
    return true;
  }

  /** Lets go of a line that another process has deleted. Who reads it goes on. */
  forget(key: string): void {
    const repository = this.#inMemory.get(key);
    if (repository !== undefined) this.#leave(repository);
    this.#unloaded.delete(key);
  }

  /** All of which somebody may read: those in memory, and the unloaded ones that somebody holds. */
  get known(): R[] {
    const held = Array.from(this.#unloaded.values(), (reference) => reference.deref());
    return [...this.#inMemory.values(), ...held.filter((repository) => repository !== undefined)];
  }

  /** The repositories in memory. */
  get inMemory(): Iterable<R> {
    return this.#inMemory.values();
  }

  /** The repositories that could not be flushed before they were unloaded last. They are read again from their log, which takes longer. */
  get failures(): readonly FailedFlush[] {
    return this.#flushes.list.map((failure) => ({ ...failure, repository: failure.job, job: FLUSH }));
  }

  /** Revisions made since the store was opened. */
  get commits(): number {
    let total = this.#commits;
    for (const { handle } of this.#inMemory.values()) total += handle.commits;
    return total;
  }

  /** Removes a deleted repository and its other lines. */
  delete({ handle: { root } }: R): void {
    for (const { job } of this.#flushes.list) if (this.find(job)?.handle.root === root) this.#flushes.succeeded(job);
    for (const repository of this.#inMemory.values()) if (repository.handle.root === root) this.#leave(repository);
    for (const [key, held] of this.#unloaded) if (held.deref()?.handle.root === root) this.#unloaded.delete(key);
  }

  /** Closes all repositories. Resolves when no work of theirs is under way. */
  async close(): Promise<void> {
    this.#closed = true;
    const open = new Set(this.#inMemory.values());
    for (const held of this.#unloaded.values()) {
      const repository = held.deref();
      if (repository !== undefined) open.add(repository);
    }
    const closing = Array.from(open, ({ handle }) => handle.close());
    await this.#trimming;
    await Promise.all(closing);
    for (const repository of this.#inMemory.values()) this.#leave(repository);
  }

  #enter(repository: R): void {
    this.#unloaded.delete(repository.handle.key);
    this.#inMemory.set(repository.handle.key, repository);
    if (!this.#usage.has(repository)) this.#usage.set(repository, { bytes: 0, ended: ++this.#uses });
  }

  #leave(repository: R): void {
    this.#commits += repository.handle.commits;
    this.#bytes -= this.#usage.get(repository)?.bytes ?? 0;
    this.#usage.delete(repository);
    this.#idle.delete(repository);
    this.#inMemory.delete(repository.handle.key);
  }

  #measure(repository: R): void {
    if (this.#inMemory.get(repository.handle.key) !== repository) return;
    const usage = this.#usage.get(repository)!;
    const bytes = repository.handle.memoryBytes;
    this.#bytes += bytes - usage.bytes;
    usage.bytes = bytes;
    usage.ended = ++this.#uses;
    if (this.#bytes <= this.budget.bytes || this.#inMemory.size <= this.budget.spared) return;
    this.#patience--;
    this.#idle.add(repository);
    this.#trimming ??= this.#trim().finally(() => (this.#trimming = undefined));
  }

  // Whoever becomes idle meanwhile is tried too: nobody else may come to make up for it.
  async #trim(): Promise<void> {
    const target = this.budget.bytes * (1 - FREED_SHARE);
    while (this.#idle.size > 0) {
      // Waits one turn: by then, callers that were told that a repository is in memory have entered as users.
      await yieldTurn();
      const all = this.#patience <= 0;
      const tried = [...(all ? this.#inMemory.values() : this.#idle)].sort(
        (x, y) => this.#lastUse(x) - this.#lastUse(y),
      );
      this.#idle.clear();
      let unloaded = 0;
      for (const repository of tried) {
        if (this.#bytes <= target || this.#inMemory.size <= this.budget.spared || this.#closed) return;
        const { handle } = repository;
        if (handle.idle && replaysLong(handle)) await this.#flush(handle);
        if (this.#unload(repository)) unloaded++;
      }
      if (all && unloaded === 0) this.#patience = this.#inMemory.size;
    }
  }

  #lastUse(repository: R): number {
    return repository.handle.users.inside > 0 ? this.#uses + 1 : this.#usage.get(repository)!.ended;
  }

  async #flush(handle: RepositoryHandle): Promise<void> {
    handle.users.enter();
    try {
      await handle.maintenance.run(async () => {
        const pacer = new Pacer(this.env);
        await flushMemtable(handle.timeline, pacer);
        await flushTail(handle.timeline, pacer);
      });
      this.#flushes.succeeded(handle.key);
    } catch (error) {
      // The repository is unloaded without the flush. The log contains all its changes.
      this.#flushes.note(handle.key, error);
    } finally {
      handle.users.leave();
    }
    await yieldTurn();
  }

  #unload(repository: R): boolean {
    if (!repository.handle.idle || this.#inMemory.get(repository.handle.key) !== repository) return false;
    this.#leave(repository);
    repository.handle.unload();
    this.#unloaded.set(repository.handle.key, new WeakRef(repository));
    this.#collected.register(repository, repository.handle.key);
    return true;
  }
}

function replaysLong({ keyspace, timeline }: RepositoryHandle): boolean {
  if (keyspace.readOnly) return false;
  const { index, published, flushed } = timeline;
  return index.active.rows > REPLAYED_ROWS || published.number - flushed > REPLAYED_REVISIONS;
}
