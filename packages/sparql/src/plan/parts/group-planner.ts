/** Plans a group: orders its joins, and puts each filter behind the first step that binds all its variables. */
import type { Operation } from '../../algebra/algebra.js';
import { Cost } from '../cost.js';
import { matchPart, otherPart, pathPart, patternPart, servicePart, type GroupPart } from './group-part.js';
import { GroupParts } from './group-parts.js';
import { orderJoins } from '../join/join-order.js';
import type { JoinStep } from '../join/join-part.js';
import * as make from '../nodes.js';
import { PatternMaker } from '../patterns.js';
import type { PathPlan, PatternTerm, Plan, PlanPattern } from '../plan.js';
import { seededPart, visibleIn } from './seeded-part.js';
import { neededOf, withoutLimit, type GroupFilter, type PlanContext, type Scope } from '../context.js';
import { expressionVariables, isSubset } from '../../algebra/variables.js';
import { asWritten } from '../join/written-order.js';

export async function planGroupOfPatterns(planner: PlanContext, operation: Operation, scope: Scope): Promise<Plan>;
/** `onlyWhole`: `undefined` where nothing of the operation can be taken apart. */
export async function planGroupOfPatterns(
  planner: PlanContext,
  operation: Operation,
  scope: Scope,
  onlyWhole: true,
): Promise<Plan | undefined>;
export async function planGroupOfPatterns(
  planner: PlanContext,
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
  readonly #parts: GroupPart[] = [];
  readonly #filters: readonly PendingFilter[];
  /** By variable: the last step that looks at it. */
  readonly #lastStep = new Map<string, number>();
  /** Variables that waiting filters look at. */
  #awaited: ReadonlySet<string> = new Set();

  constructor(
    private readonly planner: PlanContext,
    private readonly group: GroupParts,
    private readonly scope: Scope,
  ) {
    this.#filters = group.filters.map((filter) => ({ filter, names: expressionVariables(filter.expression) }));
  }

  async plan(): Promise<Plan> {
    await this.#makeParts();
    if (this.#parts.length === 0) return this.#finish(make.unitPlan, this.#filters);
    const steps = await this.#order();
    for (const [i, { part }] of steps.entries())
      for (const name of this.#parts[part]!.join.variables) this.#lastStep.set(name, i);
    let pending = this.#filters;
    this.#awaited = lookedAt(pending);
    let plan: Plan | undefined;
    for (const [i, step] of steps.entries()) {
      const pause = this.planner.options.control?.checkpoint();
      if (pause !== undefined) await pause;
      plan = await this.#join(plan, step, i);
      const { certain } = plan;
      const ready = pending.filter(({ names }) => isSubset(names, certain));
      if (ready.length === 0 || i === steps.length - 1) continue;
      pending = pending.filter((filter) => !ready.includes(filter));
      this.#awaited = lookedAt(pending);
      plan = await this.#filter(plan, ready, new Set(this.#kept(plan.variables, i)));
    }
    return this.#finish(plan!, pending);
  }

  #finish(plan: Plan, filters: readonly PendingFilter[]): Promise<Plan> {
    return this.#filter(plan, filters, this.scope.needed);
  }

  #filter(plan: Plan, filters: readonly PendingFilter[], needed: ReadonlySet<string>): Promise<Plan> {
    const { first } = this.scope;
    const wanted = first === undefined ? undefined : first * 2 ** filters.length;
    return this.planner.filter(
      plan,
      filters.map(({ filter }) => filter),
      needed,
      wanted,
    );
  }

  async #order(): Promise<readonly JoinStep[]> {
    const parts = this.#parts.map(({ join }) => join);
    const { options, steps } = this.planner;
    if (options.unoptimised === true) return asWritten(parts);
    const filters = this.#filters.map(({ filter, names }) => ({
      names: [...names],
      share: make.selectivity(filter.expression),
    }));
    return orderJoins(parts, filters, { wanted: this.scope.first ?? Infinity, steps, control: options.control });
  }

  // The variables that the parent, steps after this one and waiting filters use.
  #kept(variables: readonly string[], step: number): string[] {
    return variables.filter(
      (name) => this.scope.needed.has(name) || (this.#lastStep.get(name) ?? 0) > step || this.#awaited.has(name),
    );
  }

  async #join(plan: Plan | undefined, step: JoinStep, at: number): Promise<Plan> {
    const part = this.#parts[step.part]!;
    const { method, rows } = step;
    const { variables } = part.join;
    const before = plan ?? make.unitPlan;
    const kept = this.#kept([...new Set([...before.variables, ...variables])], at);
    switch (method.kind) {
      case 'start':
        return part.alone(0, this.#kept(variables, at));
      case 'seek':
        return part.extend(before, kept, rows, method.seekCost);
      case 'extend':
        return part.extend(before, kept, rows, Cost.seek);
      case 'merge': {
        const right = part.alone(method.order, this.#joined(variables, at, [method.key]));
        return make.mergeJoinPlan(before, right, method.key, kept, rows);
      }
      default: {
        const bound = new Set(before.variables);
        const shared = variables.filter((name) => bound.has(name));
        const alone = part.alone(0, this.#joined(variables, at, shared));
        return method.build === 'part'
          ? make.hashJoinPlan(before, alone, 'inner', kept, rows)
          : make.hashJoinPlan(alone, before, 'inner', kept, rows);
      }
    }
  }

  // Of a part that is joined: also the variables that it is joined by.
  #joined(variables: readonly string[], step: number, keys: readonly string[]): string[] {
    const kept = new Set([...this.#kept(variables, step), ...keys]);
    return variables.filter((name) => kept.has(name));
  }

  async #makeParts(): Promise<void> {
    const maker = new PatternMaker(this.planner.constants, this.planner.newName);
    for (const { pattern, graph } of this.group.patterns) await this.#addPattern(maker.pattern(pattern, graph));
    for (const { subject, closure, object, graph } of this.group.paths) {
      const { path, type: kind } = closure;
      const ends = { subject: maker.end(subject), object: maker.end(object), path, kind, graph };
      this.#parts.push(pathPart(ends, await this.#startsOf(ends)));
    }
    for (const match of maker.matches) this.#parts.push(matchPart(match));
    for (const { operation } of this.group.services) this.#parts.push(servicePart(operation, maker));
    await this.#addOthers();
  }

  async #addOthers(): Promise<void> {
    const { others } = this.group;
    const visible = others.map(({ operation, graph }) => visibleIn(operation, graph));
    const needed = this.#lookedAtByAll(visible);
    const single = this.#parts.length === 0 && others.length === 1;
    const names = this.#timesLookedAt(visible);
    for (const [i, { operation, graph }] of others.entries()) {
      const own = neededOf([...visible[i]!], needed);
      const scope = { ...(single ? withoutLimit(this.scope) : {}), graph, needed: new Set(own) };
      const key = JSON.stringify(['alone', graph, own, scope.first]);
      const alone = await this.planner.memo(operation, key, () => this.planner.plan(operation, scope));
      const shared = alone.variables.filter((name) => names.get(name)! > 1);
      const { first } = this.scope;
      const seeded = await seededPart(this.planner, operation, graph, alone, shared, needed, first);
      this.#parts.push(otherPart(alone, seeded));
    }
  }

  // By variable: how many parts have it.
  #timesLookedAt(others: readonly ReadonlySet<string>[]): Map<string, number> {
    const times = new Map<string, number>();
    for (const names of [...this.#parts.map(({ join }) => join.variables), ...others])
      for (const name of names) times.set(name, (times.get(name) ?? 0) + 1);
    return times;
  }

  // The variables that two parts share or that the parent uses.
  #lookedAtByAll(others: readonly ReadonlySet<string>[]): Set<string> {
    const names = new Set([...this.scope.needed, ...lookedAt(this.#filters)]);
    for (const { join } of this.#parts) for (const name of join.variables) names.add(name);
    for (const other of others) for (const name of other) names.add(name);
    return names;
  }

  // From how many nodes a path leads on, where neither end is known.
  async #startsOf({ path, kind, graph }: Pick<PathPlan, 'path' | 'kind' | 'graph'>): Promise<number> {
    const { dataset, figures, constants } = this.planner;
    if (path.type !== 'link' || kind !== 'OneOrMorePath') return dataset.size;
    const p = { kind: 'constant', constant: constants.add(path.iri) } as const;
    const { rows, distinct } = await figures.of({ s: variableTerm('s'), p, o: variableTerm('o'), g: graph });
    return distinct.get('s') ?? rows;
  }

  async #addPattern(pattern: PlanPattern): Promise<void> {
    const pause = this.planner.options.control?.checkpoint();
    if (pause !== undefined) await pause;
    const figures = await this.planner.figures.of(pattern);
    const expressions = this.group.filters.map(({ expression }) => expression);
    this.#parts.push(patternPart(pattern, figures, expressions));
  }
}

interface PendingFilter {
  readonly filter: GroupFilter;
  readonly names: ReadonlySet<string>;
}

function lookedAt(filters: readonly PendingFilter[]): Set<string> {
  const all = new Set<string>();
  for (const { filter, names } of filters) {
    for (const name of names) all.add(name);
    if (filter.graph.kind === 'each') all.add(filter.graph.name);
  }
  return all;
}

const variableTerm = (name: string): PatternTerm => ({ kind: 'variable', name });
