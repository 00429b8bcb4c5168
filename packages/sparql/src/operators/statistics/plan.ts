/** The named graphs or predicates that there are, with their numbers of quads where these are asked for: from the statistics. */
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
  const rows = among?.length ?? (await dataset.statistics()).graphs.size;
  return { ...statisticsPlan('graphs', keyVariable, countVariables, rows), among, sorted: [keyVariable] };
}

/** Quads by predicate. */
export const planPredicates = (keyVariable: string, countVariables: readonly string[]): StatisticsPlan =>
  statisticsPlan('predicates', keyVariable, countVariables, PREDICATES);

/** About so many predicates there are. */
const PREDICATES = 50;

function statisticsPlan(
  key: StatisticsPlan['key'],
  keyVariable: string,
  countVariables: readonly string[],
  rows: number,
): StatisticsPlan {
  const variables = [keyVariable, ...countVariables];
  const figures = { variables, certain: new Set(variables), rows, sorted: [], cost: Cost.open, first: Cost.open };
  return { type: 'statistics', key, keyVariable, countVariables, ...figures };
}

/** Whether a pattern matches each quad of each stored named graph, so that the statistics count what matches. */
export function matchesAllInGraphs({ dataset }: PlanContext, { s, p, o, g }: PlanPattern): boolean {
  if (g.kind !== 'each' || dataset.extraGraphs !== undefined) return false;
  const names = [s, p, o].flatMap((term) => (term.kind === 'variable' ? [term.name] : []));
  return new Set([...names, g.name]).size === 4;
}
