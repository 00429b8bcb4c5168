/** Stars: properties of one subject that are read together, where each would be a join by itself. */
import { Cost } from '../../plan/cost.js';
import type { PlanContext } from '../../plan/context.js';
import type { PatternFigures } from '../../plan/figures.js';
import { keptOrder, looseNames, withLoose } from '../../plan/node.js';
import { hashJoinPlan } from '../hash-join/plan.js';
import { unitPlan } from '../values/plan.js';
import type { HashJoinPlan, PatternGraph, PatternTerm, Plan, PlanPattern, StarLeg, StarPlan } from '../../plan/plan.js';

/** A pattern as a property of its subject. */
export interface Ray {
  readonly subject: string;
  readonly graph: PatternGraph;
  readonly leg: StarLeg;
}

/** `undefined`: it is no property, or in graphs that are merged. */
export function rayOf({ s, p, o, g }: PlanPattern, mode: StarLeg['mode'] = 'inner'): Ray | undefined {
  if (s.kind !== 'variable' || p.kind !== 'constant' || !isOneGraph(g)) return undefined;
  const names = g.kind === 'each' ? [s.name, g.name] : [s.name];
  if (o.kind === 'variable' && names.includes(o.name)) return undefined;
  return { subject: s.name, graph: g, leg: { predicate: p.constant, object: o, mode } };
}

const isOneGraph = (graph: PatternGraph): boolean =>
  graph.kind !== 'merged' || (graph.sources.length === 1 && !SETS.has(graph.sources[0]!));
const SETS: ReadonlySet<unknown> = new Set(['named', 'all']);

/** Whether both are properties of one subject in one graph. */
export const isSameStar = (one: Omit<Ray, 'leg'>, other: Omit<Ray, 'leg'>): boolean =>
  one.subject === other.subject && graphKey(one.graph) === graphKey(other.graph);

const graphKey = (graph: PatternGraph): string => JSON.stringify(graph);

/**
 * The rows of a plan with one property more, where it ends by looking up properties of the same subject; `undefined` elsewhere.
 * `read`: how many quads a scan of all subjects reads; without it there are no stars.
 */
export function withRay(
  input: Plan,
  pattern: PlanPattern,
  mode: StarLeg['mode'],
  variables: readonly string[],
  rows: number,
  read: number | undefined,
): StarPlan | undefined {
  if (read === undefined || input.variables.length > MOST_COLUMNS) return undefined;
  const ray = rayOf(pattern, mode);
  const star = ray && starOf(input, read);
  if (star === undefined || star.legs.length === MOST_LEGS || !isSameStar(star, ray!)) return undefined;
  const { object } = ray!.leg;
  if (object.kind === 'variable' && [...input.variables, ...star.input.variables].includes(object.name))
    return undefined;
  const cost = input.cost + star.input.rows * Cost.ray + rows * Cost.outRow;
  const { first } = input;
  const legs = [...star.legs, ray!.leg];
  const made = starPlan(star.input, { ...star, legs }, { variables, rows, sorted: input.sorted, cost, first });
  return star.input.type === 'unit' ? made : starThenHash(made);
}

/** A star that is looked up, and goes on with a hash table of all stars where there are far more rows than was estimated. */
function starThenHash(star: StarPlan): StarPlan {
  const { input, legs, read, variables } = star;
  // A subject without properties is in no scan.
  if (read > MOST_READ || !legs.some(({ mode }) => mode === 'inner')) return star;
  const shared = sortedBy(star);
  if (!shared.every((name) => input.certain.has(name))) return star;
  let made: HashJoinPlan | undefined;
  const plan = (): HashJoinPlan => {
    const names = namesOf(star).filter((name) => shared.includes(name) || variables.includes(name));
    const whole = scanStar({ ...star, rows: read / legs.length }, names);
    return (made ??= hashJoinPlan(input, whole, 'inner', variables, star.rows));
  };
  const rows = Math.max(Cost.leastSeeks, Math.ceil((read * (Cost.starRow + Cost.buildRow / legs.length)) / Cost.seek));
  return Object.assign(star, { afterwards: { rows, plan } });
}

/** Inputs with more columns are left alone, as with other joins that change their method. */
const MOST_COLUMNS = 64;
const MOST_LEGS = 16;
const MOST_READ = 1_000_000;

/** The star that a plan ends with, or a lookup that can begin one. */
function starOf(plan: Plan, read: number): Pick<StarPlan, 'subject' | 'graph' | 'legs' | 'read' | 'input'> | undefined {
  if (plan.type === 'star') return plan;
  if (plan.type !== 'seek' || plan.order !== undefined) return undefined;
  const { input, pattern, mode } = plan;
  const ray = rayOf(pattern, mode);
  if (ray === undefined || !isBound(ray, input.certain)) return undefined;
  const { object } = ray.leg;
  if (object.kind === 'variable' && input.variables.includes(object.name)) return undefined;
  return { ...ray, legs: [ray.leg], read, input };
}

/** Whether rows that bind these variables have the subject, and the graph. */
export const isBound = ({ subject, graph }: Omit<Ray, 'leg'>, names: ReadonlySet<string>): boolean =>
  names.has(subject) && (graph.kind !== 'each' || names.has(graph.name));

/** What a star takes from its join order. */
type StarFigures = Pick<StarPlan, 'variables' | 'rows' | 'sorted' | 'cost' | 'first'>;

function starPlan(
  input: Plan,
  { subject, graph, legs, read }: Omit<WholeStar, 'rows'>,
  figures: StarFigures,
): StarPlan {
  const sorted = keptOrder(figures, figures.variables);
  const loose = new Set([...looseNames(input), ...legs.flatMap(looseOf)]);
  return withLoose({ type: 'star', input, subject, graph, legs, read, ...figures, sorted } as const, loose, input);
}

const looseOf = ({ mode, object }: StarLeg): string[] =>
  mode === 'left' && object.kind === 'variable' ? [object.name] : [];

/** A star of joined properties, as it is read as a whole or looked up. */
export interface WholeStar extends Omit<Ray, 'leg'> {
  readonly legs: readonly StarLeg[];
  readonly rows: number;
  /** How many quads a scan of all subjects reads. */
  readonly read: number;
}

/** The orders of its rows. */
export const sortedBy = ({ subject, graph }: Omit<Ray, 'leg'>): readonly string[] =>
  graph.kind === 'each' ? [graph.name, subject] : [subject];

export const namesOf = (star: Pick<WholeStar, 'subject' | 'graph' | 'legs'>): string[] => [
  ...new Set([...sortedBy(star).toReversed(), ...star.legs.flatMap(({ object }) => nameOf(object))]),
];
const nameOf = (term: PatternTerm): string[] => (term.kind === 'variable' ? [term.name] : []);

/** What all rows of a star cost. */
export const costOfScan = ({ read, rows }: WholeStar): number => Cost.open + read * Cost.starRow + rows * Cost.ray;

/** All rows of a star, by one scan of all properties of all subjects. */
export const scanStar = (star: WholeStar, variables: readonly string[]): StarPlan =>
  starPlan(unitPlan, star, {
    variables,
    rows: star.rows,
    sorted: sortedBy(star),
    cost: costOfScan(star),
    first: Cost.open,
  });

/** A star of the subject of each row. */
export function lookUpStar(
  star: WholeStar,
  input: Plan,
  variables: readonly string[],
  rows: number,
  costPerRow: number,
): StarPlan {
  const cost = input.cost + Cost.open + input.rows * costPerRow + rows * Cost.outRow;
  const first = input.first + Cost.open;
  return starPlan(input, star, { variables, rows, sorted: input.sorted, cost, first });
}

/** How many quads a scan of all subjects reads: those of a known graph, or of all graphs. `undefined` where stars are not wanted. */
export const sizeOfStars = (
  { dataset, options }: Pick<PlanContext, 'dataset' | 'options'>,
  graph?: PatternGraph,
  { named }: Pick<PatternFigures, 'named'> = {},
): number | undefined => {
  if (options.unoptimised === true) return undefined;
  const read = graph?.kind === 'each' ? named?.all : graph?.kind === 'named' ? named?.graph : undefined;
  return Math.min(read ?? Infinity, dataset.size);
};
