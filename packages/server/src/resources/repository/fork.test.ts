import { openService, type Service } from '../../host/index.js';
import { type Database, open, type Repository } from 'quadrille';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createHandler, type Handler } from '../../handler.js';
import { BASE } from '../../testing/server.js';

let database: Database;
let service: Service;
let handler: Handler;
let people: Repository;
const tokens: Record<string, string> = {};

beforeEach(async () => {
  database = await open(':memory:');
  service = await openService(database, { rateLimit: false, limits: { repositoriesPerAccount: 3 } });
  handler = createHandler({ service });
  for (const account of ['acme', 'jo', 'root']) {
    await service.accounts.create(account, { admin: account === 'root' });
    tokens[account] = (await service.tokens.create(account)).text;
  }
  const acme = { account: 'acme', admin: false, readOnly: false };
  await service.repositories.create(acme, 'acme', { name: 'people', privacy: 'public' });
  await service.repositories.setCollaborator(acme, 'acme/people', 'jo', 'write');
  people = await database.repository('acme/people');
  await people.update('INSERT DATA { <urn:secret> <urn:p> 1 }');
  await (await people.branches.open('dev', { create: true })).update('INSERT DATA { <urn:b> <urn:p> 1 }');
});
afterEach(async () => {
  await service.close();
  await database.close();
});

const send = (who: string, method: string, path: string, body?: unknown): Promise<Response> =>
  handler(
    new Request(`${BASE}/acme/people${path}`, {
      method,
      headers: { Authorization: `Bearer ${tokens[who]}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  );

test('a fork has the history and the branches of its source, and is private', async () => {
  const made = await send('acme', 'POST', '/fork', { target: 'copy' });
  expect([made.status, made.headers.get('Location')]).toEqual([201, `${BASE}/acme/copy`]);
  const head = (await people.revision()).id;
  expect(await made.json()).toMatchObject({ repository_id: 'acme/copy', privacy: 'private', revision: head });
  const copy = await database.repository('acme/copy');
  expect((await copy.branches.list().toArray()).map(({ name }) => name)).toEqual(['dev', 'main']);
  expect((await (await send('root', 'POST', '/fork', { target: 'jo/old', at: '1' })).json()).triple_count).toBe(0);
  expect(service.jobs.latest('jo/old')).toMatchObject({ kind: 'create', message: 'forked from acme/people' });
});

test('what cannot be forked, and by whom', async () => {
  for (const [who, body, status, code, path = '/fork'] of [
    ['jo', { target: 'jo/copy' }, 403, 'FORBIDDEN'],
    ['acme', { target: 'jo/copy' }, 403, 'FORBIDDEN'],
    ['acme', { target: 'nobody/copy' }, 404, 'ACCOUNT_NOT_FOUND'],
    ['acme', { target: 'people' }, 422, 'INVALID_RECORD'],
    ['acme', { target: 'acme/audit' }, 422, 'INVALID_RECORD'],
    ['acme', { target: 'a/b/c' }, 422, 'INVALID_RECORD'],
    ['acme', { target: '../x' }, 404, 'ACCOUNT_NOT_FOUND'],
    ['acme', {}, 422, 'INVALID_RECORD'],
    ['acme', { target: 'copy', from: 1 }, 422, 'INVALID_RECORD'],
    ['acme', { target: 'copy', at: 'none' }, 404, 'REVISION_NOT_FOUND'],
    ['acme', { target: 'copy' }, 400, 'INVALID_PARAMETER', '/fork?branch=dev'],
  ] as const) {
    const response = await send(who, 'POST', path, body);
    expect([who, body, response.status, (await response.json()).code]).toEqual([who, body, status, code]);
  }
  expect((await database.repositories().toArray()).map(({ name }) => name)).toEqual(['acme/people']);
  // Of several at once, no more are made than the account may have.
  const made = await Promise.all(['a', 'b', 'c', 'd'].map((target) => send('acme', 'POST', '/fork', { target })));
  expect(made.map(({ status }) => (status === 201 ? 'made' : 'refused')).sort()).toEqual([
    'made',
    'made',
    'refused',
    'refused',
  ]);
});

test('the owner sees what concerns the repository in the audit, without its content', async () => {
  expect((await send('jo', 'DELETE', '/branches/dev?force=1')).status).toBe(204);
  expect((await send('acme', 'PUT', '/collaborators/jo', { read: true })).status).toBeLessThan(300);
  await service.repositories.create({ account: 'acme', admin: false, readOnly: false }, 'acme', { name: 'other' });
  await service.repositories.remove({ account: 'acme', admin: false, readOnly: false }, 'acme/other');
  const response = await send('acme', 'GET', '/audit');
  const entries = (await response.json()) as any[];
  expect(entries.map(({ action, account, subject }) => [action, account, subject])).toEqual([
    ['collaborator.set', 'acme', 'acme/people'],
    ['branch.delete', 'jo', 'acme/people'],
    ['collaborator.set', 'acme', 'acme/people'],
  ]);
  expect(JSON.stringify(entries)).not.toContain('secret');
  expect(((await (await send('acme', 'GET', '/audit?limit=1')).json()) as any[]).length).toBe(1);
  expect((await send('jo', 'GET', '/audit')).status).toBe(403);
});
