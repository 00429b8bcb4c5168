import { describe, expect, test } from 'vitest';
import { TransactionMemory } from './transaction-memory.js';

const MEGABYTE = 1024 ** 2;

describe('the memory of all transactions', () => {
  test('has a limit for all together', () => {
    const memory = new TransactionMemory(10 * MEGABYTE);
    memory.change(0, 6 * MEGABYTE);
    expect(() => memory.change(0, 5 * MEGABYTE)).toThrow('10 MB');
    // What was staged is there until its transaction ends.
    expect(memory.takenBytes).toBe(11 * MEGABYTE);
    memory.change(5 * MEGABYTE, 0);
    memory.change(6 * MEGABYTE, 9 * MEGABYTE);
    memory.change(9 * MEGABYTE, 0);
    expect(memory.takenBytes).toBe(0);
  });

  test('has some room for small transactions beside large ones', () => {
    const memory = new TransactionMemory(10 * MEGABYTE);
    memory.change(0, 10 * MEGABYTE);
    memory.change(0, MEGABYTE / 2);
    memory.change(0, MEGABYTE / 2);
    expect(() => memory.change(0, MEGABYTE / 2)).toThrow(expect.objectContaining({ code: 'QUERY_MEMORY' }));
  });

  test('is given back where there is too much', () => {
    const memory = new TransactionMemory(MEGABYTE);
    expect(() => memory.change(0, 3 * MEGABYTE)).toThrow('memory');
    memory.change(3 * MEGABYTE, 2 * MEGABYTE);
    expect(memory.takenBytes).toBe(2 * MEGABYTE);
  });
});
