import { expect, test } from 'vitest';
import { answer, datasetOf } from '../../testing/fixtures.js';
import { rewritten } from '../../testing/rules.js';
import { optionalBehind } from './optional-behind.js';

const rule = (group: string): string => rewritten(group, (operation) => optionalBehind(operation));

test.each([
  [
    '?s ex:p ?a OPTIONAL { ?s ex:q ?b } ?s ex:r ?c',
    /^\?s ex:p \?a \. \{ \?s ex:r \?c \. \} OPTIONAL \{ \?s ex:q \?b \. \}$/,
  ],
  ['?s ex:p ?a MINUS { ?s ex:q ?b } ?a ex:r ?c', /MINUS \{ \?s ex:q \?b \. \}$/],
  [
    '?s ex:p ?a OPTIONAL { ?s ex:q ?b } OPTIONAL { ?a ex:q ?d FILTER(?d > ?a) } ?s ex:r ?c',
    /OPTIONAL \{ \?s ex:q \?b \. \} OPTIONAL \{ \?a ex:q \?d \. FILTER/,
  ],
  ['?s ex:p ?a BIND(STR(?a) AS ?b) ?a ex:r ?c', /BIND\(STR\(\?a\) AS \?b\)$/],
  [
    '?s ex:p ?a BIND(STR(?a) AS ?b) OPTIONAL { ?s ex:q ?d FILTER(?d != ?b) } ?a ex:r ?c',
    /\?c \. \} BIND\(STR\(\?a\) AS \?b\) OPTIONAL/,
  ],
])('%s: OPTIONAL, MINUS and BIND go behind', (group, expected) => {
  expect(rule(group)).toMatch(expected);
});

// What follows binds a variable that only the OPTIONAL binds, or that its condition or pattern sees.
test.each([
  '?s ex:p ?a OPTIONAL { ?s ex:q ?b } ?b ex:r ?c',
  '?s ex:p ?a OPTIONAL { ?s ex:q ?b FILTER(?b > ?c) } ?s ex:r ?c',
  'OPTIONAL { ?s ex:q ?b } ?s ex:r ?c',
  '?s ex:p ?a MINUS { ?x ex:q ?c } ?s ex:r ?c',
  '?s ex:p ?a OPTIONAL { ?s ex:q ?b BIND(UUID() AS ?u) } ?s ex:r ?c',
  '?s ex:p ?a BIND(STR(?a) AS ?b) ?s ex:q ?b',
  '?s ex:p ?a BIND(STR(?c) AS ?b) ?s ex:q ?c',
  '?s ex:p ?a BIND(RAND() AS ?b) ?s ex:q ?c',
  '?s ex:p ?a BIND(ex:called(?a) AS ?b) ?s ex:q ?c',
])('%s: they stay', (group) => {
  expect(rule(group)).toBe(rewritten(group, (operation) => operation));
});

const data =
  datasetOf(`ex:a ex:p ex:b , 1 ; ex:q ex:c , 2 ; ex:r 1 , ex:c . ex:b ex:p ex:a ; ex:r ex:b , 3 . ex:c ex:q ex:a ; ex:r 2 ; ex:p 4 .
  GRAPH ex:g { ex:a ex:p ex:b ; ex:r 7 . ex:b ex:q 8 }`);

test.each([
  '?s ex:p ?a OPTIONAL { ?s ex:q ?b } ?s ex:r ?c',
  '?s ex:p ?a OPTIONAL { ?s ex:q ?b } ?b ex:r ?c',
  '?s ex:p ?a OPTIONAL { ?a ex:q ?b } ?a ex:r ?c OPTIONAL { ?c ex:q ?b } ?s ex:r ?d',
  '?s ex:p ?a OPTIONAL { ?s ex:q ?b OPTIONAL { ?b ex:r ?e } } ?s ex:r ?c FILTER(!BOUND(?e) || ?c = ?e)',
  '?s ex:p ?a MINUS { ?s ex:q ?c } ?s ex:r ?c',
  '?s ex:p ?a MINUS { ?x ex:q ?c } ?s ex:r ?c',
  '?s ex:p ?a MINUS { ?x ex:q ?y } ?s ex:r ?c',
  'GRAPH ?g { ?s ex:p ?a OPTIONAL { ?a ex:q ?b } ?s ex:r ?c }',
  'GRAPH ?g { ?s ex:p ?a OPTIONAL { ?a ex:q ?b } } ?s ex:r ?c',
  '{ ?s ex:p ?a OPTIONAL { ?s ex:q ?b } } { ?s ex:r ?c OPTIONAL { ?c ex:q ?d } }',
  '{ ?s ex:p ?a OPTIONAL { ?s ex:q ?b } } { ?s ex:r ?c OPTIONAL { ?c ex:q ?b } }',
  '?s ex:p ?a BIND(?a + 1 AS ?b) ?s ex:r ?c FILTER(?b > ?c)',
  '?s ex:p ?a BIND(?c + 1 AS ?b) ?s ex:r ?c',
  '?s ex:p ?a BIND(EXISTS { ?a ex:q ?d } AS ?b) ?s ex:r ?c',
  '?s ex:p ?a BIND(EXISTS { ?a ex:r ?c } AS ?b) ?s ex:r ?c',
  '?s ex:p ?a OPTIONAL { ?s ex:q ?b } BIND(STR(?b) AS ?d) ?s ex:r ?c OPTIONAL { ?c ex:q ?e FILTER(STR(?e) != ?d) }',
  '?s ex:p ?a BIND(STR(?a) AS ?v) ?t ex:p ?b BIND(STR(?b) AS ?w) ?s ex:r ?c . ?t ex:r ?d FILTER(?v = ?w)',
  '?s ex:r ?c FILTER EXISTS { ?s ex:p ?a OPTIONAL { ?a ex:q ?b } FILTER(!BOUND(?b)) ?a ex:r ?d }',
])('%s gives the same', async (group) => {
  const text = `SELECT * { ${group} }`;
  expect(await answer(text, await data)).toEqual(await answer(text, await data, { unoptimised: true }));
});
