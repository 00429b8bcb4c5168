/**
 * Checksums over sets of intervals. They compare the contents of an index and of the log without keeping them in
 * memory.
 */
import { hashIds } from '../runtime/id-hash.js';
import { FOREVER } from '../format/layout.js';
import { IndexVersion } from '../index/index-version.js';
import type { Order } from '../index/orders.js';
import { intervals, tombstonesOf } from '../index/read/intervals.js';
import type { Snapshot } from '../read/snapshot.js';
import type { Pacer } from '../runtime/env.js';
import { batches, wholeRuns } from '../index/read/batches.js';
import type { Timeline } from '../timeline/timeline.js';
import { presentRows } from '../maintenance/copy-base.js';

/** A checksum of a set, independent of its sequence: two lanes of 32 bits, and the number of items. */
class SetSum {
  count = 0;
  #low = 0;
  #high = 0;

  add(s: number, p: number, o: number, g: number, from: number, to: number): void {
    const low = hashIds(s, p, o, g);
    const high = hashIds(o ^ 0x5bd1e995, g, s, p);
    this.count++;
    this.#low = (this.#low + hashIds(low, from, to, 1)) >>> 0;
    this.#high = (this.#high + hashIds(high, to, from, 2)) >>> 0;
  }

  toString(): string {
    return `${this.count} (${this.#low.toString(16)}-${this.#high.toString(16)})`;
  }
}

/** Checksums of intervals that began, and of those that ended. */
export class IntervalSums {
  readonly begun = new SetSum();
  readonly ended = new SetSum();
}

/** `ids` by quad position. Of an interval of a line below, only the end is the line's own: then it does not begin. */
interface OwnInterval {
  readonly begins: boolean;
  readonly ids: readonly [number, number, number, number];
  readonly from: number;
  readonly to: number;
}

/** In the sequence of the order: first the intervals that began on the line, then those of lines below. */
export async function* ownIntervals(snapshot: Snapshot, order: Order, pacer: Pacer): AsyncGenerator<OwnInterval> {
  const { timeline, index, number } = snapshot;
  const own = new IndexVersion(index.runs, index.memtables);
  try {
    for await (const { ids, from, to } of intervals(own, order, number, pacer))
      if (from >= timeline.firstOwn) yield { begins: true, ids, from, to };
    if (timeline.base === undefined) return;
    for await (const { ids, from, to } of tombstonesOf(own, order, number, pacer))
      if (from < timeline.firstOwn && to !== FOREVER) yield { begins: false, ids, from, to };
  } finally {
    own.supersede();
  }
}

/** The checksums of the copies of a line in an order, and of what they are copies of; `undefined` if it has none. */
export async function sumsOfCopies(
  timeline: Timeline,
  order: Order,
  pacer: Pacer,
): Promise<{ readonly copies: string; readonly base: string } | undefined> {
  const runs = timeline.index.runs.filter(({ entry }) => entry.kind === 'base');
  if (runs.length === 0) return undefined;
  const sums = [new IntervalSums(), new IntervalSums()] as const;
  const copies = batches(wholeRuns(runs.filter(({ entry }) => entry.order === order)));
  for (const [i, rows] of [copies, presentRows(timeline, order)].entries()) {
    for await (const { columns, start, end } of rows) {
      const [s, p, o, g] = order.places.map((place) => columns[place]!);
      for (let row = start; row < end; row++)
        sums[i]!.begun.add(s![row]!, p![row]!, o![row]!, g![row]!, columns[4][row]!, 0);
      if (pacer.due()) await pacer.pause();
    }
  }
  return { copies: `${sums[0].begun}`, base: `${sums[1].begun}` };
}
