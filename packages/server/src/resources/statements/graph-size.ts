/** Counts the statements of the selected graphs. */
import { defaultGraph, type ReadView } from 'quadrille';
import type { GraphSelection } from '../../parameters/selected-graphs.js';

export async function sizeOf(view: Pick<ReadView, 'size' | 'count'>, graphs: GraphSelection): Promise<number> {
  if (graphs === 'all') return view.size();
  if (graphs === 'named') return (await view.size()) - (await view.count({ graph: defaultGraph() }));
  let size = 0;
  for (const graph of graphs) size += await view.count({ graph });
  return size;
}
