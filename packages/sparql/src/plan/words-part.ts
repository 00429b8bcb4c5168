/** A pattern whose quads are found, or tested, by the words of their objects. */
import type { Expression } from '../algebra/algebra.js';
import { Cost } from './cost.js';
import { figuresOfPart, type PatternFigures } from './figures.js';
import * as make from './nodes.js';
import { type GroupPart, patternPart } from './parts/group-part.js';
import type { Plan, PlanPattern, ScanPlan, WordsPlan } from './plan.js';
import { areForOne, mayBeAnyTerm, type WordCondition } from './word-tests.js';

/** `object`: the variable of its object. `found`: how many literals pass the conditions. */
export function wordsPart(
  pattern: PlanPattern,
  object: string,
  all: PatternFigures,
  filters: readonly Expression[],
  conditions: readonly WordCondition[],
  found: number,
): GroupPart {
  const rows = Math.min(Math.max(found, 1), all.rows);
  const part = patternPart(pattern, figuresOfPart(all, rows / all.rows), filters);
  const scanned = patternPart(pattern, all, filters);
  const mostSought = all.rows * Cost.mostByWords;
  // Another value of a parameter may be rarer.
  const isSought = !mayBeAnyTerm(conditions) && (found <= mostSought || !areForOne(conditions));
  const scanCost = scanned.join.cost + all.rows * Cost.testedRow;
  const soughtCost = Cost.search + found * Cost.sortedSeek;
  const cost = isSought ? Math.min(soughtCost, scanCost) : scanCost;
  const alone = { first: Cost.search, orders: isSought ? [] : (scanned.join.alone?.orders ?? []) };
  return {
    ...part,
    join: { ...part.join, cost, alone },
    alone: (order, variables): WordsPlan => {
      const scan = scanned.alone(order, variables) as ScanPlan;
      const literals: Plan = { ...make.unitPlan, variables: [object], certain: new Set([object]), rows };
      const seek = isSought
        ? make.seekPlan(literals, pattern, 'inner', variables, part.join.variables, rows, Cost.sortedSeek)
        : undefined;
      const sorted = isSought ? [] : scan.sorted;
      const node = { variables, certain: new Set(variables), rows, sorted, cost, first: Cost.search };
      return { type: 'words', conditions, object, scan, seek, mostSought, ...node };
    },
  };
}
