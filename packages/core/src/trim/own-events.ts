/** The intervals of a line with the ends that it gives to intervals of the lines below, sorted by quad. */
import { IndexVersion } from '../index/index-version.js';
import { FOREVER } from '../format/layout.js';
import { SPOG } from '../index/orders.js';
import type { Interval } from '../index/read/intervals.js';
import { intervals, tombstonesOf } from '../index/read/intervals.js';
import type { Timeline } from '../timeline/timeline.js';
import type { Pacer } from '../runtime/env.js';

/** An interval of a line. If its `from` is before the line, only its end is of the line. Reuses the yielded object. */
export async function* ownEvents(
  timeline: Timeline,
  index: IndexVersion,
  number: number,
  pacer: Pacer,
): AsyncGenerator<Interval> {
  const own = new IndexVersion(index.runs, index.memtables);
  const begun = intervals(own, SPOG, number, pacer);
  const ended = timeline.base === undefined ? undefined : tombstonesOf(own, SPOG, number, pacer);
  try {
    let interval = await begun.next();
    let end = await nextEnd(ended, timeline.firstOwn);
    while (interval.done !== true || end !== undefined) {
      if (end !== undefined && (interval.done === true || compare(end, interval.value) < 0)) {
        yield end;
        end = await nextEnd(ended, timeline.firstOwn);
      } else if (interval.done !== true) {
        if (interval.value.from >= timeline.firstOwn) yield interval.value;
        interval = await begun.next();
      }
    }
  } finally {
    await begun.return(undefined);
    await ended?.return(undefined);
    own.supersede();
  }
}

async function nextEnd(ends: AsyncGenerator<Interval> | undefined, firstOwn: number): Promise<Interval | undefined> {
  if (ends === undefined) return undefined;
  for (let next = await ends.next(); next.done !== true; next = await ends.next()) {
    const { value } = next;
    if (value.from < firstOwn && value.to !== FOREVER) return { ...value, ids: [...value.ids] };
  }
  return undefined;
}

function compare(x: Interval, y: Interval): number {
  for (let place = 0; place < 4; place++) {
    const difference = x.ids[place]! - y.ids[place]!;
    if (difference !== 0) return difference;
  }
  return x.from - y.from;
}
