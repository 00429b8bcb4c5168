/** EXISTS looks into the graph of its row, also where nobody else asks which graph that is. */
import { expect, test } from 'vitest';
import { answer, datasetOf, PREFIXES } from '../testing/fixtures.js';

const DATA = `GRAPH ex:g1 { ex:b1 ex:size 1 } GRAPH ex:g2 { ex:b1 ex:size 2 ; ex:w 7 . ex:b2 ex:size 3 }
  GRAPH ex:a { ex:b1 ex:size 4 . ex:a ex:size 5 }`;

test.each([
  ['after OPTIONAL', 'FILTER NOT EXISTS { ?x ex:w ?y } OPTIONAL { ?x ex:w 7 }', 4],
  ['after UNION', '{ ?x ex:size ?m } UNION { ?x ex:none ?m } FILTER NOT EXISTS { ?x ex:w ?y }', 4],
  ['two patterns', 'FILTER NOT EXISTS { ?x ?p ?y ; ex:w ?y } OPTIONAL { ?x ex:w 7 }', 4],
  ['in BIND', 'OPTIONAL { ?x ex:w 7 } BIND(EXISTS { ?x ex:w ?y } AS ?has) FILTER(!?has)', 4],
])('%s', async (_, inside, rows) => {
  const query = `SELECT ?n { GRAPH ?g { ?x ex:size ?n . ${inside} } }`;
  expect(await answer(query, await datasetOf(DATA), { prefixes: PREFIXES })).toHaveLength(rows);
});

const HAS = 'EXISTS { ?x ex:w ?y }';
const SIZES = '{ ?x ex:size ?n OPTIONAL { ?x ex:w 7 } }';

test.each([
  [
    'a condition of OPTIONAL',
    '?n ?m',
    `?x ex:size ?n OPTIONAL { ?z ex:size ?m FILTER(?z = ?x && ${HAS}) }`,
    'n=1, n=2 m=2, n=3, n=4, n=5',
  ],
  ['an aggregate', '?c', `{ SELECT (SUM(IF(${HAS}, 1, 0)) AS ?c) ${SIZES} }`, 'c=0, c=0, c=1'],
  ['ORDER BY', '?n', `{ SELECT ?n ${SIZES} ORDER BY DESC(${HAS}) DESC(?n) LIMIT 1 }`, 'n=1, n=2, n=5'],
  ['HAVING', '?x', `{ SELECT ?x (MAX(?n) AS ?m) ${SIZES} GROUP BY ?x HAVING(${HAS}) }`, 'x=ex:b1'],
  ['another EXISTS', '?n', `?x ex:size ?n OPTIONAL { ?x ex:w 7 } FILTER EXISTS { ?x ex:size ?k FILTER ${HAS} }`, 'n=2'],
])('in %s', async (_, names, inside, expected) => {
  const query = `SELECT ${names} { GRAPH ?g { ${inside} } }`;
  const rows = (await answer(query, await datasetOf(DATA), { prefixes: PREFIXES })) as string[];
  expect(rows.join(', ')).toBe(expected);
});
