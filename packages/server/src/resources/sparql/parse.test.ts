import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestServer, testServer } from '../../testing/server.js';

const QUERY = 'application/sparql-query';
const UPDATE = 'application/sparql-update';

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
});
afterEach(() => server.database.close());

const parse = (body: string, type = QUERY, path = '/acme/people/parse'): Promise<Response> =>
  server.send('POST', path, { body, headers: { 'Content-Type': type } });

test('a query: its kind, variables, graphs, and the prefixes that it uses', async () => {
  await server.send('PUT', '/acme/people/namespaces/ex', { body: 'http://example.org/' });
  const response = await parse('SELECT ?n { GRAPH <urn:g> { ?s ex:p ?n ; foaf:name ?x } }');
  expect(response.status).toBe(200);
  expect(response.headers.get('Cache-Control')).toBe('no-store');
  expect(await response.json()).toEqual({
    kind: 'select',
    variables: ['n', 's', 'x'],
    graphs: ['urn:g'],
    prefixes: { ex: 'http://example.org/', foaf: 'http://xmlns.com/foaf/0.1/' },
    errors: [],
  });
});

test('an update, which is not run', async () => {
  const response = await parse('INSERT DATA { <a> <b> 1 }', UPDATE);
  expect(await response.json()).toMatchObject({ kind: 'update', variables: [], errors: [] });
  expect(await (await server.get('/acme/people/size')).text()).toBe('0');
  expect(await (await parse('CLEAR ALL')).json()).toMatchObject({ kind: 'update' });
});

test('all errors of a text, with 200', async () => {
  const response = await parse('SELECT * {\n ?s ex:p .\n ?a <urn:p> ?b .\n ?c FILTR }');
  expect(response.status).toBe(200);
  const { kind, errors } = (await response.json()) as { kind: string; errors: Record<string, unknown>[] };
  expect(kind).toBe('select');
  expect(errors.map(({ line, column }) => [line, column])).toEqual([
    [2, 5],
    [2, 10],
    [4, 5],
  ]);
  expect(errors[0]).toEqual({
    line: 2,
    column: 5,
    message: 'the prefix ex: is not declared',
    expected: null,
    suggestion: null,
  });
  expect(errors[2]).toMatchObject({ suggestion: 'FILTER', expected: expect.any(String) as string });
});

test('other types are 415, longer texts 413, other methods 405, and a time limit holds', async () => {
  expect((await parse('ASK {}', 'text/plain')).status).toBe(415);
  expect((await parse('query=ASK', 'application/x-www-form-urlencoded')).status).toBe(415);
  expect((await parse('#'.repeat(1024 ** 2 + 1))).status).toBe(413);
  expect((await server.get('/acme/people/parse')).status).toBe(405);
  expect((await parse('ASK {}', QUERY, '/acme/nobody/parse')).status).toBe(404);
  expect((await parse('ASK {}', QUERY, '/acme/people/parse?timeout=x')).status).toBe(400);
  const long = `SELECT * {${' ?s ?p .\n'.repeat(100_000)}}`;
  const response = await parse(long, QUERY, '/acme/people/parse?timeout=0.001');
  expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([503, 'QUERY_TIMEOUT']);
});

test('a base, and no base for what cannot be resolved', async () => {
  const kinds = await Promise.all(
    ['', '?baseURI=http%3A%2F%2Fexample.org%2F'].map(async (query) =>
      (await parse('ASK { <a> ?p ?o }', QUERY, `/acme/people/parse${query}`)).json(),
    ),
  );
  for (const answer of kinds) expect(answer).toMatchObject({ kind: 'ask', errors: [] });
});
