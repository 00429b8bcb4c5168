/** Literals come by score, then by id, however many are asked for. */
import { expect, test } from 'vitest';
import { BestFirst, InParts } from './best-first.js';

let state = 1;
const below = (limit: number): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
};

test.each([0, 1, 2, 255, 256, 257, 600, 1000])('of %i literals', (count) => {
  const ids = Uint32Array.from({ length: count }, (_, i) => 5 + i * 3);
  const scores = Float64Array.from(ids, () => below(7));
  const expected = [...ids]
    .map((id, i) => ({ id, score: scores[i]! }))
    .sort((x, y) => y.score - x.score || x.id - y.id);
  for (const taken of [0, 1, 30, 256, 270, count + 1]) {
    const best = new BestFirst(ids, scores);
    expect(best.count).toBe(count);
    const given = Array.from({ length: taken }, () => best.next()).filter((one) => one !== undefined);
    expect(given).toEqual(expected.slice(0, taken));
    expect([...best.rest()]).toEqual(
      expected
        .slice(taken)
        .map(({ id }) => id)
        .toSorted((x, y) => x - y),
    );
    expect(best.next()).toBeUndefined();
  }
});

test('parts have all literals once, in the order of their ids', async () => {
  const ids = Uint32Array.from({ length: 500 }, (_, i) => i * i + 7);
  const bounds: number[] = [];
  const find = (before: number): Promise<{ ids: Uint32Array; scores: Float64Array }> => {
    bounds.push(before);
    const some = ids.filter((id) => id < before);
    return Promise.resolve({ ids: some, scores: new Float64Array(some.length) });
  };
  const found = new InParts(find, 2, 250_000);
  const given: number[] = [];
  do {
    for (let next = found.next(); next !== undefined; next = found.next()) {
      expect(next.score).toBe(2);
      given.push(next.id);
    }
  } while (await found.more());
  expect(given).toEqual([...ids]);
  expect(bounds).toEqual([3907, 31_256, Infinity]);
  expect(await found.more()).toBe(false);
});
