/**
 * Moves each conjunct of a filter as deep as possible: below OPTIONAL, UNION, MINUS, BIND, sub-selects and GRAPH, as long as its
 * variables are always bound there. A condition that lists the values of a variable becomes VALUES. A volatile condition stays: it has
 * one outcome for each solution of its group.
 */
import { isTwoSided, type Expression, type Filter, type Operation } from '../../algebra/algebra.js';
import { recordOf } from '../../algebra/operations/index.js';
import { outerOf, rewriteUp, withOuter, type Task } from '../../algebra/rewrite.js';
import { isVolatile, type IsVolatileFunction } from '../../algebra/volatile.js';
import { isSubset } from '../../algebra/name-sets.js';
import { boundVariables, certainVariables, expressionVariables, lookInto } from '../../algebra/variables.js';
import { valuesOf } from './equal-values.js';

/** Conditions that look at the same variables. */
interface Conjuncts {
  readonly expressions: readonly Expression[];
  readonly names: ReadonlySet<string>;
}

/**
 * What was made of an operation, and of that itself. Operations that are planned again with a seed around them stay the same objects,
 * so that their plans are found again.
 */
const pushed = new WeakMap<Operation, Operation>();

/** Leaves the patterns of EXISTS alone: the values of the row have to be substituted there first. */
export const pushFilters = (operation: Operation, isFunction?: IsVolatileFunction): Task<Operation> =>
  rewriteUp(operation, (node) => (node.type === 'filter' ? pushFilter(node, isFunction) : node), {
    known: pushed,
    services: true,
  });

function* pushFilter({ expression, input }: Filter, isFunction: IsVolatileFunction | undefined): Task<Operation> {
  const movable: Expression[] = [];
  const staying: Expression[] = [];
  for (const part of yield* conjuncts(expression)) {
    const { exists } = yield* lookInto(part);
    const stays = exists || isVolatile(part, isFunction);
    (stays ? staying : movable).push(part);
    yield;
  }
  let inner = (yield push(yield* byNames(movable), input)) as Operation;
  for (const part of staying) {
    const { exists } = yield* lookInto(part);
    inner = exists && !isVolatile(part, isFunction) ? pushExistence(part, inner) : filtered(inner, [part]);
  }
  return inner;
}

/** An EXISTS around the rows that decide it: OPTIONAL and BIND behind them give variables that it does not see. */
function pushExistence(expression: Expression, operation: Operation): Operation {
  const around: Operation[] = [];
  let inner = operation;
  const names = expressionVariables(expression);
  while (inner.type === 'extend' || isTwoSided(inner)) {
    const outer = outerOf(inner)!;
    const certain = certainVariables(outer);
    if ([...boundVariables(inner)].some((name) => names.has(name) && !certain.has(name))) break;
    around.push(inner);
    inner = outer;
  }
  return around.reduceRight<Operation>((below, node) => withOuter(node, below), filtered(inner, [expression]));
}

/** Together those that stay together wherever they are pushed. */
function* byNames(expressions: readonly Expression[]): Task<Conjuncts[]> {
  const groups = new Map<string, { names: ReadonlySet<string>; expressions: Expression[] }>();
  for (const expression of expressions) {
    const names = expressionVariables(expression);
    const key = [...names].sort().join(' ');
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { names, expressions: [expression] });
    else group.expressions.push(expression);
    yield;
  }
  return [...groups.values()];
}

/** `a && b` as two filters: both have to be true. Not recursive, since a chain may be long. */
export function* conjuncts(expression: Expression): Task<Expression[]> {
  const found: Expression[] = [];
  const open = [expression];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield;
    if (next.subType === 'operator' && next.operator === '&&') open.push(...next.args.toReversed());
    else found.push(next);
  }
  return found;
}

/** Filters around an operation, the last one outermost. */
const filtered = (operation: Operation, conditions: readonly Expression[]): Operation =>
  conditions.reduce((input: Operation, expression) => ({ type: 'filter', input, expression }), operation);

/** Pushes conditions into an operation, all in one walk. The first of those that stay is the outermost filter. */
function* push(parts: readonly Conjuncts[], operation: Operation): Task<Operation> {
  if (parts.length === 0) return operation;
  const passes = passageInto(operation);
  if (passes === undefined) return yield* stopped(parts, operation);
  const below: Conjuncts[] = [];
  const here: Conjuncts[] = [];
  for (const part of parts) (passes(part.names) ? below : here).push(part);
  const inner = (yield pushBelow(below, operation)) as Operation;
  return filtered(inner, expressionsOf(here).toReversed());
}

/** The conditions around an operation that they cannot be pushed into. */
function* stopped(parts: readonly Conjuncts[], operation: Operation): Task<Operation> {
  const certain = certainVariables(operation);
  const values: Operation[] = [];
  const conditions: Expression[] = [];
  for (const { expressions, names } of parts) {
    const isBound = isSubset(names, certain);
    for (const expression of expressions) {
      yield;
      const value = isBound ? valuesOf(expression) : undefined;
      if (value === undefined) conditions.push(expression);
      else values.push(value);
    }
  }
  const joined: Operation =
    values.length === 0 ? operation : { type: 'join', input: [...values.toReversed(), operation] };
  return filtered(joined, conditions.toReversed());
}

const expressionsOf = (parts: readonly Conjuncts[]): Expression[] => parts.flatMap(({ expressions }) => expressions);

/** Which conditions mean the same below an operation, by their variables; undefined where there is nothing below. */
function passageInto(operation: Operation): ((names: ReadonlySet<string>) => boolean) | undefined {
  const { from, passes } = recordOf(operation);
  if (passes !== undefined) return passes(operation);
  if (isTwoSided(operation)) {
    const certain = certainVariables(operation.input[0]);
    return (names) => isSubset(names, certain);
  }
  return from === 'any' || from === 'first' ? () => true : undefined;
}

function* pushBelow(parts: readonly Conjuncts[], operation: Operation): Task<Operation> {
  if (parts.length === 0) return operation;
  const outer = outerOf(operation);
  if (outer !== undefined) return withOuter(operation, (yield push(parts, outer)) as Operation);
  if (operation.type !== 'union') return operation;
  const input: Operation[] = [];
  for (const branch of operation.input) input.push((yield push(parts, branch)) as Operation);
  return { ...operation, input };
}
