/** Estimates of rows: how far OPTIONAL fans out, and how many groups and distinct rows there are. */
import { expect, test } from 'vitest';
import type { ExplainedNode } from '../../execute/explain-plan.js';
import { datasetOf, engine, PREFIXES } from '../../testing/fixtures.js';

const PEOPLE = 400;
const data = datasetOf(
  Array.from({ length: PEOPLE }, (_, i) => {
    const knows = Array.from({ length: 8 }, (_each, k) => `ex:p${(i * 7 + k * 31) % PEOPLE}`).join(', ');
    const award = i < 4 ? `ex:p${i} ex:award ex:w${i % 2} . ex:w${i % 2} ex:of ex:peace .` : '';
    return `${award} ex:p${i} a ex:Person ; ex:city ex:c${i % 10} ; ex:name "n${i}" ; ex:knows ${knows} .`;
  }).join('\n'),
);

const rowsOf = async (query: string): Promise<number> => {
  const { plan } = await engine.explain(query, await data, { prefixes: PREFIXES });
  return (plan as ExplainedNode).estimatedRows;
};

test.each([
  ['SELECT * { ?p a ex:Person OPTIONAL { ?p ex:knows ?f } }', 8 * PEOPLE],
  ['SELECT * { ?p a ex:Person OPTIONAL { ?p ex:knows ?f } OPTIONAL { ?f ex:name ?n } }', 8 * PEOPLE],
  ['SELECT * { ?p ex:name ?n OPTIONAL { ?p ex:city ?c . ?p ex:knows ?f } }', 8 * PEOPLE],
  [
    'SELECT * { ?p a ex:Person ; ex:knows ?f . ?f ex:name ?n FILTER NOT EXISTS { ?p ex:award ?w . ?w ex:of ex:peace } }',
    8 * PEOPLE,
  ],
  ['SELECT ?c (COUNT(*) AS ?k) { ?p ex:city ?c } GROUP BY ?c', 10],
  ['SELECT ?c (COUNT(*) AS ?k) { ?p ex:city ?c ; ex:knows ?f } GROUP BY ?c', 10],
  ['SELECT ?p (COUNT(*) AS ?k) { ?p ex:city ?c ; ex:knows ?f } GROUP BY ?p', PEOPLE],
  ['SELECT DISTINCT ?c { ?p ex:city ?c ; ex:knows ?f }', 10],
  ['SELECT DISTINCT ?c { { ?p ex:city ?c } UNION { ?q ex:city ?c } }', 20],
])('%s', async (query, rows) => {
  const estimated = await rowsOf(query);
  expect(estimated).toBeGreaterThan(rows / 1.3);
  expect(estimated).toBeLessThan(rows * 1.3);
});
