/** The parts of a group: how each is read alone, and how it is joined to existing rows. */
import type { Expression, Service } from '../../algebra/algebra.js';
import { visibleVariables } from '../../algebra/variables.js';
import { hasVolatile, type IsVolatileFunction } from '../../algebra/volatile.js';
import { Cost } from '../cost.js';
import type { Extension, JoinPart } from '../join/join-part.js';
import { fewGraphs, type PatternFigures } from '../figures.js';
import * as make from '../nodes.js';
import { readOrders, variablesOf, type PatternMaker, type ReadOrder, type TripleMatch } from '../patterns.js';
import type { PathPlan, Plan, PlanPattern, ScanRange, SeekPlan, ServicePlan } from '../plan.js';
import { seekThenHash } from './adaptive-join.js';
import { pathPlan, type PathEnds } from '../../operators/path/plan.js';
import { matchPlan } from '../../operators/triple-match/plan.js';
import { withRay } from '../../operators/star/plan.js';
import { isComparison, rangeOf } from './scan-range.js';

export interface GroupPart {
  /** The part as the join order sees it. */
  readonly join: JoinPart;
  /** Filters that its number of rows takes into account. */
  readonly counted?: readonly Expression[];
  /** Rows of the part alone, in one of its orders. */
  alone(order: number, variables: readonly string[]): Plan;
  /** Of a pattern: looks it up for some rows. */
  seek?(input: Plan, variables: readonly string[], rows: number, seekCost: number): SeekPlan;
  /** Adds it to some rows. */
  extend(input: Plan, variables: readonly string[], rows: number, seekCost: number): Plan | Promise<Plan>;
}

const nothingAlone = (variables: readonly string[]): JoinPart => ({
  variables,
  rows: 1,
  cost: 0,
  distinct: new Map(),
  alone: undefined,
  seekable: false,
  extend: undefined,
});

/** `within`: what names the ranges of objects that are read. */
export function patternPart(
  pattern: PlanPattern,
  figures: PatternFigures,
  filters: readonly Expression[],
  within?: string,
  size?: number,
): GroupPart {
  const variables = variablesOf(pattern);
  const { rows, distinct, named } = figures;
  const isOfFew = fewGraphs(pattern.g) !== undefined;
  const inGraph = isOfFew ? undefined : graphReader(pattern, figures);
  const isScannedByGraph = isOfFew
    ? pattern.s.kind === 'variable' && named!.graph < named!.everywhere
    : pattern.g.kind !== 'each' && inGraph?.(NOTHING)?.order !== undefined;
  const isMergedByGraph = isScannedByGraph && pattern.g.kind === 'merged';
  const orders = isMergedByGraph ? UNSORTED_GRAPHS : readOrders(pattern, isScannedByGraph);
  const isRead = named !== undefined && (isOfFew || pattern.g.kind !== 'each');
  const read = isRead ? Math.min(named.everywhere, named.graph) : rows;
  const scan = (read: ReadOrder | undefined, names: readonly string[]): Plan => {
    const sorted = keptPrefix(read?.sorted ?? [], names);
    const isRanged = read !== undefined && !(isOfFew && isScannedByGraph);
    const range: ScanRange | undefined = isRanged ? rangeOf(read.sorted[0], filters) : undefined;
    const ranges = read?.order === 'posg' ? within : undefined;
    return make.scanPlan(pattern, names, read?.order, sorted, rows, range, ranges);
  };
  const seek: GroupPart['seek'] = (input, names, joined, seekCost) => {
    const order = inGraph?.(new Set(input.variables))?.order;
    return make.seekPlan(input, pattern, 'inner', names, variables, joined, seekCost, order);
  };
  const cost = Cost.open + Math.max(rows, read) * Cost.scanRow;
  const whole = { variables, rows, cost, scan: (names: readonly string[]) => scan(orders[0], names) };
  const ranged = pattern.o.kind === 'variable' ? pattern.o.name : undefined;
  const isCounted = figures.isCounted === true && ranged !== undefined;
  return {
    counted: isCounted ? filters.filter((filter) => isComparison(filter, ranged)) : [],
    join: {
      variables,
      rows,
      cost,
      alone: { first: Cost.open, orders: orders.map(({ sorted }) => sorted) },
      distinct,
      graph: pattern.g.kind === 'each' ? pattern.g.name : undefined,
      seekable: true,
      seekExtra: inGraph && ((bound) => inGraph(bound)?.extra ?? 0),
      extend: undefined,
    },
    alone: (order, names) => scan(orders[order], names),
    seek,
    extend: (input, names, joined, seekCost) =>
      withRay(input, pattern, 'inner', names, joined, size) ??
      seekThenHash(seek(input, names, joined, seekCost), seekCost, whole),
  };
}

/** Graphs that are read one after the other, and merged. */
const UNSORTED_GRAPHS: readonly ReadOrder[] = [{ order: 'gspo', sorted: [] }];

/** How a graph that is known is read for a subject that is not: all of it, or what matches in all graphs. */
interface GraphRead {
  readonly order: 'gspo' | undefined;
  /** The cost of rows that do not match. */
  readonly extra: number;
}

function graphReader(
  { s, p, o, g }: PlanPattern,
  { rows, distinct, named }: PatternFigures,
): ((bound: ReadonlySet<string>) => GraphRead | undefined) | undefined {
  if (named === undefined || s.kind === 'constant') return undefined;
  return (bound) => {
    const isGraphKnown = g.kind !== 'each' || bound.has(g.name);
    if (!isGraphKnown || bound.has(s.name)) return undefined;
    let everywhere = named.everywhere;
    for (const term of [p, o]) {
      if (term.kind === 'variable' && bound.has(term.name)) everywhere /= Math.max(1, distinct.get(term.name) ?? 1);
    }
    // Without a predicate or an object all other orders read everything.
    const read = Math.min(everywhere, named.graph);
    const extra = Math.max(0, read - rows) * Cost.scanRow;
    return { order: named.graph < everywhere ? 'gspo' : undefined, extra };
  };
}

function keptPrefix(sorted: readonly string[], names: readonly string[]): readonly string[] {
  const lost = sorted.findIndex((name) => !names.includes(name));
  return lost === -1 ? sorted : sorted.slice(0, lost);
}

/** An operation of a group that can be run for rows of the others. */
export interface SeededPart {
  /** What that costs, as far as it was planned for these variables. */
  extension(bound: ReadonlySet<string>): Extension | undefined;
  apply(input: Plan, kept: readonly string[]): Promise<Plan>;
}

/** `counts`: about how many values variables take. */
export function otherPart(plan: Plan, seeded?: SeededPart, counts?: ReadonlyMap<string, number>): GroupPart {
  const { variables, rows, cost, sorted, first } = plan;
  const distinct = new Map([...(counts ?? [])].map(([name, count]) => [name, Math.max(1, Math.min(count, rows))]));
  const alone = { first, orders: sorted.length > 0 ? [sorted] : [] };
  return {
    join: { ...nothingAlone(variables), certain: plan.certain, rows, cost, alone, distinct, extend: seeded?.extension },
    alone: () => plan,
    extend: (input, kept) => {
      if (seeded === undefined) throw new Error('this part is not looked up');
      return seeded.apply(input, kept);
    },
  };
}

/** About so many nodes a search finds. */
const REACHED = 10;

/** `starts`: from about so many nodes has to be searched where neither end is bound. In a graph that varies, rows have to bind it. */
export function pathPart(path: PathEnds, starts: number): GroupPart {
  const ends = [path.subject, path.object];
  const graph = path.graph.kind === 'each' ? path.graph.name : undefined;
  const names = ends.flatMap((end) => (end.kind === 'variable' ? [end.name] : []));
  if (graph !== undefined) names.push(graph);
  const boundEnds = (bound: ReadonlySet<string>): number =>
    ends.filter((end) => end.kind === 'constant' || bound.has(end.name)).length;
  const all = Math.max(starts, 1);
  const searches = boundEnds(NOTHING) > 0 ? 1 : all;
  const rows = boundEnds(NOTHING) === 2 ? 0.5 : searches * REACHED;
  const cost = searches * Cost.pathStart;
  const extend = (bound: ReadonlySet<string>, certain: ReadonlySet<string>): Extension | undefined => {
    const known = boundEnds(bound);
    if (graph === undefined && known === 0) return undefined;
    if (graph !== undefined && !certain.has(graph)) return undefined;
    if (known === 0) return { costPerRow: all * Cost.pathStart, rowsPerRow: all * REACHED };
    return { costPerRow: Cost.pathStart, rowsPerRow: known === 2 ? 0.5 : REACHED };
  };
  const plan = (input: Plan, variables: readonly string[], found: number): PathPlan =>
    pathPlan(input, path, variables, found, boundEnds(new Set(input.variables)) > 0 ? 1 : all);
  const alone = graph === undefined ? { first: Cost.pathStart, orders: [] } : undefined;
  return {
    join: { ...nothingAlone([...new Set(names)]), rows, cost, alone, extend },
    alone: (_, variables) => plan(make.unitPlan, variables, rows),
    extend: plan,
  };
}

const NOTHING: ReadonlySet<string> = new Set();

export function matchPart(match: TripleMatch): GroupPart {
  const names = [match.s, match.p, match.o].flatMap((term) => (term.kind === 'variable' ? [term.name] : []));
  const variables = [...new Set([match.term, ...names])];
  return {
    join: {
      ...nothingAlone(variables),
      extend: (bound) => (bound.has(match.term) ? { costPerRow: 0.2, rowsPerRow: 1 } : undefined),
    },
    alone: () => {
      throw new Error('a triple term is taken apart where its pattern stands');
    },
    extend: (input, kept, rows) => matchPlan(input, match, kept, rows),
  };
}

export function servicePart(operation: Service, maker: PatternMaker, isFunction?: IsVolatileFunction): GroupPart {
  const names = [...visibleVariables(operation.input)];
  const endpoint = maker.end(operation.name);
  const whole = hasVolatile(operation.input, isFunction);
  const variables = [...new Set([...names, ...(endpoint.kind === 'variable' ? [endpoint.name] : [])])];
  const plan = (input: Plan, kept: readonly string[], rows: number): ServicePlan =>
    make.servicePlan(operation, { endpoint, whole }, input, kept, rows);
  return {
    join: {
      ...nothingAlone(variables),
      certain: NOTHING,
      rows: 10,
      extend: (bound) =>
        endpoint.kind === 'constant' || bound.has(endpoint.name)
          ? { costPerRow: Cost.serviceRow, rowsPerRow: variables.every((name) => bound.has(name)) ? 0.5 : 10 }
          : undefined,
    },
    alone: (_, kept) => plan(make.unitPlan, kept, 10),
    extend: (input, kept, rows) => plan(input, kept, rows),
  };
}
