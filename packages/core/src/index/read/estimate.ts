/** About how many quads match: by positions in runs and memtables alone, whatever the revision. */
import { MISS } from '../../keyspace/block-cache.js';
import { DEFAULT_GRAPH } from '../../format/layout.js';
import type { Statistics } from '../../revision/statistics.js';
import { countRange, reaches } from '../index-version.js';
import { prefixRows } from '../memtable/table-rows.js';
import type { IndexVersion } from '../index-version.js';
import type { AccessPath, IdPattern } from '../orders.js';
import { accessPath, GSPO, orderedIds, POSG, SPOG } from '../orders.js';
import { begunBy, endedBy } from './row-source.js';
import type { Run } from '../run/run.js';

/** Blocks that an estimate lacks. */
export interface MissingBounds {
  fetch(): Promise<void>;
}

/** The estimate, which is 0 only where nothing matches, or what has to be fetched first. */
export function tryEstimate(
  state: IndexVersion,
  pattern: IdPattern,
  { number, size }: { readonly number: number; readonly size: number },
): number | MissingBounds {
  if (size === 0) return 0;
  if (pattern.s === 0 && pattern.p === 0 && pattern.o === 0 && pattern.g === 0) return size;
  const path = accessPath(pattern);
  const rows = pathRows(state, path, pattern, number);
  if (typeof rows !== 'number') return rows;
  if (path.residual.length === 0 || pattern.g === DEFAULT_GRAPH) return Math.min(rows, size);
  // A named graph that is checked row by row: no more quads match than it has.
  const ofGraph = pathRows(state, { order: GSPO, prefix: 1, residual: [] }, pattern, number);
  return typeof ofGraph === 'number' ? Math.min(rows, ofGraph, size) : ofGraph;
}

function pathRows(state: IndexVersion, path: AccessPath, pattern: IdPattern, revision: number): number | MissingBounds {
  const ids = orderedIds(path.order, pattern);
  let begun = 0;
  let ended = 0;
  for (const run of state.runsOf(path.order)) {
    const tombstone = run.entry.kind === 'tombstone';
    if (!reaches(run, tombstone ? endedBy(revision) : begunBy(revision))) continue;
    const rows = countRange(run, ids, path.prefix);
    if (rows === MISS) return { fetch: () => fetchBounds(run, ids, path.prefix) };
    if (tombstone) ended += rows;
    else begun += run.entry.kind === 'live' ? rows : Math.min(rows, 1);
  }
  for (const { added, removed } of state.memtables) {
    begun += prefixRows(added, path, ids);
    ended += prefixRows(removed, path, ids);
  }
  return begun === 0 ? 0 : Math.max(begun - ended, 1);
}

async function fetchBounds(run: Run, ids: readonly number[], prefix: number): Promise<void> {
  const blocks = [false, true].map((after) => run.boundaryBlock(ids, prefix, after)).filter((block) => block >= 0);
  await run.cache.fetch(run.source, blocks);
}

/** Distinct subjects or objects of a predicate: sums over the runs, which overlap, bounded by its quads. */
export function estimateDistinct(
  state: IndexVersion,
  statistics: Statistics,
  predicate: number,
  position: 'subject' | 'object',
): number {
  let sum = 0;
  for (const { entry, table } of state.runsOf(position === 'subject' ? SPOG : POSG)) {
    if (entry.kind === 'live') sum += table.distinct.get(predicate) ?? 0;
  }
  return Math.min(sum, statistics.predicates.get(predicate) ?? sum);
}
