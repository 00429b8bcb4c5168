import { BOOLEAN_TRUE, DATE_FIRST, DATE_ZERO, DECIMAL_ZERO, FIRST_INLINE_ID, INTEGER_ZERO } from '@quadrille/model';
import { expect, test } from 'vitest';
import { compareForOrder } from '../../expression/values/order.js';
import { valueOf } from '../../expression/values/value.js';
import { inlineTermOf } from '../../testing/inline-ids.js';
import { randomNumbers } from '../../testing/operators.js';
import type { IdRange } from '../../plan/id-ranges.js';
import { finish } from '../../execute/core/waiting.js';
import { endOfClass, type ObjectPart, ObjectParts, type ObjectSource } from './object-parts.js';

const compare = (a: number, b: number): number => compareForOrder(valueOf(inlineTermOf(a)), valueOf(inlineTermOf(b)));
const inRange = (id: number, { least = 0, greatest = 0xffff_ffff }: IdRange): boolean => id >= least && id <= greatest;

/** Ids of all classes, some often. Integers and decimals stand between one another. */
function randomIds(below: (limit: number) => number, classes: number): number[] {
  const make = [
    () => INTEGER_ZERO + below(12) - 6,
    () => DECIMAL_ZERO + (below(12) - 6) * 5000,
    () => DATE_ZERO + below(20) - 10,
    () => BOOLEAN_TRUE - below(2),
    () => INTEGER_ZERO + (below(2) === 0 ? 2 ** 29 - 1 : -(2 ** 29)),
  ];
  const some = make.filter((_, i) => (classes & (1 << i)) !== 0);
  return Array.from({ length: 1 + below(60) }, () => some[below(some.length)]!());
}

const stepsIn = (ids: readonly number[], descending: boolean): ObjectSource => ({
  stepObjects: (from, rows) =>
    ids
      .filter((id) => (descending ? id <= from : id >= from))
      .toSorted((a, b) => a - b)
      .at(descending ? -rows : rows - 1),
});

const nextOf = (parts: ObjectParts, rows: number): readonly IdRange[] | undefined =>
  (finish(parts.next(rows)) as ObjectPart | undefined)?.ranges;

test.each([false, true])('parts follow one another and have every id once (descending: %s)', (descending) => {
  for (let seed = 1; seed < 80; seed++) {
    const below = randomNumbers(seed);
    const ids = randomIds(below, 1 + below(31));
    const parts = new ObjectParts(stepsIn(ids, descending), descending, undefined, ids);
    const found: number[][] = [];
    for (let rows = 1; ; rows += below(3)) {
      const ranges = nextOf(parts, rows);
      if (ranges === undefined || ranges.length === 0) break;
      found.push(ids.filter((id) => ranges.some((range) => inRange(id, range))));
      expect(found.length).toBeLessThan(500);
    }
    expect(found.flat().toSorted((a, b) => a - b)).toEqual(ids.toSorted((a, b) => a - b));
    const [first, ...others] = found.filter((part) => part.length > 0);
    let before = first!;
    for (const part of others) {
      // Equal values are in one part, so that other keys can order them.
      for (const a of before) for (const b of part) expect(compare(a, b) * (descending ? -1 : 1)).toBe(-1);
      before = part;
    }
  }
});

test('a part has about as many rows as are asked for', () => {
  const ids = Array.from({ length: 1000 }, (_, i) => INTEGER_ZERO + i);
  const parts = new ObjectParts(stepsIn(ids, true), true, undefined, ids);
  const sizes = [10, 40, 160].map((rows) => {
    const ranges = nextOf(parts, rows)!;
    return ids.filter((id) => ranges.some((range) => inRange(id, range))).length;
  });
  expect(sizes).toEqual([10, 40, 160]);
});

test('only what the ranges of a comparison leave is read', () => {
  const ids = Array.from({ length: 100 }, (_, i) => INTEGER_ZERO + i);
  const least = INTEGER_ZERO + 90;
  const parts = new ObjectParts(
    stepsIn(ids, false),
    false,
    { keys: [], inline: [{ least, greatest: INTEGER_ZERO + 95 }] },
    ids,
  );
  expect(nextOf(parts, 2)).toEqual([{ least, greatest: least + 1 }]);
  expect(nextOf(parts, 100)).toEqual([{ least: least + 2, greatest: INTEGER_ZERO + 95 }]);
  expect(nextOf(parts, 2)).toBeUndefined();
});

test('ids of terms in a dictionary and of new terms are of no class', () => {
  expect([0, 2, FIRST_INLINE_ID - 1, BOOLEAN_TRUE + 1, 0xf000_0000, 0xffff_ffff].map(endOfClass)).toEqual(
    Array.from({ length: 6 }, () => undefined),
  );
  expect(endOfClass(DATE_FIRST)).toBe(BOOLEAN_TRUE - 2);
});
