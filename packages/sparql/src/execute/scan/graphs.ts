/** What the graphs of a pattern are by ids, once the plan is opened. */
import { DEFAULT_GRAPH } from '@quadrille/model';
import type { PatternGraph } from '../../plan/plan.js';
import type { Execution } from '../core/operator.js';

export interface ResolvedGraph {
  /** The one graph to read, or 0 for several. */
  readonly id: number;
  /** Which of several graphs count; `undefined`: all. */
  readonly accepts: ((graph: number) => boolean) | undefined;
  /** Several graphs are merged: rows that differ in the graph only are one. They come next to one another. */
  readonly unique: boolean;
  /** False: no row can match. */
  readonly visible: boolean;
}

const NOTHING: ResolvedGraph = { id: 0, accepts: () => false, unique: false, visible: false };
const oneGraph = (id: number): ResolvedGraph =>
  id === 0 ? NOTHING : { id, accepts: undefined, unique: false, visible: true };
const isNamed = (graph: number): boolean => graph !== DEFAULT_GRAPH;

export function resolveGraph(graph: PatternGraph, execution: Execution): ResolvedGraph {
  switch (graph.kind) {
    case 'named':
      return oneGraph(execution.constants[graph.constant]!);
    case 'current':
      return oneGraph(execution.currentGraph);
    case 'each':
      return eachGraph(graph.among, execution);
    default:
      return mergedGraph(graph.sources, execution);
  }
}

function eachGraph(among: readonly number[] | undefined, execution: Execution): ResolvedGraph {
  if (!execution.dataset.hasNamedGraphs) return NOTHING;
  if (among === undefined) return { id: 0, accepts: isNamed, unique: false, visible: true };
  const graphs = idsOf(among, execution);
  if (graphs.size === 0) return NOTHING;
  return { id: 0, accepts: (id) => graphs.has(id), unique: false, visible: true };
}

function mergedGraph(
  sources: Extract<PatternGraph, { kind: 'merged' }>['sources'],
  execution: Execution,
): ResolvedGraph {
  const { hasNamedGraphs } = execution.dataset;
  if (sources.includes('all')) {
    return hasNamedGraphs ? { id: 0, accepts: undefined, unique: true, visible: true } : oneGraph(DEFAULT_GRAPH);
  }
  const constants = sources.flatMap((source) => (typeof source === 'string' ? [] : [source.constant]));
  const graphs = idsOf(constants, execution);
  if (sources.includes('default')) graphs.add(DEFAULT_GRAPH);
  if (sources.includes('named')) {
    if (!hasNamedGraphs) return graphs.size === 0 ? NOTHING : oneGraph(DEFAULT_GRAPH);
    return { id: 0, accepts: isNamed, unique: true, visible: true };
  }
  if (graphs.size <= 1) return oneGraph([...graphs][0] ?? 0);
  return { id: 0, accepts: (id) => graphs.has(id), unique: true, visible: true };
}

const idsOf = (constants: readonly number[], { constants: ids }: Execution): Set<number> =>
  new Set(constants.map((constant) => ids[constant]!).filter((id) => id !== 0));
