/** Graphs whose names are parameters: placeholders in GRAPH and FROM. One plan serves other graphs too, but for what is looked at here. */
import type * as RDF from '@rdfjs/types';
import { walk, type Operation } from '../algebra/algebra.js';
import type { DatasetClause } from '../algebra/request.js';
import { isSpecialGraph } from '../algebra/special-graphs.js';
import { isPlaceholder } from '../algebra/template.js';
import type { Resolve } from '../algebra/terms.js';
import type { GraphSelection } from '../dataset/dataset-view.js';
import { graphList } from '../plan/graph-scope.js';
import { selectionKey } from './plan-cache.js';

const known = new WeakMap<Operation, readonly RDF.Term[]>();
const NONE: readonly RDF.Term[] = [];

/** The placeholders that stand after GRAPH, also in EXISTS. */
export function graphParameters(algebra: Operation): readonly RDF.Term[] {
  let names = known.get(algebra);
  if (names !== undefined) return names;
  const found: RDF.Term[] = [];
  walk(algebra, (node) => {
    if (node.type === 'graph' && isPlaceholder(node.name.value)) found.push(node.name);
  });
  names = found.length === 0 ? NONE : found;
  known.set(algebra, names);
  return names;
}

/** The clause with the names of special graphs in it, which decide what is read; other placeholders stay. */
export function withSpecialGraphs(clause: DatasetClause | undefined, resolve: Resolve): DatasetClause | undefined {
  if (clause === undefined) return undefined;
  const known = (name: RDF.NamedNode): RDF.NamedNode => {
    const graph = resolve(name);
    return isSpecialGraph(graph) ? (graph as RDF.NamedNode) : name;
  };
  return { default: clause.default.map(known), named: clause.named.map(known) };
}

export const hasParameters = ({ default: merged, named }: DatasetClause): boolean =>
  merged.some(({ value }) => isPlaceholder(value)) || named.some(({ value }) => isPlaceholder(value));

/**
 * What the plans of one algebra differ in: the choice of graphs, and which of the parameters after GRAPH are among the named ones. In a
 * graph that is not, nothing is read.
 */
export function graphsKey(algebra: Operation, selection: GraphSelection, resolve: Resolve): string {
  const key = selectionKey(selection);
  const names = selection.named === 'all' ? NONE : graphParameters(algebra);
  if (names.length === 0) return key;
  const isListed = graphList(selection, resolve);
  return `${key}${names.map((name) => (isListed(name) ? '+' : '-')).join('')}`;
}
