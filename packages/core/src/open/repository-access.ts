/** How reading and writing work gets at a repository: in memory, sound after a failed write, counted as long as it lasts. */
import { isFull } from '@quadrille/storage';
import { truncateTerms } from '../dictionary/truncate-terms.js';
import type { Generation } from './generation.js';
import type { RepositoryHandle } from './handle.js';

export class RepositoryAccess {
  constructor(private readonly handle: RepositoryHandle) {}

  /** Resolves when it can be written: after a failed write the state is read anew from the storage, before anything else is. */
  async writable(): Promise<Generation> {
    const { handle } = this;
    const { engine } = handle.keyspace;
    handle.check();
    engine.assertWritable();
    const ready = handle.ready();
    if (ready !== undefined) await ready;
    if (handle.generation.failure !== undefined || engine.state === 'failed') await this.#recover();
    return handle.generation;
  }

  async #recover(): Promise<void> {
    const { handle } = this;
    const { engine } = handle.keyspace;
    await this.#alone(async () => {
      if (engine.state === 'failed') await engine.recover();
      if (handle.generation.failure !== undefined) await handle.recover();
    });
  }

  /** Where a write found no room: gives back what was taken for it. What fails here is met by whoever writes next. */
  async giveBack(): Promise<void> {
    const { handle } = this;
    if (!handle.inMemory || !isFull(handle.generation.failure)) return;
    await this.#alone(async () => {
      if (!isFull(handle.generation.failure)) return;
      await truncateTerms(handle.keyspace, handle.generation.published.termMark, handle.env);
      await handle.recover();
    }).catch(() => undefined);
  }

  // Maintenance first: its jobs take the write lock while they hold it.
  #alone(work: () => Promise<void>): Promise<void> {
    const { handle } = this;
    return handle.maintenance.run(() =>
      handle.writeLock.run(async () => {
        const { committer, dictionary } = handle.generation;
        await committer.drain();
        await dictionary.lock.run(work);
      }),
    );
  }

  /** Enters as a writer, who holds ids of the generation; `leave` ends that, and gives back what found no room. */
  async enter(): Promise<{ generation: Generation; leave: () => Promise<void> }> {
    const { users } = this.handle;
    users.enter();
    try {
      for (;;) {
        const generation = await this.writable();
        const { termDropGuard } = generation;
        if (termDropGuard.closed === undefined) return { generation, leave: this.#leaver(termDropGuard.enter()) };
        await termDropGuard.closed;
      }
    } catch (error) {
      users.leave();
      throw error;
    }
  }

  #leaver(leaveGuard: () => void): () => Promise<void> {
    let left = false;
    return async () => {
      if (left) return;
      left = true;
      leaveGuard();
      try {
        await this.giveBack();
      } finally {
        this.handle.users.leave();
      }
    };
  }

  /** Works on it while it stays in memory. */
  async using<T>(work: (generation: Generation) => Promise<T>): Promise<T> {
    const { handle } = this;
    handle.check();
    handle.users.enter();
    try {
      await handle.ready();
      return await work(handle.generation);
    } finally {
      handle.users.leave();
    }
  }

  /** Works on it as a writer. */
  async asWriter<T>(work: (generation: Generation) => Promise<T>): Promise<T> {
    const { generation, leave } = await this.enter();
    try {
      return await work(generation);
    } finally {
      await leave();
    }
  }
}
