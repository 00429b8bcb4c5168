/** The dataset of one request: which graphs are its default graph, and which are its named ones. */
import type * as RDF from '@rdfjs/types';

/** A graph by its name, or one of the three that every store has. */
export type GraphSource = RDF.Term | 'default' | 'named' | 'all';

/** The graphs that a request reads. */
export interface GraphSelection {
  /** Merged, without duplicates, they are the default graph. */
  readonly default: readonly GraphSource[];
  /** What GRAPH can name: these, or every named graph. */
  readonly named: 'all' | readonly RDF.Term[];
}

/** The graphs of a request that does not choose any. */
export const WHOLE_DATASET: GraphSelection = { default: ['default'], named: 'all' };

const SPECIAL_GRAPH = /^urn:(?:quadrille|dydra):(default|named|all)$/;

/** `urn:quadrille:default`, `:named` and `:all` (and their older `urn:dydra:` names) stand for sets of graphs. */
export function toGraphSource(graph: RDF.Term): GraphSource {
  const special = graph.termType === 'NamedNode' ? SPECIAL_GRAPH.exec(graph.value)?.[1] : undefined;
  if (special !== undefined) return special as 'default' | 'named' | 'all';
  return graph.termType === 'DefaultGraph' ? 'default' : graph;
}

/** What FROM and FROM NAMED, or the parameters of a protocol that stand in for them, select. */
export function selectGraphs(defaults: readonly RDF.Term[], named: readonly RDF.Term[]): GraphSelection {
  const sources = named.map(toGraphSource);
  const everyNamed = sources.some((source) => source === 'named' || source === 'all');
  return {
    default: defaults.map(toGraphSource),
    named: everyNamed ? 'all' : sources.filter((source): source is RDF.Term => typeof source !== 'string'),
  };
}
