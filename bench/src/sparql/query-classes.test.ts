import { Store } from 'oxigraph';
import { open } from 'quadrille';
import { describe, expect, it } from 'vitest';
import { AnswerDigest, isOfAnyRows } from './answer.js';
import { ParameterSource } from './parameter-source.js';
import { QUERY_CLASSES } from './query-classes.js';
import { prepareQuery } from './query-class.js';
import type { PreparedQuery } from './query-class.js';
import { timeQuery } from './time-query.js';

const PREFIXES = `
  PREFIX : <http://example.org/>
  PREFIX bsbm: <http://www4.wiwiss.fu-berlin.de/bizer/bsbm/v01/vocabulary/>
  PREFIX dc: <http://purl.org/dc/elements/1.1/>
  PREFIX foaf: <http://xmlns.com/foaf/0.1/>
  PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
  PREFIX rev: <http://purl.org/stuff/rev#>
  PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>`;

/** Returns Turtle of a product with one offer and one review. Two products differ in one feature and two numbers. */
const product = (n: number): string => `
  :product${n} a bsbm:Product, :sub ; rdfs:label "first product" ; rdfs:comment "c" ; bsbm:producer :producer ;
    dc:publisher :producer ; bsbm:productFeature :f0, :f1, :f2, :g${n} ;
    bsbm:productPropertyNumeric1 10${n} ; bsbm:productPropertyNumeric2 20${n} ; bsbm:productPropertyNumeric3 300 ;
    bsbm:productPropertyTextual1 "t" ; bsbm:productPropertyTextual2 "t" ; bsbm:productPropertyTextual3 "t" .
  :offer${n} a bsbm:Offer ; bsbm:product :product${n} ; bsbm:vendor :vendor ; dc:publisher :vendor ; bsbm:offerWebpage :page ;
    bsbm:price "12.50"^^bsbm:USD ; bsbm:deliveryDays 2 ; bsbm:validTo "2008-09-11T00:00:00"^^xsd:dateTime .
  :review${n} a rev:Review ; bsbm:reviewFor :product${n} ; rev:reviewer :person ; dc:title "t" ; rev:text "text"@en ;
    bsbm:reviewDate "2008-01-01T00:00:00"^^xsd:dateTime .`;
const DATA = `${PREFIXES}
  :top a bsbm:ProductType . :sub a bsbm:ProductType ; rdfs:subClassOf :top .
  :f0 rdfs:label "feature" . :f1 rdfs:label "feature" . :f2 rdfs:label "feature" .
  :producer rdfs:label "producer" ; bsbm:country :DE . :person foaf:name "person" .
  :vendor rdfs:label "vendor" ; foaf:homepage :home ; bsbm:country :DE . ${product(1)} ${product(2)}`;

async function prepared(): Promise<PreparedQuery[]> {
  await using db = await open(':memory:');
  const repository = await db.repository('bsbm', { create: true });
  await repository.load({ text: DATA }, { format: 'text/turtle' });
  const data = await ParameterSource.read(repository);
  return QUERY_CLASSES.map((query) => prepareQuery(query, data));
}

describe('the classes of queries', () => {
  it('have parameters that give rows, the same ones each time', async () => {
    const store = new Store();
    store.load(DATA, { format: 'text/turtle' });
    const queries = await prepared();
    for (const { name, texts } of queries) {
      for (const text of texts) expect(store.query(text, {}), `${name}\n${text}`).not.toHaveLength(0);
    }
    expect(await prepared()).toEqual(queries);
    expect(new Set(queries.map(({ name }) => name)).size).toBe(queries.length);
  });
});

describe('answers', () => {
  it('have the same digest in any order, and another one for other values', () => {
    const digestOf = (rows: [string, string][][]): number => {
      const digest = new AnswerDigest();
      for (const row of rows) digest.add(row);
      return digest.value;
    };
    const digest = digestOf([
      [
        ['a', '1'],
        ['b', '2'],
      ],
      [['a', '3']],
    ]);
    expect(
      digestOf([
        [['a', '3']],
        [
          ['b', '2'],
          ['a', '1'],
        ],
      ]),
    ).toBe(digest);
    expect(
      digestOf([
        [
          ['a', '2'],
          ['b', '1'],
        ],
        [['a', '3']],
      ]),
    ).not.toBe(digest);
    expect(
      digestOf([
        [
          ['a', '3'],
          ['b', '2'],
        ],
        [['a', '1']],
      ]),
    ).not.toBe(digest);
  });

  it('of each text are noted before the samples are taken', async () => {
    const asked: string[] = [];
    const backend = {
      run: async (text: string) => {
        asked.push(text);
        return text.length;
      },
      close: async () => {},
    };
    const query: PreparedQuery = { name: 'q', kind: 'explore', inexact: true, texts: ['x', 'yy'] };
    const { samples, answers } = await timeQuery(backend, query);
    expect(answers).toEqual([
      { rows: 1, digest: 0 },
      { rows: 2, digest: 0 },
    ]);
    expect(asked.slice(0, 4)).toEqual(['x', 'yy', 'x', 'yy']);
    // One round for the answers, then up to as many rounds for warming up as are measured.
    expect(asked).toHaveLength(2 + 2 * samples.length);
  });

  it('are compared by their number only if the query leaves the rows open', () => {
    expect(isOfAnyRows('SELECT * { ?s ?p ?o } LIMIT 3')).toBe(true);
    expect(isOfAnyRows('SELECT (SAMPLE (?s) AS ?one) { ?s ?p ?o } GROUP BY ?p ORDER BY ?p LIMIT 3')).toBe(true);
    expect(isOfAnyRows('SELECT * { ?s ?p ?o } ORDER BY ?s LIMIT 3')).toBe(false);
    expect(isOfAnyRows('SELECT ?sample { ?s ?p ?sample }')).toBe(false);
  });

  it('are timed by the backend itself, if it can', async () => {
    const backend = { run: async () => 1, elapsed: () => 2000, close: async () => {} };
    const query: PreparedQuery = { name: 'q', kind: 'explore', inexact: true, texts: ['x'] };
    expect((await timeQuery(backend, query)).samples).toEqual([2000, 2000, 2000]);
  });
});
