// Debian's python3-sparqlwrapper, with the token as user and X as password: it sends nothing when either is empty.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Endpoint, endpoint, EX, has, steps } from './endpoint.js';

const INTEGER = 'http://www.w3.org/2001/XMLSchema#integer';
const NAMES = ['Ada Lovelace', 'Charles Babbage'];
// Debian's does not offer JSON-LD.
const FORMATS = ['xml', 'rdf+xml', 'turtle', 'n3'];

const installed = has('/usr/bin/python3', '-c', 'import SPARQLWrapper');
describe.skipIf(!installed)('SPARQLWrapper (needs Debian python3-sparqlwrapper)', () => {
  let at: Endpoint;
  let results: Record<string, unknown>;
  beforeAll(async () => {
    at = await endpoint();
    await at.reset();
    results = await steps('sparqlwrapper_steps.py', at);
  });
  afterAll(() => at?.stop());

  test.each(['get', 'post', 'post_directly', 'as_the_account'])('SELECT: %s', (how) => {
    expect(results[`select_${how}`]).toEqual([
      ['Ada Lovelace', '36', INTEGER],
      ['Charles Babbage', '79', INTEGER],
    ]);
  });

  test('SELECT in the other formats', () => {
    expect(results['select_xml']).toEqual(['Ada Lovelace', '36', 'Charles Babbage', '79']);
    expect(results['select_csv']).toEqual(['name,age', '"Ada', 'Lovelace",36', '"Charles', 'Babbage",79']);
    expect(results['select_tsv']).toEqual([
      '?name\t?age',
      `"Ada Lovelace"\t"36"^^<${INTEGER}>`,
      `"Charles Babbage"\t"79"^^<${INTEGER}>`,
    ]);
    expect(results['bindings']).toEqual([['Gründer', 'de']]);
  });

  test('ASK', () => {
    expect(results['ask']).toEqual([true, false, 'true']);
  });

  test('CONSTRUCT and DESCRIBE, in every format', () => {
    const charles = ['79', 'Charles Babbage', 'Gründer', 'http://xmlns.com/foaf/0.1/Person'];
    expect(results['construct']).toEqual(Object.fromEntries(FORMATS.map((each) => [each, NAMES])));
    expect(results['describe']).toEqual(Object.fromEntries(FORMATS.map((each) => [each, charles])));
  });

  test('updates, and the graphs of a query', () => {
    expect(results['update']).toEqual([['postdirectly', 'urlencoded'], false]);
    expect(results['dataset']).toEqual([0, 1]);
  });

  test('errors are the exceptions that users know', () => {
    const message = (text: string): unknown => expect.stringContaining(text);
    expect(results['broken_query']).toEqual({ error: 'QueryBadFormed', message: message('SPARQL_SYNTAX') });
    expect(results['without_a_token']).toMatchObject({ error: 'Unauthorized' });
    expect(results['false_token']).toMatchObject({ error: 'Unauthorized' });
    expect(results['unknown_repository']).toMatchObject({ error: 'EndPointNotFound' });
  });

  test('the statement in a graph is there', async () => {
    const query = new URLSearchParams({ subj: `<${EX}ada>`, pred: `<${EX}inGraph>` });
    const headers = { Authorization: at.basic, Accept: 'application/n-quads' };
    const response = await fetch(`${at.repository}/statements?${String(query)}`, { headers });
    expect(await response.text()).toBe(`<${EX}ada> <${EX}inGraph> "1"^^<${INTEGER}> <${EX}graph> .\n`);
  });
});
