/** What a transaction changes, in memory: only what differs from the base. */
import { EndedColumns } from '../../index/quad-columns.js';
import { MISS } from '../../keyspace/block-cache.js';
import { FIRST_LOCAL_ID, FOREVER, UNPUBLISHED } from '../../format/layout.js';
import { Memtable } from '../../index/index-version.js';
import { SPOG } from '../../index/orders.js';
import type { QuadSeeker } from '../../index/read/quad-seeker.js';
import type { Snapshot } from '../../read/snapshot.js';

/** `to` of rows that the transaction itself took back: an addition that ended, a tombstone that was lifted. */
export const TAKEN_BACK = 0;
const ALL_BOUND = { s: true, p: true, o: true, g: true };

export class StagedChanges extends Memtable {
  /** Quads, changes included. */
  size: number;
  #intervals: QuadSeeker | undefined;

  constructor(private readonly base: Snapshot) {
    super();
    this.size = base.record.size;
  }

  /** Adds a quad unless it is there; false if {@link fetch} has to be awaited first. */
  tryAdd(s: number, p: number, o: number, g: number): boolean {
    const interval = this.#intervalInBase(s, p, o, g);
    if (interval === MISS) return false;
    const { added, removed } = this;
    const own = added.latest(s, p, o, g);
    if (own !== -1 && added.columns[5][own] === FOREVER) return true;
    const tombstone = removed.latest(s, p, o, g);
    if (tombstone !== -1 && removed.columns[5][tombstone] !== TAKEN_BACK) removed.end(tombstone, TAKEN_BACK);
    else if (tombstone !== -1 || interval !== 0) return true;
    else added.add(s, p, o, g, UNPUBLISHED, FOREVER);
    this.size++;
    return true;
  }

  /** Removes a quad if it is there; false if {@link fetch} has to be awaited first. */
  tryRemove(s: number, p: number, o: number, g: number): boolean {
    const interval = this.#intervalInBase(s, p, o, g);
    if (interval === MISS) return false;
    this.remove(s, p, o, g, interval);
    return true;
  }

  /** Removes a quad if it is there; `interval`: the revision in which its interval in the base began, 0 if it has none. */
  remove(s: number, p: number, o: number, g: number, interval: number): void {
    const { added, removed } = this;
    const own = added.latest(s, p, o, g);
    if (own !== -1 && added.columns[5][own] === FOREVER) {
      added.end(own, TAKEN_BACK);
    } else {
      const tombstone = removed.latest(s, p, o, g);
      if (interval === 0 || (tombstone !== -1 && removed.columns[5][tombstone] !== TAKEN_BACK)) return;
      if (tombstone === -1) removed.add(s, p, o, g, interval, FOREVER);
      else removed.end(tombstone, FOREVER);
    }
    this.size--;
  }

  /** Brings in what the last step lacked. */
  async fetch(): Promise<void> {
    await this.#intervals?.fetch();
  }

  // The revision in which the interval of a quad in the base began; 0 if it is not there.
  #intervalInBase(s: number, p: number, o: number, g: number): number {
    if (s >= FIRST_LOCAL_ID || p >= FIRST_LOCAL_ID || o >= FIRST_LOCAL_ID || g >= FIRST_LOCAL_ID) return 0;
    const intervals = (this.#intervals ??= this.base.seeker(ALL_BOUND, true));
    intervals.seek(s, p, o, g);
    const rows = intervals.next();
    return rows <= 0 ? rows : intervals.from[intervals.start]!;
  }

  /** The removals that stand, sorted. */
  netRemoved(): EndedColumns {
    const { removed } = this;
    const net = new EndedColumns();
    if (removed.rows === 0) return net;
    const [s, p, o, g, from, to] = removed.columns;
    for (const row of removed.sortedRows(SPOG)) {
      if (to[row] !== TAKEN_BACK) net.pushEnded(s[row]!, p[row]!, o[row]!, g[row]!, from[row]!);
    }
    return net;
  }
}
