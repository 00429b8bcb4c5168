/** `GET /A/R/blame`. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Revision } from 'quadrille';
import { query, type TestServer, testServer } from '../../testing/server.js';

let server: TestServer;
let revisions: Revision[];

/** 2 + a b(g), 3 - a, 4 + a c */
beforeEach(async () => {
  server = await testServer();
  const repository = await server.database.repository('acme/people');
  const options = { author: 'ann', message: 'begin, with "quotes"' };
  await repository.update('INSERT DATA { <urn:a> <urn:p> 1 GRAPH <urn:g> { <urn:b> <urn:p> "x"@en } }', options);
  await repository.update('DELETE DATA { <urn:a> <urn:p> 1 }');
  await repository.update('INSERT DATA { <urn:a> <urn:p> 1 . <urn:c> <urn:q> 2 }');
  await repository.update('DELETE DATA { <urn:c> <urn:q> 2 }');
  revisions = (await repository.log().toArray()).toReversed();
});
afterEach(() => server.database.close());

const csv = async (parameters: Record<string, string> | string = {}): Promise<string[]> => {
  const text = typeof parameters === 'string' ? parameters : query(parameters);
  const response = await server.get(`/acme/people/blame?${text}`, { Accept: 'text/csv' });
  expect(response.status).toBe(200);
  return (await response.text()).split('\r\n').filter((line) => line !== '');
};

const HEAD = 'subject,predicate,object,context,revision,number,datetime,agent,message,removed,merged';
const row = (quad: string, number: number, rest = ',,'): string => {
  const { id, time } = revisions[number - 1]!;
  return `${quad},urn:quadrille:revision:${id},${number},${time.toISOString()},${rest},`;
};
const NOTE = '"ann","begin, with ""quotes""",';
const gone = (number: number): string => `,,urn:quadrille:revision:${revisions[number - 1]!.id}`;

test('has a row for each statement, with its revision', async () => {
  expect(await csv()).toEqual([HEAD, row('urn:a,urn:p,1,', 4), row('urn:b,urn:p,"x",urn:g', 2, NOTE)]);
});

test('selects by subj, pred, obj, context and graph', async () => {
  expect(await csv({ subj: '<urn:a>' })).toEqual([HEAD, row('urn:a,urn:p,1,', 4)]);
  expect(await csv({ pred: 'urn:p', obj: '"x"@en' })).toEqual([HEAD, row('urn:b,urn:p,"x",urn:g', 2, NOTE)]);
  expect(await csv({ context: 'urn:g' })).toEqual(await csv({ graph: '<urn:g>' }));
  expect(await csv({ graph: 'default' })).toEqual([HEAD, row('urn:a,urn:p,1,', 4)]);
  expect(await csv('context=urn:g&graph=default')).toEqual(await csv());
  expect(await csv({ context: 'urn:none' })).toEqual([HEAD]);
});

test('tells what is gone, and what was at a revision', async () => {
  expect(await csv({ removed: '1' })).toEqual([...(await csv()), row('urn:c,urn:q,2,', 4, gone(5))]);
  expect(await csv({ 'revision-id': '3', removed: 'true' })).toEqual([
    HEAD,
    row('urn:a,urn:p,1,', 2, `${NOTE}urn:quadrille:revision:${revisions[2]!.id}`),
    row('urn:b,urn:p,"x",urn:g', 2, NOTE),
  ]);
  expect(await csv({ 'revision-id': 'HEAD~1', removed: '0' })).toEqual([...(await csv()), row('urn:c,urn:q,2,', 4)]);
});

test('comes in every format of results', async () => {
  const response = await server.get('/acme/people/blame?subj=urn:b', { Accept: 'application/sparql-results+json' });
  expect(response.headers.get('Content-Type')).toContain('application/sparql-results+json');
  const document = (await response.json()) as { results: { bindings: object[] } };
  expect(document.results.bindings).toMatchObject([
    {
      object: { type: 'literal', value: 'x', 'xml:lang': 'en' },
      context: { type: 'uri', value: 'urn:g' },
      number: { value: '2', datatype: 'http://www.w3.org/2001/XMLSchema#integer' },
      agent: { value: 'ann' },
    },
  ]);
  for (const type of ['application/sparql-results+xml', 'text/tab-separated-values']) {
    expect((await server.get('/acme/people/blame', { Accept: type })).headers.get('Content-Type')).toContain(type);
  }
});

test('is a graph of queries, which joins the timemap', async () => {
  const text = `PREFIX q: <urn:quadrille:> PREFIX prov: <http://www.w3.org/ns/prov#>
    PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> SELECT ?s ?n ?agent {
      GRAPH q:blame { ?r rdf:reifies <<( ?s <urn:p> ?o )>> ; prov:wasGeneratedBy ?revision }
      GRAPH q:timemap { ?revision q:ordinal ?n OPTIONAL { ?revision q:agent ?agent } } } ORDER BY ?n ?s`;
  const asked = async (parameters: Record<string, string>): Promise<string> =>
    (await server.get(`/acme/people/sparql?${query({ query: text, ...parameters })}`, { Accept: 'text/csv' })).text();
  expect(await asked({})).toBe('s,n,agent\r\nurn:b,2,"ann"\r\nurn:a,4,\r\n');
  expect(await asked({ 'revision-id': '2' })).toBe('s,n,agent\r\nurn:a,2,"ann"\r\nurn:b,2,"ann"\r\n');
});

test('refuses what is wrong', async () => {
  const status = async (path: string, headers = {}): Promise<number> => (await server.get(path, headers)).status;
  expect(await status('/acme/people/blame?removed=maybe')).toBe(400);
  expect(await status('/acme/people/blame?subj=%22literal%22')).toBe(400);
  expect(await status('/acme/people/blame?revision-id=99')).toBe(404);
  expect(await status('/acme/people/blame', { Accept: 'text/turtle' })).toBe(406);
  expect(await status('/acme/nobody/blame')).toBe(404);
});
