import { open } from 'quadrille';
import { openService, type Service } from '../../host/index.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHandler, type Handler } from '../../handler.js';

const OWNER = { account: 'acme', readOnly: false, admin: false };

let service: Service;
let handler: Handler;
beforeEach(async () => {
  service = await openService(await open(':memory:'));
  for (const name of ['acme', 'other', 'empty']) await service.accounts.create(name);
  for (const privacy of ['private', 'public', 'authenticated'] as const)
    await service.repositories.create(OWNER, 'acme', { name: privacy, privacy });
  await service.repositories.create({ ...OWNER, account: 'other' }, 'other', { name: 'own' });
  handler = createHandler({ service });
});
afterEach(async () => {
  await service.close();
  await service.database.close();
});

async function get(path: string, token?: string, accept = 'application/json'): Promise<Response> {
  const headers = { Accept: accept, ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) };
  return handler(new Request(`http://localhost${path}`, { headers }));
}
const tokenOf = async (account: string, options: { readOnly?: boolean } = {}): Promise<string> =>
  (await service.tokens.create(account, options)).text;

describe('/session', () => {
  test('is 401 without a token and with a wrong one', async () => {
    for (const response of [await get('/session'), await get('/session', 'wrong')]) {
      expect(response.status).toBe(401);
      expect(response.headers.get('WWW-Authenticate')).toBe('Basic realm="Application"');
    }
  });

  test('tells who asks', async () => {
    expect(await (await get('/session', await tokenOf('acme'))).json()).toEqual({
      account: 'acme',
      admin: false,
      readOnly: false,
    });
    const response = await get('/session', await tokenOf('other', { readOnly: true }));
    expect(await response.json()).toEqual({ account: 'other', admin: false, readOnly: true });
    expect(response.headers.get('Cache-Control')).toBe('no-store');
  });

  test('on an open server everybody is the operator', async () => {
    const open = createHandler({ database: service.database, open: true });
    const response = await open(new Request('http://localhost/session'));
    expect(await response.json()).toEqual({ account: null, admin: true, readOnly: false });
  });
});

describe('/repositories?all', () => {
  const idsOf = async (response: Response): Promise<string[]> => {
    expect(response.status).toBe(200);
    return ((await response.json()) as { repository_id: string }[]).map((record) => record.repository_id);
  };

  test('lists what the caller may read, and no more', async () => {
    expect(await idsOf(await get('/repositories?all'))).toEqual(['acme/public']);
    const other = await tokenOf('other');
    const before = ['acme/authenticated', 'acme/public', 'other/own'];
    expect(await idsOf(await get('/repositories?all', other))).toEqual(before);
    await service.repositories.setCollaborator(OWNER, 'acme/private', 'other', 'read');
    const shared = ['acme/authenticated', 'acme/private', 'acme/public', 'other/own'];
    expect(await idsOf(await get('/repositories?all=true', other))).toEqual(shared);
    expect(await idsOf(await get('/repositories?all=0', other))).toEqual(['other/own']);
    expect(await idsOf(await get('/repositories', other))).toEqual(['other/own']);
  });

  test('as rows, with the right to write', async () => {
    const response = await get('/repositories?all', await tokenOf('other'), 'text/csv');
    const rows = (await response.text()).trim().split(/\r?\n/).slice(1);
    expect(rows.map((row) => row.split(',')[0]!.replace(/^.*\/\/localhost/, ''))).toEqual([
      '/acme/repositories/authenticated',
      '/acme/repositories/public',
      '/other/repositories/own',
    ]);
    expect(rows.map((row) => row.endsWith('true'))).toEqual([false, false, true]);
  });

  test('without it an anonymous caller is refused, and another value is 400', async () => {
    expect((await get('/repositories')).status).toBe(401);
    expect((await get('/repositories?all=false')).status).toBe(401);
    expect((await get('/repositories?all=some')).status).toBe(400);
  });

  test('an embedding server decides what is listed', async () => {
    const embedded = createHandler({
      database: service.database,
      authorize: async (_, access, repository) => {
        if (access === 'read' && repository === 'acme/private')
          throw new (await import('quadrille')).AccessError('FORBIDDEN', 'no');
      },
    });
    const response = await embedded(
      new Request('http://localhost/repositories?all', { headers: { Accept: 'application/json' } }),
    );
    expect(await idsOf(response)).toEqual(['acme/authenticated', 'acme/public', 'other/own']);
  });
});
