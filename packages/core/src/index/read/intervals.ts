/** Reads every validity interval of every quad from the indexes of one order. */
import type { Pacer } from '../../runtime/env.js';
import { FOREVER } from '../../format/layout.js';
import type { IndexVersion } from '../index-version.js';
import { residualFilters } from '../index-version.js';
import { addSegments } from '../memtable/table-rows.js';
import type { AccessPath, IdPattern, Order } from '../orders.js';
import { accessPath, ANY, orderedIds } from '../orders.js';
import { RowCursor } from './row-cursor.js';
import { begunBy, endedBy, RunSource } from './row-source.js';
import type { RowSource } from './row-source.js';
import { MergeScan } from './merge-scan.js';

/**
 * An interval; `ids` by quad position. `to` is {@link FOREVER} if the interval has not ended at the requested
 * revision.
 */
export interface Interval {
  ids: [number, number, number, number];
  from: number;
  to: number;
}

/** The intervals that began at or before a revision, in the sequence of the order. Reuses the yielded object. */
export function intervals(index: IndexVersion, order: Order, revision: number, pacer: Pacer): AsyncGenerator<Interval> {
  return intervalsOnPath(index, { order, prefix: 0, residual: [] }, ANY, revision, pacer);
}

/** The same for the quads that match a pattern, in the sequence of its {@link accessPath}. */
export function intervalsOf(
  index: IndexVersion,
  pattern: IdPattern,
  revision: number,
  pacer: Pacer,
): AsyncGenerator<Interval> {
  return intervalsOnPath(index, accessPath(pattern), pattern, revision, pacer);
}

async function* intervalsOnPath(
  index: IndexVersion,
  path: AccessPath,
  pattern: IdPattern,
  revision: number,
  pacer: Pacer,
): AsyncGenerator<Interval> {
  const { order } = path;
  const births = new RowCursor(new MergeScan(sourcesOf(index, path, pattern, revision, false), []));
  const deaths = new RowCursor(new MergeScan(sourcesOf(index, path, pattern, revision, true), []));
  const interval: Interval = { ids: [0, 0, 0, 0], from: 0, to: 0 };
  try {
    await births.advance();
    await deaths.advance();
    let steps = 0;
    while (!births.done) {
      while (!deaths.done && compareIntervals(deaths, births) < 0) await deaths.advance();
      for (let place = 0; place < 4; place++) interval.ids[order.columns[place]!] = births.value(place);
      interval.from = births.value(4);
      const own = births.value(5);
      const ended = !deaths.done && compareIntervals(deaths, births) === 0 ? deaths.value(5) : FOREVER;
      interval.to = Math.min(own <= revision ? own : FOREVER, ended);
      yield interval;
      const wait = births.advance();
      if (wait !== undefined) await wait;
      if (++steps % 256 === 0 && pacer.due()) await pacer.pause();
    }
  } finally {
    births.close();
    deaths.close();
  }
}

function compareIntervals(x: RowCursor, y: RowCursor): number {
  for (let column = 0; column < 5; column++) {
    const difference = x.value(column) - y.value(column);
    if (difference !== 0) return difference;
  }
  return 0;
}

function sourcesOf(
  index: IndexVersion,
  path: AccessPath,
  pattern: IdPattern,
  revision: number,
  tombstones: boolean,
): RowSource[] {
  const { order, prefix } = path;
  const ids = orderedIds(order, pattern);
  const range = tombstones ? endedBy(revision) : begunBy(revision);
  const options = { range, filters: residualFilters(path, pattern), revisions: true };
  const sources: RowSource[] = [];
  for (const run of index.runs) {
    if (run.entry.order !== order || (run.entry.kind === 'tombstone') !== tombstones) continue;
    sources.push(new RunSource(run, ids, prefix, options));
  }
  for (const memtable of index.memtables) {
    addSegments(sources, tombstones ? memtable.removed : memtable.added, path, ids, options);
  }
  return sources;
}
