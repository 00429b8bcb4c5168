/** The graphs that the parameter `context` selects. */
import { readGraph, refuseParameter } from '../http/index.js';
import type { Graph } from '../host/index.js';
import { defaultGraph } from 'quadrille';

/** Everything, all named graphs, or a list without repetition. */
export type GraphSelection = 'all' | 'named' | readonly Graph[];

/** The graphs to read: the union of all `context` parameters. Without one, all graphs. */
export function graphsToRead(parameters: URLSearchParams): GraphSelection {
  const selected = parameters.getAll('context').map(oneContext);
  if (selected.length === 0 || selected.includes('all')) return 'all';
  const graphs = distinct(selected.filter((selection) => typeof selection === 'object'));
  if (!selected.includes('named')) return graphs;
  return graphs.some((graph) => graph.termType === 'DefaultGraph') ? 'all' : 'named';
}

/** The graphs to change; `undefined` without `context`. `all` and `named` are refused. */
export function graphsToWrite(parameters: URLSearchParams): readonly Graph[] | undefined {
  const texts = parameters.getAll('context');
  if (texts.length === 0) return undefined;
  return distinct(
    texts.map((text) => {
      const selection = oneContext(text);
      if (typeof selection === 'object') return selection;
      throw refuse(`a write needs a graph: context=${text.trim()} names many; leave it out to mean the repository`);
    }),
  );
}

const refuse = refuseParameter('context');

/** An empty context is the default graph, never everything. */
function oneContext(text: string): Graph | 'all' | 'named' {
  if (text === '' || text.trim() === 'null') return defaultGraph();
  return readGraph(text, 'context', refuse);
}

function distinct(graphs: readonly Graph[]): Graph[] {
  return graphs.filter((graph, i) => graphs.findIndex((other) => other.equals(graph)) === i);
}
