/** `POST /A/R/changes`: a patch is one revision, or nothing and a line. */
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Repository } from 'quadrille';
import { sortedLines, type TestServer, testServer } from '../../testing/server.js';

let server: TestServer;
let repository: Repository;

beforeEach(async () => {
  server = await testServer({ transactionBytes: 2000 });
  repository = await server.database.repository('acme/people');
  await repository.update('INSERT DATA { <urn:a> <urn:p> 1 . GRAPH <urn:g> { <urn:b> <urn:p> "x"@en } }');
});
afterEach(() => server.database.close());

const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}): Promise<Response> =>
  server.send('POST', '/acme/people/changes', {
    body,
    headers: { 'Content-Type': 'application/rdf-patch', ...headers },
  });

const content = async (): Promise<string[]> =>
  sortedLines(await (await server.get('/acme/people/statements', { Accept: 'application/n-quads' })).text());

const ONE = '"1"^^<http://www.w3.org/2001/XMLSchema#integer>';

test('is one revision, with the ETag of a write, author and message', async () => {
  const before = await repository.revision();
  const body = 'TX .\nD <urn:a> <urn:p> 1 .\nTC .\nTX .\nA <urn:c> <urn:p> "x" .\nA <urn:c> <urn:p> "y" .\nTC .\n';
  const response = await post(body, { 'Revision-Message': 'moved', 'If-Match': `"${before.id}"` });
  expect([response.status, await response.text()]).toEqual([204, '']);
  const head = await repository.revision();
  expect(response.headers.get('ETag')).toBe(`"${head.id}"`);
  expect(head).toMatchObject({ parent: before.id, added: 2, removed: 1, message: 'moved' });
  expect(await content()).toEqual([
    '<urn:b> <urn:p> "x"@en <urn:g> .',
    '<urn:c> <urn:p> "x" .',
    '<urn:c> <urn:p> "y" .',
  ]);
});

test('the difference of two revisions is a patch', async () => {
  const [first, before] = [await repository.revision(), await content()];
  await repository.update('DELETE WHERE { <urn:a> ?p ?o } ; INSERT DATA { [] <urn:p> <urn:c> }');
  const diff = await server.get(`/acme/people/diff?from=HEAD&to=${first.id}`, { Accept: 'application/rdf-patch' });
  const text = await diff.text();
  expect(text).toMatch(/^H id <urn:uuid:.*> \.\nH prev .*\nTX \.\n/);
  expect(text).toMatch(/^D <_:\w+> <urn:p> <urn:c> \.$/m);
  expect((await post(text)).status).toBe(204);
  expect(await content()).toEqual(before);
  const again = await post(text);
  expect([again.status, again.headers.get('ETag')]).toEqual([204, `"${(await repository.revision()).id}"`]);
});

test('does not apply: 409 with the line, and nothing changes', async () => {
  const before = await content();
  const response = await post('A <urn:c> <urn:p> 1 .\nA <urn:a> <urn:p> 1 .\n');
  expect(response.status).toBe(409);
  expect(await response.json()).toMatchObject({
    code: 'PATCH_CONFLICT',
    status: 409,
    line: 2,
    error: `request body:2: the quad to add is there already: <urn:a> <urn:p> ${ONE}`,
  });
  expect(await content()).toEqual(before);
});

test('cannot be read: 400 with line and column', async () => {
  const response = await post('TX .\nD <urn:a> <urn:p> 1 .\nA <urn:c> "p" 1 .\nTC .\n');
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: 'RDF_SYNTAX', line: 3, column: 11 });
  expect((await post('TX .\nD <urn:a> <urn:p> 1 .\n')).status).toBe(400);
  expect(await repository.size()).toBe(2);
});

test('with an id is applied once, behind the revision of its prev', async () => {
  const id = '0686c69d-8f89-4496-acb5-744f0157a8db';
  const patch = `H id <uuid:${id}> .\nH prev <uuid:1ff6c69d-8f89-4496-acb5-744f0157a8db> .\nTX .\nA <urn:n> <urn:p> 1 .\nTC .\n`;
  const first = await post(patch);
  expect(first.status).toBe(204);
  const head = await repository.revision();
  expect(head).toMatchObject({ origin: id, added: 1 });
  expect([(await post(patch)).headers.get('ETag'), await repository.revision()]).toEqual([`"${head.id}"`, head]);
  const behind = await post(
    `H id <uuid:${id.replace('0', '1')}> .\nH prev <uuid:${head.parent}> .\nA <urn:m> <urn:p> 1 .\n`,
  );
  expect([behind.status, await behind.json()]).toMatchObject([409, { code: 'REVISION_CONFLICT' }]);
  expect(await repository.revision()).toEqual(head);
});

test('what the feed writes comes in elsewhere', async () => {
  await repository.update('INSERT DATA { _:b <urn:p> "feed" } ; DELETE DATA { <urn:b> <urn:p> "x"@en }');
  const feed = await server.get('/acme/people/changes?since=0', { Accept: 'application/rdf-patch' });
  const other = await server.database.repository('acme/other', { create: true });
  const body = await feed.text();
  const sent = { body, headers: { 'Content-Type': 'application/rdf-patch' } };
  expect((await server.send('POST', '/acme/other/changes', sent)).status).toBe(204);
  expect((await other.revision()).number).toBe((await repository.revision()).number);
  expect(await other.size()).toBe(await repository.size());
});

test('needs the revision of If-Match, its type, room, and no revision-id', async () => {
  const old = await repository.revision();
  await repository.update('INSERT DATA { <urn:z> <urn:p> 1 }');
  const stale = await post('D <urn:z> <urn:p> 1 .', { 'If-Match': `"${old.id}"` });
  expect([stale.status, await stale.json()]).toMatchObject([412, { code: 'PRECONDITION_FAILED' }]);
  expect((await post('', { 'Content-Type': 'text/turtle' })).status).toBe(415);
  expect((await post(`# ${'x'.repeat(3000)}`)).status).toBe(413);
  const past = await server.send('POST', '/acme/people/changes?revision-id=HEAD~1', { body: '' });
  expect(past.status).toBe(400);
  expect((await server.send('POST', '/acme/nobody/changes', { body: '' })).status).toBe(404);
  expect(await repository.size()).toBe(3);
});

test('may be compressed', async () => {
  const packed = new Uint8Array(gzipSync('D <urn:a> <urn:p> 1 .'));
  expect((await post(packed, { 'Content-Encoding': 'gzip' })).status).toBe(204);
  expect(await repository.size()).toBe(1);
});
