import { expect, test } from 'vitest';
import { isWhole, placesOf } from './places.js';

const names = Array.from({ length: 60 }, (_, i) => `n${i}`);

test.each([
  ['the same columns', names, names],
  ['some left out', names.filter((_, i) => i % 4 !== 1), names],
  ['another order', names.toReversed(), names],
  ['names that are none of them', ['a', ...names, 'b', 'n3'], names],
  ['few columns', ['n2', 'x', 'n0', 'n1'], names.slice(0, 3)],
  ['no columns', ['x'], []],
])('places among %s', (_, wanted, columns) => {
  expect(placesOf(wanted, columns)).toEqual(wanted.map((name) => columns.indexOf(name)));
});

test('a selection is whole only with all rows in order', () => {
  expect(isWhole(Uint32Array.of(0, 1, 2, 9), 3, 3)).toBe(true);
  expect(isWhole(Uint32Array.of(0, 1, 2), 3, 4)).toBe(false);
  expect(isWhole(Uint32Array.of(0, 2, 1), 3, 3)).toBe(false);
  expect(isWhole(Uint32Array.of(0, 0, 1), 3, 3)).toBe(false);
});
