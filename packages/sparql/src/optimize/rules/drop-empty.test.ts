import { describe, expect, test } from 'vitest';
import { answer, datasetOf } from '../../testing/fixtures.js';
import { rewritten } from '../../testing/rules.js';
import { dropEmpty } from './drop-empty.js';

const DEAD = '?a ex:q ?b FILTER(?z < 3)';

describe('shapes', () => {
  test.each([
    [DEAD, 'VALUES (?a ?b) { }'],
    ['?a ex:q ?b FILTER(?b < 3 && false)', 'VALUES (?a ?b) { }'],
    [`?a ex:p ?c . { ${DEAD} }`, 'VALUES (?a ?c ?b) { }'],
    [`{ ?a ex:p ?c } UNION { ${DEAD} }`, '?a ex:p ?c .'],
    [`{ ?a ex:p ?c } UNION { ${DEAD} } UNION { ?a ex:r ?c }`, '{ ?a ex:p ?c . } UNION { ?a ex:r ?c . }'],
    [`?a ex:p ?c OPTIONAL { ${DEAD} }`, '?a ex:p ?c .'],
    ['?a ex:p ?c OPTIONAL { ?a ex:q ?b FILTER(?z = ?b) }', '?a ex:p ?c .'],
    [`?a ex:p ?c MINUS { ${DEAD} }`, '?a ex:p ?c .'],
    [`{ ${DEAD} } OPTIONAL { ?a ex:p ?c }`, 'VALUES (?a ?b ?c) { }'],
    ['VALUES ?x { } ?x ex:p ?y', 'VALUES (?x ?y) { }'],
    [`{ ${DEAD} BIND(1 AS ?c) }`, 'VALUES (?a ?b ?c) { }'],
  ])('%s', (group, expected) => {
    expect(rewritten(group, dropEmpty)).toBe(expected);
  });
  test.each([
    '?a ex:q ?b FILTER(!BOUND(?z))',
    '?a ex:q ?b FILTER(?b < 3 || ?z < 3)',
    '?a ex:q ?b FILTER(COALESCE(?z, 3) = 3)',
    '?a ex:q ?b FILTER("false"^^xsd:string)',
    '?a ex:p ?c OPTIONAL { ?a ex:q ?b FILTER(?c = ?b) }',
    '{ SELECT (COUNT(*) AS ?n) { ?a ex:q ?b FILTER(?z < 3) } }',
  ])('%s keeps its form', (group) => {
    expect(rewritten(group, dropEmpty)).not.toMatch(/^VALUES/);
  });
});

const data = datasetOf('ex:a ex:p 1 , 2 ; ex:q 3 . ex:b ex:p 2 ; ex:q ex:a . GRAPH ex:g { ex:a ex:p 5 }');

test.each([
  `?a ex:p ?c . ${DEAD}`,
  `?a ex:p ?c OPTIONAL { ${DEAD} }`,
  `?a ex:p ?c OPTIONAL { ${DEAD} } FILTER(!BOUND(?b))`,
  `?a ex:p ?c MINUS { ${DEAD} }`,
  `{ ?a ex:p ?c } UNION { ${DEAD} }`,
  `{ SELECT (COUNT(*) AS ?n) { ${DEAD} } }`,
  `{ SELECT ?a (COUNT(*) AS ?n) { ${DEAD} } GROUP BY ?a }`,
  `{ SELECT DISTINCT ?a { ${DEAD} } ORDER BY ?a LIMIT 3 }`,
  `?a ex:p ?c FILTER EXISTS { ?a ex:q ?b FILTER(?c < 3) }`,
  `?a ex:p ?c FILTER NOT EXISTS { ?a ex:q ?b FILTER(?z < 3) }`,
  `?a ex:p ?c FILTER NOT EXISTS { { ?a ex:q ?b FILTER(?c < 3) } }`,
  `GRAPH ?g { ?a ex:p ?c FILTER(?g = ex:g) }`,
  `GRAPH ?g { { ?a ex:p ?c } UNION { ${DEAD} } }`,
  `GRAPH ex:none { ?a ex:p ?c } FILTER(?z)`,
])('%s gives the same as without the rule', async (group) => {
  const query = `SELECT * { ${group} }`;
  expect(await answer(query, await data)).toEqual(await answer(query, await data, { unoptimised: true }));
});
