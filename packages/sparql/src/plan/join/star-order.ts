/** Orders of joins in which properties of one subject are one part, which is read as a whole or looked up. */
import { Cost } from '../cost.js';
import type { PlanContext } from '../context.js';
import { joinedPart, pick } from './inner-group.js';
import type { JoinFilter, JoinPart } from './join-part.js';
import { orderJoins, type JoinGoal, type JoinOrder } from './join-order.js';
import type { PlanPattern } from '../plan.js';
import type { GroupPart } from '../parts/group-part.js';
import {
  costOfScan,
  isBound,
  isSameStar,
  lookUpStar,
  namesOf,
  rayOf,
  scanStar,
  sizeOfStars,
  sortedBy,
  type Ray,
  type WholeStar,
} from '../../operators/star/plan.js';

/** The parts of a group. The patterns are those of the first ones. */
export interface StarGroup {
  readonly parts: readonly GroupPart[];
  readonly patterns: readonly PlanPattern[];
  readonly filters: readonly JoinFilter[];
  readonly goal: JoinGoal;
  /** Of the best order without stars. */
  readonly cost: number;
}

export interface StarOrder {
  readonly parts: readonly GroupPart[];
  readonly order: JoinOrder;
}

/** The best order in which some properties are one part; `undefined`: none promises to be better than the best one without. */
export async function orderWithStar(planner: PlanContext, group: StarGroup): Promise<StarOrder | undefined> {
  let best: StarOrder | undefined;
  if (group.cost < Cost.leastOfStars || group.parts.length > MOST_PARTS) return undefined;
  let least = group.cost * Cost.starShare;
  for (const places of starsOf(group)) {
    if (group.goal.steps.used > group.goal.steps.most / 2) break;
    const found = await orderOf(planner, group, places);
    if (found.order.cost >= least) continue;
    least = found.order.cost;
    best = found;
  }
  return best;
}

const MOST_PARTS = 16;

/** Places of properties of one subject: all of them, and all but the one with fewest quads, which the others are then looked up for. */
function starsOf({ parts, patterns }: StarGroup): (readonly number[])[] {
  const stars: { readonly ray: Ray; readonly places: number[] }[] = [];
  for (const [place, pattern] of patterns.entries()) {
    const ray = rayOf(pattern);
    if (ray === undefined) continue;
    const known = stars.find((star) => isSameStar(star.ray, ray));
    if (known === undefined) stars.push({ ray, places: [place] });
    else known.places.push(place);
  }
  return stars.flatMap(({ places }) => {
    const sorted = places.toSorted((a, b) => parts[a]!.join.rows - parts[b]!.join.rows);
    const objects = sorted.flatMap((place) => namesOfObject(patterns[place]!));
    if (sorted.length < 2 || new Set(objects).size < objects.length) return [];
    return sorted.length === 2 ? [sorted] : [sorted, sorted.slice(1)];
  });
}

const namesOfObject = ({ o }: PlanPattern): string[] => (o.kind === 'variable' ? [o.name] : []);

async function orderOf(planner: PlanContext, group: StarGroup, places: readonly number[]): Promise<StarOrder> {
  const { goal, filters, patterns } = group;
  const joins = group.parts.map(({ join }) => join);
  const rest = [...joins.keys()].filter((place) => !places.includes(place));
  const within = await orderJoins(pick(joins, places), [], { ...goal, wanted: Infinity });
  const rays = places.map((place) => rayOf(patterns[place]!)!);
  const first = patterns[places[0]!]!;
  const read = sizeOfStars(planner, first.g, await planner.figures.of(first))!;
  const star: WholeStar = { ...rays[0]!, legs: rays.map(({ leg }) => leg), rows: within.joined.rows, read };
  const part = starPart(star, joinedPart(places, rest, joins, within));
  const outer = [...pick(joins, rest), part.join];
  const order = await orderJoins(outer, filters, goal);
  return { order, parts: [...rest.map((place, i) => ({ ...group.parts[place]!, join: outer[i]! })), part] };
}

function starPart(star: WholeStar, joined: JoinPart): GroupPart {
  const objects = star.legs.flatMap(({ object }) => (object.kind === 'variable' ? [object.name] : []));
  const costPerRow = (sorted: readonly string[]): number =>
    (sorted[0] === sortedBy(star)[0] ? Cost.sortedSeek : Cost.seek) + star.legs.length * Cost.ray;
  return {
    join: {
      ...joined,
      variables: namesOf(star),
      cost: costOfScan(star),
      alone: { first: Cost.open, orders: [sortedBy(star)] },
      extend: (bound, certain, sorted) =>
        isBound(star, certain) && !objects.some((name) => bound.has(name))
          ? { costPerRow: costPerRow(sorted) }
          : undefined,
    },
    alone: (_, names) => scanStar(star, names),
    extend: (input, names, rows) => lookUpStar(star, input, names, rows, costPerRow(input.sorted)),
  };
}
