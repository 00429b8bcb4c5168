/** Plans a group: orders its joins, and puts each filter behind the first step that binds all it looks at. */
import type { Expression, Operation } from '../algebra.js';
import { Cost } from './cost.js';
import { GroupParts, type GroupFilter } from './group-parts.js';
import { orderJoins, type JoinPart, type JoinStep } from './join-order.js';
import * as make from './nodes.js';
import {
  PatternMaker,
  readOrders,
  variablesOf,
  type PatternFigures,
  type ReadOrder,
  type TripleMatch,
} from './patterns.js';
import type { PathPlan, Plan, PlanPattern, ScanRange, ServicePlan, TripleMatchPlan } from './plan.js';
import { neededOf, withoutLimit, type Planner, type Scope } from './planner.js';
import { rangeOf } from './scan-range.js';
import { expressionVariables, isSubset } from './variables.js';
import { visibleVariables } from '../substitute-variables.js';

/** One thing to be joined: how it is read alone, and how it is added to rows that are there. */
interface Part {
  readonly join: JoinPart;
  readonly certain: ReadonlySet<string>;
  /** Rows of the part alone, in one of its orders. */
  alone(order: number, variables: readonly string[]): Plan;
  /** Adds it to some rows. */
  extend(input: Plan, variables: readonly string[], rows: number, seekCost: number): Plan;
}

export async function planGroupOfPatterns(planner: Planner, operation: Operation, scope: Scope): Promise<Plan>;
/** `onlyWhole`: `undefined` where nothing of the operation can be taken apart. */
export async function planGroupOfPatterns(
  planner: Planner,
  operation: Operation,
  scope: Scope,
  onlyWhole: true,
): Promise<Plan | undefined>;
export async function planGroupOfPatterns(
  planner: Planner,
  operation: Operation,
  scope: Scope,
  onlyWhole = false,
): Promise<Plan | undefined> {
  const group = new GroupParts(planner.selection, planner.constants, planner.newName);
  group.add(operation, scope.graph);
  if (onlyWhole && group.others.length === 1 && group.others[0]!.operation === operation) return undefined;
  return new GroupPlanner(planner, group, scope).plan();
}

class GroupPlanner {
  readonly #parts: Part[] = [];

  constructor(
    private readonly planner: Planner,
    private readonly group: GroupParts,
    private readonly scope: Scope,
  ) {}

  async plan(): Promise<Plan> {
    await this.#makeParts();
    if (this.#parts.length === 0) return this.#finish(make.unitPlan, this.group.filters);
    const steps = this.#order();
    let pending: readonly GroupFilter[] = this.group.filters;
    let plan: Plan | undefined;
    for (const [i, step] of steps.entries()) {
      const later = this.#lookedAtLater(steps.slice(i + 1), pending);
      plan = this.#join(plan, step, later);
      const ready = pending.filter(({ expression }) => isSubset(expressionVariables(expression), plan!.certain));
      if (ready.length === 0 || i === steps.length - 1) continue;
      pending = pending.filter((filter) => !ready.includes(filter));
      const needed = this.#lookedAtLater(steps.slice(i + 1), pending);
      plan = await this.planner.filter(plan, ready, needed);
    }
    return this.#finish(plan!, pending);
  }

  #finish(plan: Plan, filters: readonly GroupFilter[]): Promise<Plan> {
    return this.planner.filter(plan, filters, this.scope.needed);
  }

  #order(): readonly JoinStep[] {
    const parts = this.#parts.map(({ join }) => join);
    if (this.planner.options.unoptimised === true) return asWritten(parts);
    const filters = this.group.filters.map(({ expression }) => ({
      names: [...expressionVariables(expression)],
      share: make.selectivity(expression),
    }));
    const keep = (before: ReadonlySet<string>, after: ReadonlySet<string>): number => {
      let share = 1;
      for (const filter of filters) {
        if (isSubset(filter.names, after) && !isSubset(filter.names, before)) share *= filter.share;
      }
      return share;
    };
    return orderJoins(parts, keep, this.scope.first);
  }

  // What the parent, later steps and filters that wait still look at.
  #lookedAtLater(steps: readonly JoinStep[], filters: readonly GroupFilter[]): Set<string> {
    const names = new Set(this.scope.needed);
    for (const { part } of steps) for (const name of this.#parts[part]!.join.variables) names.add(name);
    for (const { expression, graph } of filters) {
      for (const name of expressionVariables(expression)) names.add(name);
      if (graph.kind === 'each') names.add(graph.name);
    }
    return names;
  }

  #join(plan: Plan | undefined, step: JoinStep, needed: ReadonlySet<string>): Plan {
    const part = this.#parts[step.part]!;
    const { method, rows } = step;
    const { variables } = part.join;
    const before = plan ?? make.unitPlan;
    const all = [...new Set([...before.variables, ...variables])];
    const kept = neededOf(all, needed);
    switch (method.kind) {
      case 'start':
        return part.alone(0, neededOf(variables, needed));
      case 'seek':
        return part.extend(before, kept, rows, method.seekCost);
      case 'extend':
        return part.extend(before, kept, rows, Cost.seek);
      case 'merge': {
        const right = part.alone(method.order, neededOf(variables, new Set([...needed, method.key])));
        return make.mergeJoinPlan(before, right, method.key, kept, rows);
      }
      default: {
        const shared = variables.filter((name) => before.variables.includes(name));
        const alone = part.alone(0, neededOf(variables, new Set([...needed, ...shared])));
        return method.build === 'part'
          ? make.hashJoinPlan(before, alone, 'inner', kept, rows)
          : make.hashJoinPlan(alone, before, 'inner', kept, rows);
      }
    }
  }

  async #makeParts(): Promise<void> {
    const maker = new PatternMaker(this.planner.constants, this.planner.newName);
    for (const { pattern, graph } of this.group.patterns) await this.#addPattern(maker.pattern(pattern, graph));
    for (const { subject, closure, object, graph } of this.group.paths) {
      const { path, type: kind } = closure;
      this.#addPath({ subject: maker.end(subject), path, kind, object: maker.end(object), graph });
    }
    for (const match of maker.matches) this.#addMatch(match);
    for (const { operation, graph } of this.group.services) this.#parts.push(servicePart(operation, graph, maker));
    const needed = this.#lookedAtByAll();
    for (const { operation, graph } of this.group.others) {
      const single = this.#parts.length === 0 && this.group.others.length === 1;
      const scope = single ? withoutLimit(this.scope) : { graph, needed };
      this.#parts.push(otherPart(await this.planner.plan(operation, { ...scope, graph, needed })));
    }
  }

  // Every variable that stands in two places, or that the parent looks at.
  #lookedAtByAll(): Set<string> {
    const names = this.#lookedAtLater([], this.group.filters);
    for (const { join } of this.#parts) for (const name of join.variables) names.add(name);
    for (const { operation, graph } of this.group.others) {
      for (const name of visibleVariables(operation)) names.add(name);
      if (graph.kind === 'each') names.add(graph.name);
    }
    return names;
  }

  async #addPattern(pattern: PlanPattern): Promise<void> {
    const figures = await this.planner.figures.of(pattern);
    const expressions = this.group.filters.map(({ expression }) => expression);
    this.#parts.push(patternPart(pattern, figures, expressions));
  }

  #addPath(path: Pick<PathPlan, 'subject' | 'path' | 'kind' | 'object' | 'graph'>): void {
    const ends = [path.subject, path.object];
    const names = ends.flatMap((end) => (end.kind === 'variable' ? [end.name] : []));
    if (path.graph.kind === 'each') names.push(path.graph.name);
    const size = Math.max(this.planner.dataset.size, 1);
    this.#parts.push({
      certain: new Set(names),
      join: {
        ...nothingAlone([...new Set(names)]),
        rows: 10,
        extendCost: (bound) =>
          ends.some((end) => end.kind === 'constant' || bound.has(end.name)) ? Cost.pathStart : Cost.pathStart * size,
      },
      alone: (_, variables) => pathPlan(make.unitPlan, path, variables, 10),
      extend: (input, variables, rows) => pathPlan(input, path, variables, rows),
    });
  }

  #addMatch(match: TripleMatch): void {
    const names = [match.s, match.p, match.o].flatMap((term) => (term.kind === 'variable' ? [term.name] : []));
    const variables = [...new Set([match.term, ...names])];
    this.#parts.push({
      certain: new Set(variables),
      join: { ...nothingAlone(variables), rows: 1, extendCost: (bound) => (bound.has(match.term) ? 0.2 : undefined) },
      alone: () => {
        throw new Error('a triple term is taken apart where its pattern stands');
      },
      extend: (input, kept, rows) => matchPlan(input, match, kept, rows),
    });
  }
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

function patternPart(pattern: PlanPattern, figures: PatternFigures, filters: readonly Expression[]): Part {
  const orders = readOrders(pattern);
  const variables = variablesOf(pattern);
  const { rows, distinct } = figures;
  const scan = (read: ReadOrder | undefined, names: readonly string[]): Plan => {
    const sorted = keptPrefix(read?.sorted ?? [], names);
    const range: ScanRange | undefined = read === undefined ? undefined : rangeOf(read.sorted[0], filters);
    return make.scanPlan(pattern, names, read?.order, sorted, rows, range);
  };
  return {
    certain: new Set(variables),
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

function otherPart(plan: Plan): Part {
  const { variables, rows, cost, sorted, certain } = plan;
  return {
    certain,
    join: { ...nothingAlone(variables), rows, cost, orders: sorted.length > 0 ? [sorted] : [] },
    alone: () => plan,
    extend: () => {
      throw new Error('only patterns and paths are looked up');
    },
  };
}

function pathPlan(
  input: Plan,
  path: Pick<PathPlan, 'subject' | 'path' | 'kind' | 'object' | 'graph'>,
  variables: readonly string[],
  rows: number,
): PathPlan {
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

function servicePart(operation: Operation & { type: 'service' }, _graph: unknown, maker: PatternMaker): Part {
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
    certain: new Set(),
    join: {
      ...nothingAlone(variables),
      rows: 10,
      extendCost: (bound) => (endpoint.kind === 'constant' || bound.has(endpoint.name) ? Cost.serviceRow : undefined),
    },
    alone: (_, kept) => plan(make.unitPlan, kept, 10),
    extend: (input, kept, rows) => plan(input, kept, rows),
  };
}

/** One part after the other, each joined by a hash table: nothing that could go wrong in planning. */
function asWritten(parts: readonly JoinPart[]): JoinStep[] {
  const alone = parts.map((_, part) => part).filter((part) => parts[part]!.extendCost === undefined);
  const extending = parts.map((_, part) => part).filter((part) => parts[part]!.extendCost !== undefined);
  return [...alone, ...inOrderOfNeed(parts, alone, extending)].map((part, i) => ({
    part,
    rows: 1000,
    method:
      parts[part]!.extendCost !== undefined
        ? { kind: 'extend' }
        : i === 0
          ? { kind: 'start' }
          : { kind: 'hash', build: 'part' },
  }));
}

// Parts that only extend rows wait for what they need.
function inOrderOfNeed(parts: readonly JoinPart[], first: readonly number[], rest: readonly number[]): number[] {
  const bound = new Set(first.flatMap((part) => parts[part]!.variables));
  const waiting = [...rest];
  const order: number[] = [];
  while (waiting.length > 0) {
    const ready = waiting.findIndex((part) => parts[part]!.extendCost!(bound) !== undefined);
    const [part] = waiting.splice(Math.max(ready, 0), 1);
    order.push(part!);
    for (const name of parts[part!]!.variables) bound.add(name);
  }
  return order;
}
