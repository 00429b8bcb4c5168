import { describe, expect, test } from 'vitest';
import { answer, datasetOf } from '../../testing/fixtures.js';
import { rewritten } from '../../testing/rules.js';
import { dropOrder } from './drop-order.js';

const ORDERED = 'SELECT ?b { ?b ex:q ?c } ORDER BY ?c';

describe('shapes', () => {
  test.each([
    [`?a ex:p ?b { ${ORDERED} }`],
    [`?a ex:p ?b { SELECT DISTINCT ?b { ?b ex:q ?c BIND(?c AS ?d) FILTER(?d > 1) } ORDER BY ?d }`],
    [`{ ${ORDERED} } UNION { ?a ex:p ?b }`],
    [`?a ex:p ?b OPTIONAL { ${ORDERED} }`],
    [`?a ex:p ?b MINUS { ${ORDERED} }`],
    [`{ SELECT (COUNT(?b) AS ?n) (MAX(?b) AS ?m) { { ${ORDERED} } } }`],
    [`?a ex:p ?b { SELECT * { { ${ORDERED} } } ORDER BY ?b }`],
  ])('%s has no order', (group) => {
    const unordered = group.replace(/ ORDER BY \?\w/g, '');
    expect(rewritten(group, dropOrder)).toBe(rewritten(unordered, (operation) => operation));
  });
  test.each([
    `?a ex:p ?b { ${ORDERED} LIMIT 1 }`,
    `?a ex:p ?b { SELECT * { { ${ORDERED} } } LIMIT 1 }`,
    `{ ${ORDERED} }`,
    `{ ${ORDERED} } OPTIONAL { ?a ex:p ?b }`,
    `{ ${ORDERED} } MINUS { ?a ex:p ?b }`,
    `{ SELECT (GROUP_CONCAT(?b) AS ?n) (MAX(?b) AS ?m) { { ${ORDERED} } } }`,
    `{ SELECT (SAMPLE(?b) AS ?n) { { ${ORDERED} } } }`,
  ])('%s stays', (group) => {
    expect(rewritten(group, dropOrder)).toBe(rewritten(group, (operation) => operation));
  });
});

const data = datasetOf(`ex:a ex:p ex:b , ex:c ; ex:q 2 . ex:b ex:p ex:c ; ex:q 1 , 3 . ex:c ex:q 2 ; ex:r ex:a .`);

test.each([
  `?a ex:p ?b { ${ORDERED} }`,
  `?a ex:p ?b { ${ORDERED} LIMIT 2 }`,
  `{ ${ORDERED} } UNION { ?a ex:p ?b }`,
  `?a ex:p ?b OPTIONAL { ${ORDERED} }`,
  `?a ex:p ?b MINUS { SELECT ?b { ?b ex:q ?c FILTER(?c > 1) } ORDER BY ?c }`,
  `?a ex:p ?b { SELECT ?b (COUNT(?c) AS ?n) { { SELECT * { ?b ex:q ?c } ORDER BY DESC(?c) } } GROUP BY ?b }`,
  `{ SELECT (GROUP_CONCAT(?c) AS ?n) { { SELECT * { ex:b ex:q ?c } ORDER BY DESC(?c) } } }`,
])('%s gives the same as without the rule', async (group) => {
  const query = `SELECT * { ${group} }`;
  expect(await answer(query, await data)).toEqual(await answer(query, await data, { unoptimised: true }));
});
