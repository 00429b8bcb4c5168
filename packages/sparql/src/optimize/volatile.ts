/** Expressions that give another value each time, and operations with such: they are evaluated once for each solution of their group. */
import { expressionsIn, partsOf, type Expression, type Operation } from '../algebra/algebra.js';
import { inputsOf } from '../algebra/rewrite.js';

/** Whether a function of the embedder, by its IRI, may give another value each time. */
export type IsVolatileFunction = (iri: string) => boolean;

const VOLATILE: ReadonlySet<string> = new Set(['rand', 'uuid', 'struuid', 'bnode']);

export function isVolatile(expression: Expression, isFunction: IsVolatileFunction = () => false): boolean {
  for (const part of partsOf(expression)) {
    if (part.subType === 'operator' && VOLATILE.has(part.operator)) return true;
    if (part.subType === 'named' && isFunction(part.name.value)) return true;
    if (part.subType === 'existence' && hasVolatile(part.input, isFunction)) return true;
  }
  return false;
}

/** Whether an operation, or one below it, has a volatile expression. */
export function hasVolatile(operation: Operation, isFunction?: IsVolatileFunction): boolean {
  const open = [operation];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (expressionsIn(node).some((expression) => isVolatile(expression, isFunction))) return true;
    for (const input of inputsOf(node)) open.push(input);
  }
  return false;
}
