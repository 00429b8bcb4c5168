/**
 * A change of any size, as a pipeline. Its rows are collected, sorted, compared with the head on which the change
 * began, and written aside as runs. Other commits go on meanwhile. At the end the change is compared with these
 * commits and published under the write lock. A change that turns out small is committed like a small commit.
 */
import type { IdQuads } from '../../index/quad-columns.js';
import { StorageError } from '@quadrille/model';
import { isFull } from '@quadrille/storage';
import { EndedColumns, QuadColumns, sortQuads } from '../../index/quad-columns.js';
import type { CommitMeta, NetChange, Switch } from '../../timeline/change.js';
import { FIRST_INLINE_ID } from '../../format/layout.js';
import { checkNumber, NEW_REPOSITORY } from '../../format/numbers.js';
import { newRowColumns } from '../../index/block/block-codec.js';
import type { IndexAt } from '../../index/read/find-interval.js';
import type { IdPattern } from '../../index/orders.js';
import { RunSession } from '../../index/run/run-session.js';
import { Statistics } from '../../index/statistics.js';
import type { SortedRows } from '../../index/run/write-orders.js';
import type { Timeline } from '../../timeline/timeline.js';
import { fitsInRecord, mostRowsIn } from '../../revision/record.js';
import type { RevisionRecord } from '../../revision/record.js';
import type { Pacer } from '../../runtime/env.js';
import { WorkMeter } from '../../runtime/work-meter.js';
import type { ChangeJob } from './change-job.js';
import type { AddedChunk, Compared } from './compare.js';
import { compareAdded, compareRemoved } from './compare.js';
import { switchToLarge } from './publish.js';
import { notRebased, rebase } from './rebase.js';
import { restOfScope, writeRestOfScope } from './scope.js';
import { sortedSet } from './sorted-quads.js';
import type { WrittenAside } from './write-aside.js';
import {
  NOTHING_ASIDE,
  writeAdded,
  writeKnownAdded,
  writeKnownRemoved,
  writeRemoved,
  WRITTEN_ORDERS,
} from './write-aside.js';

/**
 * Number of steps for each row of a large change: finding its terms, sorting, comparing, and writing it in each
 * order.
 */
export const STEPS = 3 + WRITTEN_ORDERS;

/** Input in memory: at most one chunk of each kind, while nothing is written aside. */
interface Collected {
  readonly added?: AddedChunk;
  readonly removed?: SortedRows;
}

/** What the base has of the input in memory, as far as it is known. */
interface CollectedInBase {
  readonly added?: Compared;
  readonly removed?: Compared;
}

const NO_ROWS: SortedRows = { columns: newRowColumns(0), length: 0 };

export class LargeChange {
  /** Progress of the change. Each row counts once for each of its {@link STEPS}. */
  readonly work = new WorkMeter();
  readonly #session: RunSession;
  readonly #counts = new Statistics();
  #base: IndexAt;
  #collected: Collected = {};
  #inBase: CollectedInBase = {};
  protected written: WrittenAside = NOTHING_ASIDE;
  #published = false;
  #closed = false;

  /**
   * @param scope the quads that the input replaces: base quads that match and are not in the input are removed.
   * `undefined` replaces nothing.
   */
  constructor(
    readonly timeline: Timeline,
    private readonly scope: IdPattern | undefined,
    private readonly pacer: Pacer,
  ) {
    const { number } = timeline.staged;
    checkNumber(number + 1, `revisions of repository ${timeline.keyspace.name}`, NEW_REPOSITORY);
    this.#session = new RunSession(timeline);
    this.#base = { index: timeline.index, number: timeline.published.number };
    this.#base.index.retain();
  }

  protected get job(): ChangeJob {
    const { timeline, scope, pacer, work } = this;
    return { timeline, base: this.#base, scope, session: this.#session, pacer, work, counts: this.#counts };
  }

  /** Adds up to `chunkRows` quads. Ids from `freshFrom` on were assigned after the change began. */
  async add(quads: IdQuads, freshFrom: number): Promise<void> {
    this.checkAlive();
    const chunk = { rows: await this.sorted(quads), freshFrom };
    if (this.written === NOTHING_ASIDE && this.#collected.added === undefined) {
      this.#collected = { ...this.#collected, added: chunk };
      return;
    }
    await this.#preparing(async () => {
      await this.spill();
      this.written = await writeAdded(this.job, this.written, chunk);
    });
  }

  /** Removes up to `chunkRows` quads. No other chunk may remove them, and no chunk may add them. */
  async remove(quads: IdQuads): Promise<void> {
    this.checkAlive();
    const rows = await this.sorted(quads);
    if (this.written === NOTHING_ASIDE && this.#collected.removed === undefined) {
      this.#collected = { ...this.#collected, removed: rows };
      return;
    }
    await this.#preparing(async () => {
      await this.spill();
      this.written = await writeRemoved(this.job, this.written, rows);
    });
  }

  /** Adds rows that the base lacks, sorted as (s, p, o, g). Only for a change that fails if the head has moved. */
  async addKnown(rows: SortedRows): Promise<void> {
    await this.#preparing(async () => {
      await this.spill();
      this.written = await writeKnownAdded(this.job, this.written, rows);
    });
  }

  /** Removes rows that the base has, with their intervals, sorted as (s, p, o, g). */
  async removeKnown(rows: SortedRows): Promise<void> {
    await this.#preparing(async () => {
      await this.spill();
      this.written = await writeKnownRemoved(this.job, this.written, rows);
    });
  }

  protected async sorted(quads: IdQuads): Promise<SortedRows> {
    this.work.begin(quads.length);
    const rows = await sortedSet(quads, this.pacer);
    this.work.end();
    return rows;
  }

  /** @throws StorageError if a write has failed since the change began: `STORAGE_IO`, or `LEASE_LOST` if another process writes */
  checkAlive(): void {
    this.timeline.keyspace.check();
    const { failure } = this.timeline;
    if (failure === undefined) return;
    // Another server writes to the store now. Whoever knows that can ask there.
    const isLost = failure instanceof StorageError && failure.code === 'LEASE_LOST';
    const [code, what] = isFull(failure)
      ? (['STORAGE_FULL', 'found no room'] as const)
      : ([isLost ? 'LEASE_LOST' : 'STORAGE_IO', 'failed'] as const);
    const message = `the storage ${what} while this change was prepared: nothing of it was kept`;
    throw new StorageError(code, message, { cause: failure });
  }

  /** Publishes the change as one revision. Returns the present head if nothing changes. */
  async commit(meta: CommitMeta): Promise<RevisionRecord> {
    this.checkAlive();
    const small = this.written === NOTHING_ASIDE ? await this.#preparing(() => this.#smallChange()) : undefined;
    return small === undefined ? this.#commitLarge(meta) : this.#commitSmall(small, meta);
  }

  /**
   * Does work before the write that publishes the change. Whoever reads the repository again after a failed write ends what this work reads,
   * and deletes the runs that the change has written aside.
   */
  async #preparing<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.checkAlive();
      throw error;
    }
  }

  async #commitSmall(small: NetChange, meta: CommitMeta): Promise<RevisionRecord> {
    const { timeline, pacer } = this;
    const check = (): void => this.checkAlive();
    // Other commits may have come meanwhile. Then it compares again under the write lock.
    const prepare = async (): Promise<NetChange | undefined> => {
      if (timeline.staged.number === this.#base.number) return small;
      this.#moveBase();
      return this.#preparing(() => this.#smallChange());
    };
    const staged = await timeline.change({ meta, pacer, prepare, check });
    // Other commits can make a small change large. The large path is correct for every size.
    return staged === undefined ? this.#commitLarge(meta) : staged.durable;
  }

  async #commitLarge(meta: CommitMeta): Promise<RevisionRecord> {
    const { timeline, job } = this;
    const rebased = await this.#preparing(async () => {
      await this.spill();
      if (this.scope !== undefined) this.written = await writeRestOfScope(job, this.written, this.scope);
      // The first rebase may take long and runs without the write lock. The second one handles the few later commits.
      const first = await rebase(job, this.written, notRebased(job.base));
      return rebase(job, this.written, first);
    });
    const toRuns = (): Promise<Switch | undefined> => switchToLarge(job, this.written, rebased, meta);
    return timeline.writeLock.run(async () => {
      this.#published = await timeline.switch(() => this.#preparing(toRuns));
      return timeline.published;
    });
  }

  // Compares with the present head from now on. Nothing is written aside.
  #moveBase(): void {
    const { timeline } = this;
    timeline.writeLock.assertHeld();
    timeline.index.retain();
    this.#base.index.release();
    this.#base = { index: timeline.index, number: timeline.staged.number };
    this.#inBase = {};
    // Other commits may use ids that were fresh when this change began. So no id counts as fresh.
    const { added } = this.#collected;
    if (added !== undefined) this.#collected = { ...this.#collected, added: { ...added, freshFrom: FIRST_INLINE_ID } };
  }

  // The net change of the input in memory; undefined if it is too large for a record.
  async #smallChange(): Promise<NetChange | undefined> {
    const { added: input = { rows: NO_ROWS, freshFrom: FIRST_INLINE_ID }, removed = NO_ROWS } = this.#collected;
    const { deltaBytes } = this.timeline.keyspace.tuning;
    const most = mostRowsIn(deltaBytes);
    const comparedAdded = await compareAdded(input, this.#base, this.pacer);
    this.#inBase = { added: comparedAdded };
    const { missing, found: kept } = comparedAdded;
    if (missing.length > most) return undefined;
    const comparedRemoved = await compareRemoved(removed, this.#base, this.pacer);
    this.#inBase = { added: comparedAdded, removed: comparedRemoved };
    const gone = comparedRemoved.found;
    if (missing.length + gone.length > most) return undefined;
    const net = { added: new QuadColumns(missing.length), removed: new EndedColumns() };
    const end = (rows: SortedRows): void => {
      const [s, p, o, g, from] = rows.columns;
      for (let i = 0; i < rows.length; i++) net.removed.pushEnded(s[i]!, p[i]!, o[i]!, g[i]!, from[i]!);
    };
    const [s, p, o, g] = missing.columns;
    for (let i = 0; i < missing.length; i++) net.added.push(s[i]!, p[i]!, o[i]!, g[i]!);
    end(gone);
    if (this.scope !== undefined) {
      for await (const rows of restOfScope(this.job, this.scope, kept)) {
        if (net.added.length + net.removed.length + rows.length > most) return undefined;
        end(rows);
      }
    }
    const change = { added: sortQuads(net.added), removed: sortQuads(net.removed) };
    return fitsInRecord(change.added, change.removed, deltaBytes) ? change : undefined;
  }

  // Writes aside the input in memory.
  protected async spill(): Promise<void> {
    const { added, removed } = this.#collected;
    const inBase = this.#inBase;
    this.#collected = {};
    this.#inBase = {};
    if (removed !== undefined && removed.length > 0)
      this.written = await writeRemoved(this.job, this.written, removed, inBase.removed);
    if (added !== undefined && added.rows.length > 0)
      this.written = await writeAdded(this.job, this.written, added, inBase.added);
  }

  /** Releases the base. Deletes the runs if the change was not published. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#base.index.release();
    if (!this.#published) await this.#session.abandon().catch(() => undefined);
  }
}
