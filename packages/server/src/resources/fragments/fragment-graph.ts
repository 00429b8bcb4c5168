/** The graph that fragments are of. */
import { readGraph, refuseParameter } from '../../http/index.js';
import type { Graph } from '../../host/index.js';
import { defaultGraph } from 'quadrille';

const refuse = refuseParameter('graph');

/** The parameter `graph`, or `context`; default the default graph. @throws HttpError 400 for several graphs, which no fragment names */
export function fragmentGraph(parameters: URLSearchParams): Graph {
  const texts = [...parameters.getAll('graph'), ...parameters.getAll('context')].map((text) => text.trim());
  if (texts.length > 1) throw refuse('a fragment is of one graph');
  const [text = ''] = texts;
  if (text === '' || text === 'null') return defaultGraph();
  const graph = readGraph(text, 'graph', refuse);
  if (typeof graph === 'object') return graph;
  throw refuse(`a fragment is of one graph, not of ${graph} graphs`);
}
