/** Plans a group: orders its joins, and puts each filter behind the first step that binds all its variables. */
import type { Operation } from '../../algebra/algebra.js';
import { visibleVariables } from '../../algebra/substitute-variables.js';
import { Cost } from '../cost.js';
import { matchPart, otherPart, pathPart, patternPart, servicePart, type GroupPart } from './group-part.js';
import { GroupParts } from './group-parts.js';
import { orderJoins, type JoinStep } from '../join/join-order.js';
import * as make from '../nodes.js';
import { PatternMaker } from '../patterns.js';
import type { Plan, PlanPattern } from '../plan.js';
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

  constructor(
    private readonly planner: PlanContext,
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

  // The variables that the parent, later steps and waiting filters use.
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
      const ends = { subject: maker.end(subject), object: maker.end(object) };
      this.#parts.push(pathPart({ ...ends, path, kind, graph }, this.planner.dataset.size));
    }
    for (const match of maker.matches) this.#parts.push(matchPart(match));
    for (const { operation } of this.group.services) this.#parts.push(servicePart(operation, maker));
    const needed = this.#lookedAtByAll();
    for (const { operation, graph } of this.group.others) {
      const single = this.#parts.length === 0 && this.group.others.length === 1;
      const scope = single ? withoutLimit(this.scope) : { graph, needed };
      this.#parts.push(otherPart(await this.planner.plan(operation, { ...scope, graph, needed })));
    }
  }

  // The variables that two parts share or that the parent uses.
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
}
