import { openService, type Service } from '@quadrille/service';
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
