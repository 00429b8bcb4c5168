/**
 * Gives every pattern its graph, which is how Comunica wants it. `GRAPH <iri>` goes into the patterns below. So does `GRAPH ?g`
 * where each solution of the group has to come from a pattern; where it need not (an empty group, BIND, MINUS, a sub-select,
 * a FILTER on ?g), the group is evaluated once for each named graph, as the specification defines it.
 */
import type * as RDF from '@rdfjs/types';
import { mapChildren, walk, type Expression, type Operation, type Pattern } from './algebra.js';
import { visibleVariables } from './substitute-variables.js';
import { makePattern } from './terms.js';

/** Lists the named graphs; called only where an operation needs it. */
export type ListGraphs = () => Promise<readonly RDF.Term[]>;

export async function lowerGraphs(operation: Operation, listGraphs: ListGraphs): Promise<Operation> {
  let graphs: readonly RDF.Term[] = [];
  if (needsGraphs(operation)) graphs = await listGraphs();
  return lower(operation, undefined, graphs) as Operation;
}

function needsGraphs(operation: Operation): boolean {
  let needed = false;
  walk(operation, (node) => {
    if (node.type === 'graph' && node.name.termType === 'Variable' && !isTransparentGraph(node.input, node.name))
      needed = true;
  });
  return needed;
}

function lower(
  node: Operation | Expression,
  graph: RDF.Term | undefined,
  graphs: readonly RDF.Term[],
): Operation | Expression {
  switch (node.type) {
    case 'graph': {
      const { name, input } = node;
      if (name.termType !== 'Variable' || isTransparentGraph(input, name)) return lower(input, name, graphs);
      return { type: 'union', input: graphs.map((each) => inGraph(input, name, each, graphs)) };
    }
    case 'bgp':
      return { ...node, patterns: node.patterns.map((pattern) => withGraph(pattern, graph)) };
    case 'path':
      return { ...node, graph: graph !== undefined && node.graph.termType === 'DefaultGraph' ? graph : node.graph };
    case 'service':
      return node;
    default:
      return mapChildren(node, (child) => lower(child, graph, graphs));
  }
}

/** The group in one graph, joined with the name of that graph. */
function inGraph(input: Operation, name: RDF.Variable, graph: RDF.Term, graphs: readonly RDF.Term[]): Operation {
  const inner = lower(input, graph, graphs) as Operation;
  const names: Operation = { type: 'values', variables: [name], bindings: [{ [name.value]: graph }] };
  return { type: 'join', input: [names, inner] };
}

function withGraph(pattern: Pattern, graph: RDF.Term | undefined): Pattern {
  const { subject, predicate, object } = pattern;
  const own = pattern.graph.termType !== 'DefaultGraph' || graph === undefined;
  return makePattern(subject, predicate, object, own ? pattern.graph : graph);
}

/** Whether GRAPH with a variable says the same as that variable in each pattern of the group. */
export function isTransparentGraph(input: Operation, name: RDF.Variable): boolean {
  return bindsGraph(input) && isTransparent(input, name.value);
}

/** Whether every solution takes part in a pattern that stands directly in this graph. */
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
  let transparent = true;
  let optional = false;
  let mentioned = false;
  walk(operation, (node) => {
    if (node.type === 'expression') {
      if (node.subType === 'existence') {
        optional = true;
        transparent &&= bindsGraph(node.input);
      }
      if (node.subType === 'term' && node.term.termType === 'Variable' && node.term.value === name) transparent = false;
    } else if (node.type === 'path') {
      // A path of length zero is found in every graph, also in one that Comunica's source cannot name.
      transparent &&= node.predicate.type === 'link' || node.predicate.type === 'nps';
    } else if (!TRANSPARENT.has(node.type)) transparent = false;
    if (node.type === 'leftjoin') optional = true;
    if ((node.type === 'bgp' || node.type === 'path' || node.type === 'values') && visibleVariables(node).has(name)) {
      mentioned = true;
    }
  });
  // Joins may come in any order, but what an OPTIONAL finds depends on what is bound before it.
  return transparent && !(optional && mentioned);
}
