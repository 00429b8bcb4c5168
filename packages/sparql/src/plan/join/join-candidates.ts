/** The ways to join a part to what is joined already, with their costs for the first row and for all rows. */
import { Cost } from '../cost.js';
import { MOST_ROWS, type Candidate, type JoinMethod, type JoinPart } from './join-part.js';
import type { PartialJoin } from './partial-join.js';

/** The cost of the first `wanted` rows. */
export const costFor = ({ first, cost, rows }: Pick<Candidate, 'first' | 'cost' | 'rows'>, wanted: number): number =>
  partOfCost(first, cost, rows, wanted);

const partOfCost = (first: number, cost: number, rows: number, wanted: number): number =>
  rows <= wanted ? cost : first + ((cost - first) * wanted) / rows;

/** So small that it only decides between costs that are equal, in microseconds a quad. */
const TIE_BREAKER = 1e-6;

/**
 * What orders of joins are compared by. Fewer rows are worth some time: later steps have to process all rows of a step. Rows are
 * taken to have a match wherever they can have one. Of parts that are alike in that, the one with fewer quads excludes more.
 */
export const weightOf = ({ first, cost, rows }: Candidate, part: JoinPart, wanted: number): number =>
  partOfCost(first, cost + rows * 0.3, rows, wanted) + part.rows * TIE_BREAKER;

const BUILD_PART: JoinMethod = { kind: 'hash', build: 'part' };
const BUILD_PARTIAL: JoinMethod = { kind: 'hash', build: 'partial' };
const EXTEND: JoinMethod = { kind: 'extend' };

/**
 * The cheapest way to join a part, where `wanted` rows are read. An order of many parts looks at hundreds of them, before V8 has compiled
 * any of this: so the ways are compared by numbers, and only the cheapest becomes an object.
 */
export function cheapestOf(partial: PartialJoin, part: JoinPart, index: number, wanted: number): Candidate {
  const extended = part.extend === undefined ? undefined : extension(partial, part, index);
  const { alone } = part;
  if (alone === undefined) return extended ?? impossible(partial, index);
  const shared = partial.sharedWith(index);
  const rows = joinedRows(partial, part, index);
  const out = rows * Cost.outRow;
  // A table of the part.
  let method = BUILD_PART;
  let { sorted } = partial;
  let first = partial.first + part.cost + part.rows * Cost.buildRow + Cost.open;
  let cost = first + partial.cost - partial.first + partial.rows * Cost.probeRow + out;
  let least = partOfCost(first, cost, rows, wanted);
  // A table of what is joined.
  const firstOfTable = partial.cost + alone.first + partial.rows * Cost.buildRow + Cost.open;
  const costOfTable = firstOfTable + part.cost - alone.first + part.rows * Cost.probeRow + out;
  const ofTable = partOfCost(firstOfTable, costOfTable, rows, wanted);
  if (ofTable < least) {
    method = BUILD_PARTIAL;
    sorted = alone.orders[0] ?? [];
    [first, cost, least] = [firstOfTable, costOfTable, ofTable];
  }
  if (part.seekable && shared > 0) {
    const seekCost = seekCostOf(partial, part);
    const firstOfSeeks = partial.first + Cost.open;
    const costOfSeeks = partial.cost + partial.rows * seekCost + out + Cost.open;
    const ofSeeks = partOfCost(firstOfSeeks, costOfSeeks, rows, wanted);
    if (ofSeeks < least) {
      method = { kind: 'seek', seekCost };
      ({ sorted } = partial);
      [first, cost, least] = [firstOfSeeks, costOfSeeks, ofSeeks];
    }
  }
  const order = shared === 1 ? mergeOrder(partial, part) : -1;
  if (order !== -1) {
    const costOfMerge = partial.cost + part.cost + (partial.rows + part.rows) * Cost.mergeRow + out;
    const firstOfMerge = partial.first + alone.first;
    if (partOfCost(firstOfMerge, costOfMerge, rows, wanted) < least) {
      const key = partial.sorted[0]!;
      method = { kind: 'merge', key, order };
      sorted = [key];
      [first, cost] = [firstOfMerge, costOfMerge];
    }
  }
  const found = { part: index, method, rows, cost, first, sorted };
  return extended !== undefined && weightOf(extended, part, wanted) <= weightOf(found, part, wanted) ? extended : found;
}

function seekCostOf(partial: PartialJoin, part: JoinPart): number {
  const [key] = partial.sorted;
  const ascending = key !== undefined && part.variables.includes(key);
  return (ascending ? Cost.sortedSeek : Cost.seek) + (part.seekExtra?.(partial.bound) ?? 0);
}

/** The order of the part in which both sides ascend by the only variable that they share; -1 if there is none. */
function mergeOrder(partial: PartialJoin, part: JoinPart): number {
  const [key] = partial.sorted;
  if (key === undefined || !part.variables.includes(key)) return -1;
  return part.alone!.orders.findIndex(([name]) => name === key);
}

// Without a sample it assumes that the values of the side with fewer ones all occur on the other side.
function joinedRows(partial: PartialJoin, part: JoinPart, index: number): number {
  const pairs = partial.rows * part.rows;
  if (part.samples === undefined) return Math.min(pairs / partial.valuesSharedWith(index), MOST_ROWS);
  let rows = pairs;
  const sampled = new Set<string>();
  for (const { names, share } of partial.samplesOf(part)) {
    if (names.some((name) => sampled.has(name))) continue;
    rows *= share;
    for (const name of names) sampled.add(name);
  }
  return Math.min(rows / partial.valuesSharedWith(index, sampled), MOST_ROWS);
}

function extension(partial: PartialJoin, part: JoinPart, index: number): Candidate | undefined {
  const extended = part.extend?.(partial.bound, partial.certain, partial.sorted);
  if (extended === undefined) return undefined;
  const { rowsPerRow } = extended;
  const rows =
    rowsPerRow === undefined ? joinedRows(partial, part, index) : Math.min(partial.rows * rowsPerRow, MOST_ROWS);
  const cost = partial.cost + partial.rows * extended.costPerRow + rows * Cost.outRow + Cost.open;
  const first = partial.first + Math.min(extended.costPerRow * Math.min(partial.rows, 1), cost - partial.first);
  return { part: index, method: EXTEND, rows, cost, first, sorted: partial.sorted };
}

const IMPOSSIBLE = 1e15;

// What it needs is bound by nothing: it fails when it runs.
function impossible({ rows, cost, first, sorted }: PartialJoin, index: number): Candidate {
  return { part: index, method: EXTEND, rows, cost: cost + IMPOSSIBLE, first, sorted };
}
