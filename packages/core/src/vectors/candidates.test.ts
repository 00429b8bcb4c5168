import { expect, test } from 'vitest';
import { Candidates, STEP } from './candidates.js';

function ordered(bounds: Float32Array): number[] {
  const candidates = new Candidates(bounds);
  const places: number[] = [];
  for (let place = candidates.peek(); place !== -1; place = candidates.peek()) {
    places.push(place);
    candidates.skip();
  }
  expect(candidates.peek()).toBe(-1);
  return places;
}

let state = 1;
const next = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;

test.each([0, 1, 63, 64, 65, 5000, 40_000])('%i candidates come once each, the best ones first', (count) => {
  const bounds = Float32Array.from({ length: count }, () => next() * 2 - 1);
  const places = ordered(bounds);
  expect(new Set(places).size).toBe(count);
  for (let i = 1; i < places.length; i++)
    expect(bounds[places[i]!]!).toBeLessThanOrEqual(bounds[places[i - 1]!]! + STEP);
});

test('equal and infinite bounds come by their places', () => {
  const bounds = Float32Array.from({ length: 3000 }, (_, i) => (i % 3 === 0 ? Number.POSITIVE_INFINITY : 0.5));
  const places = ordered(bounds);
  expect(places.slice(0, 1000)).toEqual(Array.from({ length: 1000 }, (_, i) => i * 3));
  expect(places).toHaveLength(3000);
  for (let i = 1001; i < places.length; i++) expect(places[i]).toBeGreaterThan(places[i - 1]!);
});

test('bounds that ascend, and bounds that descend', () => {
  const up = Float32Array.from({ length: 20_000 }, (_, i) => i / 20_000);
  expect(ordered(up).slice(0, 1000)).toEqual(Array.from({ length: 1000 }, (_, i) => 19_999 - i));
  expect(ordered(up.toReversed()).slice(0, 1000)).toEqual(Array.from({ length: 1000 }, (_, i) => i));
});
