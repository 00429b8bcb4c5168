/**
 * Chooses the order of the joins of a group and their methods. It starts once with each of the smallest parts and always adds the
 * part that is cheapest for the wanted rows. It takes the cheapest of these orders. Large groups are ordered with less effort,
 * see {@link Effort}.
 */
import type { Pauses } from '../../algebra/rewrite.js';
import { MinHeap } from './min-heap.js';
import { cheapestOf, costFor, weightOf } from './join-candidates.js';
import type { Candidate, JoinFilter, JoinPart, JoinStep } from './join-part.js';
import { PartialJoin, PartsOfVariables } from './partial-join.js';
import type { PlanningSteps } from './planning-steps.js';

const MOST_STARTS = 8;
/** Orders that cost less than so much for each part, in microseconds, are taken as they are found. */
const SEARCH_OF_PART = 4;
/** About so many ways there are to join a part. */
const WAYS = 3;

/**
 * `each`: all parts that join what is there are costed at each step. `once`: each part is costed once, as soon as it joins.
 * `written`: the first part of the text that joins.
 */
type Effort = 'each' | 'once' | 'written';

export interface JoinGoal {
  /** The number of rows that will be read, approximately. */
  readonly wanted: number;
  readonly steps: PlanningSteps;
  readonly control: Pauses | undefined;
}

export interface JoinOrder {
  readonly steps: readonly JoinStep[];
  /** Of the rows that are wanted, in microseconds. */
  readonly cost: number;
  /** All parts together. */
  readonly joined: PartialJoin;
}

export async function orderJoins(
  parts: readonly JoinPart[],
  filters: readonly JoinFilter[],
  goal: JoinGoal,
): Promise<JoinOrder> {
  const index = new PartsOfVariables(parts, filters);
  let best: PartialJoin | undefined;
  const begin = goal.steps.used;
  for (const start of starts(parts)) {
    // A further search would take longer than what it may save.
    if (best !== undefined && best.cost <= parts.length * SEARCH_OF_PART) break;
    const effort = effortFor(parts.length, goal.steps, begin);
    // One order has to be found; others only while there is time to search.
    if (best !== undefined && effort !== 'each') break;
    const most = best === undefined ? Infinity : costFor(best, goal.wanted);
    const found = await new JoinSearch(parts, index, goal, effort).from(start, most);
    if (found !== undefined && costFor(found, goal.wanted) < most) best = found;
  }
  best ??= (await new JoinSearch(parts, index, goal, 'written').from(undefined, Infinity))!;
  return { steps: best.steps, cost: costFor(best, goal.wanted), joined: best };
}

/** Orders of one group that need more steps are not searched for. */
const MOST_STEPS_OF_GROUP = 20_000;

// Joining n parts costs at most so many candidates.
function effortFor(count: number, steps: PlanningSteps, begin: number): Effort {
  const used = steps.used + (count * count) / 2;
  if (used < steps.most / 2 && used - begin < MOST_STEPS_OF_GROUP) return 'each';
  return steps.used + 2 * count < steps.most ? 'once' : 'written';
}

function starts(parts: readonly JoinPart[]): number[] {
  return parts
    .map((part, index) => ({ part, index }))
    .filter(({ part }) => part.alone !== undefined)
    .sort((a, b) => a.part.rows + a.part.cost - b.part.rows - b.part.cost)
    .slice(0, MOST_STARTS)
    .map(({ index }) => index);
}

class JoinSearch {
  readonly #partial: PartialJoin;
  /** Parts that share a variable with those that are joined, or have none. */
  readonly #connected = new Set<number>();
  /** For `once` and `written`: the same by weight or place. */
  readonly #heap = new MinHeap();
  /** The others, those with few rows first. */
  readonly #apart: readonly number[];
  #nextApart = 0;

  constructor(
    private readonly parts: readonly JoinPart[],
    private readonly index: PartsOfVariables,
    private readonly goal: JoinGoal,
    private readonly effort: Effort,
  ) {
    this.#partial = new PartialJoin(parts, index);
    this.#apart = effort === 'written' ? parts.map((_, part) => part) : index.byRows;
  }

  /** Joins all parts; `undefined` if that costs `most`, which shows early. It takes the worst order where there is no better one. */
  async from(start: number | undefined, most: number): Promise<PartialJoin | undefined> {
    for (const [part, { variables }] of this.parts.entries()) if (variables.length === 0) this.#connect(part);
    if (start !== undefined) this.#add(startOf(this.parts[start]!, start));
    while (this.#partial.steps.length < this.parts.length) {
      const pause = this.goal.control?.checkpoint();
      if (pause !== undefined) await pause;
      if (this.#leastCost() >= most && most < Infinity) return undefined;
      this.#add(this.#next());
    }
    return this.#partial;
  }

  // Costs only grow with each part, but those of all rows do not matter where few are wanted.
  #leastCost(): number {
    return this.goal.wanted === Infinity ? this.#partial.cost : this.#partial.first;
  }

  #add(candidate: Candidate): void {
    this.#connected.delete(candidate.part);
    for (const variable of this.#partial.add(candidate)) {
      for (const part of this.index.partsOf[variable]!) if (!this.#partial.has(part)) this.#connect(part);
    }
  }

  #connect(part: number): void {
    if (this.#connected.has(part)) return;
    this.#connected.add(part);
    if (this.effort === 'written') this.#heap.push(part, part);
    if (this.effort === 'once') this.#heap.push(part, this.#weight(this.#cheapest(part)));
  }

  #next(): Candidate {
    const connected = this.effort === 'each' ? this.#cheapestConnected() : this.#nextOfHeap();
    return connected ?? this.#cheapest(this.#nextOfApart());
  }

  #cheapestConnected(): Candidate | undefined {
    let best: Candidate | undefined;
    let least = Infinity;
    for (const part of this.#connected) {
      if (this.#waits(part)) continue;
      const candidate = this.#cheapest(part);
      const weight = this.#weight(candidate);
      if (best !== undefined && weight >= least) continue;
      best = candidate;
      least = weight;
    }
    return best;
  }

  // Parts that still wait come again when more is bound.
  #nextOfHeap(): Candidate | undefined {
    const waiting: number[] = [];
    let found: Candidate | undefined;
    for (let part = this.#heap.pop(); part !== undefined; part = this.#heap.pop()) {
      if (this.#partial.has(part)) continue;
      if (this.#waits(part)) {
        waiting.push(part);
        continue;
      }
      found = this.#cheapest(part);
      break;
    }
    for (const part of waiting) this.#heap.push(part, Infinity);
    return found;
  }

  // A part without a shared variable multiplies the rows: only if nothing else is left.
  #nextOfApart(): number {
    for (; this.#nextApart < this.#apart.length; this.#nextApart++) {
      const part = this.#apart[this.#nextApart]!;
      if (!this.#partial.has(part) && this.parts[part]!.alone !== undefined) return part;
    }
    return this.#apart.find((part) => !this.#partial.has(part))!;
  }

  // A part whose required variables are not bound yet.
  #waits(index: number): boolean {
    const part = this.parts[index]!;
    return (
      part.alone === undefined &&
      part.extend?.(this.#partial.bound, this.#partial.certain, this.#partial.sorted) === undefined
    );
  }

  #cheapest(index: number): Candidate {
    this.goal.steps.used += WAYS;
    return cheapestOf(this.#partial, this.parts[index]!, index, this.goal.wanted);
  }

  #weight(candidate: Candidate): number {
    return weightOf(candidate, this.parts[candidate.part]!, this.goal.wanted);
  }
}

function startOf({ rows, cost, alone }: JoinPart, part: number): Candidate {
  const sorted = alone?.orders[0] ?? [];
  return { part, method: { kind: 'start' }, rows, cost, first: alone?.first ?? 0, sorted };
}
