/** Budgets of one evaluation and of the process, and what gives them back. */
import { EvaluationError } from '@quadrille/model';
import { describe, expect, test } from 'vitest';
import { Memory } from './memory.js';
import { ProcessMemory } from './process-memory.js';
import { ValueMemory } from './value-memory.js';

const MB = 1024 ** 2;
const TOO_MUCH = expect.objectContaining({ code: 'QUERY_MEMORY' }) as unknown;

describe('one evaluation', () => {
  test('has a budget; what goes beyond it is not counted', () => {
    const memory = new Memory({ budgetBytes: 1000 });
    memory.reserve(600);
    memory.reserveValues(400);
    expect(() => memory.reserve(1)).toThrow(TOO_MUCH);
    expect(() => memory.reserveValues(1)).toThrow(TOO_MUCH);
    expect(memory.used).toBe(1000);
    memory.release(600);
    memory.reserve(500);
    expect([memory.used, memory.peak]).toEqual([900, 1000]);
  });

  test('takes from the process in steps, and gives back what it does not need', () => {
    const process = new ProcessMemory({ columnBytes: 64 * MB, valueBytes: 64 * MB });
    const memory = new Memory({ process, budgetBytes: 32 * MB });
    memory.reserve(1);
    expect(process.takenBytes).toBe(64 * 1024);
    memory.reserve(10 * MB);
    expect(process.takenBytes).toBeGreaterThan(10 * MB);
    memory.release(10 * MB);
    expect(process.takenBytes).toBeLessThan(MB);
    memory.close();
    memory.release(1);
    memory.close();
    expect([process.takenBytes, process.evaluations]).toEqual([0, 0]);
  });

  test('may by default use a quarter of what the process may, and 256 MB at most', () => {
    const budgetOf = (columnBytes: number, valueBytes: number): number =>
      new Memory({ process: new ProcessMemory({ columnBytes, valueBytes }) }).budgetBytes;
    expect(budgetOf(100 * MB, 60 * MB)).toBe(40 * MB);
    expect(budgetOf(4096 * MB, 4096 * MB)).toBe(256 * MB);
    const memory = new Memory({ process: new ProcessMemory({ columnBytes: 100 * MB, valueBytes: 60 * MB }) });
    memory.reserve(25 * MB);
    expect(() => memory.reserve(1)).toThrow(TOO_MUCH);
    memory.reserveValues(15 * MB);
    expect(() => memory.reserveValues(1)).toThrow(TOO_MUCH);
  });

  test('one text has a quarter of the budget, and 16 Mi characters at most', () => {
    expect(new Memory({ budgetBytes: 4 * MB }).mostCharacters).toBe(MB / 2 - 48);
    expect(new Memory({ budgetBytes: 4096 * MB }).mostCharacters).toBe(16 * MB);
    const values = new ValueMemory(new Memory({ budgetBytes: 4 * MB }));
    expect(() => values.reserveText(MB / 2 - 47)).toThrow(TOO_MUCH);
    expect(() => values.reserveText(1, MB)).toThrow(TOO_MUCH);
    values.reserveText(MB / 2 - 48);
    expect(values.used).toBe(MB);
  });

  test('values are counted ahead, and given back', () => {
    const memory = new Memory({ budgetBytes: MB });
    const values = new ValueMemory(memory);
    values.reserveText(10);
    expect(values.used).toBe(116);
    expect(memory.used).toBe(232);
    for (let i = 0; i < 5000; i++) values.reserveText(10);
    expect(memory.used - values.used).toBeLessThanOrEqual(64 * 1024);
    values.shrinkTo(0);
    expect(memory.used).toBeLessThanOrEqual(64 * 1024);
    values.free();
    expect(memory.used).toBe(0);
  });
});

describe('all evaluations', () => {
  test('share what the process has', () => {
    const process = new ProcessMemory({ columnBytes: 10 * MB, valueBytes: 10 * MB });
    const [one, other] = [1, 2].map(() => new Memory({ process, budgetBytes: 100 * MB }));
    one!.reserve(6 * MB);
    expect(() => other!.reserve(6 * MB)).toThrow('all queries together need more than the 10 MB');
    one!.reserve(4 * MB);
    // What is small goes on.
    other!.reserve(100_000);
    expect(() => other!.reserve(MB)).toThrow(TOO_MUCH);
    one!.release(4 * MB);
    other!.reserveValues(6 * MB);
    one!.close();
    other!.reserve(6 * MB);
    other!.close();
    expect(process.takenBytes).toBe(0);
  });

  test('the largest one ends when the heap is nearly full, and then no other one before it has ended', () => {
    let heap = 0.5;
    const process = new ProcessMemory({ columnBytes: 1000 * MB, valueBytes: 1000 * MB, heapInUse: () => heap });
    const ended: string[] = [];
    const open = (name: string): Memory =>
      new Memory({
        process,
        budgetBytes: 1000 * MB,
        end: ({ message }: EvaluationError) => ended.push(`${name}: ${message}`),
      });
    const [small, large] = [open('small'), open('large')];
    large.reserveValues(200 * MB);
    small.reserveValues(100 * MB);
    expect(ended).toEqual([]);
    heap = 0.9;
    small.reserveValues(20 * MB);
    small.reserveValues(20 * MB);
    expect(ended).toEqual(['large: the memory of the process is nearly used up']);
    large.close();
    expect(() => small.reserveValues(20 * MB)).toThrow(TOO_MUCH);
    heap = 0.5;
    small.reserveValues(20 * MB);
  });

  test('what holds little is not what fills the heap', () => {
    const process = new ProcessMemory({ columnBytes: 1000 * MB, valueBytes: 1000 * MB, heapInUse: () => 1 });
    const memory = new Memory({ process, budgetBytes: 1000 * MB });
    memory.reserve(20 * MB);
    memory.reserve(20 * MB);
    expect(() => memory.reserve(40 * MB)).not.toThrow();
    expect(() => memory.reserve(40 * MB)).toThrow(TOO_MUCH);
  });
});
