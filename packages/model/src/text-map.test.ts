import { expect, test } from 'vitest';
import { TextMap } from './index.js';

const PREFIX = 'x'.repeat(17_000);
/** Texts of one length that differ at their ends alone. */
const texts = (count: number, length: number): string[] =>
  Array.from({ length: count }, (_, n) => Buffer.from(`${PREFIX.slice(0, length - 5)}${10_000 + n}`).toString());

test('keeps values by short and by long texts', () => {
  const map = new TextMap<number>();
  const keys = [...texts(300, 100), ...texts(300, 16_383), ...texts(300, 16_384), ...texts(300, 17_000), ''];
  keys.forEach((key, n) => map.set(key, n));
  expect(map.size).toBe(keys.length);
  expect(keys.map((key) => map.get(`${key}`))).toEqual(keys.map((_, n) => n));
  expect(map.get(texts(301, 17_000).at(-1)!)).toBeUndefined();
  expect(map.get('x')).toBeUndefined();
  map.set(keys[700]!, -1);
  expect([map.get(keys[700]!), map.size]).toEqual([-1, keys.length]);
});

test('texts of one length, however long, take about as long as others', () => {
  const fill = (length: number): number => {
    const keys = texts(1500, length);
    const map = new TextMap<number>();
    const begun = process.cpuUsage().user;
    for (const key of keys) if (map.get(key) === undefined) map.set(key, 1);
    return process.cpuUsage().user - begun;
  };
  fill(16_000);
  // In a map of the platform 60 times as long, and twice as many of them 120 times.
  expect(fill(17_000) / fill(16_000)).toBeLessThan(15);
});
