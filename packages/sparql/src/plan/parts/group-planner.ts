/** Plans a group: orders its joins, and puts each filter behind the first step that binds all its variables. */
import type { Expression, Operation } from '../../algebra/algebra.js';
import type { Existence } from '../../optimize/rules/existence.js';
import { Cost } from '../cost.js';
import { searchedTogether } from '../../operators/path/plan.js';
import { otherPart, type GroupPart } from './group-part.js';
import { GroupParts } from './group-parts.js';
import { findInnerGroup, isWithin, pick, type InnerGroup } from '../join/inner-group.js';
import { orderJoins, type JoinGoal, type JoinOrder } from '../join/join-order.js';
import type { JoinFilter, JoinPart, JoinStep } from '../join/join-part.js';
import { sampleJoins } from '../join/join-samples.js';
import { hashOrSeek } from './adaptive-join.js';
import * as make from '../nodes.js';
import type { Plan, PlanPattern } from '../plan.js';
import { joinedFigures } from './distinct-values.js';
import { existencePart, takeExistence } from './existence-parts.js';
import { equalityOf, hasKey, keyOf, sidesOf, takeAliases, termOf, type Alias } from './equal-variables.js';
import { makeParts, type MadeParts } from './make-parts.js';
import { neededOf, type PlanContext, type Scope } from '../context.js';
import { orderWithStar, type StarOrder } from '../join/star-order.js';
import { expressionVariables } from '../../algebra/variables.js';
import { patternOf } from './single-pattern.js';
import { asWritten } from '../join/written-order.js';

export async function planGroupOfPatterns(planner: PlanContext, operation: Operation, scope: Scope): Promise<Plan> {
  const group = new GroupParts(planner.newName, planner.options.isVolatile);
  group.add(operation);
  const isPlain = planner.options.unoptimised === true;
  const existences = isPlain ? [] : takeExistence(group, planner);
  const canAlias = !isPlain && scope.part === undefined && existences.length === 0;
  const aliases = canAlias ? await planner.rewritten(takeAliases(group)) : [];
  const own = aliases.length === 0 ? scope : withNames(scope, aliases);
  const joined = existences.flatMap(({ shared }) => shared);
  const made = await makeParts(planner, group, { ...own, needed: new Set([...own.needed, ...joined]) });
  const parts = [...made.parts];
  for (const existence of existences) parts.push(await existencePart(planner, existence, own));
  const plan = await new GroupPlanner(planner, group.filters, own, { ...made, parts }).plan();
  if (aliases.length === 0) return plan;
  const all = aliases
    .filter(({ name }) => own.needed.has(name))
    .reduceRight<Plan>((input, { name, of }) => make.extendPlan(input, name, termOf(of)), plan);
  return make.projectPlan(all, neededOf(all.variables, scope.needed));
}

/** The scope of a group in which one variable stands for two. */
function withNames(scope: Scope, aliases: readonly Alias[]): Scope {
  const needed = new Set(scope.needed);
  for (const { name, of } of aliases) if (needed.has(name)) needed.add(of);
  return { ...scope, needed };
}

class GroupPlanner {
  #parts: readonly GroupPart[];
  /** Of the first parts. */
  #patterns: readonly PlanPattern[];
  #filters: readonly PendingFilter[];
  /** Which share of rows filters leave, where that was counted. */
  readonly #shares = new Map<Expression, number>();
  /** Filters that a key of a join has passed already. */
  readonly #keyed = new Set<Expression>();
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
    filters: readonly Expression[],
    private readonly scope: Scope,
    made: MadeParts,
  ) {
    this.#parts = made.parts;
    this.#patterns = made.patterns;
    this.#filters = filters.map((filter) => {
      const names = expressionVariables(filter);
      return { filter, names, missing: names.size, applied: false };
    });
  }

  async plan(): Promise<Plan> {
    if (this.#parts.length === 0) return this.#finish(make.unitPlan, this.#filters);
    const steps = await this.#order();
    this.#noteFilters();
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
      const names = new Set(ready.flatMap((filter) => [...filter.names]));
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
      for (const name of pending.names) this.#awaited.set(name, (this.#awaited.get(name) ?? 0) + 1);
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
    for (const name of pending.names) this.#awaited.set(name, this.#awaited.get(name)! - 1);
  }

  #finish(plan: Plan, filters: readonly PendingFilter[]): Promise<Plan> {
    return this.#filter(plan, filters, this.scope.needed);
  }

  async #filter(plan: Plan, filters: readonly PendingFilter[], needed: ReadonlySet<string>): Promise<Plan> {
    const { first } = this.scope;
    const wanted = first === undefined ? undefined : first * 2 ** filters.length;
    const conditions = filters.map(({ filter }) => filter);
    const made = await this.planner.filter(plan, conditions, needed, wanted);
    const shares = conditions.map((condition) => this.#shares.get(condition));
    if (shares.length === 0 || shares.includes(undefined)) return made;
    return { ...made, rows: shares.reduce<number>((rows, share) => rows * share!, plan.rows) };
  }

  async #order(): Promise<readonly JoinStep[]> {
    const { options, steps } = this.planner;
    if (options.unoptimised === true) return asWritten(this.#joins());
    await this.#joinByValues();
    for (const { filter } of this.#filters) if (filter.subType === 'existence') await this.#countMatches(filter);
    // There is nothing to choose.
    const [only] = this.#parts;
    if (this.#parts.length === 1 && only!.join.alone !== undefined) return START;
    const goal = { wanted: this.scope.first ?? Infinity, steps, control: options.control };
    let filters = this.#joinFilters();
    let order = await orderJoins(this.#joins(), filters, goal);
    const sampled = await sampleJoins(this.#joins(), this.#patterns, order.cost, this.planner);
    if (sampled !== undefined) {
      this.#parts = this.#parts.map((part, i) => ({ ...part, join: sampled[i]! }));
      order = await orderJoins(sampled, filters, goal);
    }
    let group = await findInnerGroup(this.#joins(), filters, goal, order);
    const star = this.scope.part === undefined ? await this.#starFor(filters, goal, group ?? order) : undefined;
    if (star !== undefined) {
      order = star.order;
      this.#parts = star.parts;
      this.#patterns = [];
      if (this.#parts.length === 1) return START;
      group = await findInnerGroup(this.#joins(), filters, goal, order);
    }
    for (; ; group = await findInnerGroup(this.#joins(), filters, goal, order)) {
      if (group === undefined) return order.steps;
      await this.#joinFirst(group);
      filters = this.#joinFilters();
      order = await orderJoins(this.#joins(), filters, goal);
    }
  }

  #starFor(
    filters: readonly JoinFilter[],
    goal: JoinGoal,
    { cost }: Pick<JoinOrder, 'cost'>,
  ): Promise<StarOrder | undefined> {
    return orderWithStar(this.planner, { parts: this.#parts, patterns: this.#patterns, filters, goal, cost });
  }

  #joins(): readonly JoinPart[] {
    return this.#parts.map(({ join }) => join);
  }

  #joinFilters(): readonly JoinFilter[] {
    const parts = this.#joins();
    const counted = new Set([...this.#parts.flatMap((part) => part.counted ?? []), ...this.#keyed]);
    return this.#filters.map(({ filter: expression, names }) => {
      const share = counted.has(expression) ? 1 : (this.#shares.get(expression) ?? shareOf(expression, parts));
      return { names: [...names], share };
    });
  }

  /** Which share of rows an EXISTS of patterns leaves: by how many values both have of a variable. */
  async #countMatches(expression: Existence): Promise<void> {
    const pattern = patternOf(this.planner, expression.input);
    const known = pattern === undefined ? undefined : await this.planner.figures.of(pattern);
    const { rows, distinct } = known ?? (await joinedFigures(this.planner, expression.input)) ?? {};
    if (rows === undefined || distinct === undefined) return;
    let matching = 1;
    for (const [name, count] of distinct) {
      const values = Math.max(0, ...this.#joins().map((part) => part.distinct.get(name) ?? 0));
      if (values > 0) matching = Math.min(matching, count / values);
    }
    if (rows === 0) matching = 0;
    this.#shares.set(
      expression,
      expression.not ? Math.max(1 - matching, LEAST_SHARE) : Math.max(matching, LEAST_SHARE),
    );
  }

  /** Sides of the group that nothing connects but a filter for equal values get keys of these values. */
  async #joinByValues(): Promise<void> {
    if (this.#parts.length < 2) return;
    const compared = this.#filters.flatMap((filter) => {
      const expressions = equalityOf(filter.filter);
      return expressions === undefined ? [] : [{ filter, expressions }];
    });
    if (compared.length === 0) return;
    const sides = sidesOf(this.#joins());
    const sideOfVariable = (name: string): number =>
      sides[this.#parts.findIndex(({ join }) => (join.certain ?? new Set(join.variables)).has(name))] ?? -1;
    /** The side that binds all variables of an expression; -1 if there is none. */
    const sideOf = (expression: Expression): number => {
      const [side = -1, ...others] = new Set([...expressionVariables(expression)].map(sideOfVariable));
      return others.length === 0 ? side : -1;
    };
    const keys = new Map<number, { readonly key: string; readonly of: Expression }[]>();
    for (const { filter, expressions } of compared) {
      const [one, other] = [sideOf(expressions.left), sideOf(expressions.right)];
      if (one === other || one === -1 || other === -1) continue;
      const key = this.planner.newName();
      for (const [side, of] of [[one, expressions.left] as const, [other, expressions.right] as const]) {
        keys.set(side, [...(keys.get(side) ?? []), { key, of: expressions.isIdentity ? of : keyOf(of) }]);
      }
      if (expressions.isIdentity) this.#filters = this.#filters.filter((kept) => kept !== filter);
      else this.#keyed.add(filter.filter);
    }
    if (keys.size === 0) return;
    const joined: GroupPart[] = [];
    const rest: number[] = [];
    for (const [at, side] of sides.entries()) if (!keys.has(side)) rest.push(at);
    for (const [side, own] of keys) {
      const places = [...sides.keys()].filter((at) => sides[at] === side);
      const looked = own.flatMap(({ of }) => [...expressionVariables(of)]);
      const patterns = places.flatMap((at) => this.#patterns[at] ?? []);
      const plan = await this.#planWithin(places, patterns, looked);
      joined.push(otherPart(own.reduce<Plan>((input, { key, of }) => withKey(input, key, of), plan)));
    }
    const joins = pick(this.#joins(), rest);
    this.#patterns = rest.flatMap((at) => this.#patterns[at] ?? []);
    this.#parts = [...rest.map((at, i) => ({ ...this.#parts[at]!, join: joins[i]! })), ...joined];
  }

  /** Plans some of the parts as a group of its own, with the filters that look at nothing else. `looked`: variables that are used beside. */
  async #planWithin(
    places: readonly number[],
    patterns: readonly PlanPattern[],
    looked: readonly string[] = [],
  ): Promise<Plan> {
    const joins = pick(this.#joins(), places);
    const parts = places.map((at, i) => ({ ...this.#parts[at]!, join: joins[i]! }));
    const own = this.#filters.filter((filter) => isWithin(filter.names, joins));
    this.#filters = this.#filters.filter((filter) => !own.includes(filter));
    const others = this.#parts.filter((_, at) => !places.includes(at));
    const used = [...others.map(({ join }) => join.variables), ...this.#filters.map(({ names }) => [...names])];
    const needed = new Set([...this.scope.needed, ...used.flat(), ...looked]);
    const filters = own.map(({ filter }) => filter);
    return new GroupPlanner(this.planner, filters, { needed }, { parts, patterns }).plan();
  }

  // Some parts become one.
  async #joinFirst({ inner, rest, outer }: InnerGroup): Promise<void> {
    const part = otherPart(await this.#planWithin(inner, []));
    const others = rest.map((at, i) => ({ ...this.#parts[at]!, join: outer[i]! }));
    const { distinct, samples } = outer.at(-1)!;
    this.#parts = [...others, { ...part, join: { ...part.join, distinct, ...(samples && { samples }) } }];
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
      case 'extend': {
        const extended = await part.extend(before, kept, rows, Cost.seek);
        return this.scope.distinct === true && extended.type === 'path' ? searchedTogether(extended) : extended;
      }
      case 'merge': {
        const right = part.alone(method.order, this.#joined(variables, at, [method.key]));
        return make.mergeJoinPlan(before, right, method.key, kept, rows);
      }
      default: {
        // Not by a set of all columns: there may be thousands at each of thousands of steps.
        const shared = variables.filter((name) => !added.includes(name));
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
}

/** Rows with a key. What may be an error has none: such rows are left out, where `=` would be an error for each pair. */
function withKey(input: Plan, key: string, of: Expression): Plan {
  const extended = make.extendPlan(input, key, of);
  if (extended.certain.has(key)) return extended;
  const filtered = make.filterPlan(extended, [hasKey(key)], extended.variables);
  return { ...filtered, rows: input.rows, certain: new Set([...extended.certain, key]) };
}

/** The steps of a group of one part. The rows are those of the part. */
const START: readonly JoinStep[] = [{ part: 0, method: { kind: 'start' }, rows: 1 }];

interface PendingFilter {
  readonly filter: Expression;
  readonly names: ReadonlySet<string>;
  /** How many of the names are not certain yet. */
  missing: number;
  applied: boolean;
}

/** Counts of single variables do not tell that rows which match are rare. */
const LEAST_SHARE = 0.01;

// A comparison with one value keeps the rows that have it, or all others.
function shareOf(expression: Expression, parts: readonly JoinPart[]): number {
  const share = make.selectivity(expression);
  if (expression.subType !== 'operator') return share;
  const isNot = expression.operator === '!=';
  if (!isNot && expression.operator !== '=') return share;
  const terms = expression.args.flatMap((argument) => (argument.subType === 'term' ? [argument.term] : []));
  const variables = terms.filter(({ termType }) => termType === 'Variable');
  if (terms.length !== 2 || variables.length === 0 || (!isNot && variables.length > 1)) return share;
  const values = variables.flatMap(({ value }) => parts.map(({ distinct }) => distinct.get(value) ?? 0));
  const equal = 1 / Math.max(1, ...values);
  return isNot ? Math.max(share, 1 - equal) : Math.min(share, equal);
}
