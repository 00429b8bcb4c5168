/** Reads every validity interval of every quad from the indexes of one order. */
import type { Pacer } from '../../runtime/env.js';
import { FOREVER } from '../../format/layout.js';
import type { IndexVersion, Layer } from '../index-version.js';
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
  const layers = index.layers(revision);
  const births = new RowCursor(new MergeScan(sourcesOf(layers, path, pattern, false), []));
  const deaths = new RowCursor(new MergeScan(sourcesOf(layers, path, pattern, true), []));
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
      // A base line may have ended the interval after the line began.
      const seen = layers.length === 1 ? revision : layers.find(({ number }) => interval.from <= number)!.number;
      const ended = !deaths.done && compareIntervals(deaths, births) === 0 ? deaths.value(5) : FOREVER;
      interval.to = Math.min(own <= seen ? own : FOREVER, ended);
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

/** The tombstones of an order up to a revision, in its sequence. Reuses the yielded object. */
export async function* tombstonesOf(
  index: IndexVersion,
  order: Order,
  revision: number,
  pacer: Pacer,
): AsyncGenerator<Interval> {
  const path = { order, prefix: 0, residual: [] };
  const rows = new RowCursor(new MergeScan(sourcesOf(index.layers(revision), path, ANY, true), []));
  const interval: Interval = { ids: [0, 0, 0, 0], from: 0, to: 0 };
  try {
    for (await rows.advance(); !rows.done; await rows.advance()) {
      for (let place = 0; place < 4; place++) interval.ids[order.columns[place]!] = rows.value(place);
      interval.from = rows.value(4);
      interval.to = rows.value(5);
      yield interval;
      if (pacer.due()) await pacer.pause();
    }
  } finally {
    rows.close();
  }
}

function compareIntervals(x: RowCursor, y: RowCursor): number {
  for (let column = 0; column < 5; column++) {
    const difference = x.value(column) - y.value(column);
    if (difference !== 0) return difference;
  }
  return 0;
}

function sourcesOf(layers: readonly Layer[], path: AccessPath, pattern: IdPattern, tombstones: boolean): RowSource[] {
  const { order, prefix } = path;
  const ids = orderedIds(order, pattern);
  const filters = residualFilters(path, pattern);
  const sources: RowSource[] = [];
  for (const { index, number } of layers) {
    const options = { range: tombstones ? endedBy(number) : begunBy(number), filters, revisions: true };
    for (const run of index.runs) {
      const { kind } = run.entry;
      // Copies of the base are intervals of the base.
      if (run.entry.order !== order || kind === 'base' || (kind === 'tombstone') !== tombstones) continue;
      sources.push(new RunSource(run, ids, prefix, options));
    }
    for (const memtable of index.memtables) {
      addSegments(sources, tombstones ? memtable.removed : memtable.added, path, ids, options);
    }
  }
  return sources;
}
