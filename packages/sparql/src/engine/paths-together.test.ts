/** Paths from many nodes whose far ends are asked for once are one search. */
import { describe, expect, test } from 'vitest';
import { answer, datasetOf, engine, PREFIXES } from '../testing/fixtures.js';

const lines = Array.from(
  { length: 60 },
  (_, i) => `ex:p${i} ex:knows ex:p${(i * 7 + 3) % 50} ; ex:city ex:c${i % 5} . ex:p${i} ex:tag "t${i % 4}" .`,
);
const data = datasetOf(
  `${lines.join('\n')} ex:lone ex:city ex:c1 . GRAPH ex:g { ex:p1 ex:knows ex:p99 . ex:p2 ex:city ex:c1 }`,
);

const GROUPS = [
  '?p ex:city ex:c1 . ?p ex:knows+ ?x',
  '?p ex:city ex:c1 . ?p ex:knows* ?x',
  '?p ex:city ex:c1 . ?p ex:knows? ?x',
  '?p ex:city ex:c1 . ?x ex:knows+ ?p',
  '?p ex:city ex:c1 . ?x ex:knows* ?p',
  '?p ex:city ex:c1 . ?p (ex:knows|^ex:knows)+ ?x',
  '?p ex:city ex:c1 ; ex:tag ?t . ?t ex:knows* ?x',
  '?p ex:city ex:c1 . ?p ex:knows+ ?x . ?x ex:city ex:c2',
  '?p ex:city ex:c1 . ?p ex:knows+ ?x FILTER(?x != ?p)',
  '?p ex:city ex:c1 . ?p ex:knows+ ?x . ?x ex:knows+ ?p',
  'GRAPH ex:g { ?q ex:city ?c . ?z ex:knows* ?x FILTER(?c = ex:c1) }',
  'VALUES ?p { ex:p1 UNDEF } ?p ex:knows+ ?x',
  'VALUES ?p { ex:p1 ex:nowhere 5 } ?p ex:knows* ?x',
];

describe.each(GROUPS)('%s', (group) => {
  test.each([
    `SELECT DISTINCT ?x { ${group} }`,
    `SELECT DISTINCT ?x ?p { ${group} }`,
    `SELECT (COUNT(DISTINCT ?x) AS ?n) { ${group} }`,
    `SELECT (COUNT(?x) AS ?n) { ${group} }`,
    `SELECT ?x { ${group} } GROUP BY ?x`,
    `SELECT (MIN(?x) AS ?m) (COUNT(DISTINCT ?x) AS ?n) { ${group} }`,
    `SELECT (COUNT(*) AS ?n) { { SELECT DISTINCT ?x { { SELECT ?x { ${group} } } } } }`,
    `SELECT DISTINCT ?y { ${group} BIND(STR(?x) AS ?y) }`,
  ])('%s', async (text) => {
    expect(await answer(text, await data)).toEqual(await answer(text, await data, { unoptimised: true }));
  });
});

test('a value is made for each solution', async () => {
  const text = `SELECT DISTINCT ?u { ${GROUPS[0]} BIND(STRUUID() AS ?u) }`;
  const all = (await answer(`SELECT ?x { ${GROUPS[0]} }`, await data)) as string[];
  expect(await answer(text, await data)).toHaveLength(all.length);
});

test('explain says so', async () => {
  const planOf = async (text: string): Promise<string> =>
    (await engine.explain(text, await data, { prefixes: PREFIXES })).text;
  expect(await planOf(`SELECT DISTINCT ?x { ${GROUPS[0]} }`)).toContain('one search from all');
  expect(await planOf(`SELECT (COUNT(DISTINCT ?x) AS ?n) { ${GROUPS[0]} }`)).toContain('one search from all');
  expect(await planOf(`SELECT ?x { ${GROUPS[0]} }`)).not.toContain('one search');
  expect(await planOf(`SELECT DISTINCT ?x ?p { ${GROUPS[0]} }`)).not.toContain('one search');
});
