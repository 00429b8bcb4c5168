/** Rows of an input that an operation is run for: a seed in its place. */
import type { Seed } from '../../algebra/algebra.js';
import type { PlanContext } from '../context.js';

/** `certain` are the variables that all rows have. */
export function newSeed(
  planner: Pick<PlanContext, 'newName'>,
  variables: readonly string[],
  certain: ReadonlySet<string>,
  rows: number,
): Seed {
  const rowNumber = planner.newName();
  return {
    type: 'seed',
    name: planner.newName(),
    variables: [...variables, rowNumber],
    certain: new Set([...variables.filter((name) => certain.has(name)), rowNumber]),
    rowNumber,
    rows,
  };
}
