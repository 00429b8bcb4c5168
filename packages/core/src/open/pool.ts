/**
 * The repositories of a store that are in memory. Those that nothing uses are unloaded when all of them together take more
 * than the store's budget, the least recently used first. Whoever holds one goes on with it: the next call reads it again.
 */
import { yieldTurn } from '@quadrille/model';
import type { Env } from '../runtime/env.js';
import { Pacer } from '../runtime/env.js';
import { flushMemtable, flushTail } from '../maintenance/flush.js';
import type { RepositoryHandle } from './handle.js';

/** So much of the budget is freed at once, so that it is not to be done again with the next repository. */
const FREED_SHARE = 1 / 8;
/** To replay more than this from the log takes longer than ten milliseconds: it is written out before it is unloaded. */
const REPLAYED_REVISIONS = 1000;
const REPLAYED_ROWS = 16_384;

export interface MemoryBudget {
  readonly bytes: number;
  /** So many that were used last stay whatever they take: to read one again costs more than a budget that is overrun. */
  readonly spared: number;
}

/** What the users of a store hold. */
interface Pooled {
  readonly name: string;
  readonly handle: RepositoryHandle;
}

export class OpenRepositories<R extends Pooled> {
  readonly #inMemory = new Map<string, R>();
  readonly #bytesOf = new Map<R, number>();
  /** Unloaded, and perhaps still held by somebody: there must not be two of one name. */
  readonly #unloaded = new Map<string, WeakRef<R>>();
  readonly #collected = new FinalizationRegistry<string>((name) => {
    if (this.#unloaded.get(name)?.deref() === undefined) this.#unloaded.delete(name);
  });
  #bytes = 0;
  #commits = 0;
  #trimming: Promise<void> | undefined;
  /** Where nothing could be unloaded, since all of it is in use, it is not tried again before so many have become idle. */
  #patience = 0;
  #closed = false;

  constructor(
    private readonly budget: MemoryBudget,
    private readonly env: Env,
  ) {}

  /** The one of a name; `undefined` where nobody has it. */
  find(name: string): R | undefined {
    return this.#inMemory.get(name) ?? this.#unloaded.get(name)?.deref();
  }

  /** Takes in one that was opened. */
  add(repository: R): void {
    const { handle } = repository;
    handle.onReading = () => this.#enter(repository);
    handle.users.onIdle = () => this.#measure(repository);
    this.#enter(repository);
    this.#measure(repository);
  }

  /** All that are in memory. */
  get inMemory(): Iterable<R> {
    return this.#inMemory.values();
  }

  /** Revisions made since the store was opened. */
  get commits(): number {
    let total = this.#commits;
    for (const { handle } of this.#inMemory.values()) total += handle.commits;
    return total;
  }

  /** Forgets one that was deleted. */
  delete(repository: R): void {
    const { name } = repository;
    if (this.#inMemory.get(name) === repository) this.#leave(repository);
    if (this.#unloaded.get(name)?.deref() === repository) this.#unloaded.delete(name);
  }

  /** Closes all; resolves when nothing of theirs is under way any more. */
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
    this.#unloaded.delete(repository.name);
    this.#inMemory.set(repository.name, repository);
  }

  #leave(repository: R): void {
    this.#commits += repository.handle.commits;
    this.#bytes -= this.#bytesOf.get(repository) ?? 0;
    this.#bytesOf.delete(repository);
    this.#inMemory.delete(repository.name);
  }

  #measure(repository: R): void {
    if (this.#inMemory.get(repository.name) !== repository) return;
    const bytes = repository.handle.memoryBytes;
    this.#bytes += bytes - (this.#bytesOf.get(repository) ?? 0);
    this.#bytesOf.set(repository, bytes);
    if (this.#bytes <= this.budget.bytes || this.#inMemory.size <= this.budget.spared) return;
    if (this.#trimming !== undefined || this.#closed || --this.#patience > 0) return;
    this.#trimming = this.#trim().finally(() => (this.#trimming = undefined));
  }

  async #trim(): Promise<void> {
    // In a turn of its own: whoever was told that a repository is in memory has begun to use it by then.
    await yieldTurn();
    const target = this.budget.bytes * (1 - FREED_SHARE);
    const byUse = [...this.#inMemory.values()].sort((x, y) => x.handle.users.lastUsed - y.handle.users.lastUsed);
    let unloaded = 0;
    for (const repository of byUse.slice(0, Math.max(0, byUse.length - this.budget.spared))) {
      if (this.#bytes <= target || this.#closed) return;
      const { handle } = repository;
      if (handle.idle && replaysLong(handle)) await this.#flush(handle);
      if (this.#unload(repository)) unloaded++;
    }
    if (unloaded === 0) this.#patience = this.#inMemory.size;
  }

  async #flush(handle: RepositoryHandle): Promise<void> {
    handle.users.enter();
    try {
      await handle.maintenance.run(async () => {
        const pacer = new Pacer(this.env);
        await flushMemtable(handle.generation, pacer);
        await flushTail(handle.generation, pacer);
      });
    } catch {
      // It is unloaded as it is: the log has what was not written out.
    } finally {
      handle.users.leave();
    }
    await yieldTurn();
  }

  #unload(repository: R): boolean {
    if (!repository.handle.idle || this.#inMemory.get(repository.name) !== repository) return false;
    this.#leave(repository);
    repository.handle.unload();
    this.#unloaded.set(repository.name, new WeakRef(repository));
    this.#collected.register(repository, repository.name);
    return true;
  }
}

function replaysLong({ keyspace, generation }: RepositoryHandle): boolean {
  if (keyspace.engine.capabilities.readOnly === true) return false;
  const { index, published, flushed } = generation;
  return index.active.rows > REPLAYED_ROWS || published.number - flushed > REPLAYED_REVISIONS;
}
