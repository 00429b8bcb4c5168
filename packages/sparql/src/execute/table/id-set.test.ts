import { expect, test } from 'vitest';
import { Memory } from '../../control/memory.js';
import { IdSet } from './id-set.js';

/** What undoes a multiplication by 0x9e3779b1. */
const INVERSE = 0x0e8b_2f51;

test('ids that were chosen to collide take about as long as others', () => {
  expect(Math.imul(INVERSE, 0x9e37_79b1)).toBe(1);
  const time = (idOf: (i: number) => number): number => {
    const started = performance.now();
    const set = new IdSet(new Memory({ budgetBytes: 2 ** 30 }));
    for (let i = 1; i <= 100_000; i++) set.add(idOf(i));
    expect(set.size).toBe(100_000);
    return performance.now() - started;
  };
  time((i) => i);
  const others = time((i) => Math.imul(i, 0x85eb_ca6b) >>> 0);
  expect(time((i) => Math.imul(i, INVERSE) >>> 0)).toBeLessThan(Math.max(50 * others, 500));
});
