/** Which graphs the patterns of a group look at. */
import type * as RDF from '@rdfjs/types';
import { toGraphSource, type GraphSelection } from '../dataset/dataset-view.js';
import type { Constants } from './constants.js';
import type { PatternGraph } from './plan.js';

/** The graph of patterns outside of GRAPH. */
export function defaultGraphOf(selection: GraphSelection, constants: Constants): PatternGraph {
  const sources = selection.default.map((source) =>
    typeof source === 'string' ? source : { constant: constants.add(source) },
  );
  const [only] = sources;
  if (sources.length === 1 && typeof only === 'object') return { kind: 'named', constant: only.constant };
  return { kind: 'merged', sources };
}

/** The graph of patterns in `GRAPH <iri>`; one that the request does not list has nothing in it. */
export function namedGraphOf(name: RDF.Term, selection: GraphSelection, constants: Constants): PatternGraph {
  const source = toGraphSource(name);
  if (typeof source === 'string') return { kind: 'merged', sources: [source] };
  const isListed = selection.named === 'all' || selection.named.some((graph) => graph.equals(name));
  return isListed ? { kind: 'named', constant: constants.add(name) } : { kind: 'merged', sources: [] };
}

/** The graphs that a variable of GRAPH goes through; `undefined`: all that have a name. */
export function listedGraphs(selection: GraphSelection, constants: Constants): readonly number[] | undefined {
  return selection.named === 'all' ? undefined : selection.named.map((graph) => constants.add(graph));
}
