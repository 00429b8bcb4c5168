/** Volatile functions are evaluated once for each solution of the group in which they stand, whatever the plan is. */
import { seededRandom } from '@quadrille/storage/testing';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { dataFactory } from '@quadrille/model';
import { datasetOf, engine, PREFIXES } from '../testing/fixtures.js';
import type { ArrayDataset } from '../testing/array-dataset.js';
import type { EvaluationOptions } from './options.js';

const PEOPLE = 300;
const lines = Array.from({ length: PEOPLE }, (_, i) => {
  const rare = i % 100 === 0 ? '; ex:rare 1' : '';
  return `ex:p${i} ex:city ex:c${i % 7} ; ex:knows ex:p${(i + 1) % PEOPLE}, ex:p${(i * 3) % PEOPLE}, ex:p0 ${rare} .`;
});
const data = datasetOf(lines.join('\n'));

afterEach(() => vi.restoreAllMocks());

async function counts(query: string, options: EvaluationOptions = {}, dataset?: ArrayDataset): Promise<number[]> {
  const answer = await engine.query(query, dataset ?? (await data), { prefixes: PREFIXES, ...options });
  if (answer.type !== 'bindings') throw new Error('no rows');
  for await (const [row] of answer.batches) return answer.variables.map((name) => Number(row![name]!.value));
  throw new Error('no row');
}

const COUNTS = 'SELECT (COUNT(DISTINCT ?u) AS ?us) (COUNT(DISTINCT ?p) AS ?ps)';
const extensionFunctions = { 'urn:next': { call: () => nextLiteral(), deterministic: false } };
let next = 0;
const nextLiteral = () => dataFactory.literal(String(next++));

describe.each(['UUID()', 'STRUUID()', 'BNODE()', 'BNODE(STR(?p))', 'RAND()', '<urn:next>()', 'CONCAT("a", STRUUID())'])(
  '%s is one for each solution of',
  (call) => {
    test.each([
      ['a sub-select', `?f ex:rare 1 . ?p ex:knows ?f . { SELECT ?p (${call} AS ?u) { ?p ex:city ?c } }`],
      ['a group', `?f ex:rare 1 . ?p ex:knows ?f . { ?p ex:city ?c BIND(${call} AS ?u) }`],
      ['OPTIONAL', `?f ex:rare 1 . ?p ex:knows ?f . OPTIONAL { ?p ex:city ?c BIND(${call} AS ?u) }`],
      ['a union', `?f ex:rare 1 . ?p ex:knows ?f . { { ?p ex:city ?c BIND(${call} AS ?u) } UNION { ?p ex:none ?u } }`],
      ['groups', `?f ex:rare 1 . ?p ex:knows ?f . { SELECT ?p (${call} AS ?u) { ?p ex:city ?c } GROUP BY ?p }`],
      ['DISTINCT', `?f ex:rare 1 . ?p ex:knows ?f . { SELECT DISTINCT ?p ?u { ?p ex:city ?c BIND(${call} AS ?u) } }`],
      [
        'an OPTIONAL with EXISTS',
        `?f ex:rare 1 . ?p ex:knows ?f . OPTIONAL { ?p ex:city ?c BIND(${call} AS ?u) FILTER EXISTS { ?p ex:knows ?f } }`,
      ],
      ['LIMIT', `?f ex:rare 1 . ?p ex:knows ?f . { SELECT ?p (${call} AS ?u) { ?p ex:city ?c } LIMIT 100000 }`],
    ])('%s', async (_, group) => {
      const [values, people] = await counts(`${COUNTS} { ${group} }`, { extensionFunctions });
      expect(values).toBe(people);
    });
  },
);

test('ORDER BY of the first rows by parts of an index evaluates no sub-select again', async () => {
  const ages = Array.from({ length: 20_000 }, (_, i) => `ex:p${i % PEOPLE} ex:age ${i} .`);
  const dataset = await datasetOf(`${lines.join('\n')}\n${ages.join('\n')}`);
  const select = (call: string): string => `SELECT ?p ?u { ?p ex:age ?a { SELECT ?p (${call} AS ?u) { ?p ex:city ?c } }
    FILTER(STRENDS(STR(?a), "07")) } ORDER BY ?a LIMIT 64`;
  const { text } = await engine.explain(select('STR(?p)'), dataset, { prefixes: PREFIXES });
  expect(text).toContain('by parts of an index');
  const [values, people] = await counts(`${COUNTS} { { ${select('UUID()')} } }`, {}, dataset);
  expect(values).toBe(people);
});

test('an INSERT makes one key for each person', async () => {
  const target = await datasetOf(lines.join('\n'));
  await engine.update(
    'INSERT { ?p ex:key ?u } WHERE { ?f ex:rare 1 . ?p ex:knows ?f . { SELECT ?p (UUID() AS ?u) { ?p ex:city ?c } } }',
    target,
    { prefixes: PREFIXES },
  );
  const keys = target.quads.filter(({ predicate }) => predicate.value.endsWith('key'));
  expect(new Set(keys.map(({ subject }) => subject.value)).size).toBe(keys.length);
});

test.each([
  ['DISTINCT', 'SELECT (COUNT(*) AS ?n) { { SELECT DISTINCT ?c { ?p ex:city ?c } } FILTER(RAND() < 0.5) }', 7],
  ['a join', 'SELECT (COUNT(DISTINCT ?p) AS ?n) { { ?p ex:rare 1 FILTER(RAND() < 0.5) } ?p ex:knows ?f }', 3],
])('a filter by RAND() has one outcome for each solution behind %s', async (_, query, most) => {
  // Were it asked for each row below, all of the few solutions would nearly always pass.
  vi.spyOn(Math, 'random').mockImplementation(seededRandom(1));
  let passed = 0;
  for (let i = 0; i < 30; i++) passed += (await counts(query))[0]!;
  expect(passed).toBeLessThan(30 * most * 0.75);
});

describe('a condition of OPTIONAL with a volatile EXISTS is asked for each pair of rows', () => {
  const condition = 'FILTER EXISTS { ?f ex:rare 1 BIND(xsd:integer(<urn:next>()) AS ?k) FILTER(?k >= 0) }';
  const prefixes = { ...PREFIXES, xsd: 'http://www.w3.org/2001/XMLSchema#' };
  test.each([
    ['that share a variable', `OPTIONAL { ?p ex:city ?d ${condition} }`],
    ['that share nothing', `OPTIONAL { ex:p0 ex:rare ?d ${condition} }`],
    ['of which some are alike', `OPTIONAL { { SELECT ?d ?c { ?x ex:rare ?d . ex:p0 ex:city ?c } } ${condition} }`],
  ])('%s', async (_, group) => {
    next = 0;
    const query = `SELECT (COUNT(?d) AS ?n) { ?p ex:city ?c ${group} }`;
    const [pairs] = await counts(query, { extensionFunctions, prefixes });
    // The pattern has the same number of rows for each of them.
    expect(pairs).toBeGreaterThan(0);
    expect(next).toBeGreaterThanOrEqual(pairs!);
    expect(next % pairs!).toBe(0);
  });
});

describe('in GRAPH with a variable, each graph has its own', () => {
  const graphs = datasetOf(
    'GRAPH ex:g1 { ex:a ex:p 1, 2 } GRAPH ex:g2 { ex:a ex:p 1, 2 } GRAPH ex:g3 { ex:a ex:p 1, 2 }',
  );
  test.each([
    ['BIND alone', 'BIND(UUID() AS ?u)', 3],
    ['BIND beside a pattern', '?s ex:p ?o BIND(UUID() AS ?u)', 6],
    ['a group beside a pattern', '?s ex:p ?o { BIND(UUID() AS ?u) }', 3],
    ['a sub-select beside a pattern', '?s ex:p ?o { SELECT (UUID() AS ?u) { VALUES ?x { 1 } } }', 3],
    ['an OPTIONAL', '?s ex:p ?o OPTIONAL { BIND(UUID() AS ?u) }', 3],
    ['a function', '?s ex:p ?o { BIND(<urn:next>() AS ?u) }', 3],
  ])('%s', async (_, group, expected) => {
    const query = `SELECT (COUNT(DISTINCT ?u) AS ?us) { GRAPH ?g { ${group} } }`;
    expect(await counts(query, { extensionFunctions }, await graphs)).toEqual([expected]);
    expect(await counts(query, { extensionFunctions, unoptimised: true }, await graphs)).toEqual([expected]);
  });

  test('a filter too', async () => {
    vi.spyOn(Math, 'random').mockImplementation(seededRandom(2));
    const query =
      'SELECT (COUNT(*) AS ?n) { GRAPH ?g { ex:a ex:p 1 { VALUES ?v { 1 2 3 4 5 6 7 8 } FILTER(RAND() < 0.5) } } }';
    const passed: number[] = [];
    for (let i = 0; i < 10; i++) passed.push((await counts(query, {}, await graphs))[0]!);
    // One outcome for all three graphs would be a multiple of three each time.
    expect(passed.some((count) => count % 3 !== 0)).toBe(true);
  });
});
