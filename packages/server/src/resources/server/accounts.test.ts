import { openService, type Service } from '../../host/index.js';
import { type Database, open } from 'quadrille';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHandler, type Handler } from '../../handler.js';
import { BASE } from '../../testing/server.js';

let database: Database;
let service: Service;
let handler: Handler;
const tokens: Record<string, string> = {};
beforeEach(async () => {
  database = await open(':memory:');
  service = await openService(database);
  handler = createHandler({ service, publicBase: 'https://data.example.org' });
  await service.accounts.create('root', { admin: true });
  await service.accounts.create('acme');
  for (const account of ['root', 'acme']) tokens[account] = (await service.tokens.create(account)).text;
});
afterEach(async () => {
  await service.close();
  await database.close();
});

const send = (who: string, method: string, path: string, body?: unknown): Promise<Response> =>
  handler(
    new Request(BASE + path, {
      method,
      headers: { Authorization: `Bearer ${tokens[who] ?? who}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }),
  );
const outcome = async (answer: Promise<Response>): Promise<[number, string | undefined]> => {
  const response = await answer;
  const text = await response.text();
  return [response.status, text === '' ? undefined : (JSON.parse(text) as { code?: string }).code];
};
interface Made {
  readonly id: string;
  readonly token: string;
}
const newToken = async (who: string, account: string, fields: object = {}): Promise<Made> =>
  (await (await send(who, 'POST', `/${account}/tokens`, fields)).json()) as Made;

describe('/accounts', () => {
  test('an operator creates, lists and deletes', async () => {
    const made = await send('root', 'POST', '/accounts', { name: 'jo', fullname: 'Jo', email: 'jo@e.org' });
    expect([made.status, made.headers.get('Location'), made.headers.get('Cache-Control')]).toEqual([
      201,
      'https://data.example.org/accounts/jo',
      'no-store',
    ]);
    const created = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/);
    expect(await made.json()).toEqual({ name: 'jo', admin: false, created });
    const listed = await (await send('root', 'GET', '/accounts')).json();
    expect(listed).toEqual(['acme', 'jo', 'root'].map((name) => ({ name, admin: name === 'root', created })));
    expect(await (await send('root', 'GET', '/accounts/jo')).json()).toEqual({
      name: 'jo',
      fullname: 'Jo',
      email: 'jo@e.org',
      admin: false,
      created,
      repository_count: 0,
    });
    // Other accounts see less of it.
    expect(await (await send('acme', 'GET', '/accounts/jo')).json()).not.toHaveProperty('email');
    expect(await outcome(send('root', 'DELETE', '/accounts/jo'))).toEqual([204, undefined]);
    expect(await outcome(send('root', 'DELETE', '/accounts/jo'))).toEqual([404, 'ACCOUNT_NOT_FOUND']);
    expect(await outcome(send('root', 'GET', '/accounts/jo'))).toEqual([404, 'ACCOUNT_NOT_FOUND']);
  });

  test.each([
    [{}, 422, 'INVALID_RECORD'],
    [{ name: null }, 422, 'INVALID_RECORD'],
    [{ name: 7 }, 422, 'INVALID_RECORD'],
    [{ name: '' }, 422, 'INVALID_RECORD'],
    [{ name: 'tokens' }, 422, 'INVALID_RECORD'],
    [{ name: '../etc' }, 422, 'INVALID_RECORD'],
    [{ name: 'a/b' }, 422, 'INVALID_RECORD'],
    [{ name: 'Jo' }, 422, 'INVALID_RECORD'],
    [{ name: '__proto__' }, 201, undefined],
    [{ name: 'x'.repeat(101) }, 422, 'INVALID_RECORD'],
    [{ name: 'jo\u0000' }, 422, 'INVALID_RECORD'],
    [{ name: 'jo', admin: 'yes' }, 422, 'INVALID_RECORD'],
    [{ name: 'jo', fullname: 'a\nb' }, 422, 'INVALID_RECORD'],
    [{ name: 'jo', email: 'x'.repeat(1001) }, 422, 'INVALID_RECORD'],
    [{ name: 'jo', amdin: true }, 422, 'INVALID_RECORD'],
    ['{"name":"jo","__proto__":{"admin":true}}', 422, 'INVALID_RECORD'],
    [{ name: 'acme' }, 422, 'ALREADY_EXISTS'],
    ['[]', 400, 'BAD_REQUEST'],
    ['"jo"', 400, 'BAD_REQUEST'],
    ['null', 400, 'BAD_REQUEST'],
    ['{', 400, 'BAD_REQUEST'],
    ['', 400, 'BAD_REQUEST'],
    [`{"name":"${'x'.repeat(65_536)}"}`, 413, 'PAYLOAD_TOO_LARGE'],
  ])('a body %j', async (body, status, code) => {
    expect(await outcome(send('root', 'POST', '/accounts', body))).toEqual([status, code]);
    if (status !== 201) expect((await service.accounts.list()).map(({ name }) => name)).toEqual(['acme', 'root']);
  });

  test('one with repositories is deleted by force only, while others are made', async () => {
    await database.repository('acme/people', { create: true });
    expect(await outcome(send('root', 'DELETE', '/accounts/acme'))).toEqual([409, 'ACCOUNT_NOT_EMPTY']);
    expect(await outcome(send('root', 'DELETE', '/accounts/acme?force=yes'))).toEqual([400, 'INVALID_PARAMETER']);
    expect(await outcome(send('root', 'DELETE', '/accounts/acme?force=0'))).toEqual([409, 'ACCOUNT_NOT_EMPTY']);
    const made = Array.from({ length: 3 }, (_, i) =>
      outcome(send('acme', 'POST', '/acme/repositories', { repository: { name: `r${String(i)}` } })),
    );
    expect(await outcome(send('root', 'DELETE', '/accounts/acme?force=1'))).toEqual([204, undefined]);
    for (const [status] of await Promise.all(made)) expect([200, 401, 404]).toContain(status);
    expect(await database.repositories('acme').toArray()).toEqual([]);
    expect(await service.accounts.get('acme')).toBeUndefined();
    expect(await outcome(send('acme', 'GET', '/acme'))).toEqual([401, 'UNAUTHENTICATED']);
  });

  test('is for operators, and for tokens with that right', async () => {
    for (const path of ['/accounts', '/audit', '/metrics'])
      expect([path, await outcome(send('acme', 'GET', path))]).toEqual([path, [403, 'FORBIDDEN']]);
    expect(await outcome(send('acme', 'DELETE', '/accounts/acme'))).toEqual([403, 'FORBIDDEN']);
    expect((await handler(new Request(`${BASE}/accounts`))).status).toBe(401);
    const reading = await newToken('root', 'root', { rights: ['own'] });
    expect(await outcome(send(reading.token, 'GET', '/accounts'))).toEqual([403, 'FORBIDDEN']);
    const operating = await newToken('root', 'root', { rights: ['operate'] });
    for (const path of ['/accounts', '/audit', '/metrics'])
      expect([path, (await send(operating.token, 'GET', path)).status]).toEqual([path, 200]);
  });
});

describe('/A/tokens', () => {
  test('a token is shown once, listed without its text, and refused as soon as it is revoked', async () => {
    const expires = new Date(Date.now() + 3_600_000).toISOString();
    const answer = await send('acme', 'POST', '/acme/tokens', { label: 'ci', rights: ['write'], expires });
    const made = (await answer.json()) as Made;
    expect(answer.status).toBe(201);
    expect(answer.headers.get('Location')).toBe(`https://data.example.org/acme/tokens/${made.id}`);
    const record = {
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
      label: 'ci',
      rights: ['read', 'write'],
      created: expect.stringMatching(/\+00:00$/),
      expires: expires.replace('Z', '+00:00'),
    };
    expect(made).toEqual({ ...record, token: expect.stringMatching(/^qdt_[0-9a-f]{16}_[\w-]{43}$/) });
    expect(await (await send('acme', 'GET', `/acme/tokens/${made.id}`)).json()).toEqual(record);
    const listed = await (await send('acme', 'GET', '/acme/tokens')).text();
    expect(JSON.parse(listed)).toMatchObject([
      { label: null, rights: ['read', 'write', 'own', 'replicate'], expires: null },
      record,
    ]);
    expect(listed).not.toContain(made.token.slice(21));
    expect((await send(made.token, 'GET', '/acme')).status).toBe(200);
    expect(await outcome(send('acme', 'DELETE', `/acme/tokens/${made.id}`))).toEqual([204, undefined]);
    expect(await outcome(send(made.token, 'GET', '/acme'))).toEqual([401, 'UNAUTHENTICATED']);
    expect(await outcome(send('acme', 'DELETE', `/acme/tokens/${made.id}`))).toEqual([404, 'TOKEN_NOT_FOUND']);
    expect(await outcome(send('acme', 'GET', `/acme/tokens/${made.id}`))).toEqual([404, 'TOKEN_NOT_FOUND']);
  });

  test('are of their account: no other one sees or revokes them, an operator does', async () => {
    const { id } = await newToken('acme', 'acme', { label: 'x' });
    await service.accounts.create('jo');
    const { token } = await newToken('root', 'jo', { rights: ['own'] });
    for (const [method, path] of [
      ['GET', '/acme/tokens'],
      ['POST', '/acme/tokens'],
      ['GET', `/acme/tokens/${id}`],
      ['DELETE', `/acme/tokens/${id}`],
    ] as const)
      expect(await outcome(send(token, method, path))).toEqual([403, 'FORBIDDEN']);
    expect(await outcome(send(token, 'DELETE', `/jo/tokens/${id}`))).toEqual([404, 'TOKEN_NOT_FOUND']);
    expect(await outcome(send(token, 'GET', '/nobody/tokens'))).toEqual([404, 'ACCOUNT_NOT_FOUND']);
    // By its id only: a label may be that of another token.
    expect(await outcome(send('root', 'DELETE', '/acme/tokens/x'))).toEqual([404, 'TOKEN_NOT_FOUND']);
    expect(await outcome(send('root', 'DELETE', `/acme/tokens/${id}`))).toEqual([204, undefined]);
  });

  test('a token without the right to own makes none; none gives what it does not have', async () => {
    const { token } = await newToken('acme', 'acme');
    expect(await outcome(send(token, 'POST', '/acme/tokens', {}))).toEqual([403, 'FORBIDDEN']);
    expect(await outcome(send(token, 'GET', '/acme/tokens'))).toEqual([403, 'FORBIDDEN']);
    expect(await outcome(send('acme', 'POST', '/acme/tokens', { rights: ['operate'] }))).toEqual([403, 'FORBIDDEN']);
    expect(await outcome(send('root', 'POST', '/acme/tokens', { rights: ['operate'] }))).toEqual([
      422,
      'INVALID_RECORD',
    ]);
  });

  test.each([
    [{ rights: [] }],
    [{ rights: 'read' }],
    [{ rights: ['read', 'everything'] }],
    [{ rights: [null] }],
    [{ rights: { read: true } }],
    [{ rights: ['__proto__'] }],
    [{ label: '' }],
    [{ label: 'a\nb' }],
    [{ label: 'x'.repeat(101) }],
    [{ label: 5 }],
    [{ expires: 'soon' }],
    [{ expires: 0 }],
    [{ expires: '2001-01-01' }],
    [{ expires: '2099-13-01T00:00:00Z' }],
    [{ expires: '2099-01-01T00:00:00' }],
    [{ expires: '+275760-09-13T00:00:00Z' }],
    [{ expire: '2099-01-01' }],
  ])('%j is no token', async (fields) => {
    expect(await outcome(send('acme', 'POST', '/acme/tokens', fields))).toEqual([422, 'INVALID_RECORD']);
    expect(await service.tokens.list('acme')).toHaveLength(1);
  });

  test('a date, and a time of another zone', async () => {
    for (const [expires, told] of [
      ['2099-01-31', '2099-01-31T00:00:00.000+00:00'],
      ['2099-01-31T01:30+02:00', '2099-01-30T23:30:00.000+00:00'],
      [null, null],
    ])
      expect(await newToken('acme', 'acme', { expires })).toMatchObject({ expires: told });
  });

  test('of two with one label, one is made', async () => {
    const codes = await Promise.all([1, 2].map(() => outcome(send('acme', 'POST', '/acme/tokens', { label: 'x' }))));
    expect(codes.toSorted()).toEqual([
      [201, undefined],
      [422, 'ALREADY_EXISTS'],
    ]);
  });
});

test('rights by method: what a token with read and write, and one with read, is refused', async () => {
  await database.repository('acme/people', { create: true });
  const both = (await newToken('acme', 'acme')).token;
  const reading = (await newToken('acme', 'acme', { rights: ['read'] })).token;
  const body = { repository: { name: 'x' } };
  for (const [method, path, sent, ofBoth, ofReading] of [
    ['GET', '/acme/people/size', undefined, 200, 200],
    ['DELETE', '/acme/people/statements', undefined, 204, 403],
    ['PUT', '/acme/people/meta', body, 403, 403],
    ['GET', '/acme/people/collaborators', undefined, 403, 403],
    ['DELETE', '/acme/people', undefined, 403, 403],
    ['POST', '/acme/repositories', body, 403, 403],
  ] as const) {
    const statuses = [await send(both, method, path, sent), await send(reading, method, path, sent)];
    expect([method, path, ...statuses.map(({ status }) => status)]).toEqual([method, path, ofBoth, ofReading]);
  }
});

test('/audit tells operators who has changed what', async () => {
  const { id, token } = await newToken('root', 'acme', { label: 'x' });
  await send('root', 'DELETE', `/acme/tokens/${id}`);
  const text = await (await send('root', 'GET', '/audit')).text();
  expect(text).not.toContain(token.slice(21));
  const tokenId = tokens['root']!.slice(4, 20);
  const by = { time: expect.stringMatching(/\+00:00$/), account: 'root', token: tokenId, subject: `acme/${id}` };
  expect(JSON.parse(text)).toEqual([
    { ...by, action: 'token.revoke' },
    { ...by, action: 'token.create', details: { label: 'x', rights: ['read', 'write'], expires: null } },
  ]);
  expect(await (await send('root', 'GET', '/audit?limit=1')).json()).toMatchObject([{ action: 'token.revoke' }]);
  expect(await outcome(send('root', 'GET', '/audit?limit=0'))).toEqual([400, 'INVALID_PARAMETER']);
});

test('the code of a sign-in link is exchanged for a token, once', async () => {
  const code = service.signIn.create('root');
  const exchange = (body: unknown, headers: Record<string, string> = {}) =>
    handler(
      new Request(`${BASE}/session`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'Content-Type': 'application/json', ...headers },
      }),
    );
  for (const [body, status] of [
    [{}, 422],
    [{ code: 5 }, 422],
    [{ code, more: 1 }, 422],
    [[], 400],
  ] as const)
    expect([body, (await exchange(body)).status]).toEqual([body, status]);
  const made = await exchange({ code });
  expect([made.status, made.headers.get('Cache-Control')]).toEqual([200, 'no-store']);
  const { token, ...more } = (await made.json()) as { token: string };
  expect(more).toEqual({});
  expect(await (await send(token, 'GET', '/session')).json()).toMatchObject({ account: 'root', admin: true });
  expect(await outcome(exchange({ code }))).toEqual([401, 'UNAUTHENTICATED']);
});

test('a server that is open administers, too', async () => {
  const opened = await openService(database, { open: true });
  const handle = createHandler({ service: opened });
  const headers = { 'Content-Type': 'application/json' };
  const post = (path: string, body: object) =>
    handle(new Request(BASE + path, { method: 'POST', body: JSON.stringify(body), headers }));
  expect((await post('/accounts', { name: 'jo' })).status).toBe(201);
  const asText = { method: 'POST', body: '{"name":"jim"}' };
  expect((await handle(new Request(`${BASE}/accounts`, asText))).status).toBe(415);
  expect((await post('/jo/tokens', { rights: ['own'] })).status).toBe(201);
  expect((await handle(new Request(`${BASE}/accounts/jo`, { method: 'DELETE' }))).status).toBe(204);
  await opened.close();
});

describe('/A/namespaces', () => {
  const NS = '/acme/namespaces';
  const put = (who: string, prefix: string, iri: string): Promise<Response> =>
    handler(
      new Request(`${BASE}${NS}/${prefix}`, {
        method: 'PUT',
        headers: { Authorization: `Bearer ${tokens[who]!}` },
        body: iri,
      }),
    );

  test('its owner and operators declare prefixes for all its repositories; each change is recorded', async () => {
    await send('acme', 'POST', '/acme/repositories', { name: 'people' });
    const before = (await (await send('acme', 'GET', NS)).json()) as object;
    expect(before).toMatchObject({ foaf: 'http://xmlns.com/foaf/0.1/' });
    expect((await put('acme', 'ex', 'http://example.org/')).status).toBe(204);
    expect((await put('root', 'ex2', 'http://example.org/2/')).status).toBe(204);
    expect(await (await send('acme', 'GET', NS)).json()).toEqual({
      ...before,
      ex: 'http://example.org/',
      ex2: 'http://example.org/2/',
    });
    expect(await (await send('acme', 'GET', `${NS}/ex`)).text()).toBe('http://example.org/');
    const ask = '/acme/people/sparql?query=ASK%20%7B%20ex:a%20?p%20?o%20%7D';
    expect((await send('acme', 'GET', ask)).status).toBe(200);
    expect((await send('acme', 'DELETE', `${NS}/ex`)).status).toBe(204);
    expect((await send('acme', 'DELETE', `${NS}/ex`)).status).toBe(204);
    expect((await send('acme', 'GET', ask)).status).toBe(400);
    expect(await outcome(send('acme', 'GET', `${NS}/ex`))).toEqual([404, 'NOT_FOUND']);
    const entries = (await (await send('root', 'GET', '/audit')).json()) as { action: string; subject: string }[];
    expect(entries.filter(({ action }) => action.startsWith('namespace.'))).toMatchObject([
      { action: 'namespace.delete', subject: 'acme', account: 'acme', details: { prefix: 'ex' } },
      { action: 'namespace.set', account: 'root', details: { prefix: 'ex2', namespace: 'http://example.org/2/' } },
      { action: 'namespace.set', account: 'acme' },
    ]);
    expect((await send('acme', 'DELETE', NS)).status).toBe(204);
    expect(await (await send('acme', 'GET', NS)).json()).toEqual({});
  });

  test('nobody else may, and nonsense is refused', async () => {
    await service.accounts.create('jo');
    tokens['jo'] = (await service.tokens.create('jo')).text;
    tokens['writer'] = (await newToken('acme', 'acme', { rights: ['read', 'write'] })).token;
    expect(await outcome(send('jo', 'GET', NS))).toEqual([403, 'FORBIDDEN']);
    expect(await outcome(put('jo', 'ex', 'urn:x:'))).toEqual([403, 'FORBIDDEN']);
    expect(await outcome(put('writer', 'ex', 'urn:x:'))).toEqual([403, 'FORBIDDEN']);
    expect(await outcome(handler(new Request(BASE + NS)))).toEqual([401, 'UNAUTHENTICATED']);
    expect(await outcome(send('root', 'GET', '/nobody/namespaces'))).toEqual([404, 'ACCOUNT_NOT_FOUND']);
    expect((await put('acme', 'ex', 'no IRI')).status).toBe(400);
    expect((await put('acme', '__proto__', 'urn:x:')).status).toBe(400);
    expect(await outcome(send('acme', 'POST', NS, {}))).toEqual([405, 'METHOD_NOT_ALLOWED']);
  });
});
