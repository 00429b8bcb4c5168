/** Counts behave like a map, and copies do not touch each other. */
import { seededRandom } from '@quadrille/storage/testing';
import { expect, test, vi } from 'vitest';
import { Counts } from './counts.js';

const sorted = (counts: Iterable<readonly [number, number]>): (readonly [number, number])[] =>
  [...counts].toSorted(([x], [y]) => x - y);

test('as a map, through changes of copies of copies', () => {
  const random = seededRandom(83);
  const below = (limit: number): number => Math.floor(random() * limit);
  // Ids of few pages, of many, and the greatest ones.
  const id = (): number => [below(40), below(3000) * 97, 0xffff_ffff - below(600)][below(3)]!;
  const states = [{ counts: new Counts(), map: new Map<number, number>() }];
  for (let step = 0; step < 1600; step++) {
    const state = states[below(states.length)]!;
    for (let n = below(6); n >= 0; n--) {
      const [key, by] = [id(), below(5) - 2];
      state.counts.add(key, by);
      const sum = (state.map.get(key) ?? 0) + by;
      if (sum === 0) state.map.delete(key);
      else state.map.set(key, sum);
    }
    if (step % 10 === 0) {
      const copy = { counts: state.counts.copy(), map: new Map(state.map) };
      if (states.length < 8) states.push(copy);
      else states[below(8)] = copy;
    }
    if (step % 40 > 0) continue;
    const other = states[below(states.length)]!;
    const changed = new Map(state.counts.changesSince(other.counts));
    for (const [key, count] of state.map) expect(changed.get(key) ?? other.map.get(key)).toBe(count);
    for (const key of other.map.keys()) expect(changed.get(key) ?? other.map.get(key)).toBe(state.map.get(key) ?? 0);
    for (const [key, count] of changed) expect(other.map.get(key) ?? 0).not.toBe(count);
  }
  for (const { counts, map } of states) {
    expect(sorted(counts)).toEqual(sorted(map));
    expect(counts.size).toBe(map.size);
    expect([...counts.keys()].every((key) => counts.has(key) && counts.get(key) === map.get(key))).toBe(true);
    expect(counts.has(41)).toBe(false);
  }
});

test('a comparison looks at what has changed, not at everything', () => {
  const many = new Counts();
  for (let id = 0; id < 200_000; id++) many.set(id * 7, 1);
  const copy = many.copy();
  copy.add(77, 1);
  copy.set(7 * 100_000, 0);
  expect([...copy.changesSince(many)]).toEqual([[77, 2], [700_000, 0]]); // prettier-ignore
  const looks = vi.spyOn(Map.prototype, 'get');
  expect([...copy.changesSince(many)].length).toBe(2);
  const { length } = looks.mock.calls;
  looks.mockRestore();
  // 22 groups, the pages of two of them, and the ids of two pages.
  expect(length).toBeLessThan(2500);
});
