import { afterEach, beforeEach, expect, test } from 'vitest';
import { BASE, query as form, sortedLines, type TestServer, testServer } from '../../testing/server.js';

const SPARQL = '/acme/people/sparql';
let server: TestServer;
beforeEach(async () => {
  server = await testServer();
  for (const name of ['a', 'b']) await add(name);
});
afterEach(() => server.database.close());

const add = (name: string): Promise<Response> =>
  server.send('POST', '/acme/people/statements', {
    headers: { 'Content-Type': 'text/plain', 'Revision-Message': `add ${name}` },
    body: `<urn:${name}> <urn:p> "${name}" .`,
  });
const construct = 'CONSTRUCT { ?s ?p ?o } { GRAPH <urn:quadrille:timemap> { ?s ?p ?o } }';
const ask = async (parameters: Record<string, string>, accept = 'application/n-triples'): Promise<string> =>
  (await server.get(`${SPARQL}?${form(parameters)}`, { Accept: accept })).text();

test('the graph holds what the timemap does', async () => {
  const expected = sortedLines(await (await server.get('/acme/people/timemap')).text());
  expect(expected.length).toBeGreaterThan(30);
  expect(sortedLines(await ask({ query: construct }))).toEqual(expected);
  expect(sortedLines(await ask({ query: construct.replace('quadrille', 'dydra') }))).toEqual(expected);
  expect(
    sortedLines(await ask({ query: 'CONSTRUCT WHERE { ?s ?p ?o }', 'default-graph-uri': 'urn:quadrille:timemap' })),
  ).toEqual(expected);
});

test('queries join it with the data, in every form of a request', async () => {
  const text = `PREFIX q: <urn:quadrille:> SELECT ?message ?added {
    GRAPH q:timemap { ?revision q:message ?message ; q:added ?added ; q:ordinal ?n }
    ?s ?p ?name FILTER(STRENDS(?message, ?name)) } ORDER BY ?n`;
  const rows = 'message,added\r\n"add a",1\r\n"add b",1\r\n';
  expect(await ask({ query: text }, 'text/csv')).toBe(rows);
  for (const [type, body] of [
    ['application/sparql-query', text],
    ['application/x-www-form-urlencoded', form({ query: text })],
  ] as const) {
    const headers = { 'Content-Type': type, Accept: 'text/csv' };
    expect(await (await server.send('POST', SPARQL, { headers, body })).text()).toBe(rows);
  }
});

test('at a revision it ends there, and stays as it is', async () => {
  const head = (await server.get('/acme/people/size')).headers.get('ETag')?.replaceAll('"', '') ?? '';
  const before = sortedLines(await ask({ query: construct, 'revision-id': head }));
  expect(before.join('\n')).toContain(`${BASE}/acme/people?revision-id=${head}`);
  await add('c');
  expect(sortedLines(await ask({ query: construct, 'revision-id': head }))).toEqual(before);
  expect(sortedLines(await ask({ query: construct })).length).toBeGreaterThan(before.length);
});
