import { describe, expect, test } from 'vitest';
import { answer, datasetOf, engine, PREFIXES } from '../testing/fixtures.js';

// ex:hub is known by all; the others by few.
const lines = Array.from(
  { length: 400 },
  (_, i) => `ex:p${i} ex:knows ex:hub, ex:p${(i * 7) % 400} ; ex:name "n${i}" ; ex:age ${i % 90} .`,
);
const data = datasetOf(`${lines.join('\n')} GRAPH ex:g { ex:p1 ex:knows ex:p2 }`);

const estimate = async (query: string): Promise<string> =>
  (await engine.explain(query, await data, { prefixes: PREFIXES })).text;
const rowsOf = (text: string): number => Number(/about ([\d.]+) rows/.exec(text)![1]);

test('a query with another term of about the same count is not planned again', async () => {
  await estimate('SELECT ?a { ?a ex:knows ex:hub }');
  expect(rowsOf(await estimate('SELECT ?a { ?a ex:knows ex:p7 }'))).toBe(1);
  const other = await estimate('SELECT ?a { ?a ex:knows ex:nobody }');
  // The estimate is that of the plan; the term is that of the query.
  expect(rowsOf(other)).toBe(1);
  expect(other).toContain('nobody');
});

test('a query with a term of another count has a plan of its own', async () => {
  expect(rowsOf(await estimate('SELECT ?b { ?b ex:knows ex:p7 }'))).toBe(1);
  expect(rowsOf(await estimate('SELECT ?b { ?b ex:knows ex:hub }'))).toBe(400);
  expect(rowsOf(await estimate('SELECT ?b { ?b ex:knows ex:p9 }'))).toBe(1);
});

describe.each([
  (term: string) => `SELECT ?a ?n { ?a ex:knows ${term} ; ex:name ?n }`,
  (term: string) => `SELECT * { ${term} ex:knows ?b OPTIONAL { ?b ex:knows ${term} ; ex:name ?n } }`,
  (term: string) => `SELECT ?n { VALUES ?a { ${term} ex:p3 } ?a ex:name ?n }`,
  (term: string) => `SELECT ?b { ${term} ex:knows/ex:knows* ?b FILTER(isIRI(?b)) }`,
  (term: string) => `ASK { ?a ex:knows ${term} FILTER NOT EXISTS { ?a ex:name ${term} } }`,
  (term: string) => `CONSTRUCT { ${term} ex:has ?a } { ?a ex:knows ${term} MINUS { ${term} ex:knows ?a } }`,
  (term: string) => `SELECT ?s ?p { ?s ?p ${term} }`,
  (term: string) => `SELECT ?g ?s { GRAPH ?g { ?s ex:knows ${term} } }`,
  (term: string) => `SELECT ?x { BIND(${term} AS ?x) ?a ex:knows ?x FILTER(?x != ${term} || true) }`,
])('%o', (query) => {
  test.each([
    'ex:p7',
    'ex:hub',
    'ex:nobody',
    '"n7"',
    '5',
    '"7"^^ex:type',
    '"n7"@en',
    'ex:p1',
    '<<( ex:p1 ex:p ex:o )>>',
  ])('%s gives the same as without a planner', async (term) => {
    const text = query(term);
    const [first, ...others] = await Promise.allSettled([
      answer(text, await data, { unoptimised: true }),
      answer(`${text} `, await data),
      answer(text, await data),
      answer(text, await data),
    ]);
    for (const other of others) expect(other).toEqual(first);
  });
});

test('a shape has its variables and numbers of rows', async () => {
  const results: unknown[] = [];
  for (const text of [
    'SELECT ?a { ?a ex:knows ex:p7 }',
    'SELECT ?b { ?b ex:knows ex:p7 }',
    'SELECT ?a { ?a ex:name ex:p7 }',
    'SELECT ?a { ?a ex:knows ex:p7 } LIMIT 0',
    'SELECT ?a { GRAPH ex:g { ?a ex:knows ex:p2 } }',
    'SELECT ?a FROM ex:g { ?a ex:knows ex:p7 }',
  ])
    results.push(await answer(text, await data));
  expect(results).toEqual([['a=ex:p1'], ['b=ex:p1'], [], [], ['a=ex:p1'], []]);
});

describe('terms of expressions', () => {
  test.each([
    ['SELECT ?n { ?a ex:age 7 ; ex:name ?n FILTER(?n = "TERM") }', ['n7', 'n97', 'none']],
    ['SELECT ?n { ?a ex:age ?y ; ex:name ?n FILTER(?y > TERM) }', ['88', '87.5', '8.85E1', '"x"', '-1']],
    ['SELECT ?n { ?a ex:age ?y ; ex:name ?n FILTER(TERM <= ?y && ?y < 5) }', ['1', '2', '"2"']],
    ['SELECT ?a { ?a ex:knows ?b FILTER(?b = TERM) }', ['ex:p7', 'ex:hub', '7']],
    ['SELECT ?b { BIND(TERM AS ?a) ?a ex:knows ?b }', ['ex:p7', 'ex:p9', 'ex:nobody', '"p9"']],
    ['SELECT (COUNT(*) AS ?c) { ?a ex:age ?y } GROUP BY ?y HAVING (?c > TERM)', ['4', '5', '4.5']],
    ['SELECT ?c { ?a ex:age TERM BIND(TERM + 1 AS ?c) }', ['4', '5.0']],
    ['SELECT ?n { ?a ex:name ?n FILTER(?n IN ("TERM", "n5")) }', ['n3', 'n5', 'n4']],
    ['SELECT ?n { ?a ex:name ?n FILTER(STRENDS(?n, "TERM")) }', ['99', '33', '1']],
  ])('%s', async (query, terms) => {
    for (const term of terms) {
      const text = query.replaceAll('TERM', () => term);
      expect(await answer(text, await data)).toEqual(await answer(text, await data, { unoptimised: true }));
    }
  });
});
