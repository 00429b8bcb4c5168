/** The rows of several inputs. */
import { intersectionOf } from '../../algebra/name-sets.js';
import type { Plan, UnionPlan } from '../../plan/plan.js';

export function unionPlan(inputs: readonly Plan[]): Plan {
  const variables = [...new Set(inputs.flatMap((input) => input.variables))];
  const rows = sum(inputs.map((input) => input.rows));
  const cost = sum(inputs.map((input) => input.cost));
  const certain = intersectionOf(inputs.map((input) => input.certain));
  const first = inputs[0]?.first ?? 0;
  const plan: UnionPlan = { type: 'union', inputs, variables, certain, rows, sorted: [], cost, first };
  return plan;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
