/** A part of a plan that runs in another repository. */
import { isNode, type Operation, type Seed } from '../../algebra/algebra.js';
import { Cost } from '../../plan/cost.js';
import type { Plan, RepositoryPlan } from '../../plan/plan.js';

export function repositoryPlan(
  address: string,
  { plan: inner, constants }: Pick<RepositoryPlan, 'constants'> & { readonly plan: Plan },
  seeds: readonly Seed[],
): RepositoryPlan {
  const { variables, certain, rows } = inner;
  const given = seeds.reduce((values, seed) => values + seed.rows * (seed.variables.length - 1), 0);
  const begin = Cost.open * 4 + given * Cost.translate;
  // Ids order in each repository as they like; numbers of rows stay.
  const [first] = inner.sorted;
  const isNumbered = first !== undefined && seeds.some(({ rowNumber }) => rowNumber === first);
  return {
    type: 'repository',
    address,
    inner,
    constants,
    seeds,
    variables,
    certain,
    rows,
    sorted: isNumbered ? [first] : [],
    cost: begin + inner.cost + rows * variables.length * Cost.translate,
    first: begin + inner.first,
  };
}

/** The seeds in an operation: rows that come from outside of it. */
export function seedsIn(operation: Operation): Seed[] {
  const found = new Map<string, Seed>();
  // Not recursive: a chain of operations may be long.
  const open: object[] = [operation];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const seed = node as Operation;
    if (seed.type === 'seed') found.set(seed.name, seed);
    for (const value of Object.values(node) as unknown[]) {
      for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) if (isNode(item)) open.push(item);
    }
  }
  return [...found.values()];
}
