/** Long requests through the engine: they stop while they are parsed, and what is too deep ends with an error of ours. */
import { describe, expect, test } from 'vitest';
import { datasetOf, engine, PREFIXES } from '../testing/fixtures.js';
import { preparePaced } from './prepare.js';

const data = datasetOf('ex:a ex:p 1 . ex:b ex:p 2');
const LONG_QUERY = `SELECT * { ${'?s <urn:p> ?o ; <urn:q> [ <urn:r> (1 2 3) ] .\n'.repeat(20_000)} }`;
const LONG_UPDATE = `INSERT DATA { ${'<urn:s> <urn:p> 1, [] .\n'.repeat(40_000)} }`;

/** Lets the event loop have a few turns, which only what gives it back its turn can be interrupted by. */
const turns = async (count: number): Promise<void> => {
  for (let left = count; left > 0; left--) await new Promise((resolve) => setImmediate(resolve));
};

describe('while it is parsed', () => {
  test.each([
    [
      'a query',
      (signal: AbortSignal) => Promise.resolve(data.then((all) => engine.query(LONG_QUERY, all, { signal }))),
    ],
    [
      'a query that is explained',
      (signal: AbortSignal) => data.then((all) => engine.explain(LONG_QUERY, all, { signal })),
    ],
    ['an update', (signal: AbortSignal) => data.then((all) => engine.update(LONG_UPDATE, all, { signal }))],
  ])('%s stops at its signal', async (_, run) => {
    const controller = new AbortController();
    const outcome = run(controller.signal).then(
      () => 'done',
      (error: unknown) => error,
    );
    await turns(3);
    controller.abort();
    expect(await outcome).toMatchObject({ code: 'ABORTED' });
  });
  test('a query stops at its deadline', async () => {
    const all = await data;
    const run = async (): Promise<unknown> => engine.query(LONG_QUERY, all, { timeoutMs: 5 });
    await expect(run()).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
    await expect(engine.update(LONG_UPDATE, all, { timeoutMs: 5 })).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
  });
  test('the event loop has its turns', async () => {
    let done = false;
    const parsing = preparePaced(LONG_QUERY).finally(() => (done = true));
    let count = 0;
    while (!done) {
      await turns(1);
      count++;
    }
    await parsing;
    expect(count).toBeGreaterThan(3);
  });
});

test('a join of thousands of patterns can be explained', async () => {
  const group = Array.from({ length: 3000 }, (_, i) => `?s ex:p ?o${i}`).join(' . ');
  const { text } = await engine.explain(`SELECT ?s { ${group} }`, await data, { prefixes: PREFIXES });
  expect(text.split('example.org/p>').length - 1).toBe(3000);
});

describe('chains of operators', () => {
  test.each([
    ['&&', `ASK { ?s ?p ?o FILTER(${'?o && '.repeat(20_000)}?o) }`],
    ['||', `ASK { ?s ?p ?o FILTER(${'?o || '.repeat(20_000)}?o) }`],
    ['filters', `ASK { ?s ?p ?o ${'FILTER(?o > 0) '.repeat(5000)} }`],
    ['+', `ASK { ?s ?p ?o FILTER(${'1 + '.repeat(20_000)}1 > 3) }`],
    ['&& in OPTIONAL', `ASK { ?s ?p ?o OPTIONAL { ?s ?q ?r FILTER(${'?o && '.repeat(5000)}1) } }`],
  ])('a long one of %s', async (_, text) => {
    expect(await engine.query(text, await data, { prefixes: PREFIXES })).toEqual({ type: 'boolean', value: true });
  });
});

test.each(['no match', 'a match'])('a path of 10,000 steps: %s', async (which) => {
  const step = which === 'a match' ? 'ex:p' : 'ex:none';
  const query = `ASK { ?s ${Array.from({ length: 10_000 }, () => step).join('/')} ?o }`;
  const all = await datasetOf('ex:a ex:p ex:a');
  expect(await engine.query(query, all, { prefixes: PREFIXES })).toMatchObject({
    type: 'boolean',
    value: which === 'a match',
  });
});
