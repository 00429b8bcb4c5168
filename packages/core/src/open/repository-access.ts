/**
 * Access of reads and writes to a repository. It loads the repository into memory, recovers it after a failed write,
 * and counts its users.
 */
import { StorageError } from '@quadrille/model';
import { isFull } from '@quadrille/storage';
import { isConflict } from '../timeline/change.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import type { Env } from '../runtime/env.js';
import type { Gate } from '../runtime/gate.js';
import type { Timeline } from '../timeline/timeline.js';
import type { RepositoryHandle } from './handle.js';

export type TruncateTerms = (keyspace: Keyspace, termMark: number, env: Env) => Promise<void>;

export class RepositoryAccess {
  constructor(
    private readonly handle: RepositoryHandle,
    /** Removes the terms that no published revision needs. Given from outside, because few programs need it. */
    private readonly truncateTerms: TruncateTerms,
  ) {}

  /**
   * Resolves when the repository can be written. After a failed write it recovers the storage and reads a new
   * timeline first. It also ends an erasure that found no room to end. @throws StorageError if that fails again
   */
  async writable(): Promise<Timeline> {
    const { handle } = this;
    const { engine } = handle.keyspace;
    handle.check();
    handle.checkBranch();
    handle.keyspace.assertWritable();
    const ready = handle.ready();
    if (ready !== undefined) await ready;
    if (handle.timeline.failure !== undefined || engine.state === 'failed' || handle.erasureRests)
      await this.#recover();
    // The branch may have turned out to be deleted.
    handle.checkBranch();
    return handle.timeline;
  }

  async #recover(): Promise<void> {
    const { handle } = this;
    const { engine } = handle.keyspace;
    await this.#alone(async () => {
      if (engine.state === 'failed') await engine.recover();
      if (handle.timeline.failure !== undefined || handle.erasureRests) await handle.root.recover();
    });
    // The end of an erasure drops terms that no revision uses, so no writer may have begun.
    const { erasure } = handle.root;
    if (erasure instanceof StorageError) throw erasure;
  }

  /** After a write found no room: frees the space of the failed write. Ignores errors, which the next writer gets. */
  giveBack(): Promise<void> | undefined {
    const { handle } = this;
    if (!handle.inMemory || !isFull(handle.timeline.failure)) return undefined;
    return this.#alone(async () => {
      if (!isFull(handle.timeline.failure)) return;
      const { termMark } = handle.timeline.shared.writer;
      const truncate = (): Promise<void> => this.truncateTerms(handle.keyspace, termMark, handle.env);
      // Others may read terms that have the places of those that are deleted.
      if (!(await handle.changeStored(truncate))) await handle.root.recover();
    }).catch(() => undefined);
  }

  // Takes the maintenance lock first, because jobs that hold it take the write lock.
  #alone(work: () => Promise<void>): Promise<void> {
    const { handle } = this;
    return handle.maintenance.run(() =>
      handle.writeLock.run(async () => {
        const { timeline } = handle;
        await timeline.drain();
        // A recovery that has failed half way has left a branch with the dictionary of before.
        const { dictionary } = handle.root.timeline;
        const locked = (): Promise<void> => timeline.dictionary.lock.run(work);
        await (dictionary === timeline.dictionary ? locked() : dictionary.lock.run(locked));
      }),
    );
  }

  /**
   * Enters as a writer, who holds ids of the timeline. `leave` ends that. If a write found no room, it frees its
   * space. @throws CorruptionError `FORMAT_VERSION` if a commit would need an upgrade that is not allowed
   */
  async enter(): Promise<{ timeline: Timeline; leave: () => Promise<void> | undefined }> {
    const { users } = this.handle;
    users.enter();
    try {
      if (this.handle.settings.known === undefined) await this.handle.readSettings();
      for (;;) {
        const timeline = await this.writable();
        timeline.keyspace.format.check();
        const { changes } = timeline;
        if (changes.closed === undefined) {
          changes.enter();
          return { timeline, leave: this.#leaver(changes) };
        }
        await changes.closed;
      }
    } catch (error) {
      users.leave();
      throw error;
    }
  }

  #leaver(changes: Gate): () => Promise<void> | undefined {
    let left = false;
    return () => {
      if (left) return undefined;
      left = true;
      changes.leave();
      const gives = this.giveBack();
      if (gives !== undefined) return gives.finally(() => this.handle.users.leave());
      this.handle.users.leave();
      return undefined;
    };
  }

  /** Does work with the timeline and keeps the repository in memory meanwhile. */
  async using<T>(work: (timeline: Timeline) => Promise<T>): Promise<T> {
    const { handle } = this;
    handle.check();
    handle.users.enter();
    try {
      await handle.ready();
      return await work(handle.timeline);
    } finally {
      handle.users.leave();
    }
  }

  /** Does work as a writer: see {@link enter}. */
  async asWriter<T>(work: (timeline: Timeline) => Promise<T>): Promise<T> {
    const { timeline, leave } = await this.enter();
    try {
      return await work(timeline);
    } catch (error) {
      throw await this.#settled(error);
    } finally {
      const leaving = leave();
      if (leaving !== undefined) await leaving;
    }
  }

  /**
   * Does work that commits. If it loses to another commit, its error comes when that commit can be read. A caller who
   * reads the head and tries again would lose again before, and could keep the event loop from ending the other write.
   */
  async settling<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw await this.#settled(error);
    }
  }

  async #settled(error: unknown): Promise<unknown> {
    if (isConflict(error) && this.handle.inMemory) await this.handle.timeline.settled();
    return error;
  }
}
