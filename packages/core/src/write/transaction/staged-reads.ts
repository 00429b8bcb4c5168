/** Reads of a staged transaction: its snapshot and its own changes. */
import { FOREVER } from '../../format/layout.js';
import { estimateDistinct, tryEstimate } from '../../index/read/estimate.js';
import type { Memtable } from '../../index/index-version.js';
import { residualFilters } from '../../index/index-version.js';
import { addSegments, countSegments, prefixRows } from '../../index/memtable/table-rows.js';
import type { AccessPath, Bounds, IdPattern, ScanOptions } from '../../index/orders.js';
import { accessPath, boundsOf, orderedIds, pathInOrder } from '../../index/orders.js';
import { QuadScan } from '../../index/read/quad-scan.js';
import { newLanes, QuadSeeker } from '../../index/read/quad-seeker.js';
import type { BoundPositions } from '../../index/read/quad-seeker.js';
import { EVERYTHING } from '../../index/read/row-source.js';
import type { RevisionRange } from '../../index/read/row-source.js';
import { MergeScan } from '../../index/read/merge-scan.js';
import { addTable, indexSources } from '../../index/read/seek-sources.js';
import type { Snapshot } from '../../read/snapshot.js';
import { TAKEN_BACK } from './staged-changes.js';
import type { EndSignal } from '../../runtime/env.js';
import type { Statistics } from '../../index/statistics.js';

const STANDING: RevisionRange = { ...EVERYTHING, minTo: TAKEN_BACK + 1 };

export class StagedReads {
  constructor(
    readonly base: Snapshot,
    private readonly changes: Memtable,
  ) {}

  get hasNamedGraphs(): boolean {
    return this.base.index.hasNamedGraphs() || this.changes.added.hasNamedGraphs;
  }

  /** The matching rows, with the `from` of their intervals. */
  scan(pattern: IdPattern, path: AccessPath = accessPath(pattern), bounds?: Bounds): MergeScan {
    const ids = orderedIds(path.order, pattern);
    const { plus, minus } = this.base.index.sources(pattern, this.base.number, path, true, bounds);
    const options = { range: STANDING, filters: residualFilters(path, pattern), revisions: true };
    addSegments(plus, this.changes.added, path, ids, options, bounds);
    addSegments(minus, this.changes.removed, path, ids, options, bounds);
    return new MergeScan(plus, minus);
  }

  scanQuads(pattern: IdPattern, { order, least = 0, greatest = FOREVER }: ScanOptions = {}): QuadScan {
    const path = order === undefined ? accessPath(pattern) : pathInOrder(order, pattern);
    return new QuadScan(this.scan(pattern, path, boundsOf(path, least, greatest)), path.order);
  }

  seeker(bound: BoundPositions): QuadSeeker {
    const { index, number } = this.base;
    const { added, removed } = this.changes;
    const lanes = newLanes((path, key) => {
      const sources = indexSources(index, path, number, key);
      addTable(sources.plus, added, path.order, key, STANDING);
      addTable(sources.minus, removed, path.order, key, STANDING);
      return sources;
    });
    return new QuadSeeker(bound, lanes, this.hasNamedGraphs);
  }

  /** The exact number of matching quads. Every own row adds or removes exactly one quad of the base. */
  async count(pattern: IdPattern, ends?: EndSignal): Promise<number> {
    const path = accessPath(pattern);
    const ids = orderedIds(path.order, pattern);
    const filters = residualFilters(path, pattern);
    const { added, removed } = this.changes;
    const net =
      countSegments(added, path, ids, STANDING, filters) - countSegments(removed, path, ids, STANDING, filters);
    return (await this.base.count(pattern, ends)) + net;
  }

  estimate(pattern: IdPattern): number | Promise<number> {
    const base = tryEstimate(this.base.index, pattern, this.base.record);
    if (typeof base !== 'number') return base.fetch().then(() => this.estimate(pattern));
    const path = accessPath(pattern);
    const ids = orderedIds(path.order, pattern);
    const begun = base + prefixRows(this.changes.added, path, ids);
    return begun === 0 ? 0 : Math.max(begun - prefixRows(this.changes.removed, path, ids), 1);
  }

  distinct(predicate: number, position: 'subject' | 'object'): number {
    return estimateDistinct(this.base.index, this.base.timeline.statistics, predicate, position);
  }

  async statistics(): Promise<Statistics> {
    const statistics = (await this.base.statistics()).copy();
    for (const [table, sign] of [
      [this.changes.added, 1],
      [this.changes.removed, -1],
    ] as const) {
      const [, p, , g, , to] = table.columns;
      for (let row = 0; row < table.rows; row++)
        if (to[row] !== TAKEN_BACK) statistics.apply({ p, g, length: row + 1 }, sign, row, row + 1);
    }
    return statistics;
  }
}
