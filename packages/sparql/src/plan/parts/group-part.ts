/** The parts of a group: how each is read alone, and how it is joined to existing rows. */
import type { Expression, Service } from '../../algebra/algebra.js';
import { visibleVariables } from '../../algebra/substitute-variables.js';
import { Cost } from '../cost.js';
import type { JoinPart } from '../join/join-order.js';
import * as make from '../nodes.js';
import {
  readOrders,
  variablesOf,
  type PatternFigures,
  type PatternMaker,
  type ReadOrder,
  type TripleMatch,
} from '../patterns.js';
import type { PathPlan, Plan, PlanPattern, ScanRange, ServicePlan, TripleMatchPlan } from '../plan.js';
import { rangeOf } from './scan-range.js';

export interface GroupPart {
  /** The part as the join order sees it. */
  readonly join: JoinPart;
  /** Rows of the part alone, in one of its orders. */
  alone(order: number, variables: readonly string[]): Plan;
  /** Adds it to some rows. */
  extend(input: Plan, variables: readonly string[], rows: number, seekCost: number): Plan;
}

const nothingAlone = (variables: readonly string[]): JoinPart => ({
  variables,
  rows: 1,
  cost: 0,
  orders: [],
  distinct: new Map(),
  seekable: false,
  extendCost: undefined,
});

export function patternPart(pattern: PlanPattern, figures: PatternFigures, filters: readonly Expression[]): GroupPart {
  const orders = readOrders(pattern);
  const variables = variablesOf(pattern);
  const { rows, distinct } = figures;
  const scan = (read: ReadOrder | undefined, names: readonly string[]): Plan => {
    const sorted = keptPrefix(read?.sorted ?? [], names);
    const range: ScanRange | undefined = read === undefined ? undefined : rangeOf(read.sorted[0], filters);
    return make.scanPlan(pattern, names, read?.order, sorted, rows, range);
  };
  return {
    join: {
      variables,
      rows,
      cost: Cost.open + rows * Cost.scanRow,
      orders: orders.map(({ sorted }) => sorted),
      distinct,
      seekable: true,
      extendCost: undefined,
    },
    alone: (order, names) => scan(orders[order], names),
    extend: (input, names, joined, seekCost) =>
      make.seekPlan(input, pattern, 'inner', names, new Set([...input.certain, ...variables]), joined, seekCost),
  };
}

function keptPrefix(sorted: readonly string[], names: readonly string[]): readonly string[] {
  const lost = sorted.findIndex((name) => !names.includes(name));
  return lost === -1 ? sorted : sorted.slice(0, lost);
}

export function otherPart(plan: Plan): GroupPart {
  const { variables, rows, cost, sorted } = plan;
  return {
    join: { ...nothingAlone(variables), rows, cost, orders: sorted.length > 0 ? [sorted] : [] },
    alone: () => plan,
    extend: () => {
      throw new Error('only patterns and paths are looked up');
    },
  };
}

/** What a path is between. */
type PathEnds = Pick<PathPlan, 'subject' | 'path' | 'kind' | 'object' | 'graph'>;

/** `size`: quads of the dataset, since with neither end bound all of them may have to be walked. */
export function pathPart(path: PathEnds, size: number): GroupPart {
  const ends = [path.subject, path.object];
  const names = ends.flatMap((end) => (end.kind === 'variable' ? [end.name] : []));
  if (path.graph.kind === 'each') names.push(path.graph.name);
  const everywhere = Cost.pathStart * Math.max(size, 1);
  return {
    join: {
      ...nothingAlone([...new Set(names)]),
      rows: 10,
      extendCost: (bound) =>
        ends.some((end) => end.kind === 'constant' || bound.has(end.name)) ? Cost.pathStart : everywhere,
    },
    alone: (_, variables) => pathPlan(make.unitPlan, path, variables, 10),
    extend: (input, variables, rows) => pathPlan(input, path, variables, rows),
  };
}

export function matchPart(match: TripleMatch): GroupPart {
  const names = [match.s, match.p, match.o].flatMap((term) => (term.kind === 'variable' ? [term.name] : []));
  const variables = [...new Set([match.term, ...names])];
  return {
    join: { ...nothingAlone(variables), rows: 1, extendCost: (bound) => (bound.has(match.term) ? 0.2 : undefined) },
    alone: () => {
      throw new Error('a triple term is taken apart where its pattern stands');
    },
    extend: (input, kept, rows) => matchPlan(input, match, kept, rows),
  };
}

function pathPlan(input: Plan, path: PathEnds, variables: readonly string[], rows: number): PathPlan {
  const ends = [path.subject, path.object].flatMap((end) => (end.kind === 'variable' ? [end.name] : []));
  const bound = new Set([...input.certain, ...ends]);
  const certain = new Set(variables.filter((name) => bound.has(name)));
  const cost = input.cost + input.rows * Cost.pathStart;
  return { ...path, type: 'path', input, variables, certain, rows, sorted: [], cost };
}

function matchPlan(input: Plan, match: TripleMatch, variables: readonly string[], rows: number): TripleMatchPlan {
  const names = [match.s, match.p, match.o].flatMap((term) => (term.kind === 'variable' ? [term.name] : []));
  const bound = new Set([...input.certain, ...names]);
  const certain = new Set(variables.filter((name) => bound.has(name)));
  return {
    ...match,
    type: 'triple-match',
    input,
    variables,
    certain,
    rows,
    sorted: [],
    cost: input.cost + input.rows * 0.2,
  };
}

export function servicePart(operation: Service, maker: PatternMaker): GroupPart {
  const names = [...visibleVariables(operation.input)];
  const endpoint = maker.end(operation.name);
  const variables = [...new Set([...names, ...(endpoint.kind === 'variable' ? [endpoint.name] : [])])];
  const plan = (input: Plan, kept: readonly string[], rows: number): ServicePlan => ({
    type: 'service',
    input,
    endpoint,
    silent: operation.silent,
    pattern: operation.input,
    serviceVariables: names,
    variables: kept,
    certain: new Set(kept.filter((name) => input.certain.has(name))),
    rows,
    sorted: [],
    cost: input.cost + input.rows * Cost.serviceRow,
  });
  return {
    join: {
      ...nothingAlone(variables),
      rows: 10,
      extendCost: (bound) => (endpoint.kind === 'constant' || bound.has(endpoint.name) ? Cost.serviceRow : undefined),
    },
    alone: (_, kept) => plan(make.unitPlan, kept, 10),
    extend: (input, kept, rows) => plan(input, kept, rows),
  };
}
