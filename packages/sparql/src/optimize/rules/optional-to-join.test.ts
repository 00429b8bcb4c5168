import { describe, expect, test } from 'vitest';
import { answer, datasetOf } from '../../testing/fixtures.js';
import { rewritten } from '../../testing/rules.js';
import { optionalToJoin } from './optional-to-join.js';

describe('shapes', () => {
  test.each([
    ['?a ex:p ?b OPTIONAL { ?b ex:q ?c } FILTER(?c = 1)', '{ ?a ex:p ?b . { ?b ex:q ?c . } FILTER((?c = 1)) }'],
    ['?a ex:p ?b OPTIONAL { ?b ex:q ?c } FILTER(BOUND(?c))', '{ ?a ex:p ?b . { ?b ex:q ?c . } FILTER(BOUND(?c)) }'],
  ])('%s', (group, expected) => {
    expect(rewritten(group, optionalToJoin)).toBe(expected);
  });
  test.each([
    '?a ex:p ?b OPTIONAL { ?b ex:q ?c } FILTER(!BOUND(?c))',
    '?a ex:p ?b OPTIONAL { ?b ex:q ?c } FILTER(?c = 1 || ?b = 2)',
    '?a ex:p ?b OPTIONAL { ?b ex:q ?c } FILTER(COALESCE(?c, 1) = 1)',
    '?a ex:p ?b OPTIONAL { ?b ex:q ?c } FILTER(IF(BOUND(?c), ?c, 1) = 1)',
    '?a ex:p ?b OPTIONAL { ?b ex:q ?c } FILTER(!(?c = 1 && ?b = 2))',
    '?a ex:p ?b OPTIONAL { ?b ex:q ?c } FILTER(ex:f(?c))',
    '?a ex:p ?b OPTIONAL { ?b ex:q ?c } OPTIONAL { ?a ex:r ?c } FILTER(?b = 1)',
  ])('%s stays', (group) => {
    expect(rewritten(group, optionalToJoin)).toBe(rewritten(group, (operation) => operation));
  });
});

const data = datasetOf(
  `ex:a ex:p ex:b , ex:c , ex:d ; ex:q 1 ; ex:r 2 . ex:b ex:q 1 , 2 ; ex:r ex:a . ex:c ex:q 3 . ex:d ex:p ex:c ; ex:r 1 .`,
);

test.each([
  '?a ex:p ?b OPTIONAL { ?b ex:q ?c } FILTER(?c = 1)',
  '?a ex:p ?b OPTIONAL { ?b ex:q ?c } FILTER(?c > 0 && ?c < 3)',
  '?a ex:p ?b OPTIONAL { ?b ex:q ?c } FILTER(!(?c = 1))',
  '?a ex:p ?b OPTIONAL { ?b ex:q ?c FILTER(?c > 1) } FILTER(?c != 7)',
  '?a ex:p ?b OPTIONAL { ?b ex:q ?c FILTER(?a != ex:d) } FILTER(STR(?c) > "0")',
  '?a ex:p ?b OPTIONAL { ?b ex:q ?c OPTIONAL { ?b ex:r ?d } } FILTER(?d = ex:a)',
  '?a ex:p ?b OPTIONAL { ?b ex:q ?c } OPTIONAL { ?b ex:r ?d } FILTER(?c = 1)',
  '?a ex:p ?b OPTIONAL { ?b ex:q ?c } OPTIONAL { ?a ex:r ?c } FILTER(?c = 2)',
  '?a ex:p ?b OPTIONAL { ?b ex:r ?c } OPTIONAL { ?a ex:q ?c } FILTER(?c = 1)',
  '?a ex:p ?b OPTIONAL { ?b ex:q ?c } BIND(?c + 1 AS ?d) FILTER(?d = 2 && ?c > 0)',
  '?a ex:p ?b { ?b ex:q ?d OPTIONAL { ?b ex:r ?c } } FILTER(?c = ex:a)',
  '{ ?a ex:p ?b OPTIONAL { ?b ex:r ?c } } { ?d ex:q ?e OPTIONAL { ?d ex:r ?c } } FILTER(?c = ex:a)',
  '?a ex:p ?b OPTIONAL { ?b ex:q ?c } FILTER(?c = 1 || ?c = 3)',
  '?a ex:p ?b OPTIONAL { ?b ex:q ?c } FILTER(?c = 1 || BOUND(?c))',
  '?a ex:p ?b OPTIONAL { ?b ex:q ?c } FILTER(?c = 1 || EXISTS { ?b ex:r ?z })',
  '?a ex:p ?b OPTIONAL { ?b ex:q ?c FILTER EXISTS { ?a ex:r ?z } } FILTER(?c = 1)',
  '?a ex:p ?b OPTIONAL { SELECT ?b (COUNT(?c) AS ?n) { ?b ex:q ?c } GROUP BY ?b } FILTER(?n = 2)',
  'GRAPH ?g { ?a ex:p ?b OPTIONAL { ?b ex:q ?c } FILTER(?c = 1) }',
])('%s gives the same as without the rule', async (group) => {
  const query = `SELECT * { ${group} }`;
  const sorted = async (options?: { unoptimised: boolean }): Promise<unknown> =>
    JSON.parse(JSON.stringify(await answer(query, await data, options)));
  expect(await sorted()).toEqual(await sorted({ unoptimised: true }));
});
