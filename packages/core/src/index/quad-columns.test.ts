import { expect, test } from 'vitest';
import { QuadSet } from './quad-columns.js';
import { RowTable } from './memtable/row-table.js';
import { FIRST_INLINE_ID, FOREVER } from '../format/layout.js';

// Inverts the steps of a hash with published multipliers. A table that used it could be attacked with these values.
const unshift = (hash: number, by: number): number => {
  let value = hash;
  for (let known = by; known < 32; known += by) value = hash ^ (value >>> by);
  return value;
};
function inverse(odd: number): number {
  let value = odd;
  for (let bits = 3; bits < 32; bits *= 2) value = Math.imul(value, 2 - Math.imul(odd, value));
  return value;
}
const beforeMixing = (hash: number): number => {
  const second = Math.imul(unshift(hash, 15), inverse(0x297a2d39));
  return unshift(Math.imul(unshift(second, 12), inverse(0x2c1b3c6d)), 15);
};

/** Objects for which the quads (2, 3, object, 1) all hash to one slot of a table of up to 2^17 slots. */
function collidingObjects(): number[] {
  const rest = Math.imul(2, 0x9e3779b1) ^ Math.imul(3, 0x85ebca6b) ^ Math.imul(1, 0x27d4eb2f);
  const objects: number[] = [];
  for (let high = 0; high < 1 << 15; high++) {
    const object = Math.imul(beforeMixing((high << 17) | 0x1234) ^ rest, inverse(0xc2b2ae35)) >>> 0;
    if (object >= FIRST_INLINE_ID) objects.push(object);
  }
  return objects;
}

test('values chosen to meet in one place of a table of quads take no longer than others', () => {
  const objects = collidingObjects();
  expect(objects.length).toBeGreaterThan(10_000);
  const fill = (values: readonly number[]): number => {
    const started = performance.now();
    const set = new QuadSet();
    const rows = new RowTable();
    for (const o of values) {
      set.add(2, 3, o, 1);
      if (rows.latest(2, 3, o, 1) === -1) rows.add(2, 3, o, 1, 1, FOREVER);
    }
    expect([set.length, rows.rows]).toEqual([values.length, values.length]);
    return performance.now() - started;
  };
  const usual = fill(objects.map((_, n) => FIRST_INLINE_ID + n * 7919));
  expect(fill(objects) / usual).toBeLessThan(12);
});
