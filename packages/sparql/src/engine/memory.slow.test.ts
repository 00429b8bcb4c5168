/** Every end of a query gives its memory back: what the process counts is zero again. */
import { afterEach, describe, expect, test } from 'vitest';
import { processMemory } from '../control/process-memory.js';
import { datasetOf, engine, PREFIXES } from '../testing/fixtures.js';
import { CROSS, QUERIES_OF_ALL_KINDS, subjectsWithNumbers } from '../testing/queries-of-all-kinds.js';
import type { EvaluationOptions } from './options.js';

const NUMBERS = subjectsWithNumbers(300, 60);
const dataset = datasetOf(NUMBERS);

afterEach(() => {
  expect([processMemory.takenBytes, processMemory.evaluations]).toEqual([0, 0]);
});

/** Reads an answer, up to so many batches. */
async function read(query: string, options: EvaluationOptions = {}, most = Infinity): Promise<number> {
  const answer = await engine.query(query, await dataset, { prefixes: PREFIXES, ...options });
  if (answer.type === 'boolean') return 1;
  let batches = 0;
  let items = 0;
  for await (const { length } of answer.batches) {
    items += length;
    if (++batches >= most) break;
  }
  return items;
}

describe.each(QUERIES_OF_ALL_KINDS)('%s', (query) => {
  test('read to its end', async () => {
    expect(await read(query)).toBeGreaterThan(0);
  });
  test('left by its reader', async () => {
    await read(query, {}, 1);
  });
  test('without the memory that it needs', async () => {
    // Whatever the budget is, at some place in between it ends.
    let failed = 0;
    for (let budget = 500; budget < 50_000_000; budget *= 3) {
      await read(query, { memoryBytes: budget }).catch((error: unknown) => {
        expect(error).toMatchObject({ code: 'QUERY_MEMORY' });
        failed++;
      });
      expect([budget, processMemory.takenBytes]).toEqual([budget, 0]);
    }
    expect(failed).toBeGreaterThan(0);
  });
  test('cancelled while it runs', async () => {
    const aborting = new AbortController();
    const reading = read(query, { signal: aborting.signal });
    await new Promise((done) => setImmediate(done));
    aborting.abort();
    await reading.catch((error: unknown) => expect(error).toMatchObject({ code: 'ABORTED' }));
  });
  test('out of time', async () => {
    for (const timeoutMs of [1, 3, 10]) await read(query, { timeoutMs }).catch(() => undefined);
  });
});

test('memory is counted while a query runs', async () => {
  const answer = await engine.query(QUERIES_OF_ALL_KINDS[0]!, await dataset, { prefixes: PREFIXES });
  if (answer.type !== 'bindings') throw new Error('no rows');
  for await (const _ of answer.batches) {
    expect(processMemory.takenBytes).toBeGreaterThan(50_000);
    break;
  }
});

test('updates, those that fail as well', async () => {
  const insert = `INSERT { ?a ex:new ?v } WHERE { ${CROSS} BIND(CONCAT(STR(?x), "-", STR(?y)) AS ?v) }`;
  const run = async (options: EvaluationOptions): Promise<void> =>
    engine.update(insert, await datasetOf(NUMBERS), { prefixes: PREFIXES, ...options });
  await run({});
  await expect(run({ memoryBytes: 1_000_000 })).rejects.toMatchObject({ code: 'QUERY_MEMORY' });
  await expect(run({ timeoutMs: 5 })).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
});
