import { openService, type Service } from '../../host/index.js';
import { type Database, open } from 'quadrille';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createHandler, type Handler } from '../../handler.js';
import { BASE } from '../../testing/server.js';

let database: Database;
let service: Service;
let handler: Handler;
let token: Record<'owner' | 'writer' | 'other', string>;

beforeEach(async () => {
  database = await open(':memory:');
  await database.repository('acme/people', { create: true });
  service = await openService(database, { rateLimit: false });
  await service.accounts.create('other');
  handler = createHandler({ service });
  const make = async (account: string, rights: 'write' | 'own'): Promise<string> =>
    (await service.tokens.create(account, { rights: [rights] })).text;
  token = { owner: await make('acme', 'own'), writer: await make('acme', 'write'), other: await make('other', 'own') };
});
afterEach(async () => {
  await service.close();
  await database.close();
});

const send = (as: keyof typeof token, body?: unknown): Promise<Response> =>
  handler(
    new Request(`${BASE}/acme/people/settings`, {
      headers: { Authorization: `Bearer ${token[as]}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { method: 'PATCH', body: JSON.stringify(body) }),
    }),
  );

const PLAIN = {
  shapesStrict: false,
  shapesMode: 'refuse',
  shapesSince: 'always',
  shapesWarnings: [],
  defaultBranch: 'main',
  protected: [],
};

test('the owner reads and changes them', async () => {
  expect(await (await send('owner')).json()).toEqual({ functional: [], ...PLAIN });
  const changed = await send('owner', { functional: ['urn:p'] });
  expect([changed.status, await changed.json()]).toEqual([200, { functional: ['urn:p'], ...PLAIN }]);
  expect(await (await send('owner', {})).json()).toEqual({ functional: ['urn:p'], ...PLAIN });
  expect(await (await send('owner', { functional: null })).json()).toEqual({ functional: [], ...PLAIN });
});

test('nobody else does', async () => {
  expect((await send('writer')).status).toBe(403);
  expect((await send('writer', { functional: ['urn:p'] })).status).toBe(403);
  expect((await send('other')).status).toBe(404);
  expect(await (await database.repository('acme/people')).settings.get()).toEqual({ functional: [], ...PLAIN });
});

test.each([
  [{ functionel: [] }, 'INVALID_OPTION'],
  [{ functional: 'urn:p' }, 'INVALID_OPTION'],
  [{ functional: ['p'] }, 'INVALID_OPTION'],
  [[], 'BAD_REQUEST'],
])('%j is refused', async (body, code) => {
  const reply = await send('owner', body);
  expect([reply.status, await reply.json()]).toMatchObject([400, { code }]);
});
