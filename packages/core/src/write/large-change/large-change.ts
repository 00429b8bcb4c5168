/**
 * A change of any size. Its rows are compared with the head it began on and written aside as runs, while other commits go
 * on; the last step, under the write lock, looks only at what was committed since. A change that turns out small is
 * committed like any other.
 */
import { EndedColumns, QuadColumns, QuadSet, sortQuads } from '../../index/quad-columns.js';
import type { CommitMeta } from '../committer.js';
import type { Pacer } from '../../runtime/env.js';
import { FIRST_INLINE_ID, UNPUBLISHED } from '../../format/layout.js';
import { IndexVersion } from '../../index/index-version.js';
import type { AccessPath, IdPattern } from '../../index/orders.js';
import { G, SPOG } from '../../index/orders.js';
import { ArraySource } from '../../index/read/array-source.js';
import { newRowColumns } from '../../index/block/block-codec.js';
import { EVERYTHING, RunSource } from '../../index/read/row-source.js';
import type { RowSource } from '../../index/read/row-source.js';
import { batches } from '../../index/read/batches.js';
import { MergeScan } from '../../index/read/merge-scan.js';
import type { SortedRows } from '../../index/run/write-orders.js';
import { writeOrders } from '../../index/run/write-orders.js';
import type { WrittenOrders } from '../../index/run/write-orders.js';
import { markIntervals } from '../../index/read/mark-intervals.js';
import { findInterval } from '../net-change.js';
import type { NetChange } from '../net-change.js';
import { publishLarge } from './publish.js';
import { Rebase } from './rebase.js';
import type { Generation } from '../../open/generation.js';
import type { IdQuads, RevisionRecord } from '../../revision/record.js';
import { RunSession } from '../../index/run/run-session.js';
import { asIdQuads, selectRows, sortedSet } from './sorted-quads.js';
import { Statistics } from '../../revision/statistics.js';
import { WorkMeter } from '../../runtime/work-meter.js';

/** In how many orders every row is written; the one of named graphs does not count. */
const WRITTEN_ORDERS = 3;
/** Steps that each row of a large change goes through: its terms found, sorted, compared, written in each order. */
export const STEPS = 3 + WRITTEN_ORDERS;

const KEPT = 1;
const NEW = 2;

export class LargeChange {
  readonly session: RunSession;
  /** Runs of new rows, chunk by chunk. */
  readonly added: WrittenOrders[] = [];
  /** Runs of tombstones. */
  readonly removed: WrittenOrders[] = [];
  /** Rows of the input that the base has already; runs of the SPOG order that nobody else sees. */
  readonly kept: WrittenOrders[] = [];
  /** Quads that are to be removed and were not there: somebody may have added them since. */
  readonly absent = new QuadSet();
  /** Steps done, each counted once a row; see {@link STEPS}. */
  readonly work = new WorkMeter();
  readonly statistics = { added: new Statistics(), removed: new Statistics() };
  #first: SortedRows | undefined;
  #firstFresh = FIRST_INLINE_ID;
  #rebased = false;
  #state: IndexVersion;
  #number: number;
  #closed = false;

  /**
   * @param scope what the input replaces: quads of the base that match and do not come again are removed. `undefined`:
   *   the input is added.
   */
  constructor(
    readonly generation: Generation,
    readonly scope: IdPattern | undefined,
    readonly pacer: Pacer,
  ) {
    this.session = new RunSession(generation.keyspace, generation.numbers);
    this.#state = generation.index;
    this.#state.retain();
    this.#number = generation.published.number;
  }

  /** The state that the change was compared with, and its revision. */
  get base(): { state: IndexVersion; number: number } {
    return { state: this.#state, number: this.#number };
  }

  /** Takes up to `chunkRows` quads. Ids from `freshFrom` on were given after the change began. */
  async add(quads: IdQuads, freshFrom: number): Promise<void> {
    this.checkAlive();
    this.work.begin(quads.length);
    const rows = await sortedSet(quads, this.pacer);
    this.work.end();
    if (this.#first === undefined && this.added.length + this.kept.length === 0) {
      this.#first = rows;
      this.#firstFresh = freshFrom;
      return;
    }
    await this.#spill();
    await this.#writeChunk(rows, freshFrom);
  }

  /** Removes rows that are known to be there, with their intervals; sorted as (s, p, o, g). */
  async removeIntervals(rows: SortedRows): Promise<void> {
    await this.#writeRemoved(rows);
  }

  checkAlive(): void {
    this.generation.checkWritable();
  }

  /** Publishes the change as one revision; the head as it is where nothing changes. */
  async commit(meta: CommitMeta): Promise<RevisionRecord> {
    this.checkAlive();
    if (this.added.length + this.kept.length + this.removed.length === 0) {
      const small = await this.#smallChange();
      if (small !== undefined) return this.#commitSmall(small, meta);
    }
    return this.#commitLarge(meta);
  }

  async #commitSmall(small: NetChange, meta: CommitMeta): Promise<RevisionRecord> {
    const { generation } = this;
    const staged = await generation.committer.writeLock.run(async () => {
      generation.committer.checkCondition(meta);
      this.checkAlive();
      // Others committed meanwhile: compare again, now that nobody can.
      let change: NetChange | undefined = small;
      if (generation.staged.number !== this.#number) {
        this.#rebase();
        change = await this.#smallChange();
      }
      return change && { durable: generation.committer.stage(change, meta) };
    });
    // What was small has grown by what others removed: the long way is right at any size.
    return staged === undefined ? this.#commitLarge(meta) : staged.durable;
  }

  async #commitLarge(meta: CommitMeta): Promise<RevisionRecord> {
    await this.#spill();
    if (this.scope !== undefined) await this.#removeRest(this.scope);
    const arrived = await this.#arrived();
    if (arrived.length > 0) await this.#writeRemoved(endedRows(arrived));
    const rebase = new Rebase(this);
    // What came before that may have taken long to look at; the second time there is little.
    await rebase.catchUp();
    await rebase.catchUp();
    return this.generation.committer.writeLock.run(() => publishLarge(this, rebase, meta));
  }

  #rebase(): void {
    const { generation } = this;
    generation.index.retain();
    this.#state.release();
    this.#state = generation.index;
    this.#number = generation.staged.number;
    this.#rebased = true;
    // Others may have used by now what was new when this change began.
    this.#firstFresh = FIRST_INLINE_ID;
  }

  // The net change of input that is in memory, or undefined where it is too large for a record.
  async #smallChange(): Promise<NetChange | undefined> {
    const { smallRows } = this.generation.keyspace.tuning;
    const rows = this.#first ?? { columns: newRowColumns(0), length: 0 };
    const marks = await this.#mark(rows, this.#firstFresh, this.#state);
    const added = new QuadColumns();
    const [s, p, o, g] = rows.columns;
    for (let i = 0; i < rows.length; i++) {
      if (marks[i] !== NEW) continue;
      if (added.length === smallRows) return undefined;
      added.push(s[i]!, p[i]!, o[i]!, g[i]!);
    }
    const removed = await this.#arrived();
    if (added.length + removed.length > smallRows) return undefined;
    if (this.scope !== undefined) {
      const kept = await selectRows(rows, marks, KEPT, this.pacer);
      for await (const batch of this.#restOf(this.scope, [new ArraySource(kept)])) {
        const [cs, cp, co, cg, from] = batch.columns;
        if (added.length + removed.length + batch.end - batch.start > smallRows) return undefined;
        for (let i = batch.start; i < batch.end; i++) removed.pushEnded(cs[i]!, cp[i]!, co[i]!, cg[i]!, from[i]!);
      }
    }
    return { added: sortQuads(added), removed: sortQuads(removed) };
  }

  // Quads to be removed that were not there when the change began, and are on the base that it has by now.
  async #arrived(): Promise<EndedColumns> {
    const arrived = new EndedColumns();
    if (!this.#rebased) return arrived;
    const { s, p, o, g, length } = this.absent;
    for (let i = 0; i < length; i++) {
      const interval = await findInterval(this.#state, this.#number, s[i]!, p[i]!, o[i]!, g[i]!);
      if (interval !== 0) arrived.pushEnded(s[i]!, p[i]!, o[i]!, g[i]!, interval);
      if (i % 256 === 0 && this.pacer.due()) await this.pacer.pause();
    }
    return sortQuads(arrived);
  }

  async #spill(): Promise<void> {
    const rows = this.#first;
    this.#first = undefined;
    if (rows !== undefined && rows.length > 0) await this.#writeChunk(rows, this.#firstFresh);
  }

  async #writeChunk(rows: SortedRows, freshFrom: number): Promise<void> {
    const own = this.added.flatMap((chunk) => chunk.runs);
    const state = new IndexVersion([...this.#state.runs, ...own], this.#state.memtables);
    this.work.begin(rows.length);
    const marks = await this.#mark(rows, freshFrom, state);
    state.supersede();
    const fresh = await selectRows(rows, marks, NEW, this.pacer);
    const kept = await selectRows(rows, marks, KEPT, this.pacer);
    this.work.begin(WRITTEN_ORDERS * rows.length);
    if (fresh.length > 0) {
      await this.#count(this.statistics.added, fresh);
      const { keyspace } = this.generation;
      let written = 0;
      const onRows = (count: number): void => this.work.reach((written += count) / (WRITTEN_ORDERS * rows.length));
      this.added.push(await writeOrders(keyspace, this.session, fresh, 'live', true, this.pacer, onRows));
    }
    this.work.end();
    // What an earlier chunk has already carries the placeholder revision: it is not in the base.
    const ofBase = await withInterval(kept, this.pacer);
    if (ofBase.length > 0)
      this.kept.push(await writeOrders(this.generation.keyspace, this.session, ofBase, 'live', false, this.pacer));
  }

  #count(statistics: Statistics, rows: SortedRows): Promise<void> {
    const quads = asIdQuads(rows);
    return this.pacer.rows(rows.length, (start, end) => statistics.apply(quads, 1, start, end));
  }

  // Marks each row NEW or KEPT; kept rows get the revision in which their interval began. A row with a fresh id is new.
  async #mark(rows: SortedRows, freshFrom: number, state: IndexVersion): Promise<Uint8Array> {
    const marks = new Uint8Array(rows.length).fill(NEW);
    const notFresh = new Uint32Array(rows.length);
    let count = 0;
    await this.pacer.rows(rows.length, (start, end) => {
      count = rowsWithout(rows.columns, freshFrom, start, end, notFresh, count);
    });
    // An interval that began after the base is of a commit since, which the last step looks at.
    await markIntervals(rows, notFresh.subarray(0, count), marks, KEPT, { state, number: this.#number }, this.pacer);
    return marks;
  }

  // Quads of the base in the scope that the input does not have.
  async *#restOf(scope: IdPattern, kept: RowSource[]): AsyncGenerator<MergeScan['batch']> {
    const path = scopePath(scope);
    const scan = this.#state.scan(scope, this.#number, path, true, kept);
    yield* batches(scan, this.pacer);
  }

  async #removeRest(scope: IdPattern): Promise<void> {
    const kept = this.kept.flatMap((chunk) => chunk.runs.filter((run) => run.entry.order === SPOG));
    const sources = kept.map((run) => new RunSource(run, [], 0, { range: EVERYTHING, filters: [], revisions: true }));
    const { chunkRows } = this.generation.keyspace.tuning;
    let columns = newRowColumns(chunkRows);
    let length = 0;
    for await (const batch of this.#restOf(scope, sources)) {
      for (let at = batch.start; at < batch.end;) {
        const count = Math.min(batch.end - at, chunkRows - length);
        for (let column = 0; column < 5; column++) {
          columns[column]!.set(batch.columns[column]!.subarray(at, at + count), length);
        }
        length += count;
        at += count;
        if (length < chunkRows) continue;
        await this.#writeRemoved({ columns, length });
        columns = newRowColumns(chunkRows);
        length = 0;
      }
    }
    if (length > 0) await this.#writeRemoved({ columns, length });
  }

  async #writeRemoved(rows: SortedRows): Promise<void> {
    rows.columns[5].fill(0, 0, rows.length);
    await this.#count(this.statistics.removed, rows);
    this.removed.push(await writeOrders(this.generation.keyspace, this.session, rows, 'tombstone', true, this.pacer));
  }

  /** Frees the base; what was not published is deleted. */
  async close(published = false): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#state.release();
    if (!published) await this.session.abandon().catch(() => undefined);
  }
}

function endedRows(quads: EndedColumns): SortedRows {
  const columns = newRowColumns(quads.length);
  for (const [i, name] of (['s', 'p', 'o', 'g', 'from'] as const).entries())
    columns[i]!.set(quads[name].subarray(0, quads.length));
  return { columns, length: quads.length };
}

/** The path by which a scope is read in SPOG order. */
function scopePath(scope: IdPattern): AccessPath {
  const bound = scope.s !== 0 || scope.p !== 0 || scope.o !== 0;
  const residual = [0, 1, 2, G].filter((position) => [scope.s, scope.p, scope.o, scope.g][position] !== 0);
  if (bound && scope.s !== 0)
    return { order: SPOG, prefix: 1, residual: residual.filter((position) => position !== 0) };
  return { order: SPOG, prefix: 0, residual };
}

// The rows of which no id is a fresh one; returns where they end in `out`.
function rowsWithout(
  [s, p, o, g]: SortedRows['columns'],
  freshFrom: number,
  start: number,
  end: number,
  out: Uint32Array,
  at: number,
): number {
  const isFresh = (id: number): boolean => id >= freshFrom && id < FIRST_INLINE_ID;
  let filled = at;
  for (let i = start; i < end; i++) {
    if (!isFresh(s[i]!) && !isFresh(p[i]!) && !isFresh(o[i]!) && !isFresh(g[i]!)) out[filled++] = i;
  }
  return filled;
}

function withInterval(rows: SortedRows, pacer: Pacer): Promise<SortedRows> {
  const marks = new Uint8Array(rows.length);
  for (let i = 0; i < rows.length; i++) marks[i] = rows.columns[4][i]! > UNPUBLISHED ? 1 : 0;
  return selectRows(rows, marks, 1, pacer);
}
