import type * as RDF from '@rdfjs/types';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Database, iri, literal, open, quad, type Repository } from '../index.js';

const GRAPH = 'urn:extra';
const XSD = 'http://www.w3.org/2001/XMLSchema#';

let database: Database;
/** The same statements in both: stored in a graph of one, given to each query of the other. */
let stored: Repository;
let bare: Repository;
beforeEach(async () => {
  database = await open(':memory:');
  stored = await database.repository('acme/stored', { create: true });
  bare = await database.repository('acme/bare', { create: true });
  const base = [
    quad(iri('urn:n3'), iri('urn:label'), literal('three'), iri('urn:other')),
    quad(iri('urn:n4'), iri('urn:label'), literal('four')),
  ];
  await stored.add([
    ...base,
    ...statements().map((each) => quad(each.subject, each.predicate, each.object, iri(GRAPH))),
  ]);
  await bare.add(base);
});
afterEach(() => database.close());

/** A chain of twenty nodes with numbers; in no order, and some twice. */
function statements(): RDF.Quad[] {
  const quads: RDF.Quad[] = [];
  for (let i = 0; i < 20; i++) {
    const node = iri(`urn:n${String((i * 7) % 20)}`);
    quads.push(quad(node, iri('urn:next'), iri(`urn:n${String((i * 7 + 1) % 20)}`)));
    quads.push(quad(node, iri('urn:value'), literal(String(i % 5), iri(`${XSD}integer`))));
    quads.push(quad(node, iri('urn:kind'), literal(i % 2 === 0 ? 'even' : 'odd')));
  }
  return [...quads, ...quads.slice(0, 10)];
}

const QUERIES = [
  `SELECT * { GRAPH <${GRAPH}> { ?s ?p ?o } }`,
  `SELECT * { GRAPH <${GRAPH}> { <urn:n7> ?p ?o } }`,
  `SELECT * { GRAPH <${GRAPH}> { ?s <urn:kind> "odd" } }`,
  `SELECT * { GRAPH <${GRAPH}> { <urn:n7> ?p "odd" } }`,
  `SELECT * { GRAPH <${GRAPH}> { <urn:n7> <urn:next> <urn:n8> } }`,
  `SELECT * { GRAPH <${GRAPH}> { ?a <urn:next> ?b . ?b <urn:value> ?v FILTER(?v > 2) } } ORDER BY ?a`,
  `SELECT * { GRAPH <${GRAPH}> { ?a <urn:next>+ <urn:n5> } }`,
  `SELECT ?kind (COUNT(*) AS ?n) (SUM(?v) AS ?sum) { GRAPH <${GRAPH}> { ?s <urn:kind> ?kind ; <urn:value> ?v } } GROUP BY ?kind`,
  `SELECT * { GRAPH <urn:other> { ?s <urn:label> ?label } GRAPH <${GRAPH}> { ?s <urn:next> ?next } }`,
  `SELECT * { ?s <urn:label> ?label GRAPH <${GRAPH}> { ?s ?p ?o } }`,
  `SELECT * FROM <${GRAPH}> { ?s <urn:value> 3 }`,
  `SELECT * { GRAPH <${GRAPH}> { ?s <urn:kind> "even" MINUS { ?s <urn:value> 0 } } }`,
  `SELECT DISTINCT ?p { GRAPH <${GRAPH}> { ?s ?p ?o } }`,
  `SELECT * { VALUES ?s { <urn:n1> <urn:n2> <urn:none> } GRAPH <${GRAPH}> { ?s <urn:value> ?v } }`,
];

describe('extraGraphs', () => {
  test.each(QUERIES)('as if they were stored: %s', async (text) => {
    const rows = async (repository: Repository, extraGraphs?: Record<string, RDF.Quad[]>): Promise<string[]> => {
      const found: string[] = [];
      for await (const row of repository.select(text, extraGraphs === undefined ? {} : { extraGraphs }))
        found.push(
          JSON.stringify(
            Object.entries(row)
              .map(([name, { value }]) => [name, value])
              .sort(),
          ),
        );
      return found.sort();
    };
    const expected = await rows(stored);
    expect(expected.length).toBeGreaterThan(0);
    expect(await rows(bare, { [GRAPH]: statements() })).toEqual(expected);
    expect((await bare.explain(text, { extraGraphs: { [GRAPH]: statements() } })).evaluator).toBe('native');
  });

  test('a variable of GRAPH, other queries and the repository do not see them', async () => {
    const extraGraphs = { [GRAPH]: statements() };
    expect(await bare.select('SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } }', { extraGraphs }).toArray()).toHaveLength(
      1,
    );
    expect(await bare.ask(`ASK { GRAPH <${GRAPH}> { ?s ?p ?o } }`)).toBe(false);
    expect(await bare.size()).toBe(2);
  });

  test('a graph that is stored is hidden by one of its name', async () => {
    const extraGraphs = { 'urn:other': [quad(iri('urn:x'), iri('urn:p'), iri('urn:y'))] };
    const rows = await bare.select('SELECT * { GRAPH <urn:other> { ?s ?p ?o } }', { extraGraphs }).toArray();
    expect(rows.map(({ s }) => s?.value)).toEqual(['urn:x']);
  });

  test('an update takes none', async () => {
    const options = { extraGraphs: {} } as object;
    await expect(bare.update('CLEAR ALL', options)).rejects.toMatchObject({ code: 'INVALID_OPTION' });
    expect(await bare.size()).toBe(2);
  });
});
