/** About how many values variables take in the rows of an operation: from the figures of its patterns. */
import type { Operation, Pattern } from '../../algebra/algebra.js';
import { intersectionOf } from '../../algebra/name-sets.js';
import { recordOf } from '../../algebra/operations/index.js';
import { inputsOf } from '../../algebra/rewrite.js';
import { visibleVariables } from '../../algebra/variables.js';
import type { PlanContext } from '../context.js';
import { PatternMaker } from '../patterns.js';

type Counts = Map<string, number>;

/** So many operations and patterns are looked at. */
const MOST_LOOKS = 64;

/** By variable; those of which nothing is known are missing. */
export async function distinctValues(planner: PlanContext, operation: Operation): Promise<Counts> {
  if (planner.options.unoptimised === true) return new Map();
  return planner.memo(operation, 'distinct', () => new Counter(planner).of(operation));
}

/** How many combinations of values some variables take, at most `rows`. */
export const combinations = (names: Iterable<string>, counts: ReadonlyMap<string, number>, rows: number): number => {
  let values = 1;
  for (const name of names) values *= counts.get(name) ?? rows;
  return Math.min(values, rows);
};

/**
 * About how many rows a join of patterns has, and how many values its variables take in them. `undefined` for other operations, and where
 * variables stand for graphs.
 */
export async function joinedFigures(
  planner: PlanContext,
  operation: Operation,
): Promise<{ readonly rows: number; readonly distinct: Counts } | undefined> {
  const patterns = patternsOf(operation);
  if (patterns === undefined || patterns.length > MOST_JOINED || planner.options.unoptimised === true) return undefined;
  const maker = new PatternMaker(planner);
  const distinct: Counts = new Map();
  let rows = 1;
  for (const given of patterns) {
    const pattern = maker.pattern(given);
    if (pattern.g.kind === 'each') return undefined;
    const figures = await planner.figures.of(pattern);
    rows *= figures.rows;
    for (const [name, count] of figures.distinct) {
      const known = distinct.get(name);
      // The values of the pattern with fewer ones are taken to occur in the other.
      if (known !== undefined) rows /= Math.max(1, known, count);
      distinct.set(name, Math.min(count, known ?? Infinity));
    }
  }
  if (maker.matches.length > 0) return undefined;
  return { rows, distinct: new Map([...distinct].map(([name, count]) => [name, Math.min(count, rows)])) };
}

const MOST_JOINED = 8;

function patternsOf(operation: Operation): readonly Pattern[] | undefined {
  if (operation.type === 'bgp') return operation.patterns;
  if (operation.type !== 'join') return undefined;
  const all = operation.input.map(patternsOf);
  return all.every((some) => some !== undefined) ? all.flat() : undefined;
}

class Counter {
  #looks = 0;

  constructor(private readonly planner: PlanContext) {}

  async of(operation: Operation): Promise<Counts> {
    if (++this.#looks > MOST_LOOKS) return new Map();
    switch (operation.type) {
      case 'bgp':
        return this.#ofPatterns(operation);
      case 'values': {
        const counts: Counts = new Map();
        for (const { value: name } of operation.variables)
          counts.set(name, new Set(operation.bindings.map((row) => row[name]?.value)).size);
        return counts;
      }
      case 'slice':
        return new Map();
      default:
        return this.#ofInputs(operation);
    }
  }

  async #ofInputs(operation: Operation): Promise<Counts> {
    const counts: Counts = new Map();
    const both = TOGETHER[recordOf(operation).from];
    if (both === undefined) return counts;
    const inputs = inputsOf(operation);
    // Where a branch says nothing of a variable, the others do not tell how many values it takes.
    const within = recordOf(operation).from === 'any' ? inputs : [operation];
    const visible = intersectionOf(within.map(visibleVariables));
    for (const input of inputs) {
      for (const [name, count] of await this.of(input)) {
        const known = counts.get(name);
        if (visible.has(name)) counts.set(name, known === undefined ? count : both(known, count));
      }
    }
    return counts;
  }

  async #ofPatterns({ patterns }: Operation & { type: 'bgp' }): Promise<Counts> {
    const counts: Counts = new Map();
    const maker = new PatternMaker(this.planner);
    for (const pattern of patterns) {
      if (++this.#looks > MOST_LOOKS) break;
      const { distinct } = await this.planner.figures.of(maker.pattern(pattern));
      for (const [name, count] of distinct) counts.set(name, Math.min(count, counts.get(name) ?? Infinity));
    }
    return counts;
  }
}

/** How many values a variable takes in an operation that takes `one` and `other` in its inputs. */
const TOGETHER: Readonly<Partial<Record<string, (one: number, other: number) => number>>> = {
  each: Math.min,
  any: (one, other) => one + other,
  first: (one) => one,
};
