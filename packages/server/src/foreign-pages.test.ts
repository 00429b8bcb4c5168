/** Pages of other sites: what they may have made a browser send to any route, and to a server without credentials. */
import { openService } from './host/index.js';
import { open } from 'quadrille';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createHandler, type Handler, type HandlerOptions } from './handler.js';
import { routes } from './resources/index.js';
import type { Service } from './service.js';

async function opened(options: Partial<Pick<HandlerOptions, 'publicBase' | 'cors'>> = {}) {
  const database = await open(':memory:');
  const service = await openService(database, { open: true });
  onTestFinished(async () => {
    await service.close();
    await database.close();
  });
  const handler = createHandler({ service, localPages: true, ...options });
  const send = (address: string, headers: Record<string, string> = {}, method = 'GET') =>
    handler(new Request(address, { method, headers }));
  return { send, handler };
}

test('a foreign Host is 421 and a foreign Origin is 403, on every path and for every method', async () => {
  const { send } = await opened();
  for (const path of ['/health', '/system', '/nothing/here/at/all', '/acme/people']) {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'DELETE']) {
      const host = await send(`http://rebound.example:8080${path}`, {}, method);
      expect([method, path, host.status]).toEqual([method, path, 421]);
      const origin = await send(`http://localhost:8080${path}`, { Origin: 'https://evil.example' }, method);
      expect([method, path, origin.status]).toEqual([method, path, 403]);
    }
  }
  const told = await send('http://rebound.example/system');
  expect(await told.json()).toMatchObject({ code: 'MISDIRECTED', status: 421 });
  const page = await send('http://127.0.0.1/system', { Origin: 'null' });
  expect(await page.json()).toMatchObject({ code: 'FOREIGN_ORIGIN', status: 403 });
});

test('programs, its own page and pages of this machine may use it', async () => {
  const { send } = await opened();
  for (const origin of [undefined, 'http://localhost:8080', 'http://127.0.0.1:3000', 'http://[::1]:1'])
    expect((await send('http://localhost:8080/system', origin === undefined ? {} : { Origin: origin })).status).toBe(
      200,
    );
});

test('so may the public address, and the origins of cors', async () => {
  const { send } = await opened({ publicBase: 'https://data.example', cors: ['https://app.example'] });
  const headers = { Origin: 'https://app.example' };
  const answer = await send('https://data.example/system', headers);
  expect([answer.status, answer.headers.get('Access-Control-Allow-Origin')]).toEqual([200, 'https://app.example']);
  expect((await send('https://data.example/system', { Origin: 'https://other.example' })).status).toBe(403);
});

test('an open server refuses them without being told to; localPages: false lets other hosts in, and no page change anything', async () => {
  const database = await open(':memory:');
  onTestFinished(() => database.close());
  await database.repository('acme/people', { create: true });
  const statusOf = async (options: Partial<HandlerOptions>, headers: Record<string, string>, method = 'DELETE') => {
    const handler = createHandler({ database, open: true, ...options });
    return (await handler(new Request('http://data.example/acme/people/statements', { method, headers }))).status;
  };
  expect(await statusOf({}, {}, 'GET')).toBe(421);
  expect(await statusOf({ localPages: false }, {})).toBe(204);
  expect(await statusOf({ localPages: false }, { Origin: 'https://evil.example' }, 'GET')).toBe(200);
  expect(await statusOf({ localPages: false }, { Origin: 'https://evil.example' })).toBe(403);
  expect(await statusOf({ localPages: false }, { Origin: 'http://data.example' })).toBe(204);
});

test('so does a handler over an open service, also one that is still being opened', async () => {
  const database = await open(':memory:');
  onTestFinished(() => database.close());
  const opening = openService(database, { open: true });
  const service = await opening;
  onTestFinished(() => service.close());
  for (const given of [service, opening]) {
    const handler = createHandler({ service: given });
    await handler(new Request('http://localhost/system'));
    const status = async (options: RequestInit & { address: string }): Promise<number> =>
      (await handler(new Request(options.address, options))).status;
    expect(await status({ address: 'http://rebound.example/system' })).toBe(421);
    expect(await status({ address: 'http://localhost/system', headers: { Origin: 'https://evil.example' } })).toBe(403);
  }
  const other = createHandler({ service, localPages: false });
  expect((await other(new Request('http://data.example/system'))).status).toBe(200);
});

describe('every route that can change something', () => {
  const UNSAFE = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;
  const FORM = 'application/x-www-form-urlencoded';
  const FOREIGN = [
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { Origin: 'https://localhost' },
    { Origin: 'http://localhost:3000', 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'cors' },
    { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' },
    { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors' },
    { 'User-Agent': 'Mozilla/5.0 (Windows NT 6.1)' },
  ];

  async function served() {
    const database = await open(':memory:');
    const service = await openService(database);
    onTestFinished(async () => {
      await service.close();
      await database.close();
    });
    await service.accounts.create('acme', { admin: true });
    const token = (await service.tokens.create('acme')).text;
    const repository = await database.repository('acme/people', { create: true });
    await repository.update('INSERT DATA { <urn:a> <urn:p> 1 }');
    return { database, service, token, repository };
  }

  /** Each route with each of its methods, at an address that exists where there is one. */
  const addressesOf = (hosted: Service['hosted']): readonly (readonly [method: string, path: string])[] =>
    routes({ hosted, directGraphs: true, uploads: new Map() } as Partial<Service> as Service).flatMap(
      ({ path, handlers }) => {
        const named = path
          .replace(':account', 'acme')
          .replace(':repository', 'people')
          .replace(/:(?:ref|name|branch)\b/g, 'main')
          .replace(/:\w+/g, 'x')
          .replaceAll('{.+}', '');
        return UNSAFE.filter((method) => Object.hasOwn(handlers, method)).map((method) => [method, named] as const);
      },
    );

  const send = (handler: Handler, [method, path]: readonly [string, string], headers: Record<string, string>) =>
    handler(
      new Request(`http://localhost${path}`, {
        method,
        headers: { 'Content-Type': FORM, ...headers },
        ...(method === 'DELETE' ? {} : { body: 'update=CLEAR+ALL&_method=DELETE&name=evil' }),
      }),
    );

  test('refuses what the browser of a page sends, with each kind of server, and changes nothing', async () => {
    const { database, service, token, repository } = await served();
    const basic = { Authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}` };
    const kinds: readonly (readonly [Handler, Record<string, string>])[] = [
      [createHandler({ service }), basic],
      [createHandler({ service, cors: '*' }), basic],
      [createHandler({ service, cors: ['https://app.example'] }), basic],
      [createHandler({ database, open: true }), {}],
      [createHandler({ database, open: true }), { Authorization: 'Bearer x' }],
      [createHandler({ database, authorize: async () => undefined }), {}],
      [createHandler({ database, authorize: async () => undefined }), { Cookie: 'session=1' }],
    ];
    const before = await repository.revision();
    const addresses = addressesOf(service);
    expect(addresses.length).toBeGreaterThan(50);
    for (const address of addresses)
      for (const [handler, credentials] of kinds)
        for (const foreign of FOREIGN) {
          // A browser asks first before it sends another method than POST.
          if ('User-Agent' in foreign && address[0] !== 'POST') continue;
          if ('User-Agent' in foreign && credentials['Authorization']?.startsWith('Bearer') === true) continue;
          const response = await send(handler, address, { ...credentials, ...foreign });
          const { code } = (await response.json()) as { code: string };
          expect([address, foreign, response.status, code]).toEqual([address, foreign, 403, 'FOREIGN_ORIGIN']);
        }
    expect((await repository.revision()).id).toBe(before.id);
    expect(await service.accounts.list()).toHaveLength(1);
  });

  test('lets its own page, named origins, tokens as Bearer and programs through', async () => {
    const { service, token } = await served();
    const bearer = { Authorization: `Bearer ${token}` };
    const basic = { Authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}` };
    const handler = createHandler({ service, cors: ['https://app.example'], publicBase: 'https://data.example' });
    const passing = [
      { ...bearer, Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' },
      { ...basic, Origin: 'http://localhost', 'Sec-Fetch-Site': 'same-origin' },
      { ...basic, Origin: 'https://data.example' },
      { ...basic, Origin: 'https://app.example', 'Sec-Fetch-Site': 'cross-site' },
      basic,
      { ...basic, 'User-Agent': 'curl/8.5.0' },
    ];
    for (const headers of passing)
      for (const address of addressesOf(service).filter(
        ([, path]) => path.endsWith('/x') || path.endsWith('/sparql'),
      )) {
        const response = await send(handler, address, headers);
        expect([address, headers, await response.text()]).toEqual([
          address,
          headers,
          expect.not.stringContaining('FOREIGN_ORIGIN'),
        ]);
      }
  });

  test('without credentials a page of any site may ask a public repository, as before', async () => {
    const { service } = await served();
    const handler = createHandler({ service });
    const operator = { account: undefined, readOnly: false, admin: true };
    await service.repositories.update(operator, 'acme/people', { privacy: 'public' });
    const ask = (body: string) =>
      handler(
        new Request('http://localhost/acme/people/sparql', {
          method: 'POST',
          headers: { 'Content-Type': FORM, Origin: 'https://yasgui.example', 'Sec-Fetch-Site': 'cross-site' },
          body,
        }),
      );
    const answer = await ask('query=ASK{?s ?p ?o}');
    expect([answer.status, answer.headers.get('Access-Control-Allow-Origin')]).toEqual([200, '*']);
    expect((await ask('update=CLEAR ALL')).status).toBe(401);
  });

  test('JSON is taken as application/json only', async () => {
    const { service, token } = await served();
    const handler = createHandler({ service });
    const body = '{"name":"mallory","admin":true}';
    for (const type of [undefined, 'text/plain', FORM, 'application/ld+json'])
      for (const authorization of [`Bearer ${token}`, `Basic ${Buffer.from(`${token}:`).toString('base64')}`]) {
        const headers = { Authorization: authorization, ...(type === undefined ? {} : { 'Content-Type': type }) };
        const bytes = new TextEncoder().encode(body);
        const sent = new Request('http://localhost/accounts', { method: 'POST', headers, body: bytes });
        expect([type, (await handler(sent)).status]).toEqual([type, 415]);
      }
    expect(await service.accounts.list()).toHaveLength(1);
  });
});
