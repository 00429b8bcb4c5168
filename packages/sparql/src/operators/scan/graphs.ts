/** The graphs of a pattern by ids, resolved when the plan is opened. */
import { DEFAULT_GRAPH } from '@quadrille/model';
import type { IdDataset } from '../../dataset/id-dataset.js';
import type { PatternGraph } from '../../plan/plan.js';
import type { Execution } from '../../execute/core/operator.js';

export interface ResolvedGraph {
  /** The one graph to read, or 0 for several. */
  readonly id: number;
  /** Which of several graphs count; `undefined`: all. */
  readonly accepts: ((graph: number) => boolean) | undefined;
  /** Several graphs are merged: rows that differ in the graph only are one. They come next to one another. */
  readonly unique: boolean;
  /** False: no row can match. */
  readonly visible: boolean;
  /** The ids of several graphs in ascending order, where the request names them and no others count. */
  readonly ids?: readonly number[];
}

const NOTHING: ResolvedGraph = { id: 0, accepts: () => false, unique: false, visible: false };
const oneGraph = (id: number): ResolvedGraph =>
  id === 0 ? NOTHING : { id, accepts: undefined, unique: false, visible: true };

export function resolveGraph(graph: PatternGraph, execution: Execution): ResolvedGraph {
  switch (graph.kind) {
    case 'named':
      return oneGraph(execution.constants[graph.constant]!);
    case 'each':
      return eachGraph(graph.among, execution);
    default:
      return mergedGraph(graph.sources, execution);
  }
}

function eachGraph(among: readonly number[] | undefined, execution: Execution): ResolvedGraph {
  const { hasNamedGraphs, extraGraphs } = execution.dataset;
  if (!hasNamedGraphs) return NOTHING;
  if (among === undefined) return { id: 0, accepts: isStored(new Set(), extraGraphs), unique: false, visible: true };
  const graphs = idsOf(among, execution);
  if (graphs.size === 0) return NOTHING;
  return { id: 0, accepts: (id) => graphs.has(id), unique: false, visible: true, ids: ascending(graphs) };
}

function mergedGraph(
  sources: Extract<PatternGraph, { kind: 'merged' }>['sources'],
  execution: Execution,
): ResolvedGraph {
  const { hasNamedGraphs, extraGraphs } = execution.dataset;
  const constants = sources.flatMap((source) => (typeof source === 'string' ? [] : [source.constant]));
  const graphs = idsOf(constants, execution);
  if (sources.includes('default') || sources.includes('all')) graphs.add(DEFAULT_GRAPH);
  if (!sources.includes('named') && !sources.includes('all')) {
    if (graphs.size <= 1) return oneGraph([...graphs][0] ?? 0);
    return { id: 0, accepts: (id) => graphs.has(id), unique: true, visible: true, ids: ascending(graphs) };
  }
  if (!hasNamedGraphs) return graphs.has(DEFAULT_GRAPH) ? oneGraph(DEFAULT_GRAPH) : NOTHING;
  const everything = extraGraphs === undefined && graphs.has(DEFAULT_GRAPH);
  return { id: 0, accepts: everything ? undefined : isStored(graphs, extraGraphs), unique: true, visible: true };
}

/** Accepts all stored graphs that have a name, and those of `named`. Graphs of the request hide stored ones of their names. */
function isStored(named: ReadonlySet<number>, extra: IdDataset['extraGraphs']): (graph: number) => boolean {
  return (graph) => named.has(graph) || (graph !== DEFAULT_GRAPH && extra?.has(graph) !== true);
}

const ascending = (ids: ReadonlySet<number>): number[] => [...ids].sort((a, b) => a - b);

const idsOf = (constants: readonly number[], { constants: ids }: Execution): Set<number> =>
  new Set(constants.map((constant) => ids[constant]!).filter((id) => id !== 0));
