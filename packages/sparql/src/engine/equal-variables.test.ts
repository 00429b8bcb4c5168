/** Filters that compare variables or list values give what they give as filters, whatever joins they become. */
import { describe, expect, test } from 'vitest';
import { answer, datasetOf, engine, PREFIXES } from '../testing/fixtures.js';

const VALUES = [
  '1',
  '01',
  '1.0',
  '1e0',
  '"1"^^xsd:float',
  '"1"',
  '"1"^^xsd:long',
  '0.1',
  '1e-1',
  '"0.1"^^xsd:float',
  '16777217',
  '16777216',
  '1.6777216e7',
  '"16777216"^^xsd:float',
  '0',
  '-0.0',
  '-0e0',
  '"NaN"^^xsd:double',
  '"INF"^^xsd:double',
  '"INF"^^xsd:float',
  'true',
  '"1"^^xsd:boolean',
  '"x"^^xsd:integer',
  '"x"',
  '"x"@en',
  '"x"@EN',
  '"x"@de',
  '"x"^^ex:t',
  '"2024-01-01T00:00:00Z"^^xsd:dateTime',
  '"2024-01-01T01:00:00+01:00"^^xsd:dateTime',
  '"2024-01-01T00:00:00"^^xsd:dateTime',
  '"2024-01-01"^^xsd:date',
  '"2024-01-01Z"^^xsd:date',
  '"P1D"^^xsd:duration',
  '"PT24H"^^xsd:duration',
  '"P1D"^^xsd:dayTimeDuration',
  'ex:a',
  'ex:b',
  '<<( ex:a ex:b 1 )>>',
  '<<( ex:a ex:b 1.0 )>>',
];
const lines = VALUES.flatMap((value, i) => [
  `ex:l${i} ex:left ${value} .`,
  `ex:r${i} ex:right ${value} .`,
  `ex:r${i} ex:of ex:l${(i * 7) % VALUES.length} .`,
]);
const data = datasetOf(lines.join('\n'));

async function same(text: string): Promise<readonly string[]> {
  const given = (await answer(text, await data)) as string[];
  expect(given, text).toEqual(await answer(text, await data, { unoptimised: true }));
  return given;
}

const EQUAL = ['?a = ?b', '?b = ?a', 'sameTerm(?a, ?b)', '?a = ?b && ?x != ?y', '?a = ?b && sameTerm(?a, ?b)'];

describe.each(EQUAL)('%s', (condition) => {
  test.each([
    `?x ex:left ?a . ?y ex:right ?b FILTER(${condition})`,
    `?x ex:left ?a . ?y ex:right ?b ; ex:of ?z FILTER(${condition} && ?z != ex:l1)`,
    `{ ?x ex:left ?a } { ?y ex:right ?b } FILTER(${condition})`,
    `?x ex:left ?a OPTIONAL { ?y ex:right ?b FILTER(${condition}) }`,
    `{ ?x ex:left ?a OPTIONAL { ?y ex:right ?b } } FILTER(${condition})`,
    `?x ex:left ?a FILTER EXISTS { ?y ex:right ?b FILTER(${condition}) }`,
    `?x ex:left ?a . ?y ex:right ?b FILTER(${condition}) FILTER NOT EXISTS { ?y ex:of ?x . ?x ex:left ?b }`,
    `?x ex:left ?a . { SELECT ?y (SAMPLE(?c) AS ?b) { ?y ex:right ?c } GROUP BY ?y } FILTER(${condition})`,
    `?x ex:left ?a . VALUES (?b ?y) { (1 ex:q) ("x"@En ex:r) (UNDEF ex:s) } FILTER(${condition})`,
    `?x ex:left ?a . ?y ex:right ?c BIND(?c AS ?b) FILTER(${condition})`,
  ])('%s', async (group) => {
    expect((await same(`SELECT * { ${group} }`)).length).toBeGreaterThan(0);
  });
});

describe.each([
  'STR(?a) = STR(?b)',
  'LCASE(?a) = LCASE(?b)',
  '?a + 0 = ?b * 1',
  'LANG(?a) = LANG(?b) && ?a = ?b',
  'STR(?a) = "1" && ?b = ?a',
])('expressions: %s', (condition) => {
  test.each([
    `?x ex:left ?a . ?y ex:right ?b FILTER(${condition})`,
    `?x ex:left ?a . ?y ex:right ?b ; ex:of ?z FILTER(${condition} && ?z != ex:l1)`,
    `?x ex:left ?a OPTIONAL { ?y ex:right ?b FILTER(${condition}) }`,
    `?x ex:left ?a FILTER NOT EXISTS { ?y ex:right ?b FILTER(${condition}) }`,
    `?x ex:left ?a BIND(STR(?a) AS ?s) ?y ex:right ?b FILTER(${condition} && ?s != "x")`,
  ])('%s', async (group) => {
    expect((await same(`SELECT * { ${group} }`)).length).toBeGreaterThan(0);
  });
});

test('expressions of two sides that = compares are keys of a join', async () => {
  const { text } = await engine.explain(
    'SELECT * { ?x ex:left ?a . ?y ex:right ?b FILTER(STR(?a) = LCASE(STR(?b))) }',
    await data,
    { prefixes: PREFIXES },
  );
  expect(text).toContain('equality key(str(?a))');
  expect(text).not.toContain('all pairs');
});

test.each([
  '?y ex:of ?a . ?b ex:left ?v FILTER(?a = ?b)',
  '?y ex:of ?a . ?b ex:left ?v FILTER(?b = ?a) FILTER(?v != 1)',
  '?y ex:of ?a . ?b ex:left ?v . ?c ex:left ?w FILTER(?b = ?a && ?c = ?b)',
  '?y ex:of ?a . ?b ex:left ?v . ?c ex:left ?w FILTER(?b = ?a && ?a = ?c && ?b = ?c)',
  '?y ex:of ?a . ?b ex:left ?v FILTER(sameTerm(?a, ?b)) MINUS { ?b ex:left 1 }',
  '?y ex:of ?a . ?b ?p ?v FILTER(?a = ?b) FILTER EXISTS { ?b ex:left 1 }',
  '?y ex:of ?a . ?b ?p ?v FILTER(?a = ?b) OPTIONAL { ?b ex:left ?w }',
  '?y ex:of ?a . ?b ex:left* ?v FILTER(sameTerm(?a, ?b))',
  '?y ex:of ?a . ?x ex:left ?c . ?z ex:right ?d FILTER(?c = ?d && ?a = ?x)',
  '?x ex:left ?a . ?y ex:right ?b . ?z ex:left ?c FILTER(?a = ?b && ?b = ?c)',
])('keys and second names: %s', async (group) => {
  expect((await same(`SELECT * { ${group} }`)).length).toBeGreaterThan(0);
});

describe.each(VALUES)('%s', (value) => {
  test.each([
    `?x ex:left ?a FILTER(?a = ${value})`,
    `?x ex:left ?a FILTER(sameTerm(?a, ${value}))`,
    `?x ex:left ?a FILTER(${value} = ?a || sameTerm("x"@EN, ?a))`,
    `?x ex:left ?a FILTER(?a IN ("x", ${value}, ex:b))`,
    `?x ex:left ?a OPTIONAL { ?y ex:right ?a } FILTER(?a = ${value} && ?x != ex:l3)`,
    `?x ex:left ?a BIND(${value} AS ?b) FILTER(?a = ?b)`,
    `VALUES ?a { ${value} } ?x ex:left ?a . ?y ex:right ?a`,
    `VALUES ?a { ${value} "x" ex:a } ?x ex:left ?a . ?y ex:right ?a`,
  ])('%s', async (group) => {
    await same(`SELECT * { ${group} }`);
    await same(`SELECT ?x { ${group} }`);
  });
});

const planOf = async (group: string): Promise<string> =>
  (await engine.explain(`SELECT * { ${group} }`, await data, { prefixes: PREFIXES })).text;

test('no pairs are made of what a filter joins', async () => {
  expect(await planOf('?x ex:left ?a . ?y ex:right ?b FILTER(?a = ?b)')).toMatch(/join inner on \?#\d/);
  expect(await planOf('?y ex:of ?a . ?b ex:left ?v FILTER(?a = ?b)')).not.toMatch(/filter|all pairs/);
});

test('a string that a variable equals is looked up', async () => {
  const plan = await planOf('?x ex:left ?a ; ex:of ?b FILTER(?a = "x")');
  expect(plan).toMatch(/scan \?x <[^>]*left> "x"/);
  expect(await planOf('?x ex:left ?a FILTER(?a = 1)')).toContain('filter');
});
