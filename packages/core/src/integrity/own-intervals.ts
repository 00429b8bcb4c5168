/** The intervals that the indexes of a line have themselves, without those of the line on which it begins. */
import { FOREVER } from '../format/layout.js';
import { IndexVersion } from '../index/index-version.js';
import type { Order } from '../index/orders.js';
import { intervals, tombstonesOf } from '../index/read/intervals.js';
import type { Snapshot } from '../read/snapshot.js';
import type { Pacer } from '../runtime/env.js';

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
