import { expect, test } from 'vitest';
import { RecentMap } from './index.js';

test('what is used stays, what is not goes, and there are never more than twice the limit', () => {
  const map = new RecentMap<number, string>(10);
  for (let i = 0; i < 1000; i++) {
    map.set(i, String(i));
    expect(map.get(0)).toBe('0');
  }
  const kept = Array.from({ length: 1000 }, (_, i) => map.get(i)).filter((value) => value !== undefined);
  expect(kept).toContain('999');
  expect(kept.length).toBeLessThanOrEqual(20);
  map.set(999, 'new');
  expect(map.get(999)).toBe('new');
});

test('entries that weigh much push out others, and all may be dropped', () => {
  const map = new RecentMap<number, string>(10, { weigh: (_, value) => value.length, limitWeight: 8 });
  for (let i = 0; i < 6; i++) map.set(i, 'four');
  const kept = Array.from({ length: 6 }, (_, i) => i).filter((i) => map.get(i) !== undefined);
  expect(kept).toContain(5);
  expect(kept.length).toBeLessThanOrEqual(4);
  map.set(6, 'more than a half may weigh');
  expect(map.get(6)).toBe('more than a half may weigh');
  map.clear();
  expect([5, 6].map((key) => map.get(key))).toEqual([undefined, undefined]);
});
