import { AccessError } from '@quadrille/model';
import { openService } from '../../host/index.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createHandler } from '../../handler.js';
import { BASE, query, type TestServer, testServer } from '../../testing/server.js';

const SLOW = 'SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER(?c + ?f + ?i < 0) }';

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
  const body = Array.from({ length: 300 }, (_, i) => `<urn:s${String(i)}> <urn:p> ${String(i)} .`).join('\n');
  await server.send('POST', '/acme/people/statements', { body, headers: { 'Content-Type': 'text/turtle' } });
});
afterEach(() => server.database.close());

type Listed = readonly { id: string; repository: string; query: string; kind: string }[];

async function listed(): Promise<Listed> {
  for (let attempt = 0; attempt < 1000; attempt++) {
    const list = (await (await server.get('/queries')).json()) as Listed;
    if (list.length > 0) return list;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('nothing runs');
}

const slow = (signal?: AbortSignal): Promise<Response> =>
  server.handler(
    new Request(`${BASE}/acme/people/sparql?${query({ query: SLOW })}`, signal === undefined ? {} : { signal }),
  );

test('what runs is listed, shown alone and cancelled', async () => {
  expect(await (await server.get('/queries')).json()).toEqual([]);
  const answer = slow();
  const [running] = await listed();
  expect(running).toMatchObject({ repository: 'acme/people', query: SLOW, kind: 'query', rows: 0 });
  const path = `/queries/${running!.id}`;
  expect(await (await server.get(path)).json()).toMatchObject({ id: running!.id });
  expect((await server.send('DELETE', path)).status).toBe(204);
  const response = await answer;
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ code: 'ABORTED' });
  expect((await server.send('DELETE', path)).status).toBe(404);
  expect((await server.get('/queries/nonsense')).status).toBe(404);
  expect((await server.send('POST', '/queries')).status).toBe(405);
});

test('all at once', async () => {
  const answers = [slow(), slow()];
  await listed();
  while (server.database.queries().length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  expect((await server.send('DELETE', '/queries')).status).toBe(204);
  for (const answer of answers) expect((await answer).status).toBe(503);
});

test('a client that goes away stops its query', async () => {
  const client = new AbortController();
  const answer = slow(client.signal);
  await listed();
  client.abort();
  expect((await answer).status).toBe(503);
  expect(server.database.queries()).toEqual([]);
});

test('with accounts: the owner of the repository sees and ends it, others do not, nobody without credentials', async () => {
  const service = await openService(server.database, { rateLimit: false });
  const { text: owner } = await service.tokens.create('acme', {});
  await service.accounts.create('other');
  const { text: other } = await service.tokens.create('other', {});
  const handler = createHandler({ service });
  const as = (token: string | undefined, method = 'GET', path = '/queries'): Promise<Response> =>
    handler(
      new Request(BASE + path, { method, headers: token === undefined ? {} : { Authorization: `Bearer ${token}` } }),
    );
  const answer = as(owner, 'GET', `/acme/people/sparql?${query({ query: SLOW })}`);
  while (server.database.queries().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  expect((await as(undefined)).status).toBe(401);
  expect(await (await as(other)).json()).toEqual([]);
  expect((await as(other, 'DELETE')).status).toBe(204);
  const [running] = (await (await as(owner)).json()) as Listed;
  expect((await as(other, 'DELETE', `/queries/${running!.id}`)).status).toBe(404);
  expect((await as(owner, 'DELETE', `/queries/${running!.id}`)).status).toBe(204);
  expect((await answer).status).toBe(503);
});

test('a client finds and ends its own queries, by the id of its request, also where it does not own the repository', async () => {
  const service = await openService(server.database, { rateLimit: false });
  await service.accounts.create('other');
  const OWNER = { account: 'acme', readOnly: false, admin: false };
  await service.repositories.update(OWNER, 'acme/people', { privacy: 'public' });
  const [owner, other] = await Promise.all(
    ['acme', 'other'].map(async (account) => (await service.tokens.create(account, {})).text),
  );
  const handler = createHandler({ service });
  const as = (token: string, method: string, path: string, id = ''): Promise<Response> => {
    const headers = { Authorization: `Bearer ${token}`, ...(id !== '' && { 'Client-Request-Id': id }) };
    return handler(new Request(BASE + path, { method, headers }));
  };
  const run = (token: string, id: string): Promise<Response> =>
    as(token, 'GET', `/acme/people/sparql?${query({ query: SLOW })}`, id);
  const answers = [run(other!, 'mine'), run(other!, 'second'), run(owner!, 'mine')];
  while (server.database.queries().length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
  while (server.database.queries().some(({ state }) => state !== 'running'))
    await new Promise((resolve) => setTimeout(resolve, 5));
  const list = async (token: string, path: string): Promise<Record<string, unknown>[]> =>
    (await (await as(token, 'GET', path)).json()) as Record<string, unknown>[];
  expect(await list(other!, '/queries')).toHaveLength(2);
  expect(await list(owner!, '/queries')).toHaveLength(3);
  const head = await (await server.database.repository('acme/people')).revision();
  expect(await list(other!, '/queries?client-request-id=mine')).toMatchObject([
    { client_request_id: 'mine', account: 'other', revision: head.id },
  ]);
  expect(await list(other!, '/queries?client-request-id=')).toEqual([]);
  expect(await list(owner!, '/queries?client-request-id=second')).toEqual([]);
  expect((await as(other!, 'DELETE', '/queries?client-request-id=mine')).status).toBe(204);
  expect((await answers[0]!).status).toBe(503);
  expect(server.database.queries()).toHaveLength(2);
  const [second] = await list(other!, '/queries');
  expect((await as(other!, 'DELETE', `/queries/${String(second!['id'])}`)).status).toBe(204);
  expect((await answers[1]!).status).toBe(503);
  expect((await as(owner!, 'DELETE', '/queries')).status).toBe(204);
  expect((await answers[2]!).status).toBe(503);
});

test('each sees what runs in its own repositories', async () => {
  const handler = createHandler({
    database: server.database,
    authorize: async (_context, access, repository) => {
      if (access === 'owner' && repository !== 'jo/mine') throw new AccessError('FORBIDDEN', 'not yours');
    },
  });
  const answer = slow();
  const [running] = await listed();
  expect(await (await handler(new Request(`${BASE}/queries`))).json()).toEqual([]);
  expect((await handler(new Request(`${BASE}/queries/${running!.id}`, { method: 'DELETE' }))).status).toBe(404);
  expect((await handler(new Request(`${BASE}/queries`, { method: 'DELETE' }))).status).toBe(204);
  expect(server.database.queries()).toHaveLength(1);
  await server.send('DELETE', '/queries');
  expect((await answer).status).toBe(503);
});
