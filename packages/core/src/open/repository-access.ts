/** How reading and writing work gets at a repository: in memory, sound after a failed write, counted as long as it lasts. */
import type { RepositoryCore } from './repository-core.js';

export class RepositoryAccess {
  /** @param check throws where the repository is not open any more */
  constructor(
    private readonly core: RepositoryCore,
    private readonly check: () => void,
  ) {}

  /** Resolves when it can be written: after a failed write the state is read anew from the storage, before anything else is. */
  async writable(): Promise<void> {
    const { core } = this;
    this.check();
    core.keyspace.engine.assertWritable();
    const ready = core.ready();
    if (ready !== undefined) await ready;
    if (core.broken === undefined && core.keyspace.engine.state !== 'failed') return;
    // Maintenance first: its jobs take the write lock while they hold it.
    await core.maintenance.run(() =>
      core.committer.writeLock.run(async () => {
        await core.committer.drain();
        await core.dictionary.lock.run(async () => {
          if (core.keyspace.engine.state === 'failed') await core.keyspace.engine.recover();
          if (core.broken !== undefined) await core.load();
        });
      }),
    );
  }

  /** Enters as a writer, who holds ids; the answer ends that. */
  async enter(): Promise<() => void> {
    const { core } = this;
    const { termDropGuard } = core;
    core.enter();
    try {
      for (;;) {
        await this.writable();
        if (termDropGuard.closed === undefined) break;
        await termDropGuard.closed;
      }
    } catch (error) {
      core.leave();
      throw error;
    }
    const leaveGuard = termDropGuard.enter();
    let left = false;
    return () => {
      if (left) return;
      left = true;
      leaveGuard();
      core.leave();
    };
  }

  /** Works on it while it stays in memory. */
  async using<T>(work: () => Promise<T>): Promise<T> {
    const { core } = this;
    core.enter();
    try {
      this.check();
      await core.ready();
      return await work();
    } finally {
      core.leave();
    }
  }

  /** Works on it as a writer. */
  async asWriter<T>(work: () => Promise<T>): Promise<T> {
    const leave = await this.enter();
    try {
      return await work();
    } finally {
      leave();
    }
  }
}
