import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { query, type TestServer, testServer } from '../../testing/server.js';

const TRIG = { 'Content-Type': 'application/trig' };
const DATA = `@prefix ex: <http://example.org/ns#> . @prefix foaf: <http://xmlns.com/foaf/0.1/> .
ex:ada a foaf:Person ; foaf:name "Ada" ; foaf:knows ex:bob , ex:eve .
ex:bob a foaf:Person ; foaf:name "bob"@en .
<urn:g> { ex:ada a foaf:Person , ex:Author ; foaf:name "Ada" . <http://example.org/path/Adam> foaf:age 5 . }
<urn:h> { ex:eve foaf:name "Eve" . }`;
const FOAF = '<http://xmlns.com/foaf/0.1/';
const EX = '<http://example.org/ns#';

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
  await server.send('POST', '/acme/people/statements', { body: DATA, headers: TRIG });
});
afterEach(() => server.database.close());

type Counts = readonly { readonly term: string; readonly count: number }[];
const get = (parameters: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> =>
  server.get(`/acme/people/terms?${query(parameters)}`, headers);

async function counts(parameters: Record<string, string>): Promise<[string, number][]> {
  const response = await get(parameters);
  expect(response.status).toBe(200);
  return ((await response.json()) as Counts).map(({ term, count }) => [term, count]);
}

describe('the terms of a position, over all graphs, most frequent first', () => {
  test('predicates and classes', async () => {
    expect(await counts({ position: 'predicate' })).toEqual([
      ['<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>', 4],
      [`${FOAF}name>`, 4],
      [`${FOAF}knows>`, 2],
      [`${FOAF}age>`, 1],
    ]);
    expect(await counts({ position: 'class' })).toEqual([
      [`${FOAF}Person>`, 3],
      [`${EX}Author>`, 1],
    ]);
  });

  test('subjects, objects and graphs; limit', async () => {
    expect(await counts({ position: 'subject', limit: '1' })).toEqual([[`${EX}ada>`, 7]]);
    expect(await counts({ position: 'graph' })).toEqual([
      ['<urn:g>', 4],
      ['<urn:h>', 1],
    ]);
    expect(await counts({ position: 'object', prefix: 'ad' })).toEqual([['"Ada"', 2]]);
    expect(await counts({ position: 'predicate', limit: '0' })).toEqual([]);
  });

  test('a prefix is the beginning of an IRI, of its last part, or a prefixed name', async () => {
    const subjects = (prefix: string): Promise<[string, number][]> => counts({ position: 'subject', prefix });
    expect(await subjects('ADA')).toEqual([
      [`${EX}ada>`, 7],
      ['<http://example.org/path/Adam>', 1],
    ]);
    expect(await subjects('http://example.org/path/')).toEqual([['<http://example.org/path/Adam>', 1]]);
    expect(await subjects('ns')).toEqual([]);
    expect(await counts({ position: 'predicate', prefix: 'foaf:na' })).toEqual([[`${FOAF}name>`, 4]]);
    expect(await subjects('ex:b')).toEqual([]);
  });

  test('the prefixes of the repository count, and change the tag', async () => {
    const asked = { position: 'subject', prefix: 'ex:b' };
    const before = (await get(asked)).headers.get('ETag')!;
    await server.send('PUT', '/acme/people/namespaces/ex', { body: 'http://example.org/ns#' });
    const after = await get(asked, { 'If-None-Match': before });
    expect(after.status).toBe(200);
    expect(await after.json()).toEqual([{ term: `${EX}bob>`, count: 2 }]);
    const tag = after.headers.get('ETag')!;
    expect((await get(asked, { 'If-None-Match': tag })).status).toBe(304);
  });
});

test('at an earlier revision, with tag and cache; and the tag changes with the next revision', async () => {
  const response = await get({ position: 'predicate', 'revision-id': 'HEAD~1' });
  expect(await response.json()).toEqual([]);
  const head = await get({ position: 'class' });
  const tag = head.headers.get('ETag')!;
  expect((await get({ position: 'class' }, { 'If-None-Match': tag })).status).toBe(304);
  await server.send('DELETE', '/acme/people/statements?context=%3Curn%3Ag%3E');
  expect((await get({ position: 'class' }, { 'If-None-Match': tag })).status).toBe(200);
  expect(await counts({ position: 'class' })).toEqual([[`${FOAF}Person>`, 2]]);
  const id = /^"([0-9a-f-]{36})"$/.exec(tag)![1]!;
  const fixed = await get({ position: 'class', 'revision-id': id });
  expect(fixed.headers.get('Cache-Control')).toContain('immutable');
  expect(((await fixed.json()) as Counts)[0]?.count).toBe(3);
});

test.each([
  ['a quote and what follows it', '"))} } ORDER BY ?x #'],
  ['a backslash and an escape', '\\u0022 \\'],
  ['a regular expression', '.*(a+)+$['],
  ['control characters and emoji', '\n\t\u0001😀'],
])('%s in a prefix is text', async (_, prefix) => {
  for (const position of ['subject', 'object']) expect(await counts({ position, prefix })).toEqual([]);
});

test.each([
  ['no position', {}],
  ['another position', { position: 'verb' }],
  ['a limit that is too high', { position: 'graph', limit: '1001' }],
  ['a limit that is no number', { position: 'graph', limit: 'x' }],
  ['a long prefix', { position: 'graph', prefix: 'x'.repeat(2049) }],
  ['no time', { position: 'graph', timeout: '-1' }],
  ['an interval', { position: 'graph', 'revision-id': '1--2' }],
])('%s is 400', async (_, parameters) => {
  expect((await get(parameters as Record<string, string>)).status).toBe(400);
});

test('a repository that is gone is 404, and so is a revision', async () => {
  expect((await get({ position: 'graph', 'revision-id': '99' })).status).toBe(404);
  await server.send('DELETE', '/acme/people');
  expect((await get({ position: 'graph' })).status).toBe(404);
});

test('huge terms bound the list in bytes', async () => {
  const line = (i: number): string => `<urn:s> <urn:p> "${String(i)}${'x'.repeat(1024 ** 2)}" .\n`;
  for (let i = 0; i < 6; i++)
    await server.send('POST', '/acme/people/statements', { body: line(i), headers: { 'Content-Type': 'text/turtle' } });
  const text = await (await get({ position: 'object', prefix: '', limit: '20' })).text();
  expect(text.length).toBeLessThan(4 * 1024 ** 2);
});

test('it waits for its turn and has the time limit of a query', async () => {
  const body = Array.from({ length: 20_000 }, (_, i) => `<urn:s${String(i)}> <urn:p> ${String(i)} .`).join('\n');
  await server.send('POST', '/acme/people/statements', { body, headers: { 'Content-Type': 'text/turtle' } });
  const response = await get({ position: 'subject', prefix: 's1', timeout: '0.001' });
  expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([503, 'QUERY_TIMEOUT']);
});
