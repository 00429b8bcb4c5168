import { inlineDecimal, inlineInteger } from '@quadrille/model';
import { describe, expect, it } from 'vitest';
import { ArrayIdDataset } from '../../testing/array-id-dataset.js';
import { executionOn, randomNumbers } from '../../testing/operators.js';
import type { Accumulator } from './accumulator.js';
import { InlineAccumulator } from './inline-accumulator.js';
import { SumState } from './inline-states.js';
import { ValueAccumulator } from './value-accumulator.js';

const GROUPS = 40;

async function results(accumulator: Accumulator, seed: number): Promise<Uint32Array> {
  const random = randomNumbers(seed);
  for (let batch = 0; batch < 20; batch++) {
    const groups = Uint32Array.from({ length: 100 }, () => random(GROUPS));
    const number = (): number => random(2001) - 1000;
    const ids = groups.map((group) =>
      group % 3 === 0 && random(2) === 0 ? inlineDecimal(number()) : inlineInteger(number()),
    );
    await accumulator.add({ length: 100, ids, values: undefined }, groups, GROUPS);
  }
  return accumulator.results(0, GROUPS);
}

describe('InlineAccumulator', () => {
  it.each([100, 3000, 10_000])('gives the same sums where groups outgrow exact numbers, here %i', async (limit) => {
    const execution = executionOn(new ArrayIdDataset());
    for (const aggregator of ['sum', 'avg'] as const) {
      const plan = { aggregator, separator: undefined };
      const inline = new InlineAccumulator(new SumState(aggregator === 'avg', execution, limit), plan, execution);
      expect(await results(inline, limit)).toEqual(await results(new ValueAccumulator(plan, execution), limit));
    }
  });

  it('adds up exactly to the largest number', () => {
    const state = new SumState(false, executionOn(new ArrayIdDataset()));
    const largest = inlineInteger(2 ** 29 - 1);
    let taken = 0;
    while (state.take(0, largest)) taken++;
    expect(taken).toBe(Math.floor(Number.MAX_SAFE_INTEGER / (2 ** 29 - 1)));
    const [sum] = state.handOver(0);
    expect(sum).toMatchObject({ value: taken * (2 ** 29 - 1) });
  });
});
