import { expect, test } from 'vitest';
import { blankNode, iri } from '@quadrille/model';
import { sparql } from '../algebra/template.js';
import { answer, datasetOf, engine, PREFIXES } from '../testing/fixtures.js';
import type { EvaluationOptions } from './options.js';

const EX = PREFIXES.ex;
const graphOf = (name: string, count: number): string =>
  `GRAPH ex:${name} { ${Array.from({ length: count }, (_, i) => `ex:s${i} ex:p ex:o${i % 7} ; ex:q ${i} .`).join(' ')} }`;
const data = datasetOf(
  `ex:s1 ex:p ex:o1 . ${graphOf('small', 3)} ${graphOf('other', 5)} ${graphOf('large', 200)} GRAPH ex:one { ex:s1 ex:p ex:one }`,
);

test('a template has a graph of its own each time, also a special one', async () => {
  const count = async (from: unknown, graph: unknown): Promise<unknown> =>
    answer(
      sparql`SELECT (COUNT(*) AS ?n) FROM ${from} FROM NAMED ${graph} { ?s ex:p ?o GRAPH ${graph} { ?s ex:q ?n } }`,
      await data,
    );
  const ex = (name: string): unknown => iri(`${EX}${name}`);
  expect(await count(ex('small'), ex('large'))).toEqual(['n=3']);
  expect(await count(ex('large'), ex('small'))).toEqual(['n=3']);
  expect(await count(ex('large'), ex('large'))).toEqual(['n=200']);
  expect(await count(ex('large'), ex('missing'))).toEqual(['n=0']);
  expect(await count(iri('urn:quadrille:named'), ex('other'))).toEqual(['n=6']);
  expect(await count(ex('one'), iri('urn:quadrille:named'))).toEqual(['n=1']);
  expect(await count(iri('urn:quadrille:all'), ex('small'))).toEqual(['n=4']);
  expect(await answer(sparql`SELECT ?s { GRAPH ${blankNode('none')} { ?s ?p ?o } }`, await data)).toEqual([]);
});

/** How many rows the plan that a text takes was made for. */
async function plannedRows(text: string, options: EvaluationOptions = {}): Promise<number> {
  const { text: plan } = await engine.explain(text, await data, { prefixes: PREFIXES, ...options });
  return Number(/about ([\d.]+) rows/.exec(plan)![1]);
}

test.each([
  (graph: string) => `SELECT ?s { GRAPH ${graph} { ?s ex:p ?mine } }`,
  (graph: string) => `SELECT ?s FROM ${graph} { ?s ex:p ?mine }`,
])('graphs of about the same size share a plan: %o', async (query) => {
  // The second text of a shape makes it.
  expect(await plannedRows(query('ex:large'))).toBe(200);
  expect(await plannedRows(query('ex:small'))).toBe(3);
  expect(await plannedRows(query('ex:other'))).toBe(3);
  expect(await plannedRows(query('ex:missing'))).toBe(3);
  expect(await plannedRows(query('ex:large'))).toBe(200);
  expect(await plannedRows(query('ex:one'))).toBe(3);
  const { text } = await engine.explain(query('ex:other'), await data, { prefixes: PREFIXES });
  expect(text).toContain('<http://example.org/other>');
});

test('a text with bindings and a graph takes the plan for the size of the graph', async () => {
  const options = { bindings: { o: iri(`${EX}o1`) } };
  const query = (graph: string): string => `SELECT ?s { GRAPH ${graph} { ?s ex:p ?o ; ex:q ?n } }`;
  const rows = [];
  for (const graph of ['ex:large', 'ex:small', 'ex:other', 'ex:large'])
    rows.push(await plannedRows(query(graph), options));
  expect(rows[1]).toBeLessThan(rows[0]!);
  expect(rows).toEqual([rows[0], rows[1], rows[1], rows[0]]);
});
