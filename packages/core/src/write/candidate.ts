/**
 * The state that a change would make, for reading before the change is staged: the staged head with the change on top.
 * It is made under the write lock, so that nothing else is staged meanwhile.
 */
import type { IndexVersion } from '../index/index-version.js';
import { Memtable } from '../index/index-version.js';
import type { IdPattern } from '../index/orders.js';
import { accessPath } from '../index/orders.js';
import { MergeScan } from '../index/read/merge-scan.js';
import { QuadScan } from '../index/read/quad-scan.js';
import type { BoundPositions } from '../index/read/quad-seeker.js';
import { newLanes, QuadSeeker } from '../index/read/quad-seeker.js';
import { indexSources } from '../index/read/seek-sources.js';
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
    const { keyspace, staged } = this.timeline;
    // The number tells on which line the runs are.
    const record = { ...staged, ...this.change, number: this.#number, payload: this.change.aside?.payload };
    for (const side of ['added', 'removed'] as const) yield* deltaRows(keyspace, record, side);
  }

  /** A reader of many patterns that bind the same positions. The caller closes it. */
  seeker(bound: BoundPositions): QuadSeeker {
    const lanes = newLanes((path, key) => indexSources(this.#index, path, this.#number, key));
    return new QuadSeeker(bound, lanes, this.#index.hasNamedGraphs());
  }

  /** The matching quads, in the order that suits the pattern. The caller closes the scan. */
  scan(pattern: IdPattern): QuadScan {
    const path = accessPath(pattern);
    const { plus, minus } = this.#index.sources(pattern, this.#number, path, false);
    return new QuadScan(new MergeScan(plus, minus), path.order);
  }

  /** Lets go of what it reads. */
  close(): void {
    this.#index.supersede();
  }
}
