/** Whether what an operation gives depends on the graph that it is evaluated in. A volatile expression has other values in each. */
import { expressionsIn, operandsOf, type Expression, type Operation } from '../algebra/algebra.js';
import { isInGraphAround } from '../algebra/graph-transparency.js';
import { inputsOf } from '../algebra/rewrite.js';
import { mayBeVolatile } from '../algebra/volatile.js';
import { hasExistence } from '../algebra/variables.js';

// Operations never change, and rules ask again at every level of a nested group.
const known = new WeakMap<Operation, boolean>();

/** Whether an operation gives other solutions in another graph. A group without patterns only asks whether the graph exists. */
export function readsGraph(operation: Operation): boolean {
  const before = known.get(operation);
  if (before !== undefined) return before;
  // Those that stand around one another with nothing beside them give the same answer.
  const same: Operation[] = [];
  const open = [operation];
  let reads = false;
  for (let node = open.pop(); node !== undefined && !reads; node = open.pop()) {
    reads = known.get(node) ?? readsHere(node);
    if (reads || known.has(node) || isElsewhere(node)) continue;
    const inputs = inputsOf(node);
    if (open.length === 0 && inputs.length === 1) same.push(node);
    // The last one first: the inputs of a long chain stand on the left.
    for (const input of inputs) open.push(input);
  }
  for (const node of same) known.set(node, reads);
  known.set(operation, reads);
  return reads;
}

/** Whether the graph around an operation is none of what it reads. */
const isElsewhere = ({ type }: Operation): boolean => type === 'graph' || type === 'service';

function readsHere(operation: Operation): boolean {
  switch (operation.type) {
    case 'bgp':
      return operation.patterns.some(isInGraphAround);
    case 'path':
      return isInGraphAround(operation);
    default:
      return expressionsIn(operation).some((expression) => mayBeVolatile(expression) || existenceReads(expression));
  }
}

function existenceReads(expression: Expression): boolean {
  if (!hasExistence(expression)) return false;
  if (expression.subType === 'existence') return readsGraph(expression.input);
  return operandsOf(expression).some(existenceReads);
}
