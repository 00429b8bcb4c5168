import { openService } from '../../host/index.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createHandler } from '../../handler.js';
import { BASE, type TestServer, testServer, TURTLE } from '../../testing/server.js';

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
  await server.send('POST', '/acme/repositories', { body: new URLSearchParams({ name: 'more' }) });
  for (const [name, body] of [
    ['people', '<urn:a> <urn:p> 1 .'],
    ['more', '<urn:a> <urn:p> 1 , 2 .'],
    ['more', 'nonsense'],
  ])
    await server.send('POST', `/acme/${name!}/statements`, { body: body!, headers: { 'Content-Type': 'text/turtle' } });
});
afterEach(() => server.database.close());

type Listed = readonly { readonly operation: string; readonly status: string; readonly repository_id: string }[];
const jobs = async (query: string): Promise<string[]> => {
  const response = await server.get(`/jobs${query}`);
  expect(response.status).toBe(200);
  return ((await response.json()) as Listed).map(
    ({ operation, status, repository_id }) => `${operation} ${status} ${repository_id}`,
  );
};

test('jobs of all states, of a repository, and the newest of them', async () => {
  expect(await jobs('')).toEqual([]);
  const all = [
    'import failed acme/more',
    'import completed acme/more',
    'import completed acme/people',
    'create completed acme/more',
  ];
  expect(await jobs('?status=all')).toEqual(all);
  expect(await jobs('?status=all&limit=2')).toEqual(all.slice(0, 2));
  expect(await jobs('?status=all&limit=0')).toEqual([]);
  expect(await jobs('?status=all&repository=acme/people')).toEqual([all[2]]);
  expect(await jobs('?status=failed&repository=acme/people')).toEqual([]);
  expect(await jobs('?status=all&repository=acme/nobody')).toEqual([]);
  expect(await jobs('?status=unknown')).toEqual([]);
  for (const query of ['?status=some', '?limit=x', '?limit=-1'])
    expect((await server.get(`/jobs${query}`)).status).toBe(400);
});

test('a job tells its bytes, statements and rate', async () => {
  const [job] = (await (await server.get('/jobs?status=all&repository=acme/people')).json()) as Record<
    string,
    number
  >[];
  expect(job).toMatchObject({ bytes: 19, bytes_total: 19, statements: 1 });
  expect(job!['rate']).toBeGreaterThan(0);
});

test('a client finds its import by the id of its request, and nobody else does', async () => {
  const service = await openService(server.database);
  const handler = createHandler({ service });
  await service.accounts.create('other');
  await service.accounts.create('root', { admin: true });
  const [own, other, root] = await Promise.all(
    ['acme', 'other', 'root'].map(async (account) => (await service.tokens.create(account)).text),
  );
  const send = (path: string, token: string, init: RequestInit = {}): Promise<Response> =>
    handler(new Request(BASE + path, { ...init, headers: { ...init.headers, Authorization: `Bearer ${token}` } }));
  const found = async (id: string, token: string): Promise<unknown[]> => {
    const list = (await (await send(`/jobs?status=all&client-request-id=${id}`, token)).json()) as Listed;
    return list.map(({ repository_id: repository }) => repository);
  };
  const headers = { ...TURTLE, 'Client-Request-Id': 'mine' };
  const init = { method: 'POST', body: '<urn:a> <urn:p> 1 .', headers };
  expect((await send('/acme/people/statements', own!, init)).status).toBe(204);
  expect((await send('/acme/people/service?default', own!, init)).status).toBe(204);
  expect(await found('mine', own!)).toEqual(['acme/people', 'acme/people']);
  expect(await found('yours', own!)).toEqual([]);
  expect(await found('mine', other!)).toEqual([]);
  // An operator sees all jobs, but its own request is another one.
  expect(await found('mine', root!)).toEqual([]);
  const [job] = (await (await send('/jobs?status=all&limit=1', root!)).json()) as { client_request_id?: string }[];
  expect(job!.client_request_id).toBe('mine');
  await service.close();
});
