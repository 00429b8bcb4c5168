/** Whether `GRAPH ?g` can be replaced by the variable ?g in every pattern below it. */
import type * as RDF from '@rdfjs/types';
import { expressionsIn, partsOf, type Operation } from './algebra.js';
import { foundUp, inputsOf } from './rewrite.js';
import { mayBeVolatile } from './volatile.js';
import { hasExistence, lookedAtVariables, mentionedVariables } from './variables.js';

/** Whether the variable of GRAPH can stand in each pattern of the group instead. */
export function isTransparentGraph(input: Operation, name: RDF.Variable): boolean {
  return bindsGraph(input) && isTransparent(input, name.value);
}

const binding = new WeakMap<Operation, boolean>();

/** Whether every solution comes from at least one pattern that is evaluated in this graph. */
export function bindsGraph(operation: Operation): boolean {
  return foundUp(binding, operation, (node) => {
    switch (node.type) {
      case 'bgp':
        return node.patterns.length > 0;
      case 'join':
        return node.input.some(bindsGraph);
      case 'union':
        return node.input.every(bindsGraph);
      case 'leftjoin':
        return bindsGraph(node.input[0]);
      case 'filter':
        return bindsGraph(node.input);
      default:
        return false;
    }
  });
}

const TRANSPARENT: ReadonlySet<string> = new Set(['bgp', 'join', 'union', 'leftjoin', 'filter', 'values']);

/** Whether binding the graph's variable early changes nothing: only joins, and no expression that looks at it. */
function isTransparent(operation: Operation, name: string): boolean {
  const { joins, optional } = shapeOf(operation);
  if (!joins) return false;
  if (!mentionedVariables(operation).has(name)) return true;
  // Joins may come in any order, but what an OPTIONAL finds depends on what is bound before it.
  return !optional && !lookedAtVariables(operation).has(name);
}

interface Shape {
  /** Nothing but joins, and EXISTS only of what reads the graph. */
  readonly joins: boolean;
  readonly optional: boolean;
}

const shapes = new WeakMap<Operation, Shape>();

const shapeOf = (operation: Operation): Shape => foundUp(shapes, operation, findShape);

function findShape(operation: Operation): Shape {
  let joins = TRANSPARENT.has(operation.type);
  let optional = operation.type === 'leftjoin';
  for (const input of inputsOf(operation)) {
    const shape = shapeOf(input);
    joins &&= shape.joins;
    optional ||= shape.optional;
  }
  for (const expression of expressionsIn(operation)) {
    // Below patterns of the graph, its rows are those of one graph.
    if (mayBeVolatile(expression)) joins &&= bindsGraph(operation);
    if (!joins || !hasExistence(expression)) continue;
    for (const part of partsOf(expression)) {
      if (part.subType !== 'existence') continue;
      optional = true;
      joins &&= bindsGraph(part.input) && shapeOf(part.input).joins;
    }
  }
  return { joins, optional };
}
