/**
 * The identity of a repository in an open store: its name, keyspace, locks, lifecycle, and the timeline in memory.
 * A repository has one handle, and so has each other line that is in memory. Unloads, failed writes and erasures replace only the timeline.
 */
import { ConflictError, Mutex, StateError, StorageError, yieldTurn } from '@quadrille/model';
import { repositoryDeleted } from '../catalogue/names.js';
import { equalBytes } from '../format/byte-codec.js';
import { Tag } from '../format/layout.js';
import type { StoredSettings } from '../keyspace/stored-settings.js';
import { KnownSettings } from '../keyspace/stored-settings.js';
import { keepRuns, RunNumbers } from '../index/run/run-session.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import type { RevisionRecord } from '../revision/record.js';
import { Scheduler } from '../maintenance/scheduler.js';
import { toRevision, withoutDelta } from '../revision/record.js';
import type { Env } from '../runtime/env.js';
import { Gate } from '../runtime/gate.js';
import type { Timeline, RepositoryParts } from '../timeline/timeline.js';
import { memoryUse } from './memory-use.js';
import { Publications } from './publications.js';
import { readTimeline, readTimelineFromLog } from './replay.js';
import { withoutDoubt } from '@quadrille/storage';
import type { StorageEngine } from '@quadrille/storage';
import type { Found, ProposedChange } from '../timeline/change.js';

/** What the end of an erasure has done. */
export interface FinishedErasure {
  /** Number of terms that left the dictionary. */
  readonly terms: number;
  readonly bytesWritten: number;
}

/** Checks the state that a change would make against the shapes of a graph. */
export type ShapesCheck = (
  timeline: Timeline,
  change: ProposedChange,
  settings: StoredSettings,
) => Promise<Found | undefined>;

/**
 * `dropping`: the deletion waits for the staged commits and can still fail. `closed`: the repository was deleted or
 * its store is closed, and every call fails.
 */
export type Lifecycle = 'opening' | 'open' | 'dropping' | 'closed';

export class RepositoryHandle implements RepositoryParts {
  readonly users = new Gate();
  /** Of all lines of the repository. */
  readonly writeLock: Mutex;
  readonly maintenance: Mutex;
  readonly numbers = new RunNumbers(1);
  readonly retiring = new Set<number>();
  readonly scheduler: Scheduler = new Scheduler(this);
  /** Of the repository: read before the first write, and changed under the write lock. */
  readonly settings: KnownSettings;
  /** Of the root: rejects if a state violates the shapes of a graph. Whoever opens the repository gives it. */
  checkShapes: ShapesCheck = () =>
    Promise.reject(new StateError('READ_ONLY', 'the shapes of the repository cannot be checked here'));
  /** Tells those who follow the log of any line of new revisions, and of the end. */
  readonly publications: Publications;
  /** The handle of `main`, which is that of the repository. */
  readonly root: RepositoryHandle;
  /** Of the root: the other lines that are in memory, each after the one on which it begins. */
  readonly lines = new Set<RepositoryHandle>();
  /** The name of the branch; `undefined` if it was deleted. */
  branch: string | undefined = 'main';
  /** Of the root: how often a timeline of any line was installed. */
  installs = 0;
  /** Of the root: what the end of the last erasure has done, of those that ended here, or why the storage did not let it end. */
  erasure: FinishedErasure | StorageError | undefined;
  /** Of the root: how often a change of branches has failed, so that lines may have other names than are known. */
  branchDoubts = 0;
  /** Called before an unloaded repository is read from the storage again. */
  onReading: (() => void) | undefined;
  #lifecycle: Lifecycle = 'opening';
  #timeline: Timeline | undefined;
  #reading: Promise<void> | undefined;
  /** The head without its delta, which is all that an unloaded repository keeps. */
  #head!: RevisionRecord;
  #firstNumber = 0;

  protected constructor(
    readonly keyspace: Keyspace,
    readonly env: Env,
    root?: RepositoryHandle,
  ) {
    this.root = root ?? this;
    this.writeLock = root?.writeLock ?? new Mutex();
    this.maintenance = root?.maintenance ?? new Mutex();
    this.publications = root?.publications ?? new Publications();
    this.settings = root?.settings ?? new KnownSettings(keyspace);
    // Called for every write, also those of flushes and loads: afterwards the state in memory may be ahead of the
    // storage.
    if (root === undefined)
      keyspace.onWriteFailure = (error) => {
        if (this.#timeline !== undefined) this.#timeline.failure ??= error;
      };
  }

  /** Unique among the repositories and lines of a store. */
  get key(): string {
    return this.keyspace.name;
  }

  /** Reads a timeline from the storage. */
  protected read(sweep: boolean): Promise<Timeline> {
    const { engine } = this.keyspace;
    return engine.follows ? this.readOn(engine.view()) : readTimeline(this, sweep);
  }

  // ── What other processes write ──────────────────────────────────────────────────────────────────────────────────

  /** Reads a timeline from one state of the storage. */
  readOn(view: StorageEngine): Promise<Timeline> {
    return readTimeline(this.partsOn(view), false);
  }

  protected partsOn(view: StorageEngine): RepositoryParts {
    const { env, writeLock, maintenance, users, numbers, retiring, settings, announce, room, guard } = this;
    const locks = { writeLock, maintenance };
    return {
      keyspace: this.keyspace.on(view),
      env,
      ...locks,
      users,
      numbers,
      retiring,
      settings,
      announce,
      room,
      guard,
    };
  }

  /** Whether an erasure is in effect, and the storage did not let it end. */
  get erasureRests(): boolean {
    return this.root.erasure instanceof StorageError;
  }

  // ── What a timeline asks for ──────────────────────────────────────────────────────────────────────────────────

  readonly announce = (): void => {
    if (!this.keyspace.readOnly) this.scheduler.start();
    this.publications.announce();
  };

  readonly room = (): Promise<void> | undefined => this.scheduler.room();

  readonly guard = (change: ProposedChange, on: Timeline): Promise<Found | undefined> | undefined => {
    const { known } = this.settings;
    if (known !== undefined && known.shapes === undefined && known.search?.vectors === undefined) return undefined;
    if (change.added.length + change.removed.length === 0 && change.aside === undefined) return undefined;
    return this.#check(on, change);
  };

  /** Replaces the timeline by one that was read from a newer state of the storage. */
  replace(timeline: Timeline): void {
    const { index } = this.timeline;
    this.#install(timeline);
    index.supersede();
  }

  /** Of an unloaded repository: another process has made this revision. */
  moveHead(head: RevisionRecord): void {
    if (this.#timeline === undefined) this.#head = withoutDelta(head);
    this.publications.announce();
  }

  /** Another process has deleted the repository. */
  vanish(): void {
    this.#lifecycle = 'closed';
    this.keyspace.end(repositoryDeleted(this.keyspace.name));
    this.publications.announce();
  }

  static async open(keyspace: Keyspace, env: Env): Promise<RepositoryHandle> {
    const handle = new RepositoryHandle(keyspace, env);
    await handle.first();
    return handle;
  }

  protected async first(): Promise<void> {
    this.#begin(await this.#readCurrent(true));
  }

  // The base of a line may have got another timeline meanwhile.
  async #readCurrent(sweep: boolean): Promise<Timeline> {
    if (this.root === this) await this.#finishErasure();
    for (;;) {
      const timeline = await this.read(sweep);
      if (this.isCurrent(timeline)) return timeline;
      timeline.index.supersede();
    }
  }

  // A process has ended during an erasure, or a write of it has failed; or the erasure is at this step.
  async #finishErasure(): Promise<void> {
    const { keyspace, env } = this;
    if (keyspace.readOnly) return;
    if ((await keyspace.get(Tag.erasure, 0, 0)) === undefined) return;
    // Values that the timeline in memory reads will be gone.
    if (this.inMemory) keyspace.beginErasure();
    try {
      const { finishErasure } = await import('../on-request.js');
      this.erasure = await finishErasure(keyspace, env);
    } catch (error) {
      // Without room the repository can be read, and the next open goes on.
      if (!(error instanceof StorageError)) throw error;
      this.erasure = withoutDoubt(error);
    }
  }

  /** Whether a timeline that was read fits those of other lines. */
  protected isCurrent(_timeline: Timeline): boolean {
    return true;
  }

  /** Opens a repository with damaged indexes from its log and terms alone. It can only be rebuilt. */
  static async openOnLog(keyspace: Keyspace, env: Env): Promise<RepositoryHandle> {
    const handle = new RepositoryHandle(keyspace, env);
    handle.#begin(await readTimelineFromLog(handle));
    return handle;
  }

  #begin(timeline: Timeline): void {
    this.#install(timeline);
    this.#firstNumber = timeline.published.number;
    if (this.#lifecycle === 'opening') this.#lifecycle = 'open';
  }

  #install(timeline: Timeline): void {
    this.entered(timeline);
    this.keyspace.erasedAt = timeline.keyspace.erasedAt;
    this.#timeline = timeline;
    this.root.installs++;
    // After a failed write there may be revisions whose commits got an error.
    this.publications.announce();
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

  /** For writers, and those who wait for revisions. @throws NotFoundError `BRANCH_NOT_FOUND` if the branch was deleted */
  checkBranch(): void {}

  /**
   * Deletes the repository. `mark` makes the deletion durable; if it fails, the repository stays as it was. When this
   * resolves, no write to the repository is under way.
   * @throws ConflictError `REVISION_CONFLICT` if its head is another one than `expected`
   */
  async drop(mark: () => Promise<void>, expected?: RevisionRecord): Promise<void> {
    const { keyspace } = this;
    this.#lifecycle = 'dropping';
    try {
      // Staged commits are written before the deletion. Commits that wait for the lock then fail with
      // REPOSITORY_DELETED.
      await this.writeLock.run(async () => {
        await this.#timeline?.drain();
        if (expected !== undefined) this.#checkHead(expected);
        await mark();
        keyspace.end(repositoryDeleted(keyspace.name));
      });
      this.#lifecycle = 'closed';
    } catch (error) {
      if (this.#lifecycle === 'dropping') this.#lifecycle = 'open';
      throw error;
    }
    this.publications.announce();
    await keyspace.quiet();
  }

  #checkHead(expected: RevisionRecord): void {
    const { head } = this;
    if (equalBytes(head.id, expected.id)) return;
    const { name } = this.keyspace;
    throw new ConflictError(
      'REVISION_CONFLICT',
      `the head of repository ${name} is revision ${head.number} by now: it stays as it is`,
      { details: { repository: name, head: toRevision(head).id } },
    );
  }

  /** Refuses new calls and waits for the commits and jobs under way. Afterwards nothing is read or written. */
  async close(): Promise<void> {
    if (this.#lifecycle === 'closed') return;
    this.#lifecycle = 'closed';
    this.publications.announce();
    await this.#reading?.catch(() => undefined);
    await this.maintenance.run(() => this.writeLock.run(async () => this.#timeline?.drain()));
    this.keyspace.end(storeClosed());
    await this.keyspace.quiet();
  }

  /** The settings, which are read once. Readers of the repository do not need them. */
  async readSettings(): Promise<StoredSettings> {
    this.check();
    return this.settings.read();
  }

  async #check(timeline: Timeline, change: ProposedChange): Promise<Found | undefined> {
    const settings = await this.readSettings();
    if (settings.search?.vectors !== undefined)
      await (await import('../read/vectors.js')).refuseVectors(timeline, change, settings.search.vectors);
    if (settings.shapes === undefined) return undefined;
    const found = await this.root.checkShapes(timeline, change, settings);
    // A write may have failed meanwhile.
    timeline.checkWritable();
    return found;
  }

  // ── In memory or unloaded ───────────────────────────────────────────────────────────────────────────────────────

  /** The timeline in memory. @throws StateError if the repository is unloaded: call {@link ready} first */
  get timeline(): Timeline {
    if (this.#timeline === undefined)
      throw new StateError('STORE_NOT_OPEN', `repository ${this.keyspace.name} is not in memory`);
    return this.#timeline;
  }

  get inMemory(): boolean {
    return this.#timeline !== undefined;
  }

  /** The newest published revision. While the repository is unloaded, the record has no delta. */
  get head(): RevisionRecord {
    return this.#timeline === undefined ? this.#head : this.#timeline.published;
  }

  /**
   * Loads the repository into memory if it is unloaded. Returns `undefined` if it is in memory; otherwise a promise.
   * After that it stays in memory until the event loop's next turn.
   */
  ready(): Promise<void> | undefined {
    this.check();
    return this.load();
  }

  /** Like {@link ready}, also for a deleted branch on which others begin. */
  load(): Promise<void> | undefined {
    if (this.#timeline !== undefined && this.#reading === undefined) return undefined;
    return (this.#reading ??= this.#readAgain());
  }

  /** Called before a timeline is used. */
  protected entered(_timeline: Timeline): void {}

  async #readAgain(): Promise<void> {
    this.onReading?.();
    this.users.enter();
    try {
      await this.keyspace.engine.shown.opening(async () => this.#begin(await this.#readCurrent(false)));
    } finally {
      this.#reading = undefined;
      // By the next turn, the calls that waited have entered as users.
      void yieldTurn().then(() => this.users.leave());
    }
  }

  /** Reads new timelines of all lines after a failed write, or in an erasure. Under the maintenance lock, the write lock and the dictionary's lock. */
  async recover(): Promise<void> {
    for (const lock of [this.maintenance, this.writeLock, this.timeline.dictionary.lock]) lock.assertHeld();
    // Until the new ones are read, a writer still finds the old ones, whose head the storage may no longer have.
    this.timeline.failure ??= replaced(this.keyspace.name);
    await this.reread();
    for (const line of this.lines) await line.reread();
  }

  /**
   * Changes what is stored while nobody reads it, and reads it again; under the locks of {@link recover}, by the root's one user. Whoever comes meanwhile
   * waits, and reads on also after a change that has failed. Returns `false` without effect where others use the repository, or a branch is in memory.
   */
  async changeStored(change: () => Promise<void>): Promise<boolean> {
    let isAlone = false;
    let failure: StorageError | undefined;
    const work = async (): Promise<void> => {
      // Whoever has found the timeline in this turn enters by the next one.
      await yieldTurn();
      isAlone = this.root === this && this.users.inside <= 1 && this.lines.size === 0;
      if (!isAlone) return;
      const before = this.timeline;
      this.#head = withoutDelta(before.published);
      this.#timeline = undefined;
      failure = await change().then(
        () => undefined,
        (error: StorageError) => error,
      );
      await this.#readChanged(before, failure);
    };
    this.#reading = work().finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
    if (failure !== undefined) throw failure;
    return isAlone;
  }

  // A change that has failed may have had its effect. The next writer recovers the storage, and reads once more.
  async #readChanged(before: Timeline, failure: StorageError | undefined): Promise<void> {
    try {
      const timeline = await this.#readCurrent(failure === undefined);
      timeline.failure = failure;
      this.#begin(timeline);
      before.index.supersede();
    } finally {
      this.#timeline ??= before;
    }
  }

  protected async reread(): Promise<void> {
    const { index, readersEnded, dictionary } = this.timeline;
    const kept = readersEnded === undefined ? keepRuns(this.keyspace, this.retiring, index.runs) : undefined;
    this.#install(await this.#readCurrent(true));
    kept?.(this.timeline.index.runs);
    index.supersede();
    if (readersEnded === undefined) void this.users.quiet().then(this.timeline.dictionary.keepRunsOf(dictionary));
  }

  /** Whether nothing uses the repository and no write is under way, so that it can be unloaded. */
  get idle(): boolean {
    const timeline = this.#timeline;
    if (timeline === undefined || this.users.inside > 0 || this.scheduler.busy) return false;
    if (this.lifecycle !== 'open' || timeline.failure !== undefined || this.retiring.size > 0) return false;
    return timeline.staged.number === timeline.published.number;
  }

  /** Drops everything but the head from memory. Call it only while the repository is {@link idle}. */
  unload(): void {
    const { timeline } = this;
    timeline.index.supersede();
    this.#head = withoutDelta(timeline.published);
    this.#timeline = undefined;
  }

  /** Estimated memory of the repository, in bytes, excluding the block cache. */
  get memoryBytes(): number {
    return this.#timeline === undefined ? 0 : memoryUse(this.#timeline);
  }

  /** Number of revisions made since the repository was read into memory. */
  get commits(): number {
    return this.#timeline === undefined ? 0 : this.#timeline.published.number - this.#firstNumber;
  }
}

const replaced = (name: string): StorageError =>
  new StorageError(
    'STORE_UNAVAILABLE',
    `repository ${name}: nothing of this change was written, because the repository was read again meanwhile: try again`,
  );

const storeClosed = (): StateError => new StateError('STORE_NOT_OPEN', 'the store is closed');
