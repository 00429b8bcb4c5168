/** The runner, and the page that is made from its results. Runs that try the product are those of the suites that share its modules. */
import { expect, it, vi } from 'vitest';
import { runCampaign } from './campaign.js';
import { type Kind, RunSeed } from './kind.js';
import { pageIsCurrent } from './page.js';
import type { Result } from './results.js';

const told = { promise: '', how: '', notPromised: '', goal: 1 };

async function results(fails: (index: number) => unknown, first = 1, minutes = 0): Promise<Result[]> {
  const kind: Kind = {
    ...told,
    runs: 'runs',
    operations: 'operations',
    open: async () => ({
      run: async (seed) => {
        if (fails(seed.index)) throw new Error('wrong');
        return { plan: String(seed.random()()), operations: 2 };
      },
    }),
  };
  const all: Result[] = [];
  await runCampaign({ name: 'k', kind, seed: 's', first, minutes, commit: 'c', onResult: (one) => all.push(one) });
  return all;
}

it('replays a run with the same digest', async () => {
  const [one] = await results(() => false, 7);
  const [again] = await results(() => false, 7);
  const [other] = await results(() => false, 8);
  expect(one).toMatchObject({ kind: 'k', seed: 's', first: 7, runs: 1, operations: 2, commit: 'c', faults: [] });
  expect(again!.digest).toBe(one!.digest);
  expect(other!.digest).not.toBe(one!.digest);
});

it('ends after a few faults, and names the run of each', async () => {
  const [result] = await results(() => true, 3, 10);
  expect(result!.faults.map(({ what }) => what)).toEqual([3, 4, 5, 6, 7].map((index) => `s/${index}: wrong`));
  expect(result!.faults.every(({ commit }) => commit === null)).toBe(true);
});

it('tells a part every ten minutes, and none without a run', async () => {
  let minutes = 0;
  const now = vi.spyOn(performance, 'now').mockImplementation(() => minutes * 60_000);
  try {
    const parts = await results(() => void (minutes += 10), 1, 20);
    expect(parts.map(({ first, runs }) => [first, runs])).toEqual([
      [1, 1],
      [2, 1],
    ]);
  } finally {
    now.mockRestore();
  }
});

it('gives each run chance of its own', () => {
  const numbers = [
    new RunSeed('k', 's', 1),
    new RunSeed('k', 's', 2),
    new RunSeed('k', 't', 1),
    new RunSeed('l', 's', 1),
  ];
  expect(new Set(numbers.map((seed) => seed.number())).size).toBe(4);
});

it('docs/reliability.md is made from the results (`npm run campaign -- report`)', async () => {
  expect(await pageIsCurrent()).toBe(true);
});
