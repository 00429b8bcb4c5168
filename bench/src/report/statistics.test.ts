import { describe, expect, it } from 'vitest';
import { geometricMean, relativeError, spreadOf } from './statistics.js';

describe('spread', () => {
  it('is the middle value, or the mean of the two middle ones, with the least and the greatest', () => {
    expect(spreadOf([30, 4, 100])).toEqual({ median: 30, min: 4, max: 100 });
    expect(spreadOf([4, 1, 3, 2])).toEqual({ median: 2.5, min: 1, max: 4 });
    expect(spreadOf([7])).toEqual({ median: 7, min: 7, max: 7 });
    expect(() => spreadOf([])).toThrow('no values');
  });
});

it('the geometric mean weighs twice as much and half as much alike', () => {
  expect(geometricMean([2, 0.5])).toBeCloseTo(1);
  expect(geometricMean([1, 4, 16])).toBeCloseTo(4);
});

it('the relative error is the standard error of the mean as a share of it, and unknown for one value', () => {
  expect(relativeError([90, 110])).toBeCloseTo(0.1);
  expect(relativeError([90, 110, 90, 110])).toBeCloseTo(Math.sqrt(400 / 3 / 4) / 100);
  expect(relativeError([5, 5, 5])).toBe(0);
  expect(relativeError([0, 0])).toBe(0);
  expect(relativeError([5])).toBe(Infinity);
});
