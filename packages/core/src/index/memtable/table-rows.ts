/** The rows of a table in memory that match a pattern: as sources, and their number. */
import type { AccessPath, Bounds } from '../orders.js';
import { withPlace } from '../orders.js';
import type { RevisionRange, ColumnFilter, RowSource, SourceOptions } from '../read/row-source.js';
import type { RowTable } from './row-table.js';
import { SegmentSource } from './segment-source.js';

/** Adds one source for each segment of the table that has matching rows. */
export function addSegments(
  sources: RowSource[],
  table: RowTable,
  path: Pick<AccessPath, 'order' | 'prefix'>,
  ids: readonly number[],
  options: SourceOptions,
  bounds?: Bounds,
): void {
  if (table.rows === 0) return;
  for (const segment of table.segments(path.order)) {
    const [start, end] = segmentRange(table, path, segment, ids, bounds);
    if (start < end) sources.push(new SegmentSource(table, path.order, segment, start, end, options));
  }
}

/** The positions of the matching rows in a segment. */
export function segmentRange(
  table: RowTable,
  { order, prefix }: Pick<AccessPath, 'order' | 'prefix'>,
  segment: Uint32Array,
  ids: readonly number[],
  bounds?: Bounds,
): readonly [number, number] {
  if (bounds !== undefined) {
    const low = withPlace(ids, prefix, bounds.least);
    const high = withPlace(ids, prefix, bounds.greatest);
    return [table.locate(order, segment, low, prefix + 1, false), table.locate(order, segment, high, prefix + 1, true)];
  }
  if (prefix === 0) return [0, segment.length];
  return [table.locate(order, segment, ids, prefix, false), table.locate(order, segment, ids, prefix, true)];
}

/** The number of rows that match and are in the revision range. */
export function countSegments(
  table: RowTable,
  path: AccessPath,
  ids: readonly number[],
  range: RevisionRange,
  filters: readonly ColumnFilter[] = [],
): number {
  if (table.rows === 0) return 0;
  const { columns } = table;
  const [, , , , from, to] = columns;
  let count = 0;
  for (const segment of table.segments(path.order)) {
    const [start, end] = segmentRange(table, path, segment, ids);
    for (let i = start; i < end; i++) {
      const row = segment[i]!;
      if (from[row]! > range.maxFrom || to[row]! < range.minTo || to[row]! > range.maxTo) continue;
      if (filters.every(({ column, id }) => columns[path.order.columns[column]!]![row] === id)) count++;
    }
  }
  return count;
}

/** The number of rows with the ids of a path's prefix, whatever their intervals. */
export function prefixRows(table: RowTable, path: AccessPath, ids: readonly number[]): number {
  if (table.rows === 0) return 0;
  let count = 0;
  for (const segment of table.segments(path.order)) {
    const [start, end] = segmentRange(table, path, segment, ids);
    count += end - start;
  }
  return count;
}
