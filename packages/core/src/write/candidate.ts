/**
 * The state that a change would make, for reading before the change is staged: the staged head with the change on top.
 * It is made under the write lock, so that nothing else is staged meanwhile.
 */
import type { IndexVersion } from '../index/index-version.js';
import { Memtable } from '../index/index-version.js';
import { EndedColumns, QuadColumns } from '../index/quad-columns.js';
import type { IdPattern, ScanOptions } from '../index/orders.js';
import { accessPath, boundsOf, pathInOrder } from '../index/orders.js';
import { countRows } from '../index/read/batches.js';
import { estimateDistinct, tryEstimate } from '../index/read/estimate.js';
import { MergeScan } from '../index/read/merge-scan.js';
import { QuadScan } from '../index/read/quad-scan.js';
import type { BoundPositions } from '../index/read/quad-seeker.js';
import { newLanes, QuadSeeker } from '../index/read/quad-seeker.js';
import { indexSources } from '../index/read/seek-sources.js';
import type { Statistics } from '../index/statistics.js';
import { KnownTerms } from '../dictionary/known-terms.js';
import { LocalTerms } from '../dictionary/local-terms.js';
import { FOREVER } from '../format/layout.js';
import { type EndSignal, Pacer } from '../runtime/env.js';
import type { Timeline } from '../timeline/timeline.js';
import { deltaRows } from '../revision/delta.js';
import { applyDelta, type ProposedChange } from '../timeline/change.js';

/** Quads as columns of ids. Rows from `start` to `end` are valid until the next batch is read. */
export interface ChangedRows {
  /** Subjects, predicates, objects, graphs. */
  readonly columns: readonly [ArrayLike<number>, ArrayLike<number>, ArrayLike<number>, ArrayLike<number>, ...unknown[]];
  /** The first row. */
  readonly start: number;
  /** The row behind the last one. */
  readonly end: number;
}

/** Reads what the repository would be after a change. */
export class Candidate {
  readonly #index: IndexVersion;
  readonly #number: number;

  constructor(
    /** The timeline that the change is made on. Its dictionary has the terms of the change. */
    readonly timeline: Timeline,
    private readonly change: ProposedChange,
  ) {
    timeline.writeLock.assertHeld();
    const { index, staged } = timeline;
    this.#number = staged.number + 1;
    const own = new Memtable();
    applyDelta(own, { number: this.#number, added: change.added, removed: change.removed });
    const runs = change.aside?.runs ?? [];
    this.#index = index.with([...index.runs, ...runs], [...index.memtables, own]);
  }

  /** The state without the change. The caller closes it. */
  before(): Candidate {
    return new Candidate(this.timeline, { added: new QuadColumns(), removed: new EndedColumns() });
  }

  /** Number of quads that the change adds and removes. */
  get changes(): number {
    const { added, removed, aside } = this.change;
    return added.length + removed.length + (aside?.count ?? 0);
  }

  /** Number of quads before the change. */
  get size(): number {
    return this.timeline.staged.size;
  }

  /** The quads that the change adds or removes. */
  async *rows(): AsyncGenerator<ChangedRows> {
    for (const side of ['added', 'removed'] as const) yield* this.#delta(side);
  }

  #delta(side: 'added' | 'removed'): ReturnType<typeof deltaRows> {
    const { keyspace, staged } = this.timeline;
    // The number tells on which line the runs are.
    const record = { ...staged, ...this.change, number: this.#number, payload: this.change.aside?.payload };
    return deltaRows(keyspace, record, side);
  }

  /** A reader of many patterns that bind the same positions. The caller closes it. */
  seeker(bound: BoundPositions): QuadSeeker {
    const lanes = newLanes((path, key) => indexSources(this.#index, path, this.#number, key));
    return new QuadSeeker(bound, lanes, this.#index.hasNamedGraphs());
  }

  /** The matching quads, in a chosen order and within bounds. The caller closes the scan. */
  scanQuads(pattern: IdPattern, { order, least = 0, greatest = FOREVER }: ScanOptions = {}): QuadScan {
    const path = order === undefined ? accessPath(pattern) : pathInOrder(order, pattern);
    const bounds =
      order === undefined && least === 0 && greatest === FOREVER ? undefined : boundsOf(path, least, greatest);
    const { plus, minus } = this.#index.sources(pattern, this.#number, path, false, bounds);
    return new QuadScan(new MergeScan(plus, minus), path.order);
  }

  /** Converts terms to ids and back. Terms that the repository does not have get ids that only this converter knows. */
  terms(): KnownTerms {
    return new KnownTerms(this.timeline, new LocalTerms());
  }

  /** False only if no quad is in a named graph. */
  get hasNamedGraphs(): boolean {
    return this.#index.hasNamedGraphs();
  }

  /** The exact number of matching quads, by a scan. */
  count(pattern: IdPattern, ends?: EndSignal): Promise<number> {
    const scan = this.#index.sources(pattern, this.#number, accessPath(pattern), false);
    return countRows(new MergeScan(scan.plus, scan.minus), new Pacer(this.timeline.env, undefined, ends));
  }

  /** Estimates the number of matching quads. It is 0 only if no quad matches. */
  estimate(pattern: IdPattern): number | Promise<number> {
    const estimate = tryEstimate(this.#index, pattern, { number: this.#number, size: this.size + this.changes });
    return typeof estimate === 'number' ? estimate : estimate.fetch().then(() => this.estimate(pattern));
  }

  /** Estimates the distinct subjects or objects of a predicate's quads; 0 if nothing is known. */
  distinct(predicate: number, position: 'subject' | 'object'): number {
    return estimateDistinct(this.#index, this.timeline.statistics, predicate, position);
  }

  /** The numbers of quads by predicate and by graph, with the change. */
  async statistics(): Promise<Statistics> {
    const statistics = this.timeline.statistics.copy();
    for (const side of ['added', 'removed'] as const)
      for await (const { columns, start, end } of this.#delta(side))
        statistics.apply({ p: columns[1], g: columns[3], length: end }, side === 'added' ? 1 : -1, start, end);
    return statistics;
  }

  /** Lets go of what it reads. */
  close(): void {
    this.#index.supersede();
  }
}
