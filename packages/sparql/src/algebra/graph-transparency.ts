/** Where the graph of GRAPH comes from: from patterns, or from the list of graphs. */
import type * as RDF from '@rdfjs/types';
import { expressionsIn, partsOf, type Operation, type Pattern } from './algebra.js';
import { comesFrom } from './operations/index.js';
import { foundUp, inputsOf } from './rewrite.js';
import { lookedAtVariables } from './variables.js';

/** Whether a pattern is evaluated in the graph around it: it has none of its own. */
export const isInGraphAround = ({ graph }: Pick<Pattern, 'graph'>): boolean => graph.termType === 'DefaultGraph';

const binding = new WeakMap<Operation, boolean>();

/** Whether every solution comes from at least one pattern that is evaluated in the graph around the operation. */
export function bindsGraph(operation: Operation): boolean {
  return foundUp(binding, operation, (node) => {
    if (node.type === 'bgp') return node.patterns.some(isInGraphAround);
    return node.type !== 'graph' && comesFrom(node, bindsGraph);
  });
}

/**
 * Whether the variable of GRAPH, which the group mentions, can have the graph as its value from the beginning: nothing but joins of
 * patterns, and no expression that looks at it.
 */
export function bindsEarly(operation: Operation, name: RDF.Variable): boolean {
  return bindsGraph(operation) && isOfJoins(operation) && !lookedAtVariables(operation).has(name.value);
}

const JOINS: ReadonlySet<string> = new Set(['bgp', 'join', 'union', 'filter', 'values', 'seed', 'graph', 'nop']);
const ofJoins = new WeakMap<Operation, boolean>();

const isOfJoins = (operation: Operation): boolean =>
  foundUp(
    ofJoins,
    operation,
    (node) =>
      JOINS.has(node.type) &&
      inputsOf(node).every(isOfJoins) &&
      expressionsIn(node).every((one) => ![...partsOf(one)].some(({ subType }) => subType === 'existence')),
  );
