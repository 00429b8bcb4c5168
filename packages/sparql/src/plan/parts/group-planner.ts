/** Plans a group: orders its joins, and puts each filter behind the first step that binds all its variables. */
import type { Expression, Operation } from '../../algebra/algebra.js';
import { Cost } from '../cost.js';
import { matchPart, otherPart, pathPart, patternPart, servicePart, type GroupPart } from './group-part.js';
import { GroupParts } from './group-parts.js';
import { orderJoins } from '../join/join-order.js';
import type { JoinPart, JoinStep } from '../join/join-part.js';
import { sampleJoins } from '../join/join-samples.js';
import { hashOrSeek } from './adaptive-join.js';
import * as make from '../nodes.js';
import { PatternMaker } from '../patterns.js';
import type { PathPlan, PatternTerm, Plan, PlanPattern } from '../plan.js';
import { seededPart, visibleIn } from './seeded-part.js';
import { withoutLimit, type GroupFilter, type PlanContext, type Scope } from '../context.js';
import { expressionVariables } from '../../algebra/variables.js';
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
  const group = new GroupParts(planner.namedGraphs, planner.newName);
  group.add(operation, scope.graph);
  if (onlyWhole && group.others.length === 1 && group.others[0]!.operation === operation) return undefined;
  return new GroupPlanner(planner, group, scope).plan();
}

class GroupPlanner {
  readonly #parts: GroupPart[] = [];
  /** Those of the first parts. */
  readonly #patterns: PlanPattern[] = [];
  readonly #filters: readonly PendingFilter[];
  readonly #conditions: readonly Expression[];
  /** By variable: the last step that looks at it. */
  readonly #lastStep = new Map<string, number>();
  /** The columns of the steps so far. */
  readonly #columns = new Set<string>();
  /** By variable: how many waiting filters look at it. */
  readonly #awaited = new Map<string, number>();
  /** By variable: the filters that look at it. */
  readonly #filtersOf = new Map<string, PendingFilter[]>();

  constructor(
    private readonly planner: PlanContext,
    private readonly group: GroupParts,
    private readonly scope: Scope,
  ) {
    this.#conditions = group.filters.map(({ expression }) => expression);
    this.#filters = group.filters.map((filter) => {
      const names = expressionVariables(filter.expression);
      return { filter, names, missing: names.size, applied: false };
    });
  }

  async plan(): Promise<Plan> {
    await this.#makeParts();
    this.#noteFilters();
    if (this.#parts.length === 0) return this.#finish(make.unitPlan, this.#filters);
    const steps = await this.#order();
    for (const [i, { part }] of steps.entries())
      for (const name of this.#parts[part]!.join.variables) this.#lastStep.set(name, i);
    let plan: Plan | undefined;
    const certain = new Set<string>();
    for (const [i, step] of steps.entries()) {
      const pause = this.planner.options.control?.checkpoint();
      if (pause !== undefined) await pause;
      plan = await this.#join(plan, step, i);
      this.planner.count(plan);
      const ready = this.#readyAfter(this.#parts[step.part]!.join, certain);
      if (ready.length === 0 || i === steps.length - 1) continue;
      for (const filter of ready) this.#apply(filter);
      const names = new Set(ready.flatMap((filter) => [...lookedAt(filter)]));
      const kept = this.#keptOf(plan.variables, [...names], i);
      for (const name of names) if (!this.#isKept(name, i)) this.#columns.delete(name);
      plan = await this.#filter(plan, ready, new Set(kept));
    }
    return this.#finish(
      plan!,
      this.#filters.filter(({ applied }) => !applied),
    );
  }

  #noteFilters(): void {
    for (const pending of this.#filters) {
      for (const name of lookedAt(pending)) this.#awaited.set(name, (this.#awaited.get(name) ?? 0) + 1);
      for (const name of pending.names) {
        const known = this.#filtersOf.get(name);
        if (known === undefined) this.#filtersOf.set(name, [pending]);
        else known.push(pending);
      }
    }
  }

  // Filters whose variables every row has now, and had not before.
  #readyAfter(part: JoinPart, certain: Set<string>): PendingFilter[] {
    const ready = certain.size > 0 ? [] : this.#filters.filter(({ missing, applied }) => missing === 0 && !applied);
    for (const name of part.certain ?? part.variables) {
      if (certain.has(name)) continue;
      certain.add(name);
      for (const pending of this.#filtersOf.get(name) ?? []) if (--pending.missing === 0) ready.push(pending);
    }
    return ready;
  }

  #apply(pending: PendingFilter): void {
    pending.applied = true;
    for (const name of lookedAt(pending)) this.#awaited.set(name, this.#awaited.get(name)! - 1);
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
      share: shareOf(filter.expression, parts),
    }));
    const goal = { wanted: this.scope.first ?? Infinity, steps, control: options.control };
    const order = await orderJoins(parts, filters, goal);
    const sampled = await sampleJoins(parts, this.#patterns, order.cost, this.planner);
    return (sampled === undefined ? order : await orderJoins(sampled, filters, goal)).steps;
  }

  // Whether the parent, a step after this one or a waiting filter uses a variable.
  #isKept(name: string, step: number): boolean {
    return this.scope.needed.has(name) || (this.#lastStep.get(name) ?? 0) > step || (this.#awaited.get(name) ?? 0) > 0;
  }

  #kept(variables: readonly string[], step: number): string[] {
    return variables.filter((name) => this.#isKept(name, step));
  }

  // Of columns that were all kept until now: only these names may be used no more.
  #keptOf(columns: readonly string[], names: readonly string[], step: number): readonly string[] {
    const dropped = names.filter((name) => !this.#isKept(name, step));
    return dropped.length === 0 ? columns : columns.filter((name) => !dropped.includes(name));
  }

  async #join(plan: Plan | undefined, step: JoinStep, at: number): Promise<Plan> {
    const part = this.#parts[step.part]!;
    const { method, rows } = step;
    const { variables } = part.join;
    const before = plan ?? make.unitPlan;
    const added = variables.filter((name) => !this.#columns.has(name));
    const all = added.length === 0 ? before.variables : before.variables.concat(added);
    // Columns that a later step has joined are dropped with the last part that has them.
    const kept = at <= 1 ? this.#kept(all, at) : this.#keptOf(all, variables, at);
    for (const name of at === 1 ? all : variables) {
      if (this.#isKept(name, at)) this.#columns.add(name);
      else this.#columns.delete(name);
    }
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
        // Not by a set of all columns: there may be thousands at each of thousands of steps.
        const shared = variables.filter((name) => before.variables.includes(name));
        const alone = part.alone(0, this.#joined(variables, at, shared));
        if (method.build === 'part') return make.hashJoinPlan(before, alone, 'inner', kept, rows);
        const join = make.hashJoinPlan(alone, before, 'inner', kept, rows);
        const { seek } = part;
        const seekCost = Cost.seek + (part.join.seekExtra?.(new Set(before.variables)) ?? 0);
        return seek === undefined ? join : hashOrSeek(join, seekCost, { seek, input: before, variables: kept, rows });
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
    const single = this.#parts.length === 0 && others.length === 1;
    const names = this.#timesLookedAt(visible);
    const isLookedAt = this.#isLookedAt(names);
    for (const [i, { operation, graph }] of others.entries()) {
      const own = [...visible[i]!].filter(isLookedAt);
      const needed = new Set(own);
      const scope = { ...(single ? withoutLimit(this.scope) : {}), graph, needed };
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

  // The variables that two parts share or that the parent or a filter uses.
  #isLookedAt(times: ReadonlyMap<string, number>): (name: string) => boolean {
    const filtered = new Set(this.#filters.flatMap((filter) => [...lookedAt(filter)]));
    return (name) => this.scope.needed.has(name) || filtered.has(name) || (times.get(name) ?? 0) > 1;
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
    this.#patterns.push(pattern);
    this.#parts.push(patternPart(pattern, figures, this.#conditions));
  }
}

interface PendingFilter {
  readonly filter: GroupFilter;
  readonly names: ReadonlySet<string>;
  /** How many of the names are not certain yet. */
  missing: number;
  applied: boolean;
}

// The graph is one of the columns that an EXISTS needs.
const lookedAt = ({ filter: { graph }, names }: PendingFilter): Set<string> =>
  new Set(graph.kind === 'each' ? [...names, graph.name] : names);

// A comparison with one value keeps the rows that have it.
function shareOf(expression: Expression, parts: readonly JoinPart[]): number {
  const share = make.selectivity(expression);
  if (expression.subType !== 'operator' || expression.operator !== '=') return share;
  const terms = expression.args.flatMap((argument) => (argument.subType === 'term' ? [argument.term] : []));
  const variables = terms.filter(({ termType }) => termType === 'Variable');
  if (terms.length !== 2 || variables.length !== 1) return share;
  const values = parts.map(({ distinct }) => distinct.get(variables[0]!.value) ?? 0);
  return Math.min(share, 1 / Math.max(1, ...values));
}

const variableTerm = (name: string): PatternTerm => ({ kind: 'variable', name });
