/** LIMIT and OFFSET. */
import { costOf, unary } from '../../plan/node.js';
import type { Plan, SlicePlan } from '../../plan/plan.js';

/** `of`: the rows of each value of this column are counted by themselves. */
export function slicePlan(input: Plan, start: number, length: number | undefined, of?: string): SlicePlan {
  const { variables, certain, sorted, first } = input;
  if (of !== undefined) return { ...unary(input), type: 'slice', start, length, of };
  const rows = Math.min(Math.max(input.rows - start, 0), length ?? Infinity);
  const cost = costOf(input, length === undefined ? Infinity : start + length);
  return { type: 'slice', input, start, length, variables, certain, rows, sorted, cost, first };
}
