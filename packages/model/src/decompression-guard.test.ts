import { expect, test } from 'vitest';
import { DecompressionGuard } from './decompression-guard.js';

test('the length is limited', () => {
  const guard = new DecompressionGuard({ maxBytes: 100 });
  expect([60, 40, 1].map((bytes) => guard.exceeded(bytes, undefined))).toEqual([undefined, undefined, 'length']);
});

test('the ratio is limited from the first megabyte on', () => {
  const guard = new DecompressionGuard({ maxRatio: 200 });
  expect(guard.exceeded(1_000_000, 10)).toBeUndefined();
  expect(guard.exceeded(1, 10)).toBe('ratio');
  expect(guard.exceeded(1, 6_000)).toBeUndefined();
});

test('content that was not compressed has no ratio, and no limits are none', () => {
  const guard = new DecompressionGuard({ maxRatio: 1 });
  expect(guard.exceeded(10_000_000, undefined)).toBeUndefined();
  expect(new DecompressionGuard({}).exceeded(10 ** 12, 1)).toBeUndefined();
});
