/**
 * Chooses the order of the joins of a group and their methods. It starts once with each part, always adds the cheapest next part,
 * and takes the cheapest of these orders.
 */
import { Cost } from '../cost.js';

/** A part of a group, as the join order sees it. */
export interface JoinPart {
  readonly variables: readonly string[];
  /** Rows that it has by itself. */
  readonly rows: number;
  /** The cost of these rows. */
  readonly cost: number;
  /** Orders in which its rows can come: the variables that they ascend by. */
  readonly orders: readonly (readonly string[])[];
  readonly distinct: ReadonlyMap<string, number>;
  /** Whether its rows can be looked up by ids of the other side. */
  readonly seekable: boolean;
  /** What one row of the other side costs for parts that only extend rows (paths, triple terms, services); else undefined. */
  readonly extendCost: ((bound: ReadonlySet<string>) => number | undefined) | undefined;
}

export type JoinMethod =
  | { readonly kind: 'start' }
  | { readonly kind: 'seek'; readonly seekCost: number }
  /** `build`: which side goes into the hash table. */
  | { readonly kind: 'hash'; readonly build: 'part' | 'partial' }
  | { readonly kind: 'merge'; readonly key: string; readonly order: number }
  | { readonly kind: 'extend' };

export interface JoinStep {
  /** Which part. */
  readonly part: number;
  readonly method: JoinMethod;
  /** Rows after the step. */
  readonly rows: number;
}

interface Partial {
  readonly steps: readonly JoinStep[];
  readonly bound: ReadonlySet<string>;
  readonly rows: number;
  readonly cost: number;
  readonly sorted: readonly string[];
  readonly distinct: ReadonlyMap<string, number>;
}

interface Candidate {
  readonly part: number;
  readonly method: JoinMethod;
  readonly rows: number;
  readonly cost: number;
  readonly sorted: readonly string[];
}

const EMPTY: Partial = { steps: [], bound: new Set(), rows: 1, cost: 0, sorted: [], distinct: new Map() };
const MOST_STARTS = 8;

/** `keep`: the share of rows that filters leave once these variables are bound. `first`: only so many rows are wanted. */
export function orderJoins(
  parts: readonly JoinPart[],
  keep: (before: ReadonlySet<string>, after: ReadonlySet<string>) => number,
  first = Infinity,
): readonly JoinStep[] {
  let best: Partial | undefined;
  for (const start of starts(parts)) {
    const found = goOn(begin(parts, start, keep), parts, keep, first);
    if (best === undefined || found.cost < best.cost) best = found;
  }
  return (best ?? goOn(EMPTY, parts, keep, first)).steps;
}

function starts(parts: readonly JoinPart[]): number[] {
  return parts
    .map((part, index) => ({ part, index }))
    .filter(({ part }) => part.extendCost === undefined)
    .sort((a, b) => a.part.rows - b.part.rows)
    .slice(0, MOST_STARTS)
    .map(({ index }) => index);
}

type Keep = Parameters<typeof orderJoins>[1];

function begin(parts: readonly JoinPart[], index: number, keep: Keep): Partial {
  const { rows, cost, orders } = parts[index]!;
  return advance(EMPTY, { part: index, method: { kind: 'start' }, rows, cost, sorted: orders[0] ?? [] }, parts, keep);
}

function goOn(from: Partial, parts: readonly JoinPart[], keep: Keep, first: number): Partial {
  let partial = from;
  while (partial.steps.length < parts.length) {
    partial = advance(partial, cheapest(partial, parts, first), parts, keep);
  }
  return partial;
}

function advance(partial: Partial, candidate: Candidate, parts: readonly JoinPart[], keep: Keep): Partial {
  const part = parts[candidate.part]!;
  const bound = new Set([...partial.bound, ...part.variables]);
  const rows = candidate.rows * keep(partial.bound, bound);
  const distinct = new Map(partial.distinct);
  for (const name of part.variables) {
    const own = part.distinct.get(name) ?? part.rows;
    distinct.set(name, Math.max(1, Math.min(own, distinct.get(name) ?? Infinity, rows)));
  }
  const step: JoinStep = { part: candidate.part, method: candidate.method, rows };
  return {
    steps: [...partial.steps, step],
    bound,
    rows,
    cost: partial.cost + candidate.cost,
    sorted: candidate.sorted,
    distinct,
  };
}

// Fewer rows are worth some time: later steps have to process all rows of a step.
const weight = ({ cost, rows }: Candidate): number => cost + rows * 0.3;

function cheapest(partial: Partial, parts: readonly JoinPart[], first: number): Candidate {
  const used = new Set(partial.steps.map(({ part }) => part));
  let best: Candidate | undefined;
  let bestConnected = false;
  for (const [index, part] of parts.entries()) {
    if (used.has(index)) continue;
    // A part whose required variables are not bound yet has to wait.
    const waits = part.extendCost !== undefined && part.extendCost(partial.bound) === undefined;
    const shares = part.variables.length === 0 || part.variables.some((name) => partial.bound.has(name));
    const connected = shares && !waits;
    for (const candidate of candidates(partial, part, index, first)) {
      const better = best === undefined || weight(candidate) < weight(best);
      // A part without a shared variable multiplies the rows: only if nothing else is left.
      if (connected === bestConnected ? better : connected) {
        best = candidate;
        bestConnected = connected;
      }
    }
  }
  return best!;
}

function candidates(partial: Partial, part: JoinPart, index: number, first: number): Candidate[] {
  const shared = part.variables.filter((name) => partial.bound.has(name));
  if (part.extendCost !== undefined) return [extension(partial, part, index)];
  const rows = joinedRows(partial, part, shared);
  const found: Candidate[] = [hashed(partial, part, index, rows)];
  if (part.seekable && shared.length > 0) found.push(sought(partial, part, index, rows, first));
  const [key] = partial.sorted;
  const order = part.orders.findIndex(([name]) => name === key);
  if (key !== undefined && shared.length === 1 && shared[0] === key && order !== -1) {
    const cost = part.cost + (partial.rows + part.rows) * Cost.mergeRow + rows * Cost.outRow;
    found.push({ part: index, method: { kind: 'merge', key, order }, rows, cost, sorted: [key] });
  }
  return found;
}

// Assumes that the values of the side with fewer ones all occur on the other side.
function joinedRows(partial: Partial, part: JoinPart, shared: readonly string[]): number {
  let rows = partial.rows * part.rows;
  for (const name of shared) {
    rows /= Math.max(part.distinct.get(name) ?? part.rows, partial.distinct.get(name) ?? 1, 1);
  }
  return rows;
}

function hashed(partial: Partial, part: JoinPart, index: number, rows: number): Candidate {
  const buildPart = part.rows <= partial.rows;
  const build = Math.min(part.rows, partial.rows);
  const probe = Math.max(part.rows, partial.rows);
  const cost = part.cost + build * Cost.buildRow + probe * Cost.probeRow + rows * Cost.outRow + Cost.open;
  const sorted = buildPart ? partial.sorted : (part.orders[0] ?? []);
  return { part: index, method: { kind: 'hash', build: buildPart ? 'part' : 'partial' }, rows, cost, sorted };
}

function sought(partial: Partial, part: JoinPart, index: number, rows: number, first: number): Candidate {
  const [key] = partial.sorted;
  const ascending = key !== undefined && part.variables.includes(key);
  const seekCost = ascending ? Cost.sortedSeek : Cost.seek;
  // Rows are given as they are found: few wanted rows cost only their share.
  const share = rows > first ? first / rows : 1;
  const cost = (partial.rows * seekCost + rows * Cost.outRow) * share + Cost.open;
  return { part: index, method: { kind: 'seek', seekCost }, rows, cost, sorted: partial.sorted };
}

const NOT_YET = 1e15;

function extension(partial: Partial, part: JoinPart, index: number): Candidate {
  const perRow = part.extendCost!(partial.bound);
  const fanOut = part.variables.every((name) => partial.bound.has(name)) ? 0.5 : part.rows;
  const rows = partial.rows * fanOut;
  const cost = perRow === undefined ? NOT_YET : partial.rows * perRow + rows * Cost.outRow;
  return { part: index, method: { kind: 'extend' }, rows, cost, sorted: partial.sorted };
}
