import { describe, expect, test } from 'vitest';
import { answer, datasetOf } from '../../testing/fixtures.js';
import { rewritten } from '../../testing/rules.js';
import { inlineBinds } from './inline-binds.js';

describe('shapes', () => {
  test.each([
    ['BIND(ex:a AS ?x) ?x ex:p ?y', 'VALUES (?x) { (ex:a) } ?x ex:p ?y .'],
    ['?s ex:p ?o BIND(?o AS ?x) ?x ex:q ?y', '?o ex:q ?y . { ?s ex:p ?o . } BIND(?o AS ?x)'],
    [
      '?s ex:p ?o BIND(?o AS ?x) ?x ex:q ?y BIND(?y AS ?z) ?z ex:r ?u',
      '?y ex:r ?u . { ?o ex:q ?y . } { ?s ex:p ?o . } BIND(?o AS ?x) BIND(?y AS ?z)',
    ],
    ['?s ex:p ?o BIND(?o + 1 AS ?x) ?x ex:q ?y', '?s ex:p ?o . BIND((?o + 1) AS ?x) ?x ex:q ?y .'],
  ])('%s', (group, expected) => {
    expect(rewritten(group, inlineBinds)).toBe(expected);
  });
  test.each(['OPTIONAL { ?s ex:p ?o } BIND(?o AS ?x) ?x ex:q ?y', '?s ex:p ?o BIND(?o AS ?x) OPTIONAL { ?x ex:q ?y }'])(
    '%s stays',
    (group) => {
      expect(rewritten(group, inlineBinds)).toBe(rewritten(group, (operation) => operation));
    },
  );
});

const data = datasetOf(`ex:a ex:p ex:b , ex:c , 1 ; ex:q ex:b . ex:b ex:p ex:c ; ex:q ex:a , 2 . ex:c ex:q ex:c .`);

test.each([
  'BIND(ex:a AS ?x) ?x ex:p ?y',
  'BIND(ex:zzz AS ?x) OPTIONAL { ?x ex:p ?y }',
  'BIND(ex:zzz AS ?x) { ?x ex:p* ?y }',
  'BIND(1 AS ?x) ?s ex:p ?x',
  'BIND(1 AS ?x) BIND(?x AS ?y) ?s ex:p ?y',
  '?s ex:p ?o BIND(?o AS ?x) ?x ex:q ?y',
  '?s ex:p ?o BIND(?o AS ?x) ?x ex:p* ?y',
  '?s ex:p ?o BIND(?o AS ?x) { ?x ex:q ?o }',
  '?s ex:p ?o BIND(?o AS ?x) { ?s ex:q ?x } { ?x ex:q ?s }',
  '?s ex:p ?o BIND(?o AS ?x) ?x ex:q ?y BIND(?y AS ?z) ?z ex:p ?u',
  'OPTIONAL { ?s ex:p ?o } BIND(?o AS ?x) ?x ex:q ?y',
  'OPTIONAL { ex:c ex:p ?o } BIND(?o AS ?x) ?x ex:q ?y',
  '?s ex:p ?o BIND(?o AS ?x) { ?x ex:q ?y FILTER(?o = ?y) }',
  '?s ex:p ?o BIND(?o AS ?x) { ?x ex:q ?y } UNION { ?x ex:p ?y }',
  '?s ex:p ?o BIND(?o AS ?x) ?x ex:q ?y MINUS { ?x ex:q ex:a }',
  '?s ex:p ?o BIND(?o AS ?x) ?x ex:q ?y FILTER EXISTS { ?x ex:p ?z }',
  '?s ex:p ?o FILTER EXISTS { BIND(?o AS ?x) ?x ex:q ?y }',
  '?s ex:p ?o FILTER EXISTS { ?s ex:q ?q BIND(?q AS ?x) ?x ex:q ?y }',
  '{ ?s ex:p ?o BIND(?o AS ?x) } { ?s ex:q ?q BIND(?q AS ?y) }',
])('%s gives the same as without the rule', async (group) => {
  const query = `SELECT * { ${group} }`;
  expect(await answer(query, await data)).toEqual(await answer(query, await data, { unoptimised: true }));
});
