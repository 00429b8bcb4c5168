import { openService, type Service } from '../../host/index.js';
import { open } from 'quadrille';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHandler, type Handler } from '../../handler.js';

const VIEW = '/acme/people/views/names';
const QUERY = 'SELECT ?name { ?s foaf:name ?name } ORDER BY ?name';
const OWNER = { account: 'acme', readOnly: false, admin: false };
const SPARQL = { 'Content-Type': 'application/sparql-query' };
const ROWS = { Accept: 'text/csv' };

let service: Service;
let handler: Handler;
let token: string;
let reader: string;
beforeEach(async () => {
  service = await openService(await open(':memory:'));
  for (const name of ['acme', 'other']) await service.accounts.create(name);
  await service.repositories.create(OWNER, 'acme', { name: 'people', privacy: 'public' });
  token = (await service.tokens.create('acme')).text;
  reader = (await service.tokens.create('other')).text;
  handler = createHandler({ service });
  const data = '<urn:a> <http://xmlns.com/foaf/0.1/name> "Ann" .';
  await send('POST', '/acme/people/statements', { 'Content-Type': 'text/plain' }, data);
});
afterEach(async () => {
  await service.close();
  await service.database.close();
});

const send = (method: string, path: string, headers: Record<string, string> = {}, body?: string): Promise<Response> => {
  const authorization = headers['Authorization'] ?? `Bearer ${token}`;
  const init = { method, headers: { ...headers, Authorization: authorization }, body: body ?? null };
  return handler(new Request(`http://localhost${path}`, init));
};
const put = (query = QUERY, headers: Record<string, string> = SPARQL): Promise<Response> =>
  send('PUT', VIEW, headers, query);

describe('views', () => {
  test('PUT keeps a query, GET answers it or shows it, DELETE removes it', async () => {
    const made = await put();
    expect([made.status, made.headers.get('Location')]).toEqual([201, `http://localhost${VIEW}`]);
    expect((await put()).status).toBe(204);
    const rows = await send('GET', VIEW, ROWS);
    expect([rows.status, rows.headers.get('Content-Type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(await rows.text()).toMatch(/^name\r\n"?Ann"?\r\n$/);
    const text = await send('GET', VIEW, { Accept: 'application/sparql-query' });
    expect([text.headers.get('Content-Type'), await text.text()]).toEqual([
      'application/sparql-query; charset=utf-8',
      QUERY,
    ]);
    const list = await send('GET', '/acme/people/views');
    expect(await list.json()).toEqual([{ name: 'names', uri: `http://localhost${VIEW}`, query: QUERY }]);
    expect((await send('DELETE', VIEW)).status).toBe(204);
    expect((await send('GET', VIEW)).status).toBe(404);
  });

  test('the parameters of queries and revisions hold', async () => {
    await put('SELECT ?s { ?s ?p ?name }');
    const before = (await send('GET', '/acme/people/size')).headers.get('ETag')?.replaceAll('"', '') ?? '';
    await send('POST', '/acme/people/statements', { 'Content-Type': 'text/plain' }, '<urn:b> <urn:p> "Bob" .');
    const rowsOf = async (parameters: string): Promise<string[]> =>
      (await (await send('GET', `${VIEW}?${parameters}`, ROWS)).text()).trim().split('\r\n').slice(1);
    expect(await rowsOf('')).toHaveLength(2);
    expect(await rowsOf('limit=1')).toHaveLength(1);
    expect(await rowsOf('%24name=%22Bob%22')).toEqual(['urn:b']);
    expect(await rowsOf(`revision-id=${before}`)).toEqual(['urn:a']);
    expect((await send('GET', `${VIEW}?revision-id=${before}`)).headers.get('Cache-Control')).toBeNull();
  });

  test('the tag changes with the query, with a prefix that it uses, and with the data', async () => {
    const tag = async (): Promise<string> => (await send('GET', VIEW, ROWS)).headers.get('ETag') ?? '';
    await put();
    const tags = [await tag()];
    expect((await send('GET', VIEW, { ...ROWS, 'If-None-Match': tags[0]! })).status).toBe(304);
    await put('SELECT * { ?s foaf:name ?o }');
    tags.push(await tag());
    await send('PUT', '/acme/people/namespaces/foaf', {}, 'urn:else:');
    tags.push(await tag());
    await send('PUT', '/acme/people/namespaces/unused', {}, 'urn:unused:');
    expect(await tag()).toBe(tags[2]);
    await send('POST', '/acme/people/statements', { 'Content-Type': 'text/plain' }, '<urn:b> <urn:p> "Bob" .');
    tags.push(await tag());
    expect(new Set(tags).size).toBe(4);
  });

  test('who may write makes them, who may read asks them', async () => {
    const other = { Authorization: `Bearer ${reader}` };
    expect((await put(QUERY, { ...SPARQL, ...other })).status).toBe(403);
    await put();
    expect((await send('GET', VIEW, { ...ROWS, ...other })).status).toBe(200);
    expect((await send('DELETE', VIEW, other)).status).toBe(403);
  });

  test.each([
    ['an update', 'DELETE WHERE { ?s ?p ?o }', SPARQL, 400],
    ['what is no SPARQL', 'SELECT', SPARQL, 400],
    ['RDF', '<urn:a> <urn:p> 1 .', { 'Content-Type': 'text/turtle' }, 415],
    ['a form without a query', 'x=1', { 'Content-Type': 'application/x-www-form-urlencoded' }, 415],
    ['64 KB', `SELECT * { ?s ?p "${'x'.repeat(65_000)}" }`, SPARQL, 413],
  ])('%s is no view', async (_, body, headers, status) => {
    expect((await put(body, headers)).status).toBe(status);
    expect((await send('GET', VIEW)).status).toBe(404);
  });

  test('a form with query is one', async () => {
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await put(new URLSearchParams({ query: QUERY }).toString(), form)).status).toBe(201);
  });

  test('names, unknown ones with Silent, POST, and a revision on a write', async () => {
    for (const name of ['a%20b', '%2e%2e%2fx', 'x'.repeat(49), '%E2%80%AE', '-x'])
      expect([name, (await send('PUT', `/acme/people/views/${name}`, SPARQL, QUERY)).status]).toEqual([name, 400]);
    for (const method of ['GET', 'DELETE']) {
      expect((await send(method, VIEW)).status).toBe(404);
      expect((await send(method, VIEW, { Silent: 'true' })).status).toBe(204);
    }
    expect((await send('POST', VIEW, SPARQL, QUERY)).status).toBe(501);
    expect((await send('PUT', `${VIEW}?revision-id=HEAD`, SPARQL, QUERY)).status).toBe(400);
  });

  test('views go with their repository', async () => {
    await put();
    await send('DELETE', '/acme/people');
    await service.repositories.create(OWNER, 'acme', { name: 'people' });
    expect(await (await send('GET', '/acme/people/views')).json()).toEqual([]);
  });

  test('a query by itself has a tag that tells the prefixes that it uses', async () => {
    const tag = async (query: string): Promise<string> =>
      (await send('GET', `/acme/people/sparql?${new URLSearchParams({ query }).toString()}`)).headers.get('ETag') ?? '';
    expect(await tag('ASK { <urn:a> ?p ?o }')).toMatch(/^"[0-9a-f-]{36}"$/);
    const before = await tag('ASK { ?s foaf:name ?o }');
    await send('PUT', '/acme/people/namespaces/foaf', {}, 'urn:else:');
    expect(await tag('ASK { ?s foaf:name ?o }')).not.toBe(before);
  });
});
