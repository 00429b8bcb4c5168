/** The handle of a line that begins on another one. While it is in memory, so is the line below it. */
import type { StorageEngine } from '@quadrille/storage';
import { LayeredIndex } from '../index/layered-index.js';
import type { LineKeyspace } from '../keyspace/line-keyspace.js';
import type { Generation, LineBase } from '../open/generation.js';
import type { Lifecycle } from '../open/handle.js';
import { RepositoryHandle } from '../open/handle.js';
import { readGeneration } from '../open/replay.js';
import { branchNotFound } from './names.js';

export class LineHandle extends RepositoryHandle {
  /** Whether the base counts this line as a user. */
  #holdsBase = false;
  /** The last name of its branch, once that was deleted. */
  #deleted = '';

  private constructor(
    override readonly keyspace: LineKeyspace,
    /** The line on which it begins. */
    readonly base: RepositoryHandle,
    branch: string | undefined,
  ) {
    super(keyspace, base.env, base.root);
    this.branch = branch;
  }

  static async openOn(keyspace: LineKeyspace, base: RepositoryHandle, branch: string | undefined): Promise<LineHandle> {
    const handle = new LineHandle(keyspace, base, branch);
    await handle.first();
    return handle;
  }

  override get key(): string {
    return `${this.keyspace.name}#${this.keyspace.line}`;
  }

  override get lifecycle(): Lifecycle {
    const { lifecycle } = this.root;
    return lifecycle === 'open' ? super.lifecycle : lifecycle;
  }

  override checkBranch(): void {
    if (this.branch === undefined) throw branchNotFound(this.keyspace.name, this.#deleted);
  }

  /** Another process has named or deleted its branch. */
  rename(branch: string | undefined): void {
    if (branch === undefined && this.branch !== undefined) this.end(this.branch);
    else this.branch = branch;
  }

  /**
   * Makes later writes fail: the branch was deleted. Its revisions can still be read. The caller holds the write lock, and
   * nothing is staged.
   */
  end(branch: string): void {
    this.#deleted = branch;
    this.branch = undefined;
    if (this.inMemory) this.generation.ended = branchNotFound(this.keyspace.name, branch);
  }

  protected override async read(sweep: boolean): Promise<Generation> {
    const { base } = this;
    const held = this.#holdsBase;
    if (!held) base.users.enter();
    this.#holdsBase = true;
    try {
      await base.load();
      const { generation } = base;
      const { engine } = generation.keyspace;
      if (this.keyspace.engine.follows) return await this.readOn(engine, generation);
      return await readGeneration(this, sweep, this.#baseOn(generation));
    } catch (error) {
      if (!held) this.#leaveBase();
      throw error;
    }
  }

  /** @param base the generation of the line below it, of the same state or the one that it becomes */
  override readOn(view: StorageEngine, base = this.base.generation): Promise<Generation> {
    return readGeneration(this.partsOn(view), false, this.#baseOn(base));
  }

  protected override isCurrent(generation: Generation): boolean {
    return this.base.inMemory && generation.base!.generation === this.base.generation;
  }

  #baseOn(generation: Generation): LineBase {
    const { fork } = this.keyspace;
    return {
      generation,
      fork,
      over: ({ runs, memtables }, base) => new LayeredIndex(runs, memtables, base, fork),
    };
  }

  protected override entered(generation: Generation): void {
    const below = generation.base!.generation;
    // The base may have flushed or merged while this line was read.
    generation.replaceIndex(generation.base!.over(generation.index, below.index));
    if (this.inMemory) this.generation.base!.generation.above.delete(this.generation);
    below.above.add(generation);
    this.root.lines.add(this);
  }

  override unload(): void {
    const { generation } = this;
    generation.base!.generation.above.delete(generation);
    this.root.lines.delete(this);
    super.unload();
    this.#leaveBase();
  }

  #leaveBase(): void {
    this.#holdsBase = false;
    this.base.users.leave();
  }
}
