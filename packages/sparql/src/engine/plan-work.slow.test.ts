/** Queries for which few rows have to be looked at: how many the operators really handed on. */
import { describe, expect, test } from 'vitest';
import { answer, datasetOf, engine, PREFIXES } from '../testing/fixtures.js';
import type { ExplainedNode } from '../execute/explain-plan.js';

const PEOPLE = 3000;
const lines = Array.from({ length: PEOPLE }, (_, i) => {
  const person = `ex:p${i}`;
  const rare = i % 100 === 0 ? `; ex:rare ex:p${i + 1}` : '';
  const mail = i % 3 === 0 ? `; ex:mail "m${i}"` : '';
  return `${person} ex:type ex:Person ; ex:name "n${i}" ; ex:knows ex:p${(i + 1) % PEOPLE}, ex:p${(i * 7) % PEOPLE} ${mail} ${rare} .`;
});
const data = datasetOf(lines.join('\n'));

// Scans read whole windows.
const handedOn = (node: ExplainedNode): number =>
  (node.operator === 'scan' ? 0 : (node.actualRows ?? 0)) + node.inputs.reduce((sum, one) => sum + handedOn(one), 0);

describe.each([
  ['OPTIONAL with LIMIT', 'SELECT * { ?a ex:type ex:Person ; ex:name ?n OPTIONAL { ?a ex:mail ?m } } LIMIT 10'],
  [
    'OPTIONAL of a group with LIMIT',
    'SELECT * { ?a ex:type ex:Person OPTIONAL { ?a ex:knows ?b . ?b ex:mail ?m } } LIMIT 10',
  ],
  [
    'NOT EXISTS with LIMIT',
    'SELECT * { ?a ex:type ex:Person FILTER NOT EXISTS { ?a ex:rare ?b . ?b ex:mail ?m } } LIMIT 10',
  ],
  ['MINUS with LIMIT', 'SELECT * { ?a ex:type ex:Person MINUS { ?a ex:knows ?b . ?b ex:rare ?c } } LIMIT 10'],
  ['a join with LIMIT', 'SELECT * { ?a ex:knows ?b . ?b ex:name ?n . ?b ex:knows ?c } LIMIT 10'],
  ['ASK', 'ASK { ?a ex:knows ?b . ?b ex:knows ?c . ?c ex:mail ?m }'],
  ['a path with LIMIT', 'SELECT * { ?a ex:rare+ ?b } LIMIT 10'],
  ['a path from a constant', 'SELECT * { ex:p100 ex:rare+ ?b . ?b ex:name ?n }'],
  ['a path to what one pattern selects', 'SELECT * { ?a ex:rare* ?b . ?b ex:name "n101" }'],
  ['UNION behind a selective pattern', 'SELECT * { ?a ex:name "n7" { ?a ex:knows ?b } UNION { ?b ex:knows ?a } }'],
  ['a sub-select behind a selective pattern', 'SELECT * { ?a ex:name "n7" { SELECT ?a ?b { ?a ex:knows ?b } } }'],
  [
    'groups behind a selective pattern',
    'SELECT * { ?a ex:name "n7" { SELECT ?a (COUNT(*) AS ?c) { ?a ex:knows ?b } GROUP BY ?a } }',
  ],
  ['OPTIONAL behind VALUES', 'SELECT * { VALUES ?a { ex:p1 ex:p2 } { ?a ex:name ?n OPTIONAL { ?a ex:mail ?m } } }'],
])('%s', (_, query) => {
  test('looks at few rows', async () => {
    const { plan, text } = await engine.explain(query, await data, { prefixes: PREFIXES, analyze: true });
    expect(handedOn(plan as ExplainedNode), text).toBeLessThan(1200);
  });
  test('gives the same without a planner', async () => {
    const all = query.replace(/ LIMIT.*/, '');
    const expected = await answer(all, await data, { unoptimised: true });
    expect(await answer(all, await data)).toEqual(expected);
    if (all === query) return;
    const some = (await answer(query, await data)) as string[];
    expect(some).toHaveLength(10);
    expect(expected).toEqual(expect.arrayContaining(some));
  });
});

describe('a seed below a sub-select gives the same', () => {
  const few = datasetOf(
    'ex:a ex:p 1, 2 ; ex:q ex:b . ex:b ex:p 2, 3 ; ex:q ex:a, ex:c . ex:c ex:q ex:c . ex:x ex:is ex:a, ex:b, ex:z',
  );
  test.each([
    '{ SELECT ?s (COUNT(?o) AS ?n) { ?s ex:p ?o } GROUP BY ?s }',
    '{ SELECT ?s (SUM(?o) AS ?n) { ?s ex:p ?o } GROUP BY ?s HAVING(SUM(?o) > 3) }',
    '{ SELECT (COUNT(*) AS ?n) { ?s ex:p ?o } }',
    '{ SELECT ?s { ?s ex:p ?o } ORDER BY ?o LIMIT 1 }',
    '{ SELECT DISTINCT ?s { ?s ex:p ?o } }',
    '{ SELECT DISTINCT ?t { ?s ex:q ?t } }',
    '{ SELECT ?s ?t { ?s ex:q ?t FILTER NOT EXISTS { ?t ex:p ?n } } }',
    '{ SELECT ?t (?n AS ?s) { ?n ex:q ?t } }',
    '{ SELECT ?s (COUNT(?t) AS ?n) { OPTIONAL { ?s ex:q ?t } } GROUP BY ?s }',
    '{ SELECT ?s { { ?s ex:p 3 } UNION { ?t ex:q ?x } } }',
    '{ ?s ex:p 2 } UNION { SELECT ?s { ?s ex:q ?t MINUS { ?s ex:q ?s } } }',
    '{ ?s ex:q ?t OPTIONAL { ?t ex:p ?o FILTER(?o > 2) } }',
  ])('%s', async (group) => {
    for (const around of ['?i ex:is ?s', '?i ex:is ?s OPTIONAL { ?s ex:q ?t }', 'OPTIONAL { ?i ex:is ?s }']) {
      const query = `SELECT * { ${around} ${group} }`;
      const expected = await answer(query, await few, { unoptimised: true });
      expect(await answer(query, await few)).toEqual(expected);
      const optional = `SELECT * { ${around} OPTIONAL { ${group} } }`;
      expect(await answer(optional, await few)).toEqual(await answer(optional, await few, { unoptimised: true }));
    }
  });
});

test('OPTIONAL whose first rows have very many matches reads as many as are wanted', async () => {
  const people = Array.from({ length: 100 }, (_, i) => `ex:a${i} ex:type ex:Person .`);
  const posts = Array.from({ length: 3000 }, (_, i) => `ex:post${i} ex:author ex:a${i % 3} ; ex:date ${i} .`);
  const dataset = await datasetOf([...people, ...posts].join('\n'));
  const query = 'SELECT * { ?a ex:type ex:Person OPTIONAL { ?p ex:author ?a . ?p ex:date ?d } }';
  const limited = `${query} LIMIT 10`;
  const { plan, text } = await engine.explain(limited, dataset, { prefixes: PREFIXES, analyze: true });
  expect(handedOn(plan as ExplainedNode), text).toBeLessThan(200);
  const all = (await answer(query, dataset)) as string[];
  expect(all).toHaveLength(3097);
  expect(all).toEqual(await answer(query, dataset, { unoptimised: true }));
  expect(all).toEqual(expect.arrayContaining((await answer(limited, dataset)) as string[]));
});

test('nested OPTIONALs are planned once each', async () => {
  const nested = (depth: number): string =>
    depth === 0 ? '' : `OPTIONAL { ?a ex:knows ?b${depth} . ?b${depth} ex:name ?n${depth} ${nested(depth - 1)} }`;
  const query = `SELECT * { ?a ex:rare ?r ${nested(40)} }`;
  expect((await engine.explain(query, await data, { prefixes: PREFIXES })).text).toContain('b40');
});
