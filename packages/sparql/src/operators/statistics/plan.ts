/** The named graphs that there are, with their numbers of quads where these are asked for: from the statistics. */
import type { PlanContext } from '../../plan/context.js';
import { Cost } from '../../plan/cost.js';
import type { PlanPattern, StatisticsPlan } from '../../plan/plan.js';

/** `among`: only these, where they exist. Default: those that the request lists, or all. */
export async function planGraphs(
  { dataset, listedGraphs }: PlanContext,
  keyVariable: string,
  countVariables: readonly string[] = [],
  among = listedGraphs,
): Promise<StatisticsPlan> {
  const variables = [keyVariable, ...countVariables];
  return {
    type: 'statistics',
    key: 'graphs',
    keyVariable,
    countVariables,
    among,
    variables,
    certain: new Set(variables),
    rows: among?.length ?? (await dataset.statistics()).graphs.size,
    sorted: [keyVariable],
    cost: Cost.open,
    first: Cost.open,
  };
}

/** Whether a pattern matches each quad of each stored named graph, so that the statistics count what matches. */
export function matchesAllInGraphs({ dataset }: PlanContext, { s, p, o, g }: PlanPattern): boolean {
  if (g.kind !== 'each' || dataset.extraGraphs !== undefined) return false;
  const names = [s, p, o].flatMap((term) => (term.kind === 'variable' ? [term.name] : []));
  return new Set([...names, g.name]).size === 4;
}
