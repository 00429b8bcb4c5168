/** Queries of which only the first rows are wanted: no step of their plans makes many more. */
import { expect, test } from 'vitest';
import type { ExplainedNode } from '../execute/explain-plan.js';
import { datasetOf, engine, PREFIXES } from '../testing/fixtures.js';

const PEOPLE = 3000;
const people = Array.from({ length: PEOPLE }, (_, i) => {
  const mail = i % 3 === 0 ? `; ex:mail "m${i}"` : '';
  return `ex:p${i} ex:type ex:Person ; ex:age ${i % 90} ; ex:knows ex:p${(i + 1) % PEOPLE} ${mail} . GRAPH ex:g${i % 5} { ex:p${i} ex:seen 1 }`;
});
const data = datasetOf(people.join('\n'));

const mostRows = ({ actualRows = 0, inputs }: ExplainedNode): number => Math.max(actualRows, ...inputs.map(mostRows));

test.each([
  ['a scan', 'SELECT * { ?a ex:type ex:Person } LIMIT 3', 16],
  ['a scan with an offset', 'SELECT * { ?a ex:type ex:Person } LIMIT 3 OFFSET 20', 32],
  ['a join', 'SELECT * { ?a ex:type ex:Person ; ex:age ?n } LIMIT 3', 16],
  ['a filter', 'SELECT * { ?a ex:age ?n FILTER(?n < 60 || ?n = 70) } LIMIT 3', 64],
  ['OPTIONAL', 'SELECT * { ?a ex:type ex:Person OPTIONAL { ?a ex:mail ?m } } LIMIT 3', 16],
  ['OPTIONAL of a join', 'SELECT * { ?a ex:type ex:Person OPTIONAL { ?a ex:knows ?b . ?b ex:mail ?m } } LIMIT 3', 16],
  ['NOT EXISTS', 'SELECT * { ?a ex:type ex:Person FILTER NOT EXISTS { ?a ex:knows ?b . ?b ex:mail ?m } } LIMIT 3', 80],
  ['ASK', 'ASK { ?a ex:type ex:Person ; ex:knows ?b . ?b ex:age ?n FILTER(?n > 3) }', 64],
  ['BIND', 'SELECT * { ?a ex:age ?n BIND(?n * 2 AS ?m) } LIMIT 3', 16],
  ['UNION', 'SELECT * { { ?a ex:mail ?m } UNION { ?a ex:age ?m } } LIMIT 3', 16],
  ['DISTINCT', 'SELECT DISTINCT ?a { ?a ex:age ?n } LIMIT 3', 64],
  ['a path', 'SELECT * { ?a ex:mail "m3" . ?a ex:knows+ ?b } LIMIT 3', 16],
  ['GRAPH with a variable', 'SELECT * { GRAPH ?g { ?a ex:seen ?n } } LIMIT 3', 16],
  ['CONSTRUCT', 'CONSTRUCT { ?a ex:old ?n } { ?a ex:type ex:Person ; ex:age ?n } LIMIT 3', 16],
])('%s', async (_, query, most) => {
  const { plan, text } = await engine.explain(query, await data, { prefixes: PREFIXES, analyze: true });
  expect(mostRows(plan as ExplainedNode), text).toBeLessThanOrEqual(most);
});
