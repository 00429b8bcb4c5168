import { openService, type Service } from '../../host/index.js';
import { type Database, open } from 'quadrille';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createHandler, type Handler } from '../../handler.js';
import { BASE } from '../../testing/server.js';

let database: Database;
let service: Service;
let handler: Handler;

beforeEach(async () => {
  database = await open(':memory:');
  const people = await database.repository('acme/people', { create: true });
  await people.update('INSERT DATA { <urn:ann> <urn:knows> <urn:bob> . <urn:bob> <urn:knows> <urn:cid> }');
  await people.update('DELETE DATA { <urn:ann> <urn:knows> <urn:bob> }');
  service = await openService(database, { rateLimit: false });
  handler = createHandler({ service });
});
afterEach(async () => {
  await service.close();
  await database.close();
});

const erase = async (body: unknown, right: 'own' | 'write' = 'own', query = ''): Promise<Response> =>
  handler(
    new Request(`${BASE}/acme/people/erase${query}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${(await service.tokens.create('acme', { rights: [right] })).text}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify(body),
    }),
  );

test('the owner erases a term, and the record of changes does not tell it', async () => {
  const done = await erase({ term: '<urn:ann>', reason: 'Request 17' });
  expect([done.status, await done.json()]).toMatchObject([200, { quads: 1, terms: 1, revisions: 2, branches: 1 }]);
  const people = await database.repository('acme/people');
  expect(await people.at(2).size()).toBe(1);
  expect(await people.revision()).toMatchObject({ kind: 'erase', author: 'acme', message: 'Request 17 (1 quad)' });
  await service.accounts.create('root', { admin: true });
  const { text } = await service.tokens.create('root', { rights: ['operate'] });
  const audit = await handler(new Request(`${BASE}/audit`, { headers: { Authorization: `Bearer ${text}` } }));
  const entries = await audit.text();
  expect(entries).toContain('"repository.erase"');
  expect(entries).not.toContain('urn:ann');
  const pattern = await erase({ pattern: { predicate: '<urn:knows>', graph: 'default' }, reason: 'all' });
  expect([pattern.status, await people.at(2).size()]).toEqual([200, 0]);
});

test('a cache that asks again gets the new content of old revisions, also of differences and by time', async () => {
  const people = await database.repository('acme/people');
  const old = await people.at(2).revision();
  const { text } = await service.tokens.create('acme', { rights: ['own'] });
  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    handler(new Request(`${BASE}/acme/people${path}`, { headers: { Authorization: `Bearer ${text}`, ...headers } }));
  const paths = [`/statements?revision-id=${old.id}`, `/diff?from=1&to=2`, `/size?revision-id=2`, `/ldes/1`];
  const before = new Map<string, Response>();
  for (const path of paths) before.set(path, await get(path, { Accept: 'application/n-quads, */*;q=0.5' }));
  const reply = before.get(paths[0]!)!;
  expect(reply.headers.get('ETag')).toContain(`"${old.id}`);
  const future = new Date(Date.now() + 5000).toUTCString();
  for (const path of paths) {
    const headers = { Accept: 'application/n-quads, */*;q=0.5' };
    const tag = before.get(path)!.headers.get('ETag')!;
    expect((await get(path, { ...headers, 'If-None-Match': tag })).status, path).toBe(304);
  }
  expect((await erase({ term: '<urn:ann>', reason: 'Request 17' })).status).toBe(200);
  for (const path of paths) {
    const headers = { Accept: 'application/n-quads, */*;q=0.5' };
    const tag = before.get(path)!.headers.get('ETag')!;
    const again = await get(path, { ...headers, 'If-None-Match': tag });
    expect([again.status, again.headers.get('Last-Modified')], path).toEqual([200, null]);
    expect(await again.text()).not.toContain('urn:ann');
    const now = again.headers.get('ETag')!;
    // The page goes on to the head, which the erasure has made.
    if (!path.startsWith('/ldes')) {
      expect(now, path).toMatch(/^"[0-9a-f-]{36}-e1/);
      expect((await get(path, { ...headers, 'If-Modified-Since': future })).status, path).toBe(200);
    }
    expect((await get(path, { ...headers, 'If-None-Match': now })).status, path).toBe(304);
  }
  const head = await get('/statements');
  const { id } = await people.revision();
  expect(head.headers.get('ETag')).toContain(`"${id}`);
  expect(head.headers.get('ETag')!.slice(id.length + 1)).not.toMatch(/^-e\d/);
  // The tag of a revision from before also names what a write expects.
  const quiet = await people.branches.open('quiet', { create: true, from: 3 });
  const on = await get('/statements?branch=quiet');
  const added = await handler(
    new Request(`${BASE}/acme/people/statements?branch=quiet`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${text}`,
        'Content-Type': 'application/n-quads',
        'If-Match': on.headers.get('ETag')!,
      },
      body: '<urn:new> <urn:p> <urn:o> .',
    }),
  );
  expect([added.status, (await quiet.revision()).number]).toEqual([204, 4]);
});

test('a dry run gives the counts, changes nothing, and is not in the record of changes', async () => {
  const people = await database.repository('acme/people');
  const before = await people.revision();
  const done = await erase({ term: '<urn:ann>', reason: 'Request 17', dryRun: true });
  expect([done.status, await done.json()]).toMatchObject([200, { quads: 1, terms: 0, revisions: 2, branches: 1 }]);
  expect([(await people.revision()).id, await people.at(2).size()]).toEqual([before.id, 2]);
  expect((await erase({ term: '<urn:nobody>', reason: 'r', dryRun: true })).status).toBe(404);
  expect((await erase({ term: '<urn:ann>', reason: 'r', dryRun: 'yes' })).status).toBe(422);
  expect((await erase({ term: '<urn:ann>', reason: 'r', dryRun: true }, 'write')).status).toBe(403);
  await service.accounts.create('root', { admin: true });
  const { text } = await service.tokens.create('root', { rights: ['operate'] });
  const audit = await handler(new Request(`${BASE}/audit`, { headers: { Authorization: `Bearer ${text}` } }));
  expect(await audit.text()).not.toContain('repository.erase');
  expect(await (await erase({ term: '<urn:ann>', reason: 'Request 17' })).json()).toMatchObject({ quads: 1 });
});

test('erases single statements', async () => {
  const done = await erase({ quads: '<urn:bob> <urn:knows> <urn:cid> .\n<urn:x> <urn:y> <urn:z> .', reason: 'r' });
  expect([done.status, await done.json()]).toMatchObject([200, { quads: 1 }]);
  for (const [quads, status] of [
    ['', 422],
    ['<urn:a> <urn:b>', 400],
    [7, 422],
  ] as const)
    expect((await erase({ quads, reason: 'r' })).status).toBe(status);
});

test.each([
  [{ term: '<urn:nobody>', reason: 'r' }, 404, 'NOTHING_TO_ERASE'],
  [{ term: '<urn:ann>' }, 422, 'INVALID_RECORD'],
  [{ reason: 'r' }, 400, 'BAD_REQUEST'],
  [{ term: '<urn:ann>', pattern: { subject: '<urn:ann>' }, reason: 'r' }, 400, 'BAD_REQUEST'],
  [{ pattern: {}, reason: 'r' }, 400, 'BAD_REQUEST'],
  [{ pattern: { subj: '<urn:ann>' }, reason: 'r' }, 422, 'INVALID_RECORD'],
  [{ pattern: 7, reason: 'r' }, 422, 'INVALID_RECORD'],
  [{ term: 'no term', reason: 'r' }, 400, 'BAD_REQUEST'],
  [{ term: '<urn:ann>', reason: 'r', force: true }, 422, 'INVALID_RECORD'],
])('refuses %j', async (body, status, code) => {
  const reply = await erase(body);
  expect([reply.status, await reply.json()]).toMatchObject([status, { code }]);
  expect((await (await database.repository('acme/people')).revision()).number).toBe(3);
});

test('needs the right to own, and takes no branch', async () => {
  expect((await erase({ term: '<urn:ann>', reason: 'r' }, 'write')).status).toBe(403);
  expect((await erase({ term: '<urn:ann>', reason: 'r' }, 'own', '?branch=main')).status).toBe(400);
});
