/** A pattern of which comparisons with constants leave few objects, as the index of order tells. */
import type { Expression } from '../algebra/algebra.js';
import { Cost } from './cost.js';
import { figuresOfPart, type PatternFigures } from './figures.js';
import * as make from './nodes.js';
import { type GroupPart, patternPart } from './parts/group-part.js';
import type { Plan, PlanPattern, ScanPlan, ScanRange, ValueRangePlan } from './plan.js';

/**
 * `all`: the figures of the pattern without the comparisons. `found`: how many literals pass them; `inline`: how
 * many quads whose ids contain their values. `name`: of the ranges that are scanned
 * beside them. `undefined`: the pattern is not read in the order of its objects.
 */
export function valueRangePart(
  pattern: PlanPattern,
  range: ScanRange,
  all: PatternFigures,
  filters: readonly Expression[],
  { found, inline }: { readonly found: number; readonly inline: number },
  name: string,
): GroupPart | undefined {
  const object = range.variable;
  const quads = inline + (found * all.rows) / Math.max(1, all.distinct.get(object) ?? all.rows);
  const rows = Math.min(Math.max(quads, 1), all.rows);
  const part = patternPart(pattern, { ...figuresOfPart(all, rows / all.rows), isCounted: true }, filters);
  const scanned = patternPart(pattern, all, filters, name);
  const order = scanned.join.alone?.orders.findIndex(([first]) => first === object) ?? -1;
  if (order === -1) return undefined;
  const cost = Cost.search + found * Cost.sortedSeek + rows * Cost.scanRow;
  return {
    ...part,
    join: { ...part.join, cost, alone: { first: Cost.search, orders: [] } },
    alone: (_, variables): ValueRangePlan => {
      const literals: Plan = { ...make.unitPlan, variables: [object], certain: new Set([object]), rows: found };
      return {
        type: 'value-range',
        range,
        mostSought: all.rows * Cost.mostByWords,
        scan: scanned.alone(order, variables) as ScanPlan,
        seek: make.seekPlan(literals, pattern, 'inner', variables, part.join.variables, rows, Cost.sortedSeek),
        variables,
        certain: new Set(variables),
        rows,
        sorted: [],
        cost,
        first: Cost.search,
      };
    },
  };
}
