/** Whether `GRAPH ?g` can be replaced by the variable ?g in every pattern below it. */
import type * as RDF from '@rdfjs/types';
import { mapChildren, type Expression, type Operation } from './algebra.js';
import { expressionVariables, hasExistence, mentionedVariables } from './variables.js';

/** Whether the variable of GRAPH can stand in each pattern of the group instead. */
export function isTransparentGraph(input: Operation, name: RDF.Variable): boolean {
  return bindsGraph(input) && isTransparent(input, name.value);
}

/** Whether every solution comes from at least one pattern that is evaluated in this graph. */
export function bindsGraph(operation: Operation): boolean {
  switch (operation.type) {
    case 'bgp':
      return operation.patterns.length > 0;
    case 'join':
      return operation.input.some(bindsGraph);
    case 'union':
      return operation.input.every(bindsGraph);
    case 'leftjoin':
      return bindsGraph(operation.input[0]);
    case 'filter':
      return bindsGraph(operation.input);
    default:
      return false;
  }
}

const TRANSPARENT: ReadonlySet<string> = new Set(['bgp', 'join', 'union', 'leftjoin', 'filter', 'values']);

/** Whether binding the graph's variable early changes nothing: only joins, and no expression that looks at it. */
function isTransparent(operation: Operation, name: string): boolean {
  const { joins, optional } = shapeOf(operation);
  if (!joins) return false;
  if (!mentionedVariables(operation).has(name)) return true;
  // Joins may come in any order, but what an OPTIONAL finds depends on what is bound before it.
  return !optional && !isLookedAt(operation, name);
}

interface Shape {
  /** Nothing but joins, and EXISTS only of what reads the graph. */
  readonly joins: boolean;
  readonly optional: boolean;
}

const shapes = new WeakMap<Operation, Shape>();

function shapeOf(operation: Operation): Shape {
  const known = shapes.get(operation);
  if (known !== undefined) return known;
  let joins = TRANSPARENT.has(operation.type);
  let optional = operation.type === 'leftjoin';
  const visit = (node: Operation | Expression): Operation | Expression => {
    if (!joins) return node;
    if (node.type !== 'expression') {
      const shape = shapeOf(node);
      joins &&= shape.joins;
      optional ||= shape.optional;
    } else if (node.subType === 'existence') {
      optional = true;
      joins &&= bindsGraph(node.input) && shapeOf(node.input).joins;
    } else if (hasExistence(node)) mapChildren(node, visit);
    return node;
  };
  if (joins && 'input' in operation) mapChildren<Operation>(operation, visit);
  const shape = { joins, optional };
  shapes.set(operation, shape);
  return shape;
}

/** Whether an expression looks at a variable, wherever it stands. */
function isLookedAt(operation: Operation, name: string): boolean {
  let found = false;
  if (!('input' in operation)) return false;
  mapChildren<Operation>(operation, (node) => {
    found ||= node.type === 'expression' ? expressionVariables(node).has(name) : isLookedAt(node, name);
    return node;
  });
  return found;
}
