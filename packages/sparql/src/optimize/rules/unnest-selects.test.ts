import { describe, expect, test } from 'vitest';
import { answer, datasetOf } from '../../testing/fixtures.js';
import { rewritten } from '../../testing/rules.js';
import { unnestSelects } from './unnest-selects.js';

describe('shapes', () => {
  test.each([
    ['?a ex:p ?b { SELECT ?b { ?b ex:q ?c } }', '?a ex:p ?b . { ?b ex:q ?new0 . }'],
    ['?a ex:p ?b OPTIONAL { SELECT ?b { ?b ex:q ?c } }', '?a ex:p ?b . OPTIONAL { ?b ex:q ?new0 . }'],
    [
      '?a ex:p ?b { SELECT ?b { VALUES ?c { 1 } ?b ex:q ?c FILTER EXISTS { ?c ex:r ?b } } }',
      '?a ex:p ?b . { VALUES (?new0) { (1) } ?b ex:q ?new0 . FILTER(EXISTS { ?new0 ex:r ?b . }) }',
    ],
  ])('%s', (group, expected) => {
    expect(rewritten(group, unnestSelects)).toBe(expected);
  });
  test.each([
    '?a ex:p ?b { SELECT DISTINCT ?b { ?b ex:q ?c } }',
    '?a ex:p ?b { SELECT ?b { ?b ex:q ?c } LIMIT 1 }',
    '?a ex:p ?b { SELECT ?b { SERVICE ex:s { ?b ex:q ?c } } }',
  ])('%s stays', (group) => {
    expect(rewritten(group, unnestSelects)).toBe(rewritten(group, (operation) => operation));
  });
});

const data = datasetOf(`ex:a ex:p ex:b , ex:c ; ex:q ex:b . ex:b ex:p ex:c ; ex:q ex:a . ex:c ex:q ex:c ; ex:r ex:a .`);

test.each([
  '?a ex:p ?b { SELECT ?b { ?b ex:q ?a } }',
  '?a ex:p ?b { SELECT ?b { ?b ex:q ?c { SELECT ?c { ?c ex:q ?a } } } } ?c ex:r ?d',
  '?a ex:p ?b { SELECT ?b ?n { ?b ex:q ?c BIND(?c AS ?n) } }',
  '?a ex:p ?b { SELECT (?c AS ?n) { ?b ex:q ?c } }',
  '?a ex:p ?b { SELECT ?b ?z { ?b ex:q ?c } } OPTIONAL { ?b ex:r ?z }',
  '?a ex:p ?b OPTIONAL { SELECT ?b { ?b ex:q ?a } }',
  '?a ex:p ?b OPTIONAL { { SELECT ?b { ?b ex:q ?a } } FILTER(?a = ex:a) }',
  '?a ex:p ?b MINUS { SELECT ?b { ?b ex:q ?a } }',
  '?a ex:p ?b MINUS { SELECT ?c { ?b ex:q ?c } }',
  '?a ex:p ?b { SELECT ?b { ?b ex:q ?c FILTER(?a = ex:a) } }',
  '?a ex:p ?b { SELECT ?b { ?b ex:q ?c FILTER NOT EXISTS { ?c ex:r ?a } } }',
  '?a ex:p ?b FILTER EXISTS { ?b ex:q ?c { SELECT ?c { ?c ex:q ?a } } }',
  '?a ex:p ?b { SELECT ?b { { ?b ex:q ?a } UNION { ?b ex:r ?a } } }',
  '?a ex:p ?b { SELECT ?b { VALUES (?a ?b) { (ex:b ex:c) (UNDEF ex:b) } } }',
  '?a ex:p ?b { SELECT ?b { ?b ex:q ?c } ORDER BY ?c }',
])('%s gives the same as without the rule', async (group) => {
  const query = `SELECT * { ${group} }`;
  expect(await answer(query, await data)).toEqual(await answer(query, await data, { unoptimised: true }));
});

test('COUNT(DISTINCT *) does not see what a sub-select hides', async () => {
  const query = 'SELECT (COUNT(DISTINCT *) AS ?n) { ?a ex:q ?b { SELECT ?b { ?x ex:p ?c } } }';
  const all = await answer(query, await data, { unoptimised: true });
  expect(await answer(query, await data)).toEqual(all);
  expect(JSON.stringify(all)).toContain('3');
});
