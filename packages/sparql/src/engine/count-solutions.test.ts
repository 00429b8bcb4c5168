/** COUNT(DISTINCT *) counts solutions, which map variables. Blank nodes and the steps of paths are not in them. */
import { expect, test } from 'vitest';
import { answer, datasetOf } from '../testing/fixtures.js';

const data = datasetOf('ex:a ex:p 1, 2 . ex:b ex:p 3 . ex:a ex:q ex:x, ex:y . ex:x ex:l "m" . ex:y ex:l "m" .');

test.each([
  ['?s ex:p []', '', '2'],
  ['?s ex:p _:o', '', '2'],
  ['?s ex:p _:o . ?s ex:q ?o', '', '2'],
  ['?s ex:p [] OPTIONAL { ?s ex:q ?o }', '', '3'],
  ['{ ?s ex:p [] } UNION { ?s ex:q [] }', '', '2'],
  ['ex:a ex:q/ex:l ?l', '', '1'],
  ['ex:a ex:q+/ex:l ?l', '', '1'],
  ['GRAPH ?g { ?s ex:p [] }', '', '0'],
  ['{ SELECT ?s { ?s ex:p ?o } }', '', '2'],
  ['{ SELECT ?s { ?s ex:p [] } } ?s ex:p ?o', '', '3'],
  ['[] ex:p [] FILTER EXISTS { [] ex:q ?o }', '', '1'],
  ['?s ex:p [] BIND(1 AS ?one)', '', '2'],
])('in %s', async (group, modifiers, count) => {
  const query = `SELECT (COUNT(DISTINCT *) AS ?n) { ${group} } ${modifiers}`;
  expect(await answer(query, await data)).toEqual([`n=${count}`]);
  expect(await answer(query, await data, { unoptimised: true })).toEqual([`n=${count}`]);
});

test.each([
  ['GROUP BY ?s', ['n=1', 'n=1']],
  ['GROUP BY (STR(?s) AS ?t)', ['n=1', 'n=1']],
  ['GROUP BY STR(?s)', ['n=1', 'n=1']],
  ['GROUP BY ?other', ['n=2']],
])('by groups: %s', async (modifiers, counts) => {
  const query = `SELECT (COUNT(DISTINCT *) AS ?n) { ?s ex:p [] } ${modifiers}`;
  expect(await answer(query, await data)).toEqual(counts);
});

test('beside other aggregates', async () => {
  const query = 'SELECT (COUNT(DISTINCT *) AS ?n) (COUNT(*) AS ?all) (MAX(?s) AS ?most) { ?s ex:p [] }';
  expect(await answer(query, await data)).toEqual(['n=2 all=3 most=ex:b']);
});
