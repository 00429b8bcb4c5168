/** The handle of a line that begins on another one. While it is in memory, so is the line below it. */
import type { StorageEngine } from '@quadrille/storage';
import { LayeredIndex } from '../index/layered-index.js';
import type { LineKeyspace } from '../keyspace/line-keyspace.js';
import type { Timeline, LineBase } from '../timeline/timeline.js';
import type { Lifecycle } from '../open/handle.js';
import { RepositoryHandle } from '../open/handle.js';
import { readTimeline } from '../open/replay.js';
import { branchNotFound, branchOf } from './names.js';

export class LineHandle extends RepositoryHandle {
  /** Whether the base counts this line as a user. */
  #holdsBase = false;
  /** The last name of its branch, once that was deleted. */
  #deleted = '';
  /** The doubts about branches when its name was read. */
  #doubts: number;

  private constructor(
    override readonly keyspace: LineKeyspace,
    /** The line on which it begins. */
    readonly base: RepositoryHandle,
    branch: string | undefined,
  ) {
    super(keyspace, base.env, base.root);
    this.branch = branch;
    this.#doubts = base.root.branchDoubts;
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
   * Makes later writes fail: the branch was deleted. Its revisions can still be read. Nothing is staged.
   */
  end(branch: string): void {
    this.#deleted = branch;
    this.branch = undefined;
    if (this.inMemory) this.timeline.ended = branchNotFound(this.keyspace.name, branch);
  }

  protected override async read(sweep: boolean): Promise<Timeline> {
    const { base } = this;
    const held = this.#holdsBase;
    if (!held) base.users.enter();
    this.#holdsBase = true;
    try {
      await base.load();
      await this.#readName();
      const { timeline } = base;
      const { engine } = timeline.keyspace;
      if (this.keyspace.engine.follows) return await this.readOn(engine, timeline);
      return await readTimeline(this, sweep, this.#baseOn(timeline));
    } catch (error) {
      if (!held) this.#leaveBase();
      throw error;
    }
  }

  async #readName(): Promise<void> {
    const { branchDoubts, keyspace } = this.root;
    if (branchDoubts === this.#doubts) return;
    if (this.branch !== undefined) this.rename(await branchOf(keyspace, this.keyspace.line));
    this.#doubts = branchDoubts;
  }

  /** @param base the timeline of the line below it, of the same state or the one that it becomes */
  override readOn(view: StorageEngine, base = this.base.timeline): Promise<Timeline> {
    return readTimeline(this.partsOn(view), false, this.#baseOn(base));
  }

  protected override isCurrent(timeline: Timeline): boolean {
    const { timeline: below, rewrites } = timeline.base!;
    return this.base.inMemory && below === this.base.timeline && below.rewrites === rewrites;
  }

  #baseOn(timeline: Timeline): LineBase {
    const { fork } = this.keyspace;
    return {
      timeline,
      fork,
      rewrites: timeline.rewrites,
      over: ({ runs, memtables }, base) => new LayeredIndex(runs, memtables, base, fork),
    };
  }

  protected override entered(timeline: Timeline): void {
    const below = timeline.base!.timeline;
    // The base may have flushed or merged while this line was read.
    timeline.publish({ index: timeline.base!.over(timeline.index, below.index) });
    if (this.inMemory) this.timeline.base!.timeline.above.delete(this.timeline);
    below.above.add(timeline);
    this.root.lines.add(this);
  }

  override unload(): void {
    const { timeline } = this;
    timeline.base!.timeline.above.delete(timeline);
    this.root.lines.delete(this);
    super.unload();
    this.#leaveBase();
  }

  #leaveBase(): void {
    this.#holdsBase = false;
    this.base.users.leave();
  }
}
