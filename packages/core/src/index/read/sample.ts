/** Reads some of the rows that match a pattern, spread evenly over all of them: what estimates of joins look at. */
import { GROUP_ROWS } from '../../format/layout.js';
import { MISS } from '../../keyspace/block-cache.js';
import { decodeColumn, newRowColumns } from '../block/block-codec.js';
import { reaches, residualFilters, type IndexVersion } from '../index-version.js';
import { segmentRange } from '../memtable/table-rows.js';
import type { RowTable } from '../memtable/row-table.js';
import { accessPath, orderedIds, type AccessPath, type IdPattern, type Order } from '../orders.js';
import type { Run } from '../run/run.js';
import { fetchBounds } from './estimate.js';
import { begunBy } from './row-source.js';

/** Quads by id, in columns. */
export interface SampledQuads {
  readonly s: Uint32Array;
  readonly p: Uint32Array;
  readonly o: Uint32Array;
  readonly g: Uint32Array;
  readonly length: number;
}

/** Rows that follow one another in an order: of a run, or of a sorted segment of a table in memory. */
interface Stretch {
  readonly start: number;
  readonly rows: number;
  /** Copies the ids of a row, in the sequence of the order. Returns false if a block must be fetched first. */
  read(row: number, ids: Uint32Array): boolean;
  fetch(row: number): Promise<void>;
}

/**
 * About `count` of the matching rows, or all if they are fewer, by the order of the pattern's access path. It may give
 * quads that have been removed, and reads at most one block for each row.
 */
export async function sampleQuads(
  index: IndexVersion,
  pattern: IdPattern,
  revision: number,
  count: number,
): Promise<SampledQuads> {
  const path = accessPath(pattern);
  const stretches = await stretchesOf(index, path, orderedIds(path.order, pattern), revision);
  const total = stretches.reduce((sum, { rows }) => sum + rows, 0);
  const size = Math.min(count, total);
  const columns = [0, 1, 2, 3].map(() => new Uint32Array(size));
  const filters = residualFilters(path, pattern);
  const ids = new Uint32Array(4);
  let length = 0;
  let before = 0;
  let at = 0;
  for (let i = 0; i < size; i++) {
    const rank = rankOf(i, size, total);
    for (; rank >= before + stretches[at]!.rows; at++) before += stretches[at]!.rows;
    const stretch = stretches[at]!;
    const row = stretch.start + rank - before;
    while (!stretch.read(row, ids)) await stretch.fetch(row);
    if (!filters.every(({ column, id }) => ids[column] === id)) continue;
    for (let place = 0; place < 4; place++) columns[path.order.columns[place]!]![length] = ids[place]!;
    length++;
  }
  const [s, p, o, g] = columns as [Uint32Array, Uint32Array, Uint32Array, Uint32Array];
  return { s, p, o, g, length };
}

const GOLDEN = 0.618_033_988_749_895;

// One rank in each of `size` equal parts. Its place in the part changes, so that rows that repeat regularly are met.
const rankOf = (part: number, size: number, total: number): number =>
  Math.min(Math.floor(((part + (size === total ? 0 : (part * GOLDEN) % 1)) * total) / size), total - 1);

async function stretchesOf(
  index: IndexVersion,
  path: AccessPath,
  ids: readonly number[],
  revision: number,
): Promise<Stretch[]> {
  const stretches: Stretch[] = [];
  for (const { index: layer, number } of index.present(revision)) {
    for (const run of layer.runsOf(path.order)) {
      if (run.entry.kind === 'tombstone' || !reaches(run, begunBy(number))) continue;
      const [start, end] = await rangeIn(run, ids, path.prefix);
      stretches.push(stretchOfRun(run, start, end));
    }
    for (const { added } of layer.memtables) {
      if (added.rows === 0) continue;
      for (const segment of added.segments(path.order)) {
        const [start, end] = segmentRange(added, path, segment, ids);
        stretches.push(stretchOfSegment(added, path.order, segment, start, end));
      }
    }
  }
  return stretches;
}

async function rangeIn(run: Run, ids: readonly number[], prefix: number): Promise<readonly [number, number]> {
  if (prefix === 0) return [0, run.entry.rows];
  for (;;) {
    const start = run.locate(ids, prefix, false);
    const end = start === MISS ? MISS : run.locate(ids, prefix, true);
    if (end !== MISS) return [start, end];
    await fetchBounds(run, ids, prefix);
  }
}

const group = newRowColumns(GROUP_ROWS);

function stretchOfRun(run: Run, start: number, end: number): Stretch {
  return {
    start,
    rows: end - start,
    read(row, ids) {
      const block = run.blockOf(row);
      const at = run.find(block);
      if (at === MISS) return false;
      const inBlock = row - run.table.starts[block]!;
      const number = Math.floor(inBlock / GROUP_ROWS);
      for (let place = 0; place < 4; place++) {
        decodeColumn(run.cache.words, at, place, number, number + 1, group[place]!);
        ids[place] = group[place]![inBlock % GROUP_ROWS]!;
      }
      return true;
    },
    fetch: (row) => run.cache.fetch(run.source, [run.blockOf(row)]),
  };
}

function stretchOfSegment(table: RowTable, order: Order, segment: Uint32Array, start: number, end: number): Stretch {
  return {
    start,
    rows: end - start,
    read(row, ids) {
      for (let place = 0; place < 4; place++) ids[place] = table.columns[order.columns[place]!]![segment[row]!]!;
      return true;
    },
    fetch: () => Promise.resolve(),
  };
}
