/**
 * Expressions that give another value each time. They are evaluated once for each solution of the group in which they stand. So
 * every rule and every plan that would evaluate an operation more often, or in fewer graphs, asks here first.
 */
import { expressionsIn, partsOf, type Expression, type Operation } from './algebra.js';
import { foundUp, inputsOf } from './rewrite.js';
import { XSD } from '@quadrille/model';

/** Whether a function of the embedder, by its IRI, may give another value each time. */
export type IsVolatileFunction = (iri: string) => boolean;

const VOLATILE: ReadonlySet<string> = new Set(['rand', 'uuid', 'struuid', 'bnode']);

/** What is called, wherever it stands: functions that are volatile, and functions of the embedder. */
interface Calls {
  readonly isVolatile: boolean;
  readonly functions: ReadonlySet<string>;
}

const NONE: Calls = { isVolatile: false, functions: new Set() };
const callsOf = new WeakMap<Expression, Calls>();
const callsIn = new WeakMap<Operation, Calls>();
const neverVolatile: IsVolatileFunction = () => false;

export const isVolatile = (expression: Expression, isFunction: IsVolatileFunction = neverVolatile): boolean =>
  varies(calls(expression), isFunction);

/** Whether an operation, or one below it, has a volatile expression. */
export const hasVolatile = (operation: Operation, isFunction: IsVolatileFunction = neverVolatile): boolean =>
  varies(callsBelow(operation), isFunction);

/** Whether an expression may be volatile, whatever functions the embedder has. */
export const mayBeVolatile = (expression: Expression): boolean => isVolatile(expression, () => true);

function varies({ isVolatile: always, functions }: Calls, isFunction: IsVolatileFunction): boolean {
  if (always) return true;
  for (const name of functions) if (isFunction(name)) return true;
  return false;
}

function calls(expression: Expression): Calls {
  let known = callsOf.get(expression);
  if (known === undefined) callsOf.set(expression, (known = findCalls(expression)));
  return known;
}

function findCalls(expression: Expression): Calls {
  const found: Calls[] = [];
  const functions = new Set<string>();
  for (const part of partsOf(expression)) {
    if (part.subType === 'operator' && VOLATILE.has(part.operator)) return { isVolatile: true, functions };
    if (part.subType === 'named' && !part.name.value.startsWith(XSD)) functions.add(part.name.value);
    if (part.subType === 'existence') found.push(callsBelow(part.input));
  }
  return functions.size === 0 ? together(found) : together([{ isVolatile: false, functions }, ...found]);
}

const callsBelow = (operation: Operation): Calls =>
  foundUp(callsIn, operation, (node) =>
    together([...inputsOf(node).map(callsBelow), ...expressionsIn(node).map(calls)]),
  );

function together(all: readonly Calls[]): Calls {
  const some = all.filter((one) => one !== NONE);
  if (some.length < 2) return some[0] ?? NONE;
  const functions = new Set(some.flatMap((one) => [...one.functions]));
  return { isVolatile: some.some((one) => one.isVolatile), functions };
}
