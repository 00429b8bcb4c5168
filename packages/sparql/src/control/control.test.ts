import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { datasetOf, engine, PREFIXES } from '../testing/fixtures.js';
import type { ArrayDataset } from '../testing/array-dataset.js';

const prefixes = PREFIXES;
const ROWS = 400;
const numbers = (count: number): string => Array.from({ length: count }, (_, n) => `ex:s${n} ex:p ${n} .`).join(' ');
const CROSS = 'SELECT (COUNT(*) AS ?n) { ?a ex:p ?x . ?b ex:p ?y . ?c ex:p ?z FILTER(?x + ?y + ?z < 0) }';

let escaped: unknown[] = [];
const record = (error: unknown): void => void escaped.push(error);
beforeAll(() => {
  process.on('uncaughtException', record);
  process.on('unhandledRejection', record);
});
afterAll(async () => {
  await settle();
  process.off('uncaughtException', record);
  process.off('unhandledRejection', record);
  expect(escaped).toEqual([]);
});

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 30));

async function rows(query: string, dataset: ArrayDataset, options = {}): Promise<number> {
  const result = await engine.query(query, dataset, { prefixes, ...options });
  let count = 0;
  if (result.type === 'bindings') for await (const batch of result.batches) count += batch.length;
  return count;
}

describe('cancellation', () => {
  test('a deadline ends a join that never waits', async () => {
    const dataset = await datasetOf(numbers(ROWS));
    const start = performance.now();
    await expect(rows(CROSS, dataset, { timeoutMs: 200 })).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
    expect(performance.now() - start).toBeLessThan(2000);
    await settle();
    expect(dataset.openScans).toBe(0);
  });
  test('a signal ends a running query, with its reason as the cause', async () => {
    const dataset = await datasetOf(numbers(ROWS));
    const abort = new AbortController();
    setTimeout(() => abort.abort(new Error('enough')), 50);
    const failing = rows(CROSS, dataset, { signal: abort.signal });
    await expect(failing).rejects.toMatchObject({ code: 'ABORTED', cause: new Error('enough') });
    await settle();
    expect(dataset.openScans).toBe(0);
  });
  test('a signal that has fired before stops everything at once', async () => {
    const dataset = await datasetOf(numbers(3));
    await expect(rows('SELECT * { ?s ?p ?o }', dataset, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'ABORTED',
    });
    const update = engine.update('INSERT DATA { ex:a ex:b 1 }', dataset, { prefixes, signal: AbortSignal.abort() });
    await expect(update).rejects.toMatchObject({ code: 'ABORTED' });
    expect(dataset.quads).toHaveLength(3);
  });
  test('ASK, CONSTRUCT and DESCRIBE stop too', async () => {
    const dataset = await datasetOf(numbers(ROWS));
    const where = '{ ?s ex:p ?x . ?b ex:p ?y . ?c ex:p ?z FILTER(?x + ?y + ?z < 0) }';
    await expect(engine.query(`ASK ${where}`, dataset, { prefixes, timeoutMs: 100 })).rejects.toMatchObject({
      code: 'QUERY_TIMEOUT',
    });
    for (const form of ['CONSTRUCT { ?s ?s ?s }', 'DESCRIBE ?s']) {
      const result = await engine.query(`${form} ${where}`, dataset, { prefixes, timeoutMs: 100 });
      const read = async (): Promise<void> => {
        if (result.type === 'quads') for await (const _ of result.batches);
      };
      await expect(read()).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
    }
  });
});

describe('reading', () => {
  test('leaving the loop closes the scans and reads no further', async () => {
    const dataset = await datasetOf(numbers(ROWS), { batchQuads: 10 });
    const result = await engine.query('SELECT * { ?s ex:p ?o }', dataset, { prefixes });
    if (result.type === 'bindings') for await (const _ of result.batches) break;
    await settle();
    expect(dataset.openScans).toBe(0);
    expect(dataset.served).toBeLessThan(ROWS / 2);
  });
  test('a slow reader is not run ahead of', async () => {
    const dataset = await datasetOf(numbers(ROWS), { batchQuads: 10 });
    const result = await engine.query('SELECT * { ?s ex:p ?o }', dataset, { prefixes });
    let read = 0;
    if (result.type === 'bindings') {
      for await (const batch of result.batches) {
        if (read === 0) await settle();
        read += batch.length;
        expect(dataset.served).toBeLessThanOrEqual(read + 10);
      }
    }
    expect(read).toBe(ROWS);
  });
  test('nothing is read before the rows are asked for', async () => {
    const dataset = await datasetOf(numbers(3));
    await engine.query('SELECT * { ?s ?p ?o }', dataset, { prefixes });
    await settle();
    expect(dataset.served).toBe(0);
  });
  test.each([
    'SELECT * { ?s ex:p ?o }',
    'SELECT (COUNT(DISTINCT ?o) AS ?n) { ?s ex:p ?o }',
    'SELECT * { ?a ex:p ?x . ?b ex:p ?x }',
    'SELECT * { ?a ex:p ?x OPTIONAL { ?b ex:p ?x } FILTER EXISTS { ?a ?p ?y } }',
    'SELECT * { ?a ex:p ?x } ORDER BY ?x',
    'SELECT * { ?a ex:p+ ?x }',
    'SELECT * { { ?a ex:p ?x } UNION { ?a ?b ?x } MINUS { ?a ex:q ?x } }',
  ])('a failing source fails the query: %s', async (query) => {
    const dataset = await datasetOf(numbers(60), { failAfter: 30 });
    const failing = rows(query, dataset);
    await expect(failing).rejects.toMatchObject({ name: 'EvaluationError', cause: new Error('the disk is on fire') });
    await settle();
    expect(dataset.openScans).toBe(0);
  });
});
