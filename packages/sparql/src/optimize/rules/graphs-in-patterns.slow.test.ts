import { describe, expect, test } from 'vitest';
import { answer, datasetOf } from '../../testing/fixtures.js';
import { rewritten } from '../../testing/rules.js';
import { graphsInPatterns } from './graphs-in-patterns.js';

const data = datasetOf(`
  ex:g1 ex:of ex:a . ex:g2 ex:of ex:b . ex:nowhere ex:of ex:c . ex:a ex:p ex:z .
  GRAPH ex:g1 { ex:a ex:p ex:b , ex:c ; ex:v 1 . ex:b ex:p ex:a ; ex:v 2 . ex:c ex:q ex:c ; ex:is ex:g1 }
  GRAPH ex:g2 { ex:b ex:p ex:c ; ex:v 2 . ex:c ex:p ex:d ; ex:v 1 ; ex:q ex:a . ex:d ex:is ex:g1 , ex:g2 }
  GRAPH ex:g3 { ex:x ex:y ex:a }`);

describe('shapes', () => {
  test.each([
    ['patterns', 'GRAPH ?g { ?s ex:p ?o }', 'GRAPH ?g { ?s ex:p ?o . }'],
    ['an IRI', 'GRAPH ex:g1 { ?s ex:p ?o BIND(?o AS ?x) }', 'GRAPH ex:g1 { ?s ex:p ?o . } BIND(?o AS ?x)'],
    [
      'an IRI that has to exist',
      'GRAPH ex:g1 { OPTIONAL { ?s ex:p ?o } }',
      'GRAPH ex:g1 { } { OPTIONAL { GRAPH ex:g1 { ?s ex:p ?o . } } }',
    ],
    ['BIND', 'GRAPH ?g { ?s ex:p ?o BIND(?o AS ?x) }', 'GRAPH ?g { ?s ex:p ?o . } BIND(?o AS ?x)'],
    ['the variable inside', 'GRAPH ?g { ?s ex:is ?g }', 'GRAPH ?g { ?s ex:is ?g . }'],
    [
      'the variable inside, looked at',
      'GRAPH ?g { ?s ex:is ?g FILTER(?g = ex:g1) }',
      '{ { GRAPH ?new0 { ?s ex:is ?g . } FILTER((?g = ex:g1)) } FILTER(SAMETERM(?new0, ?g)) }',
    ],
    [
      'a path',
      'GRAPH ?g { ex:a ex:p+ ?o }',
      '{ SELECT DISTINCT ?g WHERE { GRAPH ?g { ex:a ex:p ?new0 . } } } GRAPH ?g { ex:a (ex:p)+ ?o . }',
    ],
  ])('%s', (_, group, expected) => {
    expect(rewritten(group, graphsInPatterns)).toBe(expected);
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
  '{ SELECT (COUNT(*) AS ?n) (MAX(?v) AS ?m) (SUM(?v) AS ?t) { ?s ex:v ?v } HAVING(?n != 1) }',
  '{ SELECT (COUNT(*) AS ?n) { ?s ex:v ?v } } ?s ex:p ?o',
  '{ SELECT (SUM(IF(EXISTS { ?s ex:q ?o }, 1, 0)) AS ?n) { ?s ex:v ?v } }',
  '{ SELECT (COUNT(?g) AS ?n) { ?s ex:is ?g } }',
  '{ SELECT ?s (COUNT(?o) AS ?n) { ?s ?p ?o } GROUP BY ?s ORDER BY DESC(?n) ?s OFFSET 1 LIMIT 1 }',
  '{ SELECT DISTINCT ?o { ?s ex:p ?o } ORDER BY ?o LIMIT 1 }',
  '{ SELECT (MIN(?o) AS ?m) { { SELECT ?o { ?s ex:v ?o } ORDER BY DESC(?o) LIMIT 1 } } }',
  'OPTIONAL { ?x ex:q ?v } MINUS { ?x ex:v ?w OPTIONAL { ?y ex:q ?v } }',
  '?x ex:v ?w OPTIONAL { ?x ex:q ?v } MINUS { ?y ex:p ?z OPTIONAL { ?y ex:q ?v } }',
  '?s ex:v ?v FILTER EXISTS { ?s ex:p ?w MINUS { ?a ex:q ?y FILTER(?a = ?s) } }',
  '?s ex:v ?v FILTER EXISTS { ?s ex:v ?w MINUS { ?a ex:p ?y } }',
  '?s ex:v ?v FILTER NOT EXISTS { SELECT (COUNT(*) AS ?n) { ?s ex:q ?o } HAVING (?n > 0) }',
  '?s ex:v ?v FILTER EXISTS { { SELECT ?o { ?s ex:p ?o } ORDER BY ?o OFFSET 1 LIMIT 1 } }',
  '?s ex:v ?v FILTER EXISTS { GRAPH ?g { ?s ex:p ?o } }',
  '?s ex:is ?g FILTER EXISTS { ?t ex:is ?g }',
  'GRAPH ex:g1 { ?s ex:v ?v BIND(1 AS ?w) }',
  '',
];

/** The group in `GRAPH ?name`, or in one graph after the other. */
type InGraph = (name: string) => string;
const NAMED = ['ex:g1', 'ex:g2', 'ex:g3'];
const CHOICES = [
  { from: '', graphs: NAMED },
  {
    from: 'FROM ex:g2 FROM NAMED ex:g1 FROM NAMED ex:g3 FROM NAMED ex:nowhere',
    graphs: ['ex:g1', 'ex:g3', 'ex:nowhere'],
  },
];
const oneByOne =
  (group: string, graphs: readonly string[]): InGraph =>
  (name) =>
    graphs.map((graph) => `{ VALUES ?${name} { ${graph} } GRAPH ${graph} { ${group} } }`).join(' UNION ');

describe.each<[string, (inGraph: InGraph) => string]>([
  ['alone', (inGraph) => inGraph('g')],
  ['behind patterns', (inGraph) => `?g ex:of ?of ${inGraph('g')}`],
  ['behind a graph that may be unbound', (inGraph) => `?t ex:of ?a OPTIONAL { ?a ex:is ?g } ${inGraph('g')}`],
  ['in OPTIONAL', (inGraph) => `?g ex:of ?of OPTIONAL { ${inGraph('g')} }`],
  ['in EXISTS', (inGraph) => `?g ex:of ?of FILTER EXISTS { ${inGraph('g')} }`],
  ['in EXISTS of any graph', (inGraph) => `?s ex:of ?of FILTER EXISTS { ${inGraph('h')} }`],
  ['in MINUS', (inGraph) => `?g ex:of ?of MINUS { ${inGraph('g')} }`],
  ['in UNION', (inGraph) => `{ ?g ex:of ?of } UNION { ${inGraph('g')} }`],
  [
    'in a sub-select that hides the graph',
    (inGraph) => `?s ex:of ?of { SELECT (COUNT(*) AS ?all) { ${inGraph('g')} } }`,
  ],
])('%s gives the same as one graph after the other', (_, around) => {
  test.each(GROUPS)('%s', async (group) => {
    for (const { from, graphs } of CHOICES) {
      const select = (inGraph: InGraph): string => `SELECT * ${from} { ${around(inGraph)} }`;
      const query = select((name) => `GRAPH ?${name} { ${group} }`);
      const found = await answer(query, await data);
      expect(found, query).toEqual(await answer(select(oneByOne(group, graphs)), await data));
      expect(found, query).toEqual(await answer(query, await data, { unoptimised: true }));
    }
  });
});

test('graphs that do not exist, or that the request does not list, have no solution', async () => {
  const counts = async (from: string, group: string): Promise<unknown> =>
    answer(`SELECT (COUNT(*) AS ?n) ${from} { ${group} }`, await data);
  expect(await counts('', 'GRAPH ex:nowhere { }')).toEqual(['n=0']);
  expect(await counts('', 'GRAPH ex:g1 { }')).toEqual(['n=1']);
  expect(await counts('FROM NAMED ex:g2', 'GRAPH ex:g1 { }')).toEqual(['n=0']);
  expect(await counts('FROM NAMED ex:g2', 'GRAPH ex:g1 { SELECT (COUNT(*) AS ?c) { ?s ?p ?o } }')).toEqual(['n=0']);
});
