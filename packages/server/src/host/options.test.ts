import { expect, test } from 'vitest';
import { DEFAULT_SERVICE_LIMITS, defaultLimits } from './options.js';

const MEGABYTE = 1024 ** 2;

test('what open transactions may hold follows from the heap, up to the usual limits', () => {
  expect(defaultLimits(undefined)).toEqual(DEFAULT_SERVICE_LIMITS);
  expect(defaultLimits(4096 * MEGABYTE)).toEqual(DEFAULT_SERVICE_LIMITS);
  expect(defaultLimits(512 * MEGABYTE)).toMatchObject({
    transactionBytes: 16 * MEGABYTE,
    openTransactionsBytes: 32 * MEGABYTE,
    openTransactionsMemory: 128 * MEGABYTE,
  });
  expect(defaultLimits(128 * MEGABYTE)).toMatchObject({
    transactionBytes: 8 * MEGABYTE,
    openTransactionsBytes: 8 * MEGABYTE,
    openTransactionsMemory: 32 * MEGABYTE,
  });
});
