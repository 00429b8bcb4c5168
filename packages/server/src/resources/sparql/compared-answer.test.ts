import { afterEach, beforeEach, expect, test } from 'vitest';
import { query, type TestServer, testServer } from '../../testing/server.js';

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
  await update('INSERT DATA { <urn:a> <urn:p> 1 . <urn:b> <urn:p> 1 . <urn:c> <urn:p> 2 }');
  await update('DELETE DATA { <urn:b> <urn:p> 1 } ; INSERT DATA { <urn:d> <urn:p> 3 . <urn:e> <urn:p> 3 }');
});
afterEach(() => server.database.close());

const update = (body: string): Promise<Response> =>
  server.send('POST', '/acme/people/sparql', { body, headers: { 'Content-Type': 'application/sparql-update' } });
const ask = (parameters: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> =>
  server.get(`/acme/people/sparql?${query(parameters)}`, { Accept: 'text/csv', ...headers });
const rows = async (parameters: Record<string, string>): Promise<string[]> =>
  (await (await ask(parameters)).text()).trim().split(/\r?\n/);

const VALUES = 'SELECT ?v { ?s <urn:p> ?v } ORDER BY ?v';

test('rows that came and went, counted: of equal ones as many as there are more', async () => {
  expect(await rows({ query: VALUES, compare: 'HEAD~1' })).toEqual([
    'v,change',
    '3,"added"',
    '3,"added"',
    '1,"removed"',
  ]);
  expect(await rows({ query: VALUES, compare: '3', 'revision-id': '2' })).toEqual([
    'v,change',
    '1,"added"',
    '3,"removed"',
    '3,"removed"',
  ]);
  const distinct = VALUES.replace('?v', 'DISTINCT ?v');
  expect(await rows({ query: distinct, compare: '2' })).toEqual(['v,change', '3,"added"']);
  expect(await rows({ query: VALUES, compare: 'HEAD' })).toEqual(['v,change']);
  expect(await rows({ query: VALUES, compare: '1', limit: '2', offset: '1' })).toHaveLength(3);
});

test('unbound variables, blank nodes and an empty revision', async () => {
  await update('INSERT DATA { _:x <urn:q> "one" }');
  const optional = 'SELECT ?x ?y { ?x <urn:q> ?z OPTIONAL { ?x <urn:none> ?y } }';
  expect(await rows({ query: optional, compare: '1' })).toHaveLength(2);
  await update('INSERT DATA { <urn:f> <urn:p> 9 }');
  expect(await rows({ query: optional, compare: 'HEAD~1' })).toEqual(['x,y,change']);
});

test('in other formats, with a tag of both revisions', async () => {
  const asked = { query: VALUES, compare: '2' };
  const response = await ask(asked, { Accept: 'application/sparql-results+json' });
  const { head, results } = (await response.json()) as { head: { vars: string[] }; results: { bindings: unknown[] } };
  expect(head.vars).toEqual(['v', 'change']);
  expect(results.bindings).toHaveLength(3);
  const tag = response.headers.get('ETag')!;
  expect((await ask(asked, { 'If-None-Match': tag })).status).toBe(304);
  expect((await ask({ ...asked, compare: '1' }, { 'If-None-Match': tag })).status).toBe(200);
  expect((await ask({ query: VALUES }, { 'If-None-Match': tag })).status).toBe(200);
});

test.each([
  ['ASK {}', '2', 400],
  ['CONSTRUCT WHERE { ?s ?p ?o }', '2', 400],
  ['SELECT ?change { ?change ?p ?o }', '2', 400],
  [VALUES, '', 400],
  [VALUES, '1--2', 400],
  [VALUES, '99', 404],
  [VALUES, 'no such tag', 400],
])('%s compared with %j is %i', async (text, compare, status) => {
  const response = await ask({ query: text, compare }, { Accept: '*/*' });
  expect([status, 404]).toContain(response.status);
});

test('a time limit holds, and what is held in memory has a bound', async () => {
  const slow = 'SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n ?o . ?q ?r ?s . ?t ?u ?v . ?w ?x ?y }';
  const response = await ask({ query: slow, compare: '2', timeout: '0.05' });
  expect([503, 507]).toContain(response.status);
});
