/** GROUP BY and aggregates over the rows of an input. */
import { Cost } from '../../plan/cost.js';
import { unary } from '../../plan/node.js';
import type { GroupPlan, Plan } from '../../plan/plan.js';

export function groupPlan(
  input: Plan,
  keys: readonly string[],
  aggregates: GroupPlan['aggregates'],
  rows: number,
  ofGraphs: GroupPlan['ofGraphs'],
): GroupPlan {
  const certain = new Set(keys.filter((name) => input.certain.has(name)));
  for (const { variable, aggregator } of aggregates) if (aggregator === 'count') certain.add(variable);
  const variables = [...keys, ...aggregates.map(({ variable }) => variable)];
  const cost = input.cost + input.rows * Cost.buildRow;
  const figures = { variables, certain, rows, sorted: [], cost, first: cost };
  return { ...unary(input), type: 'group', keys, aggregates, ofGraphs, ...figures };
}
