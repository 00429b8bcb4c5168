import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestServer, testServer } from '../../testing/server.js';

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
});
afterEach(() => server.database.close());

const add = (body: string): Promise<Response> =>
  server.send('POST', '/acme/people/statements', { body, headers: { 'Content-Type': 'application/trig' } });
const schema = (more = '', headers: Record<string, string> = {}): Promise<Response> =>
  server.get(`/acme/people/schema${more}`, headers);

test('an empty repository', async () => {
  const response = await schema();
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ classes: [], properties: [], graphs: [] });
});

test('classes, properties and graphs of each revision, with tags', async () => {
  await add('<urn:a> a <urn:C> ; <urn:p> 1 .');
  const before = (await schema()).headers.get('ETag')!;
  await add('<urn:a> a <urn:C> , <urn:D> . <urn:g> { <urn:a> a <urn:C> ; <urn:p> 2 . }');
  const response = await schema('', { 'If-None-Match': before });
  expect(response.status).toBe(200);
  const type = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>';
  expect(await response.json()).toEqual({
    classes: [
      { term: '<urn:C>', count: 2 },
      { term: '<urn:D>', count: 1 },
    ],
    properties: [
      { term: type, count: 3 },
      { term: '<urn:p>', count: 2 },
    ],
    graphs: [{ term: '<urn:g>', count: 2 }],
  });
  const tag = response.headers.get('ETag')!;
  expect((await schema('', { 'If-None-Match': tag })).status).toBe(304);
  const earlier = await schema('?revision-id=HEAD~1');
  expect(earlier.headers.get('ETag')).toBe(before);
  expect(await earlier.json()).toEqual({
    classes: [{ term: '<urn:C>', count: 1 }],
    properties: [
      { term: type, count: 1 },
      { term: '<urn:p>', count: 1 },
    ],
    graphs: [],
  });
  expect((await schema(`?revision-id=${before.slice(1, -1)}`)).headers.get('Cache-Control')).toContain('immutable');
});

test('many and long names do not make a document without bounds', async () => {
  const lines = Array.from({ length: 3000 }, (_, i) => `<urn:s> <urn:p:${String(i)}${'x'.repeat(2000)}> 1 .`);
  await add(lines.join('\n'));
  const text = await (await schema()).text();
  expect(text.length).toBeLessThan(4.2 * 1024 ** 2);
  expect((JSON.parse(text) as { properties: unknown[] }).properties.length).toBeGreaterThan(2000);
});

test('errors: a time limit, a revision and a repository that are not there', async () => {
  expect((await schema('?revision-id=99')).status).toBe(404);
  expect((await schema('?timeout=x')).status).toBe(400);
  await add(Array.from({ length: 20_000 }, (_, i) => `<urn:s${String(i)}> a <urn:c${String(i)}> .`).join('\n'));
  expect((await schema('?timeout=0.001')).status).toBe(503);
  await server.send('DELETE', '/acme/people');
  expect((await schema()).status).toBe(404);
});
