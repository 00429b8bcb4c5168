/** Reads every validity interval of every quad from the indexes of one order. */
import { MISS } from '../../keyspace/block-cache.js';
import type { Pacer } from '../../runtime/env.js';
import { FOREVER } from '../../format/layout.js';
import type { IndexVersion, Layer } from '../index-version.js';
import { residualFilters } from '../index-version.js';
import { addSegments } from '../memtable/table-rows.js';
import type { AccessPath, IdPattern, Order } from '../orders.js';
import { accessPath, ANY, orderedIds } from '../orders.js';
import { compareCursors, RowCursor } from './row-cursor.js';
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

/** Places of a row that tell one interval: the ids of its quad, and `from`. */
const INTERVAL_PLACES = 5;

/** The intervals that began at or before a revision, in the sequence of an order. */
export class IntervalScan {
  /** The present one: its row has the ids in the sequence of the order, and `from`. */
  readonly begun: RowCursor;
  /** Where the present one ends. */
  to = FOREVER;
  readonly #deaths: RowCursor;
  readonly #layers: readonly Layer[];
  #waiting: RowCursor | undefined;
  #isStepped = false;
  #hasDeaths = false;

  constructor(
    index: IndexVersion,
    path: AccessPath,
    pattern: IdPattern,
    private readonly revision: number,
  ) {
    this.#layers = index.layers(revision);
    this.begun = new RowCursor(new MergeScan(sourcesOf(this.#layers, path, pattern, false), []));
    this.#deaths = new RowCursor(new MergeScan(sourcesOf(this.#layers, path, pattern, true), []));
  }

  /** Steps to the next interval. Returns 1, 0 at the end, or MISS if the caller must await {@link fetch} first. */
  next(): number {
    const { begun } = this;
    const deaths = this.#deaths;
    if (!this.#isStepped && !begun.step()) return this.#wait(begun);
    this.#isStepped = true;
    if (begun.done) return 0;
    let order = -1;
    // Tombstones of earlier quads are those of intervals that the pattern does not match any more.
    while (!this.#hasDeaths || (!deaths.done && (order = compareCursors(deaths, begun, INTERVAL_PLACES)) < 0)) {
      if (!deaths.step()) {
        this.#hasDeaths = false;
        return this.#wait(deaths);
      }
      this.#hasDeaths = true;
    }
    const own = begun.value(5);
    const ended = !deaths.done && order === 0 ? deaths.value(5) : FOREVER;
    this.to = Math.min(own <= this.#seen(begun.value(4)) ? own : FOREVER, ended);
    this.#isStepped = false;
    return 1;
  }

  // A base line may have ended the interval after the line began.
  #seen(from: number): number {
    const layers = this.#layers;
    return layers.length === 1 ? this.revision : layers.find(({ number }) => from <= number)!.number;
  }

  #wait(cursor: RowCursor): typeof MISS {
    this.#waiting = cursor;
    return MISS;
  }

  async fetch(): Promise<void> {
    await this.#waiting?.fetch();
  }

  close(): void {
    this.begun.close();
    this.#deaths.close();
  }
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
  const { columns } = path.order;
  const scan = new IntervalScan(index, path, pattern, revision);
  const interval: Interval = { ids: [0, 0, 0, 0], from: 0, to: 0 };
  try {
    let steps = 0;
    for (let found = scan.next(); found !== 0; found = scan.next()) {
      if (found === MISS) {
        await scan.fetch();
        continue;
      }
      const { begun } = scan;
      for (let place = 0; place < 4; place++) interval.ids[columns[place]!] = begun.value(place);
      interval.from = begun.value(4);
      interval.to = scan.to;
      yield interval;
      if (++steps % 256 === 0 && pacer.due()) await pacer.pause();
    }
  } finally {
    scan.close();
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
    for (;;) {
      while (!rows.step()) await rows.fetch();
      if (rows.done) return;
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

function sourcesOf(layers: readonly Layer[], path: AccessPath, pattern: IdPattern, tombstones: boolean): RowSource[] {
  const { order, prefix } = path;
  const ids = orderedIds(order, pattern);
  const filters = residualFilters(path, pattern);
  const sources: RowSource[] = [];
  for (const { index, number } of layers) {
    const options = { range: tombstones ? endedBy(number) : begunBy(number), filters, revisions: true };
    for (const run of index.runsOf(order)) {
      const { kind } = run.entry;
      // Copies of the base are intervals of the base.
      if (kind === 'base' || (kind === 'tombstone') !== tombstones) continue;
      sources.push(new RunSource(run, ids, prefix, options));
    }
    for (const memtable of index.memtables) {
      addSegments(sources, tombstones ? memtable.removed : memtable.added, path, ids, options);
    }
  }
  return sources;
}
