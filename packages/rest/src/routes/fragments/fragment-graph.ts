/** The graph that fragments are of. */
import { badRequest, readGraph } from '@quadrille/http';
import type { Graph } from '@quadrille/service';
import { defaultGraph } from 'quadrille';

/** The parameter `graph`, or `context`; default the default graph. @throws HttpError 400 for several graphs, which no fragment names */
export function fragmentGraph(parameters: URLSearchParams): Graph {
  const texts = [...parameters.getAll('graph'), ...parameters.getAll('context')].map((text) => text.trim());
  if (texts.length > 1) throw badRequest('a fragment is of one graph');
  const [text = ''] = texts;
  if (text === '' || text === 'null') return defaultGraph();
  const graph = readGraph(text, 'graph', badRequest);
  if (typeof graph === 'object') return graph;
  throw badRequest(`a fragment is of one graph, not of ${graph} graphs`);
}
