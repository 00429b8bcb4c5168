import { expect, test } from 'vitest';
import { EndedColumns, QuadColumns } from '../index/quad-columns.js';
import { RecentChanges } from './recent-changes.js';

function columns(predicates: readonly number[]): QuadColumns {
  const quads = new QuadColumns();
  for (const [i, p] of predicates.entries()) quads.push(i + 2, p, 3, 1);
  return quads;
}
const commit = (number: number, added: readonly number[], removed: readonly number[] = [], payload?: never) => ({
  number,
  added: columns(added),
  removed: Object.assign(new EndedColumns(), columns(removed)),
  payload,
});
const set = (...ids: number[]): ReadonlySet<number> => new Set(ids);

test('which predicates were changed after a revision', () => {
  const recent = new RecentChanges(10);
  expect(recent.changedSince(10, set(7))).toBe(false);
  recent.note(commit(11, [7]));
  recent.note(commit(12, [8, 9, 8], [5]));
  recent.note(commit(13, [], [6]));
  expect([7, 8, 9, 5, 6, 4].map((p) => recent.changedSince(10, set(p)))).toEqual([true, true, true, true, true, false]);
  expect([7, 8, 6].map((p) => recent.changedSince(11, set(p)))).toEqual([false, true, true]);
  expect(recent.changedSince(13, set(6, 7, 8))).toBe(false);
  expect(recent.changedSince(10, set())).toBe(false);
});

test('what was not noted may have changed anything, and so may a large commit', () => {
  const recent = new RecentChanges(10);
  expect(recent.changedSince(9, set(7))).toBe(true);
  recent.note(commit(11, [7], [], { added: [], removed: [] } as never));
  expect([recent.changedSince(10, set(99)), recent.changedSince(11, set(99))]).toEqual([true, false]);
  recent.note(
    commit(
      12,
      Array.from({ length: 100 }, (_, i) => i + 2),
    ),
  );
  expect([recent.changedSince(11, set(1000)), recent.changedSince(12, set(1000))]).toEqual([true, false]);
});

test('it remembers thousands of commits, and says so where it has forgotten', () => {
  const recent = new RecentChanges(1);
  for (let number = 2; number < 20_000; number++) recent.note(commit(number, [(number % 50) + 2, (number % 50) + 100]));
  expect(recent.changedSince(19_990, set((19_985 % 50) + 2))).toBe(false);
  expect(recent.changedSince(19_980, set((19_985 % 50) + 2))).toBe(true);
  expect(recent.changedSince(19_500, set(77))).toBe(false);
  expect(recent.changedSince(5, set(77))).toBe(true);
});
