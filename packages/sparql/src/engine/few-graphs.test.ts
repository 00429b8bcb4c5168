/** FROM and FROM NAMED of a few graphs read these graphs, where they have fewer quads than match in all. */
import { expect, test } from 'vitest';
import { answer, datasetOf, engine, PREFIXES } from '../testing/fixtures.js';

const GRAPHS = 60;
const graphs = Array.from({ length: GRAPHS }, (_, i) => {
  const own = `ex:a${i} ex:type ex:Thing ; ex:price ${i} ; ex:like ex:a${i} .`;
  return `GRAPH ex:g${i} { ${own} ex:a${i + 1} ex:type ex:Thing ; ex:price ${i + 1} . }`;
});
const data = datasetOf(`ex:a1 ex:type ex:Thing . ${graphs.join('\n')}`);
const FROM = 'FROM ex:g7 FROM ex:g5 FROM ex:g6 FROM ex:nowhere';
const NAMED = 'FROM ex:g2 FROM NAMED ex:g7 FROM NAMED ex:g5 FROM NAMED ex:g6 FROM NAMED ex:nowhere';

test.each([
  [FROM, '?s ex:type ex:Thing', 4],
  [FROM, '?s ex:type ex:Thing ; ex:price ?p', 4],
  [FROM, '?s ?p ?o', 11],
  [FROM, '?s ex:like ?s', 3],
  [FROM, '?s ex:price ?p FILTER(?p > 5)', 3],
  [FROM, '?s ex:type ?t OPTIONAL { ?s ex:like ?l } FILTER NOT EXISTS { ?s ex:price 6 }', 3],
  [FROM, 'GRAPH ?g { ?s ex:type ex:Thing }', 0],
  [NAMED, 'GRAPH ?g { ?s ex:type ex:Thing }', 6],
  [NAMED, 'GRAPH ?g { ?s ex:type ex:Thing ; ex:price ?p FILTER(?p > 6) }', 3],
  [NAMED, 'GRAPH ?g { ?s ?p ?o }', 15],
  [NAMED, 'GRAPH ?g { SELECT (COUNT(*) AS ?n) { ?s ex:like ?s } }', 3],
  [NAMED, 'GRAPH ?g { ?s ex:type ex:Thing } GRAPH ?h { ?s ex:price ?p } FILTER(?g != ?h)', 4],
])('%s { %s }', async (from, group, rows) => {
  const text = `SELECT * ${from} { ${group} }`;
  const found = await answer(text, await data);
  expect(found).toHaveLength(rows);
  expect(found).toEqual(await answer(text, await data, { unoptimised: true }));
});

test.each([
  [FROM, '?s ex:type ex:Thing'],
  [NAMED, 'GRAPH ?g { ?s ex:type ex:Thing }'],
])('%s reads the graphs', async (from, group) => {
  const { text } = await engine.explain(`SELECT * ${from} { ${group} }`, await data, { prefixes: PREFIXES });
  expect(text).toMatch(/Thing> in .*, gspo  \[about 6 rows\]/);
});

test.each([
  ['SELECT ?g (COUNT(*) AS ?n) FROM_ { GRAPH ?g { ?s ?p ?o } } GROUP BY ?g', 'statistics graphs'],
  ['SELECT ?g ?n FROM_ { GRAPH ?g { SELECT (COUNT(?s) AS ?n) { ?s ?p ?o } } }', 'statistics graphs'],
  ['SELECT DISTINCT ?g FROM_ { GRAPH ?g { ?s ?p ?o } }', 'statistics graphs'],
  ['SELECT DISTINCT ?g FROM_ { GRAPH ?g { ?s ?p ?s } }', 'scan'],
  ['SELECT ?p (COUNT(*) AS ?n) FROM_ { GRAPH ?g { ?s ?p ?o } } GROUP BY ?p', 'group'],
  ['SELECT (COUNT(*) AS ?n) FROM_ { GRAPH ?g { ?s ?p ?o } }', 'count'],
  ['SELECT (COUNT(*) AS ?n) FROM_ { GRAPH ?g { ?s ex:like ?o } }', 'count'],
  ['SELECT (COUNT(*) AS ?n) FROM_ { GRAPH ?g { ?s ex:like ?s } }', 'group'],
])('%s', async (query, operator) => {
  for (const from of ['', NAMED]) {
    const text = query.replace('FROM_', from);
    expect(await answer(text, await data)).toEqual(await answer(text, await data, { unoptimised: true }));
    expect((await engine.explain(text, await data, { prefixes: PREFIXES })).text).toContain(operator);
  }
});
