/** The ways to join a part to what is joined already, with their costs for the first row and for all rows. */
import { Cost } from '../cost.js';
import { MOST_ROWS, type Candidate, type JoinMethod, type JoinPart } from './join-part.js';
import type { PartialJoin } from './partial-join.js';

/** The cost of so many of the rows. */
export function costFor({ first, cost, rows }: Pick<Candidate, 'first' | 'cost' | 'rows'>, wanted: number): number {
  return rows <= wanted ? cost : first + ((cost - first) * wanted) / rows;
}

const BUILD_PART: JoinMethod = { kind: 'hash', build: 'part' };
const BUILD_PARTIAL: JoinMethod = { kind: 'hash', build: 'partial' };
const EXTEND: JoinMethod = { kind: 'extend' };

export function candidatesOf(partial: PartialJoin, part: JoinPart, index: number): Candidate[] {
  const shared = part.variables.filter((name) => partial.bound.has(name));
  const found: Candidate[] = [];
  const extended = extension(partial, part, index);
  if (extended !== undefined) found.push(extended);
  if (part.alone === undefined) return found.length > 0 ? found : [impossible(partial, index)];
  const rows = joinedRows(partial, part, shared);
  found.push(hashedPart(partial, part, index, rows), hashedPartial(partial, part, index, rows));
  if (part.seekable && shared.length > 0) found.push(sought(partial, part, index, rows));
  const [key] = partial.sorted;
  const order = part.alone.orders.findIndex(([name]) => name === key);
  if (key !== undefined && shared.length === 1 && shared[0] === key && order !== -1) {
    const cost = partial.cost + part.cost + (partial.rows + part.rows) * Cost.mergeRow + rows * Cost.outRow;
    const first = partial.first + part.alone.first;
    found.push({ part: index, method: { kind: 'merge', key, order }, rows, cost, first, sorted: [key] });
  }
  return found;
}

// Without a sample it assumes that the values of the side with fewer ones all occur on the other side.
function joinedRows(partial: PartialJoin, part: JoinPart, shared: readonly string[]): number {
  let rows = partial.rows * part.rows;
  if (part.samples === undefined) return Math.min(sharedRows(rows, partial, part, shared), MOST_ROWS);
  const sampled = new Set<string>();
  for (const { names, share } of partial.samplesOf(part)) {
    if (names.some((name) => sampled.has(name))) continue;
    rows *= share;
    for (const name of names) sampled.add(name);
  }
  const others = shared.filter((name) => !sampled.has(name));
  return Math.min(sharedRows(rows, partial, part, others), MOST_ROWS);
}

function sharedRows(pairs: number, partial: PartialJoin, part: JoinPart, shared: readonly string[]): number {
  let rows = pairs;
  for (const name of shared) {
    rows /= Math.max(part.distinct.get(name) ?? part.rows, partial.distinct.get(name) ?? 1, 1);
  }
  return rows;
}

function hashedPart(partial: PartialJoin, part: JoinPart, index: number, rows: number): Candidate {
  const first = partial.first + part.cost + part.rows * Cost.buildRow + Cost.open;
  const cost = first + partial.cost - partial.first + partial.rows * Cost.probeRow + rows * Cost.outRow;
  return { part: index, method: BUILD_PART, rows, cost, first, sorted: partial.sorted };
}

function hashedPartial(partial: PartialJoin, part: JoinPart, index: number, rows: number): Candidate {
  const { first: firstAlone, orders } = part.alone!;
  const first = partial.cost + firstAlone + partial.rows * Cost.buildRow + Cost.open;
  const cost = first + part.cost - firstAlone + part.rows * Cost.probeRow + rows * Cost.outRow;
  return { part: index, method: BUILD_PARTIAL, rows, cost, first, sorted: orders[0] ?? [] };
}

function sought(partial: PartialJoin, part: JoinPart, index: number, rows: number): Candidate {
  const [key] = partial.sorted;
  const ascending = key !== undefined && part.variables.includes(key);
  const seekCost = (ascending ? Cost.sortedSeek : Cost.seek) + (part.seekExtra?.(partial.bound) ?? 0);
  const cost = partial.cost + partial.rows * seekCost + rows * Cost.outRow + Cost.open;
  const first = partial.first + Cost.open;
  return { part: index, method: { kind: 'seek', seekCost }, rows, cost, first, sorted: partial.sorted };
}

function extension(partial: PartialJoin, part: JoinPart, index: number): Candidate | undefined {
  const extended = part.extend?.(partial.bound, partial.certain);
  if (extended === undefined) return undefined;
  const rows = Math.min(partial.rows * extended.rowsPerRow, MOST_ROWS);
  const cost = partial.cost + partial.rows * extended.costPerRow + rows * Cost.outRow + Cost.open;
  const first = partial.first + Math.min(extended.costPerRow * Math.min(partial.rows, 1), cost - partial.first);
  return { part: index, method: EXTEND, rows, cost, first, sorted: partial.sorted };
}

const IMPOSSIBLE = 1e15;

// What it needs is bound by nothing: it fails when it runs.
function impossible({ rows, cost, first, sorted }: PartialJoin, index: number): Candidate {
  return { part: index, method: EXTEND, rows, cost: cost + IMPOSSIBLE, first, sorted };
}
