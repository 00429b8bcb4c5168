import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MemoryDriver } from '@quadrille/storage';
import { openService } from '../../host/index.js';
import { open } from 'quadrille';
import { createHandler } from '../../handler.js';
import { BASE, query, type TestServer, testServer, TURTLE } from '../../testing/server.js';

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const JSON_TYPE = { 'Content-Type': 'application/json' };

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
});
afterEach(() => server.database.close());

const create = (body: string, headers: Record<string, string> = FORM, account = 'acme'): Promise<Response> =>
  server.send('POST', `/${account}/repositories`, { body, headers });

describe('create', () => {
  test('by form, with the record and its place', async () => {
    const response = await create(query({ 'repository[name]': 'My Data', 'repository[summary]': 'a summary' }));
    expect(response.status).toBe(200);
    expect(response.headers.get('Location')).toBe(`${BASE}/acme/my-data`);
    expect(await response.json()).toMatchObject({
      repository_id: 'acme/my-data',
      name: 'My Data',
      summary: 'a summary',
      description: null,
      homepage: null,
      triple_count: 0,
      byte_size: 0,
    });
  });

  test.each([
    ['{"repository":{"name":"One"}}', JSON_TYPE],
    ['{"name":"One"}', JSON_TYPE],
    ['name=One', FORM],
  ])('by %s', async (body, headers) => {
    expect(await (await create(body, headers)).json()).toMatchObject({ repository_id: 'acme/one', name: 'One' });
  });

  test('the account comes with its first repository', async () => {
    expect((await server.get('/fresh/repositories')).status).toBe(404);
    expect((await create('name=a', FORM, 'fresh')).status).toBe(200);
    expect(await (await server.get('/fresh/repositories')).json()).toHaveLength(1);
  });

  test.each([
    ['', 422],
    ['name=', 422],
    ['name=+', 422],
    ['name=People', 422],
    ['name=sparql', 422],
    ['name=x&homepage=nowhere', 422],
  ])('%j is %i', async (body, status) => {
    const response = await create(body);
    expect(response.status).toBe(status);
    expect(await response.json()).toHaveProperty('errors');
  });

  test('unreadable bodies are 400, impossible accounts 404', async () => {
    expect((await create('{', JSON_TYPE)).status).toBe(400);
    expect((await create('[]', JSON_TYPE)).status).toBe(400);
    expect((await create('{"name":1}', JSON_TYPE)).status).toBe(400);
    expect((await create('name=x', FORM, 'sparql')).status).toBe(404);
  });

  test('of two at once with one name one wins', async () => {
    const statuses = (await Promise.all([create('name=twin'), create('name=twin')])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 422]);
  });
});

test('list, record, meta and delete', async () => {
  await server.send('POST', '/acme/people/statements', { body: '<urn:a> <urn:p> 1 .', headers: TURTLE });
  const list = (await (await server.get('/acme/repositories')).json()) as Record<string, unknown>[];
  expect(list).toMatchObject([{ repository_id: 'acme/people', summary: '', triple_count: 1 }]);
  expect(list[0]?.['byte_size']).toBeGreaterThan(0);

  const put = await server.send('PUT', '/acme/people/meta', {
    body: query({ 'repository[summary]': 'S', description: 'D', homepage: 'http://e.org/' }),
    headers: FORM,
  });
  expect([put.status, await put.text()]).toEqual([200, '']);
  const record = await (await server.get('/acme/repositories/people/meta')).json();
  expect(record).toMatchObject({ summary: 'S', description: 'D', homepage: 'http://e.org/' });
  await server.send('PUT', '/acme/people/meta', { body: 'summary=', headers: FORM });
  expect(await (await server.get('/acme/people', { Accept: 'application/json' })).json()).toMatchObject({
    summary: null,
    description: 'D',
  });

  expect((await server.send('DELETE', '/acme/people')).status).toBe(200);
  expect((await server.send('DELETE', '/acme/people')).status).toBe(404);
  expect((await server.get('/acme/people/size')).status).toBe(404);
});

test('what is not there is 404 in JSON, and a mistyped path makes nothing', async () => {
  for (const path of ['/', '/acme/people/nothing', '/acme/nobody/size', '/ACME/people/size', '/a b/c/size']) {
    const response = await server.get(path);
    expect([path, response.status]).toEqual([path, 404]);
    expect(await response.json()).toMatchObject({ status: 404 });
  }
  expect(await server.database.repositories().toArray()).toHaveLength(1);
});

test('requests have identifiers, clients theirs', async () => {
  const response = await server.get('/acme/people/size', { 'Client-Request-Id': 'mine-1' });
  expect(response.headers.get('Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(response.headers.get('Client-Request-Id')).toBe('mine-1');
  expect(await response.text()).toBe('0');
});

/** Storage in memory whose writes wait while it is held. */
class HeldDriver extends MemoryDriver {
  #held: Promise<void> | undefined;
  /** Lets the writes go on. */
  release: () => void = () => undefined;
  /** Called when a write begins to wait. */
  onWait: () => void = () => undefined;

  hold(): Promise<void> {
    this.#held = new Promise((resolve) => (this.release = resolve));
    return new Promise((resolve) => (this.onWait = resolve));
  }

  override async write(...call: Parameters<MemoryDriver['write']>): ReturnType<MemoryDriver['write']> {
    if (this.#held !== undefined) this.onWait();
    await this.#held;
    return super.write(...call);
  }
}

test('a deletion with If-Match is refused where a commit comes between its check and the deletion', async () => {
  const driver = new HeldDriver();
  const database = await open({ storage: driver });
  const repository = await database.repository('acme/people', { create: true });
  const handler = createHandler({ service: await openService(database, { open: true }) });
  const send = (method: string, path: string, init: RequestInit = {}): Promise<Response> =>
    Promise.resolve(handler(new Request(BASE + path, { ...init, method })));
  const tag = (await send('GET', '/acme/people/statements')).headers.get('ETag')!;
  const waits = driver.hold();
  const commit = repository.update('INSERT DATA { <urn:a> <urn:b> <urn:c> }');
  await waits;
  const removed = send('DELETE', '/acme/people', { headers: { 'If-Match': tag } });
  // It checks the condition, and then waits for the commit.
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
  driver.release();
  await commit;
  expect((await removed).status).toBe(412);
  expect(await repository.size()).toBe(1);
  await database.close();
});
