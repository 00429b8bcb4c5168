/**
 * Gives every pattern its graph, as Comunica requires. `GRAPH <iri>` goes into the patterns below. `GRAPH ?g` is evaluated once for each
 * named graph, as the specification defines it.
 */
import type * as RDF from '@rdfjs/types';
import {
  mapChildren,
  walk,
  type Expression,
  type Operation,
  type Pattern,
} from '../../packages/sparql/src/algebra/algebra.js';
import { makePattern } from '../../packages/sparql/src/algebra/terms.js';

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
    if (node.type === 'graph' && node.name.termType === 'Variable') needed = true;
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
      if (name.termType !== 'Variable') return lower(input, name, graphs);
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
