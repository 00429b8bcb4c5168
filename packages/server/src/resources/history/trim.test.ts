import { openService, type Service } from '../../host/index.js';
import { type Database, open } from 'quadrille';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createHandler, type Handler } from '../../handler.js';
import { BASE } from '../../testing/server.js';

let database: Database;
let service: Service;
let handler: Handler;
let token: Record<'owner' | 'writer', string>;

beforeEach(async () => {
  database = await open(':memory:');
  const people = await database.repository('acme/people', { create: true });
  for (let i = 0; i < 6; i++) await people.update(`INSERT DATA { <urn:s${String(i)}> <urn:p> ${String(i)} }`);
  service = await openService(database, { rateLimit: false });
  handler = createHandler({ service });
  const make = async (rights: 'write' | 'own'): Promise<string> =>
    (await service.tokens.create('acme', { rights: [rights] })).text;
  token = { owner: await make('own'), writer: await make('write') };
});
afterEach(async () => {
  await service.close();
  await database.close();
});

const ask = (path: string, init: RequestInit = {}, as: keyof typeof token = 'owner'): Promise<Response> =>
  handler(
    new Request(`${BASE}/acme/people/${path}`, {
      ...init,
      headers: { Authorization: `Bearer ${token[as]}`, Accept: 'application/json', ...init.headers },
    }),
  );
const trim = (query: string, as?: keyof typeof token): Promise<Response> =>
  ask(`revisions${query}`, { method: 'DELETE' }, as);
const ordinals = async (query = ''): Promise<unknown> =>
  ((await (await ask(`revisions${query}`)).json()) as { ordinal: number }[]).map(({ ordinal }) => ordinal);

test('the owner removes revisions, and what is gone is 410', async () => {
  const [, , gone] = (await (await ask('revisions')).json()) as { uuid: string; datetime: string }[];
  expect(await (await trim('?revision-id=6&dry-run=1')).json()).toMatchObject({ trimmed: 5, kept: 2 });
  expect(await ordinals()).toEqual([7, 6, 5, 4, 3, 2, 1]);
  await (await database.repository('acme/people')).tags.set('three', 3);
  const done = await trim('?revision-id=6&last=1');
  expect([done.status, await done.json()]).toMatchObject([200, { trimmed: 4, kept: 3 }]);
  expect(await ordinals()).toEqual([7, 6, 3]);
  expect(await ordinals('?from=2020-01-01&limit=2')).toEqual([7, 6]);
  for (const path of ['revisions/5', `revisions/${gone!.uuid}`, 'statements?revision-id=2']) {
    const reply = await ask(path);
    expect([reply.status, await reply.json()], path).toMatchObject([410, { code: 'REVISION_TRIMMED' }]);
  }
  expect((await ask('revisions/8')).status).toBe(404);
  const memento = await ask('statements?revision-id=6');
  expect(memento.headers.get('Link')).toMatch(/rel="prev memento"|rel="first prev memento"/);
  expect(memento.status).toBe(200);
  const before = await ask('statements', { headers: { 'Accept-Datetime': 'Thu, 01 Jan 2015 00:00:00 GMT' } });
  expect(before.status).toBe(200);
  await service.accounts.create('root', { admin: true });
  const { text } = await service.tokens.create('root', { rights: ['operate'] });
  const audit = await handler(new Request(`${BASE}/audit?limit=1`, { headers: { Authorization: `Bearer ${text}` } }));
  expect(await audit.json()).toMatchObject([
    { action: 'repository.trim', subject: 'acme/people', account: 'acme', details: { trimmed: 4, branch: 'main' } },
  ]);
});

test.each([
  ['', 400, 'INVALID_OPTION'],
  ['?revisionid=6', 400, 'INVALID_PARAMETER'],
  ['?last=0', 400, 'INVALID_PARAMETER'],
  ['?last=5&revision-id=', 400, 'INVALID_PARAMETER'],
  ['?last=', 400, 'INVALID_PARAMETER'],
  ['?last=5&per-day=x', 400, 'INVALID_PARAMETER'],
  ['?last=5&mode=all', 400, 'INVALID_PARAMETER'],
  ['?last=5&dry-run=maybe', 400, 'INVALID_PARAMETER'],
  ['?revision-id=99', 404, 'REVISION_NOT_FOUND'],
  ['?revision-id=*', 400, 'INVALID_REF'],
])('%s is refused', async (query, status, code) => {
  const reply = await trim(query);
  expect([reply.status, await reply.json()]).toMatchObject([status, { code }]);
  expect(await ordinals()).toHaveLength(7);
});

test('nobody but the owner', async () => {
  expect((await trim('?last=1', 'writer')).status).toBe(403);
  expect(await ordinals()).toHaveLength(7);
});
