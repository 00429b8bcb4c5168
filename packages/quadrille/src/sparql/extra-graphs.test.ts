import type * as RDF from '@rdfjs/types';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Database, iri, literal, open, quad, type QueryOptions, type Repository } from '../index.js';

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

  describe('together with stored graphs', () => {
    const BOTH = `FROM <${GRAPH}> FROM <urn:other>`;
    const NAMED = `FROM NAMED <${GRAPH}> FROM NAMED <urn:other>`;
    const TEXTS = [
      `SELECT * ${BOTH} { ?s ?p ?o }`,
      `SELECT * ${BOTH} { <urn:n3> ?p ?o }`,
      `SELECT * ${BOTH} { ?s <urn:label> ?label ; <urn:value> ?v }`,
      `SELECT * ${BOTH} { ?s <urn:label> ?label ; ?p ?o }`,
      `SELECT * ${BOTH} { ?s <urn:value> ?v OPTIONAL { ?s <urn:label> ?label } FILTER(?v < 4) }`,
      `SELECT * ${BOTH} { ?s <urn:value> ?v FILTER NOT EXISTS { ?s <urn:label> ?label } }`,
      `SELECT * ${BOTH} { <urn:n3> <urn:next>+/<urn:kind> ?kind }`,
      `SELECT * ${BOTH} { ?s (<urn:next>|<urn:label>)* ?o }`,
      `SELECT (COUNT(*) AS ?n) ${BOTH} { ?s ?p ?o }`,
      `SELECT ?p (COUNT(*) AS ?n) ${BOTH} { ?s ?p ?o } GROUP BY ?p`,
      `SELECT DISTINCT ?p ${BOTH} { ?s ?p ?o }`,
      `SELECT * ${BOTH} ${NAMED} { ?s <urn:label> ?label GRAPH ?g { ?s ?p ?o } }`,
      `SELECT * ${NAMED} { GRAPH ?g { ?s ?p ?o } }`,
      `SELECT ?g (COUNT(*) AS ?n) ${NAMED} { GRAPH ?g { ?s ?p ?o } } GROUP BY ?g`,
      `SELECT DISTINCT ?g ${NAMED} { GRAPH ?g { ?s <urn:label>|<urn:kind> ?o } }`,
      `SELECT * ${NAMED} { GRAPH ?g { ?s <urn:next> ?o BIND(STR(?o) AS ?text) } }`,
      `SELECT * ${NAMED} { GRAPH ?g {} }`,
      `SELECT * ${NAMED} { VALUES ?g { <${GRAPH}> <urn:none> } GRAPH ?g { ?s <urn:value> ?v } }`,
      `SELECT * FROM <urn:quadrille:default> FROM <${GRAPH}> { ?s ?p ?o }`,
      `SELECT * FROM <urn:quadrille:named> FROM <${GRAPH}> { ?s ?p ?o }`,
      `SELECT * FROM <urn:quadrille:all> FROM <${GRAPH}> { ?s ?p ?o }`,
      `SELECT * FROM <urn:quadrille:default> FROM <urn:quadrille:named> FROM <${GRAPH}> { ?s ?p ?o }`,
      `DESCRIBE <urn:n3> ${BOTH}`,
    ];
    const triples = async (repository: Repository, text: string, options: QueryOptions): Promise<string[]> => {
      const answer = await repository.query(text, options);
      const items = answer.type === 'quads' ? answer.quads : answer.type === 'bindings' ? answer.rows : [];
      const found: string[] = [];
      for await (const item of items as AsyncIterable<object>) {
        const terms = Object.entries('subject' in item ? { s: item.subject, p: (item as RDF.Quad).predicate } : item);
        found.push(
          terms
            .map(([name, term]) => `${name}=${(term as RDF.Term).value}`)
            .toSorted()
            .join(' '),
        );
      }
      return found.toSorted();
    };
    test.each(TEXTS)('as if they were stored: %s', async (text) => {
      const expected = await triples(stored, text, {});
      expect(expected.length).toBeGreaterThan(0);
      expect(await triples(bare, text, { extraGraphs: { [GRAPH]: statements() } })).toEqual(expected);
      // A stored graph of the name is hidden, in the merged graph too.
      const wrong = [quad(iri('urn:n3'), iri('urn:label'), literal('hidden'), iri(GRAPH))];
      await bare.add(wrong);
      expect(await triples(bare, text, { extraGraphs: { [GRAPH]: statements() } })).toEqual(expected);
    });
    test('by options, in several graphs at once', async () => {
      const [first, ...others] = statements();
      const extraGraphs = { 'urn:one': [first!], 'urn:two': [first!, ...others], 'urn:three': [] };
      const options = { extraGraphs, defaultGraphUris: ['urn:one', 'urn:two', 'urn:three', 'urn:other'] };
      expect(await triples(bare, 'SELECT * { ?s ?p ?o }', options)).toHaveLength(61);
      const named = { extraGraphs, namedGraphUris: ['urn:one', 'urn:two', 'urn:other'] };
      expect(await triples(bare, 'SELECT * { GRAPH ?g { ?s ?p ?o } }', named)).toHaveLength(62);
    });
    test('where the store has no named graphs', async () => {
      const plain = await database.repository('acme/plain', { create: true });
      await plain.add(quad(iri('urn:n3'), iri('urn:label'), literal('three')));
      const extraGraphs = { [GRAPH]: statements() };
      const both = `FROM <urn:quadrille:default> FROM <${GRAPH}>`;
      expect(await triples(plain, `SELECT * ${both} { ?s ?p ?o }`, { extraGraphs })).toHaveLength(61);
      expect(
        await triples(plain, `SELECT * FROM NAMED <${GRAPH}> { GRAPH ?g { ?s ?p ?o } }`, { extraGraphs }),
      ).toHaveLength(60);
      expect(await triples(plain, 'SELECT * { GRAPH ?g { ?s ?p ?o } }', { extraGraphs })).toEqual([]);
    });
  });

  test('a graph that is stored is hidden by one of its name', async () => {
    const extraGraphs = { 'urn:other': [quad(iri('urn:x'), iri('urn:p'), iri('urn:y'))] };
    const rows = await bare.select('SELECT * { GRAPH <urn:other> { ?s ?p ?o } }', { extraGraphs }).toArray();
    expect(rows.map(({ s }) => s?.value)).toEqual(['urn:x']);
    for (const text of [
      'SELECT * { GRAPH ?g { ?s ?p ?o } }',
      'SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } } HAVING(?n > 0)',
    ])
      expect(await bare.select(text, { extraGraphs }).toArray()).toEqual([]);
    const union = { extraGraphs, unionDefaultGraph: true };
    expect(await bare.select('SELECT * { ?s ?p ?o }', union).toArray()).toHaveLength(1);
  });

  test('an update takes none', async () => {
    const options = { extraGraphs: {} } as object;
    await expect(bare.update('CLEAR ALL', options)).rejects.toMatchObject({ code: 'INVALID_OPTION' });
    expect(await bare.size()).toBe(2);
  });
});
