// Debian's python3-rdflib: a repository as a graph of SPARQLStore and SPARQLUpdateStore, and as a graph store.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Endpoint, endpoint, EX, GRAPH, has, SIZE, steps } from './endpoint.js';

const ROWS = [
  ['Ada Lovelace', 36],
  ['Charles Babbage', 79],
];
const FOAF = 'http://xmlns.com/foaf/0.1/';

const installed = has('/usr/bin/python3', '-c', 'import rdflib');
describe.skipIf(!installed)('rdflib (needs Debian python3-rdflib)', () => {
  let at: Endpoint;
  let results: Record<string, unknown>;
  beforeAll(async () => {
    at = await endpoint();
    await at.reset();
    results = await steps('rdflib_steps.py', at);
  });
  afterAll(() => at?.stop());

  test('patterns of triples', () => {
    expect(results['triples']).toEqual(['Ada Lovelace']);
    expect(results['length']).toBe(SIZE);
    expect(results['contains']).toEqual([true, false]);
  });

  test.each(['select_xml', 'select_json', 'select_post', 'select_post_form'])('%s', (name) => {
    expect(results[name]).toEqual(ROWS);
  });

  test('the other forms of queries', () => {
    expect(results['select_csv']).toEqual(['Ada Lovelace']);
    expect(results['ask']).toBe(true);
    expect(results['construct']).toEqual([[`${EX}charles`, `${FOAF}knows`, `${EX}ada`]]);
    expect(results['describe']).toEqual([
      `${EX}age`,
      'http://www.w3.org/1999/02/22-rdf-syntax-ns#type',
      `${FOAF}knows`,
      `${FOAF}name`,
    ]);
  });

  test('updates', () => {
    expect(results['add_and_remove']).toEqual([SIZE, 'Grace "Hopper"\n', SIZE]);
    expect(results['update']).toEqual([`${EX}charles`]);
    expect(results['named_graphs']).toEqual([[GRAPH], [1, 2], 1]);
    expect(results['uncommitted']).toEqual([0, ['Alan']]);
  });

  test('the Graph Store Protocol, in the formats of rdflib', () => {
    const all = [1, 2, 3];
    const read = { turtle: all, nt: all, xml: all, 'json-ld': all, n3: all };
    expect(results['graph_store']).toEqual([201, 204, read, 204]);
    expect(results['quads']).toEqual([[GRAPH], [GRAPH]]);
  });

  test('a repository that is public', async () => {
    await at.publish();
    const seen = await steps('rdflib_public_steps.py', at);
    const size = await at.size();
    // JSON-LD has graphs, of which a Graph reads the default one; the formats of triples merge them.
    expect(seen['documents']).toEqual({ turtle: size, nt: size, xml: size, n3: size, 'json-ld': size - 1, None: size });
    expect(seen['extensions']).toEqual({ '.ttl': size, '.nt': size, '.rdf': size, '.jsonld': size - 1 });
    expect(seen['quads']).toEqual({ trig: [size, 1], nquads: [size, 1], trix: [size, 1] });
    expect(seen['graph']).toEqual(['1']);
    expect(seen['result_of_a_query']).toEqual(['Ada Lovelace', 'Alan', 'Charles Babbage']);
    expect(seen['service']).toEqual([[36, `${EX}charles`]]);
    expect(seen['anonymous_update']).toBe(401);
  });

  test('errors', async () => {
    expect(results['without_a_token']).toEqual([401, 'Basic realm="Application"']);
    expect(results['broken_query']).toEqual([400, 'HTTP Error 400: Bad Request', null]);
    // What is left: the update, the statement in the graph and the one that was committed.
    expect(await at.size()).toBe(SIZE + 3);
  });
});
