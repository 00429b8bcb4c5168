/** Estimates how many quads match a pattern, from positions in runs and memtables alone. Revisions hardly count. */
import { MISS } from '../../keyspace/block-cache.js';
import { DEFAULT_GRAPH } from '../../format/layout.js';
import type { Statistics } from '../statistics.js';
import { countRange, reaches } from '../index-version.js';
import type { RowTable } from '../memtable/row-table.js';
import { prefixRows, segmentRange } from '../memtable/table-rows.js';
import type { IndexVersion } from '../index-version.js';
import type { AccessPath, Bounds, IdPattern } from '../orders.js';
import { accessPath, GSPO, orderedIds, POSG, SPOG } from '../orders.js';
import { begunBy, endedBy } from './row-source.js';
import type { Run } from '../run/run.js';

/** Fetches the blocks that an estimate lacks. */
export interface MissingBounds {
  fetch(): Promise<void>;
}

/** Returns the estimate, or the blocks that must be fetched first. The estimate is 0 only if nothing matches. */
export function tryEstimate(
  index: IndexVersion,
  pattern: IdPattern,
  { number, size }: { readonly number: number; readonly size: number },
): number | MissingBounds {
  if (size === 0) return 0;
  if (pattern.s === 0 && pattern.p === 0 && pattern.o === 0 && pattern.g === 0) return size;
  const path = accessPath(pattern);
  const rows = pathRows(index, path, pattern, number);
  if (typeof rows !== 'number') return rows;
  if (path.residual.length === 0 || pattern.g === DEFAULT_GRAPH) return Math.min(rows, size);
  // The graph is checked row by row: the graph's own number of quads is an upper bound.
  const ofGraph = pathRows(index, { order: GSPO, prefix: 1, residual: [] }, pattern, number);
  return typeof ofGraph === 'number' ? Math.min(rows, ofGraph, size) : ofGraph;
}

function pathRows(index: IndexVersion, path: AccessPath, pattern: IdPattern, revision: number): number | MissingBounds {
  const ids = orderedIds(path.order, pattern);
  let begun = 0;
  let ended = 0;
  for (const { index: layer, number } of index.present(revision)) {
    for (const run of layer.runsOf(path.order)) {
      const tombstone = run.entry.kind === 'tombstone';
      if (!reaches(run, tombstone ? endedBy(number) : begunBy(number))) continue;
      const rows = countRange(run, ids, path.prefix);
      if (rows === MISS) return { fetch: () => fetchBounds(run, ids, path.prefix) };
      if (tombstone) ended += rows;
      else begun += run.entry.kind === 'history' ? Math.min(rows, 1) : rows;
    }
    for (const { added, removed } of layer.memtables) {
      begun += prefixRows(added, path, ids);
      ended += prefixRows(removed, path, ids);
    }
  }
  return begun === 0 ? 0 : Math.max(begun - ended, 1);
}

/** As {@link tryEstimate}, of the quads of a predicate whose objects are within bounds. */
export function tryEstimateObjects(
  index: IndexVersion,
  predicate: number,
  { least, greatest }: Bounds,
  revision: number,
): number | MissingBounds {
  const low = [predicate, least];
  const high = [predicate, greatest];
  let begun = 0;
  let ended = 0;
  const layers = index.present(revision);
  for (const { index: layer, number } of layers) {
    for (const run of layer.runsOf(POSG)) {
      const tombstone = run.entry.kind === 'tombstone';
      if (!reaches(run, tombstone ? endedBy(number) : begunBy(number))) continue;
      const start = run.locate(low, 2, false);
      const end = start === MISS ? MISS : run.locate(high, 2, true);
      if (end === MISS)
        return { fetch: () => Promise.all([fetchBounds(run, low, 2), fetchBounds(run, high, 2)]).then() };
      if (tombstone) ended += end - start;
      else begun += run.entry.kind === 'history' ? Math.min(end - start, 1) : end - start;
    }
  }
  const path = { order: POSG, prefix: 1 };
  const rowsIn = (table: RowTable): number => {
    if (table.rows === 0) return 0;
    const ids = [predicate, 0, 0, 0];
    const ranges = table.segments(POSG).map((segment) => segmentRange(table, path, segment, ids, { least, greatest }));
    return ranges.reduce((sum, [start, end]) => sum + end - start, 0);
  };
  for (const { added, removed } of layers.flatMap((layer) => layer.index.memtables)) {
    begun += rowsIn(added);
    ended += rowsIn(removed);
  }
  return begun === 0 ? 0 : Math.max(begun - ended, 1);
}

/** Fetches the blocks in which the rows with these first ids begin and end. */
export async function fetchBounds(run: Run, ids: readonly number[], prefix: number): Promise<void> {
  const blocks = [false, true].map((after) => run.boundaryBlock(ids, prefix, after)).filter((block) => block >= 0);
  await run.cache.fetch(run.source, blocks);
}

/**
 * Estimates the distinct subjects or objects of a predicate. Sums up the runs, which overlap; the number of its quads
 * bounds the sum.
 */
export function estimateDistinct(
  index: IndexVersion,
  statistics: Statistics,
  predicate: number,
  position: 'subject' | 'object',
): number {
  let sum = 0;
  for (const layer of index.layers(0)) {
    for (const { entry, table } of layer.index.runsOf(position === 'subject' ? SPOG : POSG))
      if (entry.kind === 'live' || entry.kind === 'base') sum += table.distinct.get(predicate) ?? 0;
  }
  return Math.min(sum, statistics.predicates.get(predicate) ?? sum);
}
