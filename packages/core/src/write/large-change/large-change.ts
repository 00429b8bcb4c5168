/**
 * A change of any size, as a pipeline: rows are collected and sorted, compared with the head that the change began on and
 * written aside as runs, while other commits go on; what was committed since is looked at, and under the write lock all
 * of it is published. A change that turns out small is committed like any other.
 */
import { StorageError } from '@quadrille/model';
import { EndedColumns, QuadColumns, sortQuads } from '../../index/quad-columns.js';
import type { CommitMeta } from '../committer.js';
import { FIRST_INLINE_ID } from '../../format/layout.js';
import { newRowColumns } from '../../index/block/block-codec.js';
import type { IndexAt } from '../../index/read/find-interval.js';
import type { IdPattern } from '../../index/orders.js';
import { RunSession } from '../../index/run/run-session.js';
import type { SortedRows } from '../../index/run/write-orders.js';
import type { Generation } from '../../open/generation.js';
import { fitsInRecord, mostRowsIn } from '../../revision/record.js';
import type { IdQuads, RevisionRecord } from '../../revision/record.js';
import type { Pacer } from '../../runtime/env.js';
import { WorkMeter } from '../../runtime/work-meter.js';
import type { NetChange } from '../net-change.js';
import type { ChangeJob } from './change-job.js';
import type { AddedChunk } from './compare.js';
import { compareAdded, compareRemoved } from './compare.js';
import { publishLarge } from './publish.js';
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

/** Steps that each row of a large change goes through: its terms found, sorted, compared, written in each order. */
export const STEPS = 3 + WRITTEN_ORDERS;

/** Input that is held in memory: at most one chunk of each kind, as long as nothing is written aside. */
interface Collected {
  readonly added?: AddedChunk;
  readonly removed?: SortedRows;
}

const NO_ROWS: SortedRows = { columns: newRowColumns(0), length: 0 };

export class LargeChange {
  /** Steps done, each counted once a row; see {@link STEPS}. */
  readonly work = new WorkMeter();
  readonly #session: RunSession;
  #base: IndexAt;
  #collected: Collected = {};
  #written: WrittenAside = NOTHING_ASIDE;
  #published = false;
  #closed = false;

  /**
   * @param scope what the input replaces: quads of the base that match and do not come again are removed. `undefined`:
   *   the input is added.
   */
  constructor(
    readonly generation: Generation,
    private readonly scope: IdPattern | undefined,
    private readonly pacer: Pacer,
  ) {
    this.#session = new RunSession(generation.keyspace, generation.numbers);
    this.#base = { index: generation.index, number: generation.published.number };
    this.#base.index.retain();
  }

  get #job(): ChangeJob {
    const { generation, scope, pacer, work } = this;
    return { generation, base: this.#base, scope, session: this.#session, pacer, work };
  }

  /** Adds up to `chunkRows` quads. Ids from `freshFrom` on were given after the change began. */
  async add(quads: IdQuads, freshFrom: number): Promise<void> {
    this.checkAlive();
    const chunk = { rows: await this.#sorted(quads), freshFrom };
    if (this.#written === NOTHING_ASIDE && this.#collected.added === undefined) {
      this.#collected = { ...this.#collected, added: chunk };
      return;
    }
    await this.#spill();
    this.#written = await writeAdded(this.#job, this.#written, chunk);
  }

  /** Removes up to `chunkRows` quads that neither another chunk removes nor any chunk adds. */
  async remove(quads: IdQuads): Promise<void> {
    this.checkAlive();
    const rows = await this.#sorted(quads);
    if (this.#written === NOTHING_ASIDE && this.#collected.removed === undefined) {
      this.#collected = { ...this.#collected, removed: rows };
      return;
    }
    await this.#spill();
    this.#written = await writeRemoved(this.#job, this.#written, rows);
  }

  /** Adds rows that the base is known not to have, sorted as (s, p, o, g). Of a change that fails if the head moves. */
  async addKnown(rows: SortedRows): Promise<void> {
    await this.#spill();
    this.#written = await writeKnownAdded(this.#job, this.#written, rows);
  }

  /** Removes rows that are known to be in the base, with their intervals, sorted as (s, p, o, g). */
  async removeKnown(rows: SortedRows): Promise<void> {
    await this.#spill();
    this.#written = await writeKnownRemoved(this.#job, this.#written, rows);
  }

  async #sorted(quads: IdQuads): Promise<SortedRows> {
    this.work.begin(quads.length);
    const rows = await sortedSet(quads, this.pacer);
    this.work.end();
    return rows;
  }

  /** @throws StorageError where a write failed since the change began */
  checkAlive(): void {
    this.generation.keyspace.check();
    if (this.generation.failure !== undefined)
      throw new StorageError('STORAGE_IO', 'the storage failed while this change was prepared: nothing of it was kept');
  }

  /** Publishes the change as one revision; the head as it is where nothing changes. */
  async commit(meta: CommitMeta): Promise<RevisionRecord> {
    this.checkAlive();
    const small = this.#written === NOTHING_ASIDE ? await this.#smallChange() : undefined;
    return small === undefined ? this.#commitLarge(meta) : this.#commitSmall(small, meta);
  }

  async #commitSmall(small: NetChange, meta: CommitMeta): Promise<RevisionRecord> {
    const { generation } = this;
    const { committer } = generation;
    const staged = await committer.writeLock.run(async () => {
      committer.checkCondition(meta);
      this.checkAlive();
      const due = committer.dueCheckpoint(this.pacer);
      const checkpoint = due && (await due);
      // Others committed meanwhile: compare again, now that nobody can.
      let change: NetChange | undefined = small;
      if (generation.staged.number !== this.#base.number) {
        this.#moveBase();
        change = await this.#smallChange();
      }
      return change && { durable: committer.stage(change, meta, checkpoint) };
    });
    // What was small has grown by what others did: the long way is right at any size.
    return staged === undefined ? this.#commitLarge(meta) : staged.durable;
  }

  async #commitLarge(meta: CommitMeta): Promise<RevisionRecord> {
    await this.#spill();
    if (this.scope !== undefined) this.#written = await writeRestOfScope(this.#job, this.#written, this.scope);
    const job = this.#job;
    const written = this.#written;
    // What came before that may have taken long to look at; the second time there is little.
    const first = await rebase(job, written, notRebased(job.base));
    const rebased = await rebase(job, written, first);
    const { record, changed } = await this.generation.committer.writeLock.run(() =>
      publishLarge(job, written, rebased, meta),
    );
    this.#published = changed;
    return record;
  }

  // The present state is what the change is compared with from here on. Under the write lock, with nothing written aside.
  #moveBase(): void {
    const { generation } = this;
    generation.index.retain();
    this.#base.index.release();
    this.#base = { index: generation.index, number: generation.staged.number };
    // Others may have used by now what was new when this change began.
    const { added } = this.#collected;
    if (added !== undefined) this.#collected = { ...this.#collected, added: { ...added, freshFrom: FIRST_INLINE_ID } };
  }

  // The net change of input that is in memory, or undefined where it is too large for a record.
  async #smallChange(): Promise<NetChange | undefined> {
    const { added: input = { rows: NO_ROWS, freshFrom: FIRST_INLINE_ID }, removed = NO_ROWS } = this.#collected;
    const { deltaBytes } = this.generation.keyspace.tuning;
    const most = mostRowsIn(deltaBytes);
    const { missing, found: kept } = await compareAdded(input, this.#base, this.pacer);
    if (missing.length > most) return undefined;
    const { found: gone } = await compareRemoved(removed, this.#base, this.pacer);
    if (missing.length + gone.length > most) return undefined;
    const net = { added: new QuadColumns(), removed: new EndedColumns() };
    for (let i = 0; i < missing.length; i++) net.added.push(...quadAt(missing, i));
    for (let i = 0; i < gone.length; i++) net.removed.pushEnded(...quadAt(gone, i), gone.columns[4][i]!);
    if (this.scope !== undefined) {
      for await (const rows of restOfScope(this.#job, this.scope, kept)) {
        if (net.added.length + net.removed.length + rows.length > most) return undefined;
        for (let i = 0; i < rows.length; i++) net.removed.pushEnded(...quadAt(rows, i), rows.columns[4][i]!);
      }
    }
    const change = { added: sortQuads(net.added), removed: sortQuads(net.removed) };
    return fitsInRecord(change.added, change.removed, deltaBytes) ? change : undefined;
  }

  // Writes aside what is held in memory.
  async #spill(): Promise<void> {
    const { added, removed } = this.#collected;
    this.#collected = {};
    if (removed !== undefined && removed.length > 0)
      this.#written = await writeRemoved(this.#job, this.#written, removed);
    if (added !== undefined && added.rows.length > 0) this.#written = await writeAdded(this.#job, this.#written, added);
  }

  /** Frees the base; what was not published is deleted. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#base.index.release();
    if (!this.#published) await this.#session.abandon().catch(() => undefined);
  }
}

const quadAt = ({ columns: [s, p, o, g] }: SortedRows, row: number): [number, number, number, number] => [
  s[row]!,
  p[row]!,
  o[row]!,
  g[row]!,
];
