import { expect, test } from 'vitest';
import type { IdPattern } from '../../dataset/id-dataset.js';
import type { PlanContext } from '../context.js';
import type { PlanPattern } from '../plan.js';
import type { JoinPart } from './join-part.js';
import { sampleJoins } from './join-samples.js';

const ROWS = 1000;
const variable = (name: string) => ({ kind: 'variable', name }) as const;
const pattern = (s: string, o: string): PlanPattern => ({
  s: variable(s),
  p: { kind: 'constant', constant: 0 },
  o: variable(o),
  g: { kind: 'merged', sources: ['default'] },
});
const part = ({ s, o }: PlanPattern): JoinPart => {
  const variables = [s, o].flatMap((term) => (term.kind === 'variable' ? [term.name] : []));
  return {
    variables,
    rows: ROWS,
    cost: ROWS,
    distinct: new Map(variables.map((name) => [name, 10])),
    alone: { first: 2, orders: [variables] },
    seekable: true,
    extend: undefined,
  };
};

/** Every term has as many matches as its number says. */
function context(): PlanContext & { readonly sampled: IdPattern[] } {
  const sampled: IdPattern[] = [];
  const dataset = {
    estimate: ({ s, o }: IdPattern) => s + o,
    sample: async (ids: IdPattern, count: number) => {
      sampled.push(ids);
      const column = (value: number): number[] => Array.from({ length: count }, () => value);
      return { s: column(3), p: column(1), o: column(5), g: column(1), length: count };
    },
  };
  const figures = { ids: async () => ({ s: 0, p: 1, o: 0, g: 0 }) };
  return { dataset, figures, steps: { used: 0, most: 200_000 }, options: {}, sampled } as never;
}

test('a join has as many rows as the matches of a sample say', async () => {
  const patterns = [pattern('a', 'b'), pattern('b', 'c')];
  const parts = (await sampleJoins(patterns.map(part), patterns, 1e6, context()))!;
  // Five matches for each of the sampled objects.
  expect(parts[0]!.samples!.get(1)).toEqual({ names: ['b'], share: 5 / ROWS });
  expect(parts[1]!.samples!.get(0)).toEqual({ names: ['b'], share: 5 / ROWS });
});

test('cheap orders, single patterns and large groups are not sampled', async () => {
  const patterns = Array.from({ length: 3000 }, (_, i) => pattern(`v${i % 100}`, `v${i % 97}`));
  for (const [some, cost] of [
    [patterns, 1e9],
    [patterns.slice(0, 1), 1e9],
    [patterns.slice(0, 2), 100],
  ] as const) {
    const planner = context();
    expect(await sampleJoins(some.map(part), some, cost, planner)).toBeUndefined();
    expect(planner.sampled).toEqual([]);
  }
});

test('as many pairs are sampled as a share of the cost allows, and each pattern once', async () => {
  const patterns = Array.from({ length: 9 }, (_, i) => pattern('x', `v${i}`));
  const planner = context();
  const parts = (await sampleJoins(patterns.map(part), patterns, 20_000, planner))!;
  expect(parts.reduce((sum, { samples }) => sum + samples!.size, 0)).toBe(2 * 5);
  expect(planner.sampled.length).toBeLessThanOrEqual(5);
});

test('nothing is sampled where half of the steps are used up', async () => {
  const patterns = [pattern('a', 'b'), pattern('b', 'c')];
  const planner = context();
  planner.steps.used = 100_001;
  const parts = (await sampleJoins(patterns.map(part), patterns, 1e6, planner))!;
  expect(parts.every(({ samples }) => samples!.size === 0)).toBe(true);
  expect(planner.sampled).toEqual([]);
});
