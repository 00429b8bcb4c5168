/**
 * Finds parts of a group that are better joined with one another first, before all others join what comes out: trees of joins that are
 * not chains. Such parts hang on the rest by one variable, as the tail of a long path of patterns does, or everything about one node.
 */
import { Cost } from '../cost.js';
import { orderJoins, type JoinGoal, type JoinOrder } from './join-order.js';
import { MOST_ROWS, type JoinFilter, type JoinPart, type JoinSample } from './join-part.js';

const LEAST_PARTS = 4;
const MOST_PARTS = 16;

export interface InnerGroup {
  /** Those to be joined first. */
  readonly inner: readonly number[];
  readonly rest: readonly number[];
  /** The others, and last what comes out. */
  readonly outer: readonly JoinPart[];
  /** Of the best order of these. */
  readonly cost: number;
}

/** `order`: the best one that joins all parts one after the other. `undefined`: no other tree promises to be much better. */
export async function findInnerGroup(
  parts: readonly JoinPart[],
  filters: readonly JoinFilter[],
  goal: JoinGoal,
  order: JoinOrder,
): Promise<InnerGroup | undefined> {
  if (order.cost < Cost.leastOfTrees || parts.length < LEAST_PARTS || parts.length > MOST_PARTS) return undefined;
  let best: InnerGroup | undefined;
  let least = order.cost * Cost.treeShare;
  for (const inner of innerGroups(parts)) {
    if (goal.steps.used > goal.steps.most / 2) break;
    const within = pick(parts, inner);
    const own = filters.filter(({ names }) => isWithin(names, within));
    const first = await orderJoins(within, own, { ...goal, wanted: Infinity });
    if (first.cost >= least) continue;
    const rest = [...parts.keys()].filter((i) => !inner.includes(i));
    const outer = [...pick(parts, rest), joinedPart(inner, rest, parts, first)];
    const others = filters.filter((filter) => !own.includes(filter));
    const { cost } = await orderJoins(outer, others, goal);
    if (cost >= least) continue;
    least = cost;
    best = { inner, rest, outer, cost };
  }
  return best;
}

/** Whether each of these variables is in all rows of some part. */
export const isWithin = (names: Iterable<string>, parts: readonly JoinPart[]): boolean =>
  [...names].every((name) => parts.some(({ variables, certain }) => certain?.has(name) ?? variables.includes(name)));

/** Some of the parts, which know each other by their new places. */
export function pick(parts: readonly JoinPart[], places: readonly number[]): JoinPart[] {
  return places.map((place) => {
    const part = parts[place]!;
    if (part.samples === undefined) return part;
    return { ...part, samples: new Map([...part.samples].map(([other, sample]) => [places.indexOf(other), sample])) };
  });
}

export function joinedPart(
  inner: readonly number[],
  rest: readonly number[],
  parts: readonly JoinPart[],
  { joined }: JoinOrder,
): JoinPart {
  const graphs = new Set(inner.map((place) => parts[place]!.graph));
  return {
    variables: [...joined.bound],
    graph: graphs.size === 1 ? [...graphs][0] : undefined,
    certain: joined.certain,
    rows: Math.min(joined.rows, MOST_ROWS),
    cost: joined.cost,
    distinct: joined.distinct,
    alone: { first: joined.first, orders: joined.sorted.length > 0 ? [joined.sorted] : [] },
    seekable: false,
    extend: undefined,
    samples: samplesOf(inner, rest, parts),
  };
}

// What is known of the joins of its smallest parts holds for the rows that come out.
function samplesOf(
  inner: readonly number[],
  rest: readonly number[],
  parts: readonly JoinPart[],
): Map<number, JoinSample> {
  const found = new Map<number, JoinSample>();
  for (const place of inner.toSorted((a, b) => parts[a]!.rows - parts[b]!.rows)) {
    for (const [other, sample] of parts[place]!.samples ?? []) {
      const at = rest.indexOf(other);
      if (at !== -1 && !found.has(at)) found.set(at, sample);
    }
  }
  return found;
}

/** Two parts or more, but not nearly all, that share one variable with the others and are connected without it, or around it. */
function innerGroups(parts: readonly JoinPart[]): (readonly number[])[] {
  const groups = new Map<string, readonly number[]>();
  const add = (places: readonly number[]): void => {
    const sorted = places.toSorted((a, b) => a - b);
    if (sorted.length < 2 || sorted.length > parts.length - 2) return;
    if (sorted.every((place) => parts[place]!.alone !== undefined)) groups.set(sorted.join(), sorted);
  };
  for (const name of new Set(parts.flatMap(({ variables }) => variables))) {
    const islands = islandsWithout(name, parts);
    if (islands.length < 2) continue;
    for (const island of islands) {
      add(island);
      add(parts.map((_, i) => i).filter((i) => !island.includes(i)));
    }
  }
  return [...groups.values()];
}

// Which parts are connected by other variables than this one. Parts that do not have it may be apart from all others.
function islandsWithout(name: string, parts: readonly JoinPart[]): number[][] {
  const left = new Set(parts.keys());
  const islands: number[][] = [];
  for (const start of parts.keys()) {
    if (!left.delete(start)) continue;
    const island = [start];
    for (const place of island) {
      for (const other of left) {
        if (!parts[other]!.variables.some((shared) => shared !== name && parts[place]!.variables.includes(shared)))
          continue;
        left.delete(other);
        island.push(other);
      }
    }
    islands.push(island);
  }
  return islands;
}
