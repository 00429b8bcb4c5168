import { describe, expect, test } from 'vitest';
import { answer, datasetOf, engine, PREFIXES } from '../../testing/fixtures.js';
import { rewritten } from '../../testing/rules.js';
import { liftGraphs } from './lift-graphs.js';

const data = datasetOf(`
  ex:g1 ex:of ex:a . ex:g2 ex:of ex:b . ex:nowhere ex:of ex:c . ex:a ex:p ex:z .
  GRAPH ex:g1 { ex:a ex:p ex:b , ex:c ; ex:v 1 . ex:b ex:p ex:a ; ex:v 2 . ex:c ex:q ex:c ; ex:is ex:g1 }
  GRAPH ex:g2 { ex:b ex:p ex:c ; ex:v 2 . ex:c ex:p ex:d ; ex:v 1 ; ex:q ex:a . ex:d ex:is ex:g1 , ex:g2 }
  GRAPH ex:g3 { ex:x ex:y ex:a }`);

describe('shapes', () => {
  test.each([
    ['patterns stay', 'GRAPH ?g { ?s ex:p ?o }', 'GRAPH ?g { ?s ex:p ?o . }'],
    ['LIMIT stays', 'GRAPH ?g { { SELECT ?s { ?s ex:p ?o } LIMIT 1 } }', undefined],
    ['a group without keys stays', 'GRAPH ?g { { SELECT (COUNT(*) AS ?c) { ?s ex:p ?o } } }', undefined],
    ['BIND', 'GRAPH ?g { ?s ex:p ?o BIND(?o AS ?x) }', 'GRAPH ?g { ?s ex:p ?o . } BIND(?o AS ?x)'],
    [
      'a path',
      'GRAPH ?g { ex:a ex:p+ ?o }',
      '{ SELECT DISTINCT ?g WHERE { GRAPH ?g { ex:a ex:p ?new0 . } } } GRAPH ?g { ex:a (ex:p)+ ?o . }',
    ],
  ])('%s', (_, group, expected) => {
    const text = rewritten(group, liftGraphs);
    expect(text).toBe(expected ?? rewritten(group, (operation) => operation));
    if (expected === undefined) expect(text).toMatch(/^GRAPH \?g \{ \{ SELECT/);
  });
});

const GROUPS = [
  '?s ex:v ?v BIND(?v * 2 AS ?w)',
  '?s ex:v ?v BIND(?g AS ?w)',
  'BIND(1 AS ?w)',
  'VALUES ?w { 1 2 }',
  'ex:a ex:p+ ?x',
  'ex:a ex:p* ?x',
  'ex:zzz ex:p* ?x',
  'ex:zzz ex:p+ ?x',
  'ex:a ex:p? ?x',
  'ex:a ex:p* ex:c',
  'ex:a ex:p+ ex:d',
  '?x ex:p+ ?y',
  '?x ex:p+ ?x',
  '?x ex:p? ?y',
  '?x ex:p* ex:c',
  '?x (ex:p|ex:q)+ ?y',
  '?x (ex:p/ex:p)+ ?y',
  '?x (ex:p*/ex:q)+ ?y',
  '?x (^ex:p)+ ?y',
  '?x (!ex:v)+ ?y',
  '?x !ex:v ?y BIND(1 AS ?w)',
  '?x (ex:p*|ex:q) ?y',
  '?x ex:v/^ex:v ?y . ?y ex:p* ?z',
  'VALUES ?x { ex:a ex:zzz } ?x ex:p* ?y',
  'VALUES ?x { ex:a ex:c } ?y ex:p+ ?x',
  '?x ex:v ?v . ?x ex:p* ?y . ?y ex:q* ?z',
  '?x ex:v ?v OPTIONAL { ?x ex:p+ ?y }',
  'OPTIONAL { ?x ex:p+ ?y }',
  'OPTIONAL { ?x ex:none ?y }',
  '{ ?x ex:p+ ?y } UNION { ?x ex:v ?y } UNION { BIND(1 AS ?y) }',
  '?x ex:v ?v MINUS { ?x ex:p ex:c }',
  '?x ex:v ?v MINUS { ?x ex:p+ ex:d }',
  '?x ex:v ?v MINUS { ?a ex:q ?b }',
  '?x ex:v ?v MINUS { VALUES ?x { ex:a } }',
  'OPTIONAL { ?x ex:q ?v } MINUS { ?x ex:p ?y }',
  '?x ex:v ?v MINUS { OPTIONAL { ?x ex:q ?y } }',
  '{ SELECT ?g ?s { ?s ex:v ?v FILTER(?v = 1) } } ?s ?p ?o',
  '{ SELECT ?s { ?s ex:is ?g } } ?s ?p ?o',
  '{ SELECT DISTINCT ?o { ?s ex:p ?o } }',
  '{ SELECT ?s (COUNT(*) AS ?n) { ?s ex:p ?o } GROUP BY ?s }',
  '{ SELECT (COUNT(*) AS ?n) { ?s ex:p ?o } }',
  '{ SELECT ?s { ?s ex:p ?o } ORDER BY ?s ?o LIMIT 1 }',
  '{ SELECT ?s ?o { ?s ex:p ?o } ORDER BY ?s }',
  '?s ex:is ?g BIND(1 AS ?w)',
  '?s ex:is ?g . ex:a ex:p+ ?o',
  'OPTIONAL { ?s ex:is ?g } BIND(1 AS ?w)',
  '?s ex:v ?v BIND(1 AS ?w) FILTER(?g = ex:g1)',
  '?s ex:v ?v BIND(1 AS ?w) FILTER EXISTS { ?s ex:p ?o }',
  '?s ex:v ?v BIND(1 AS ?w) FILTER NOT EXISTS { ?s ex:p+ ex:d }',
  '?s ex:v ?v BIND(EXISTS { ?s ex:q ?o } AS ?w)',
  '?s ex:v ?v FILTER(?v = 5 || EXISTS { { SELECT ?s { ?s ex:p ?o } } })',
  '?s ex:v ?v BIND(1 AS ?w) FILTER EXISTS { GRAPH ex:g2 { ?s ex:v ?v } }',
  '?s ex:v ?v BIND(1 AS ?w) GRAPH ex:g2 { ?s ex:p ?o }',
  '?s ex:v ?v BIND(1 AS ?w) GRAPH ?h { ?s ex:p ?o BIND(2 AS ?u) }',
  '?s ex:v ?v BIND(1 AS ?w) GRAPH ?g { ?s ex:p ?o BIND(2 AS ?u) }',
  'GRAPH ?g { ?s ex:v ?v BIND(1 AS ?w) }',
  'GRAPH ex:g1 { ?s ex:v ?v BIND(1 AS ?w) }',
  '',
];

describe.each([
  ['alone', (group: string) => `GRAPH ?g { ${group} }`],
  ['behind patterns', (group: string) => `?g ex:of ?of GRAPH ?g { ${group} }`],
  [
    'behind a graph that may be unbound',
    (group: string) => `?t ex:of ?a OPTIONAL { ?a ex:is ?g } GRAPH ?g { ${group} }`,
  ],
  ['in OPTIONAL', (group: string) => `?g ex:of ?of OPTIONAL { GRAPH ?g { ${group} } }`],
  ['in EXISTS', (group: string) => `?g ex:of ?of FILTER EXISTS { GRAPH ?g { ${group} } }`],
  ['in EXISTS of any graph', (group: string) => `?s ex:of ?of FILTER EXISTS { GRAPH ?h { ${group} } }`],
  ['in MINUS', (group: string) => `?g ex:of ?of MINUS { GRAPH ?g { ${group} } }`],
  ['in UNION', (group: string) => `{ ?g ex:of ?of } UNION { GRAPH ?g { ${group} } }`],
])('%s gives the same as one graph after the other', (_, around) => {
  test.each(GROUPS)('%s', async (group) => {
    for (const from of ['', 'FROM ex:g2 FROM NAMED ex:g1 FROM NAMED ex:g3 FROM NAMED ex:nowhere']) {
      const query = `SELECT * ${from} { ${around(group)} }`;
      expect(await answer(query, await data), query).toEqual(await answer(query, await data, { unoptimised: true }));
    }
  });
});

test.each([
  '?s ex:v ?v BIND(?v * 2 AS ?w)',
  'ex:a ex:p+ ?x',
  '?x ex:v 1 ; ex:p? ?y',
  '{ SELECT ?g ?s { ?s ex:v ?v } } ?s ex:p ?o',
  '?x ex:v ?v MINUS { ?x ex:q ?y }',
  '?s ex:v ?v BIND(1 AS ?w) FILTER NOT EXISTS { ?s ex:p+ ex:d }',
])('%s is no loop', async (group) => {
  const { text } = await engine.explain(`SELECT * { GRAPH ?g { ${group} } }`, await data, { prefixes: PREFIXES });
  expect(text).not.toContain('graph-loop');
});
