/** Sets of names that share what they have in common, compared with plain sets. */
import { describe, expect, test } from 'vitest';
import { intersectionOf, namesWithout, NO_NAMES, unionOf } from './name-sets.js';

const names = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, i) => `n${from + i}`);
const sorted = (set: Iterable<string>): string[] => [...set].sort();

describe('a union', () => {
  test('of a chain has every name once', () => {
    let all = NO_NAMES;
    const plain = new Set<string>();
    for (let i = 0; i < 2000; i++) {
      const added = [`n${i}`, `n${(i * 7) % 50}`, `m${i % 3}`];
      all = unionOf([all, new Set(added)]);
      for (const name of added) plain.add(name);
      expect(all.size).toBe(plain.size);
    }
    expect(sorted(all)).toEqual(sorted(plain));
    expect(sorted(all.keys())).toEqual(sorted(plain));
    expect(all.has('n1999')).toBe(true);
    expect(all.has('n2000')).toBe(false);
    const seen: string[] = [];
    all.forEach((name) => seen.push(name));
    expect(sorted(seen)).toEqual(sorted(plain));
  });
  test('leaves the sets that it was made of', () => {
    const base = unionOf([new Set(names(0, 100))]);
    const left = unionOf([base, new Set(['left'])]);
    const right = unionOf([base, new Set(['right'])]);
    expect([base.size, left.size, right.size]).toEqual([100, 101, 101]);
    expect([left.has('right'), right.has('left'), base.has('left')]).toEqual([false, false, false]);
    expect(unionOf([left, base, new Set(['n5'])])).toBe(left);
    expect(sorted(unionOf([left, right]))).toEqual(sorted([...names(0, 100), 'left', 'right']));
  });
});

test('an intersection has what all have', () => {
  const large = new Set(names(0, 200));
  expect(sorted(intersectionOf([large, new Set(names(150, 300)), new Set(names(160, 170))]))).toEqual(names(160, 170));
  expect(intersectionOf([large, large])).toBe(large);
  expect(intersectionOf([]).size).toBe(0);
});

test.each([3, 33, 500])('%i names without some', (count) => {
  const others = new Set(['n1', 'elsewhere']);
  const rest = namesWithout(names(0, count), others);
  const expected = names(0, count).filter((name) => name !== 'n1');
  // Asked often, it answers in another way.
  for (let round = 0; round < 3; round++) {
    for (const name of [...names(0, count + 10), 'elsewhere']) expect(rest.has(name)).toBe(expected.includes(name));
  }
  expect([...rest]).toEqual(expected);
  expect(rest.size).toBe(count - 1);
});
