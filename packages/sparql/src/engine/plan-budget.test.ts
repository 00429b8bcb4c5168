/** Cached plans and parsed texts have a bound in bytes, and are dropped where the heap gets full. */
import { describe, expect, test } from 'vitest';
import { ProcessMemory } from '../control/process-memory.js';
import { Memory } from '../control/memory.js';
import { parseText } from '../syntax/parse.js';
import { answer, datasetOf, engine, PREFIXES } from '../testing/fixtures.js';
import { PlanBudget, planBudget } from './plan-budget.js';

describe('a budget', () => {
  test('drops the oldest plans, and keeps none that is too large', () => {
    const budget = new PlanBudget(1000);
    const dropped: number[] = [];
    for (let i = 0; i < 12; i++) expect(budget.keep(100, () => dropped.push(i))).toBe(true);
    expect([dropped, budget.usedBytes]).toEqual([[0, 1], 1000]);
    expect(budget.keep(126, () => dropped.push(99))).toBe(false);
    expect(budget.usedBytes).toBe(1000);
    budget.clear();
    expect([dropped.length, budget.usedBytes]).toEqual([12, 0]);
  });
});

const data = datasetOf('ex:a ex:p 1 . ex:b ex:p 2');
const wide = (i: number): string => {
  const patterns = Array.from({ length: 500 }, (_, at) => `?x ex:p ?o${at} .`).join(' ');
  return `SELECT * { ?x ex:p ?q${i} . ${patterns} }`;
};

test('plans of many texts stay within their bytes', async () => {
  const all = await data;
  for (let i = 0; i < 40; i++) await engine.explain(wide(i), all, { prefixes: PREFIXES });
  expect(planBudget.usedBytes).toBeGreaterThan(1_000_000);
  expect(planBudget.usedBytes).toBeLessThanOrEqual(32 * 1024 ** 2);
});

test('a dropped plan is made again', async () => {
  const query = 'SELECT ?x { ?x ex:p ?o FILTER(?o > 1) }';
  const before = await answer(query, await data);
  planBudget.clear();
  expect(planBudget.usedBytes).toBe(0);
  expect(await answer(query, await data)).toEqual(before);
  expect(planBudget.usedBytes).toBeGreaterThan(0);
});

test('planning ends where the plan needs more memory than a query has', async () => {
  const all = await data;
  const run = async (): Promise<unknown> =>
    engine.query(wide(1000), all, { prefixes: PREFIXES, memoryBytes: 1_000_000 });
  await expect(run()).rejects.toMatchObject({ code: 'QUERY_MEMORY' });
});

test('caches are dropped before an evaluation is ended', () => {
  let full = true;
  const process = new ProcessMemory({ columnBytes: 1e9, valueBytes: 1e9, heapInUse: () => (full ? 0.9 : 0.5) });
  let dropped = 0;
  process.onPressure(() => dropped++);
  const memory = new Memory({ process });
  const take = (): void => memory.reserveValues(100 * 1024 ** 2);
  take();
  expect(dropped).toBe(1);
  expect(take).toThrow(expect.objectContaining({ code: 'QUERY_MEMORY' }));
  full = false;
  take();
  full = true;
  memory.releaseValues(memory.used);
  take();
  expect(dropped).toBe(2);
  memory.close();
});

test('the parsed texts of long requests push out one another', () => {
  const text = (i: number): string => `ASK { ?x ?p "${i}${' '.repeat(15_000)}" , ?y }`;
  const first = parseText(text(0));
  expect(parseText(text(0))).toBe(first);
  for (let i = 1; i < 60; i++) parseText(text(i));
  expect(parseText(text(59))).toBe(parseText(text(59)));
  expect(parseText(text(0))).not.toBe(first);
});
