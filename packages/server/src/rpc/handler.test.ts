import { expect, test } from 'vitest';
import { MemoryDriver } from '@quadrille/storage';
import { FaultDriver } from '@quadrille/storage/testing';
import { openService } from '../host/index.js';
import { open } from 'quadrille';
import { createRpcHandler } from './handler.js';
import { basic, bearer, type Headers, jsonOf, request, testEndpoint, textOf } from './testing/endpoint.js';

const describeService = request('DescribeService');
const xmlCall = (method: string, params = ''): string =>
  `<?xml version="1.0"?><methodCall><methodName>${method}</methodName>${params}</methodCall>`;
const XML: Headers = { 'content-type': 'text/xml' };

test.each(['/rpc', '/rpc/', '/rpc/2012-06-01', '/rpc/2012-06-01/', '/rpc?x=1', 'http://rpc.example/rpc/2012-06-01'])(
  'the path %s',
  async (path) => {
    const { post } = await testEndpoint();
    expect((await post(describeService, {}, path)).status).toBe(200);
  },
);

test.each(['/rpc/2013-01-01', '/rpc/2012-06-01/x', '/rpc//2012-06-01', '/RPC', '/', '/rpcx', 'http://rpc.example'])(
  'there is nothing at %s',
  async (path) => {
    const { post } = await testEndpoint();
    const response = await post(describeService, {}, path);
    expect(response.status).toBe(404);
    expect(jsonOf(response)).toMatchObject({ jsonrpc: '2.0', id: null, error: { data: { status: 404 } } });
  },
);

test.each(['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH'])('405: %s', async (method) => {
  const { handler } = await testEndpoint();
  const response = await handler({ method, path: '/rpc', headers: { host: 'x' }, body: new Uint8Array() });
  expect([response.status, response.headers['Allow']]).toEqual([405, 'POST, OPTIONS']);
  expect(jsonOf(response)).toMatchObject({ id: null, error: { code: -32600 } });
});

test('OPTIONS tells browsers what they may send, without credentials', async () => {
  const { handler } = await testEndpoint();
  const response = await handler({ method: 'OPTIONS', path: '/rpc', headers: {}, body: new Uint8Array() });
  expect(response.status).toBe(200);
  expect(response.headers).toMatchObject({
    Allow: 'POST, OPTIONS',
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': 'POST, OPTIONS',
  });
});

test('a page of another site may not call with what its browser keeps', async () => {
  const { post } = await testEndpoint();
  const foreign = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' },
  ];
  for (const headers of foreign) {
    const refused = await post(describeService, { ...headers, authorization: 'Basic dG9rZW46' });
    expect([refused.status, (jsonOf(refused) as { error: unknown }).error]).toMatchObject([
      403,
      { code: -32003, data: { status: 403, type: 'FOREIGN_ORIGIN' } },
    ]);
    expect((await post(describeService, headers)).status).toBe(200);
  }
});

test('a list of origins: those alone, with credentials', async () => {
  const { post } = await testEndpoint({ cors: ['https://page.example'] });
  const own = await post(describeService, { origin: 'https://page.example' });
  expect(own.headers).toMatchObject({
    'Access-Control-Allow-Origin': 'https://page.example',
    'Access-Control-Allow-Credentials': 'true',
    Vary: 'Origin',
  });
  const other = await post(describeService, { origin: 'https://other.example' });
  expect(other.headers['Access-Control-Allow-Origin']).toBeUndefined();
});

test('every answer has a request id, and that of the client where it has one', async () => {
  const { post } = await testEndpoint();
  const { headers } = await post(describeService, { 'client-request-id': 'mine-1' });
  expect(headers['Request-Id']).toMatch(/^[\da-f-]{36}$/);
  expect(headers['Client-Request-Id']).toBe('mine-1');
  expect((await post(describeService, { 'client-request-id': 'a b' })).headers['Client-Request-Id']).toBeUndefined();
});

test('Host: necessary, and any where no address is configured', async () => {
  const { post } = await testEndpoint();
  expect((await post(describeService, { host: undefined })).status).toBe(400);
  expect((await post(describeService, { host: '' })).status).toBe(400);
  expect((await post(describeService, { host: 'anything.example:81' })).status).toBe(200);
});

test('Host: with publicBase that one alone', async () => {
  const { post } = await testEndpoint({ publicBase: 'https://rpc.example/base' });
  for (const host of ['rpc.example', 'RPC.example', 'rpc.example:443']) {
    expect((await post(describeService, { host })).status).toBe(200);
  }
  const response = await post(describeService, { host: 'other.example' });
  expect(response.status).toBe(421);
  expect(jsonOf(response)).toMatchObject({ error: { code: -32600, data: { status: 421 } } });
  const { post: atPort } = await testEndpoint({ publicBase: 'http://rpc.example:8080' });
  expect((await atPort(describeService, { host: 'rpc.example:8080' })).status).toBe(200);
  expect((await atPort(describeService, { host: 'rpc.example' })).status).toBe(421);
});

test.each([
  [411, { 'content-length': undefined }],
  [411, { 'content-length': undefined, 'transfer-encoding': 'chunked' }],
  [411, { 'content-length': '1x' }],
  [400, { 'content-length': '10' }],
  [400, { 'content-length': '1000' }],
  [413, { 'content-length': String(1024 ** 2 + 1) }],
  [413, { 'content-length': String(256 * 1024 + 1), 'content-type': 'text/xml' }],
  [415, { 'content-type': undefined }],
  [415, { 'content-type': 'text/plain' }],
  [415, { 'content-type': 'application/x-www-form-urlencoded' }],
  [415, { 'content-type': 'application/json; charset=iso-8859-1' }],
  [415, { 'content-encoding': 'gzip' }],
])('%i for %j', async (status, headers: Headers) => {
  const { post } = await testEndpoint();
  const response = await post(describeService, headers);
  expect(response.status).toBe(status);
  const text = textOf(response);
  if (headers['content-type'] === 'text/xml') expect(text).toContain('<int>-32600</int>');
  else expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32600, data: { status } } });
});

test('a body that breaks off', async () => {
  const { handler } = await testEndpoint();
  async function* body(): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode('{');
    throw new Error('gone');
  }
  const headers = { host: 'x', 'content-type': 'application/json', 'content-length': '10' };
  expect((await handler({ method: 'POST', path: '/rpc', headers, body: body() })).status).toBe(400);
});

test('a body in pieces, cut within a character', async () => {
  const { handler } = await testEndpoint();
  const bytes = new TextEncoder().encode(request('DescribeService', [], 'é'));
  async function* body(): AsyncGenerator<Uint8Array> {
    for (const byte of bytes) yield Uint8Array.of(byte);
  }
  const headers = { host: 'x', 'content-type': 'application/json', 'content-length': String(bytes.length) };
  const response = await handler({ method: 'POST', path: '/rpc', headers, body: body() });
  expect(jsonOf(response)).toMatchObject({ id: 'é', result: {} });
});

test('without User-Agent a client has a tenth of the calls', async () => {
  const serviceOptions = { limits: { requestBurst: 100, requestsPerSecond: 1 }, now: () => 0 };
  const served = async (agent: string | undefined): Promise<number> => {
    const { post } = await testEndpoint({ serviceOptions });
    let count = 0;
    while ((await post(describeService, { 'user-agent': agent })).status === 200) count++;
    return count;
  };
  expect([await served('name/1.2.3'), await served(undefined), await served(' ')]).toEqual([100, 10, 10]);
});

test('one too many: 429 in both protocols', async () => {
  const serviceOptions = { limits: { requestBurst: 1, requestsPerSecond: 1 }, now: () => 0 };
  const { post } = await testEndpoint({ serviceOptions });
  await post(describeService);
  const json = await post(describeService);
  expect([json.status, json.headers['Retry-After']]).toEqual([429, '1']);
  expect(jsonOf(json)).toMatchObject({
    id: null,
    error: { code: -32029, data: { type: 'RATE_LIMITED', retryAfter: 1 } },
  });
  const xml = await post(xmlCall('DescribeService'), XML);
  expect([xml.status, xml.headers['Content-Type']]).toEqual([429, 'text/xml; charset=utf-8']);
  expect(textOf(xml)).toContain('<int>-32029</int>');
});

test('every form of credentials', async () => {
  const { post, tokens } = await testEndpoint();
  const forms = [`${tokens.acme}:`, `:${tokens.acme}`, `${tokens.acme}:X`, `acme:${tokens.acme}`].map(basic);
  for (const headers of [bearer(tokens.acme), ...forms]) {
    expect(jsonOf(await post(request('ListRepositories'), headers)).result).toEqual([]);
  }
});

test('a token in the path, where that is allowed', async () => {
  const older = await testEndpoint({ queryToken: true });
  const path = `/rpc?auth_token=${older.tokens.acme}`;
  expect(jsonOf(await older.post(request('ListRepositories'), {}, path)).result).toEqual([]);
  const { post, tokens } = await testEndpoint();
  expect((await post(request('ListRepositories'), {}, `/rpc?auth_token=${tokens.acme}`)).status).toBe(401);
});

test('no credentials: DescribeService alone, else -32001, and 401 with the realm in JSON-RPC', async () => {
  const { post } = await testEndpoint();
  const response = await post(request('ListRepositories', [], 'mine'));
  expect([response.status, response.headers['WWW-Authenticate']]).toEqual([401, 'Basic realm="Application"']);
  expect(jsonOf(response)).toMatchObject({
    id: 'mine',
    error: { code: -32001, data: { status: 401, type: 'UNAUTHENTICATED' } },
  });
  const batch = await post(`[${request('ListRepositories')},${describeService}]`);
  expect(batch.status).toBe(200);
  expect(jsonOf(batch)).toMatchObject([{ error: { code: -32001 } }, { result: {} }]);
  const xml = await post(xmlCall('ListRepositories'), XML);
  expect(xml.status).toBe(200);
  expect(textOf(xml)).toContain('<int>-32001</int>');
});

test('a wrong token is refused everywhere', async () => {
  const { post } = await testEndpoint();
  for (const headers of [bearer('qdt_wrong'), basic('a:b'), { authorization: 'nonsense' }]) {
    const response = await post(request('DescribeService', [], 7), headers);
    expect([response.status, response.headers['WWW-Authenticate']]).toEqual([401, 'Basic realm="Application"']);
    expect(jsonOf(response)).toMatchObject({ id: 7, error: { code: -32001 } });
  }
  expect((await post(`[${describeService}]`, bearer('qdt_wrong'))).status).toBe(401);
  const xml = await post(xmlCall('DescribeService'), { ...XML, ...bearer('qdt_wrong') });
  expect(xml.status).toBe(200);
  expect(textOf(xml)).toContain('<int>-32001</int>');
});

test('after many failures an address has to wait', async () => {
  const { post } = await testEndpoint({ serviceOptions: { limits: { failuresPerMinute: 3 } } });
  for (let i = 0; i < 3; i++) expect((await post(describeService, bearer('qdt_wrong'))).status).toBe(401);
  const response = await post(describeService, bearer('qdt_wrong'));
  expect(response.status).toBe(429);
  expect(Number(response.headers['Retry-After'])).toBeGreaterThan(0);
});

test('behind a proxy it is the client whose failures count', async () => {
  const options = { serviceOptions: { limits: { failuresPerMinute: 1 } } };
  const { post } = await testEndpoint({ ...options, trustProxy: true });
  await post(describeService, { ...bearer('x'), 'x-forwarded-for': '203.0.113.1' });
  expect((await post(describeService, { ...bearer('x'), 'x-forwarded-for': '203.0.113.1' })).status).toBe(429);
  expect((await post(describeService, { ...bearer('x'), 'x-forwarded-for': '1.1.1.1, 203.0.113.2' })).status).toBe(401);
});

test('calls are counted by method and by the code of their error', async () => {
  const { post, call, tokens, service } = await testEndpoint();
  await post(describeService);
  await post(describeService);
  await call('dydra.account.info', ['acme']);
  await call('DescribeRepository', ['acme/none']);
  await call('no.such.method');
  await call('__proto__');
  await post('no JSON');
  await post(describeService, bearer('qdt_wrong'));
  await post(describeService, { 'content-type': 'text/html' });
  await post(`[${describeService}, 1]`, bearer(tokens.acme));
  await post(xmlCall('DescribeService'), XML);
  await post('no XML', XML);
  const counts = Array.from(service.calls, ({ method, code, durations }) => [method, code, durations.count]);
  expect(counts.sort()).toEqual([
    ['DescribeAccount', 'ok', 1],
    ['DescribeRepository', '-32004', 1],
    ['DescribeService', 'ok', 4],
    ['none', '-32001', 1],
    ['none', '-32600', 2],
    ['none', '-32601', 2],
    ['none', '-32700', 2],
  ]);
  for (const { durations } of service.calls) expect(durations.buckets.at(-1)).toBe(durations.count);
});

test('httpStatus strict: every error of a single call has its own', async () => {
  const { post, tokens } = await testEndpoint({ httpStatus: 'strict' });
  const statusOf = async (method: string, params: unknown, token = tokens.acme): Promise<number> =>
    (await post(request(method, params), bearer(token))).status;
  expect(await statusOf('DescribeService', [])).toBe(200);
  expect(await statusOf('nothing', [])).toBe(404);
  expect(await statusOf('DescribeRepository', [1])).toBe(400);
  expect(await statusOf('DescribeRepository', ['acme/none'])).toBe(404);
  expect(await statusOf('CreateRepository', ['acme/x'])).toBe(200);
  expect(await statusOf('CreateRepository', ['acme/x'])).toBe(409);
  expect(await statusOf('CreateRepository', ['acme/'])).toBe(422);
  expect(await statusOf('CreateRepository', ['acme/y'], tokens.other)).toBe(403);
  const batch = await post(`[${request('nothing')}]`);
  expect(batch.status).toBe(200);
  const xml = await post(xmlCall('nothing'), XML);
  expect(xml.status).toBe(200);
});

test.each(['text/xml', 'application/xml'])('XML-RPC: the answer is %s as the call', async (mediaType) => {
  const { post } = await testEndpoint();
  const response = await post(xmlCall('DescribeService', '<params/>'), { 'content-type': mediaType });
  expect([response.status, response.headers['Content-Type']]).toEqual([200, `${mediaType}; charset=utf-8`]);
  const text = textOf(response);
  expect(text).toContain('<member><name>version</name><value><string>2012-06-01</string></value></member>');
  expect(text).toContain('<member><name>status</name><value><string>nominal</string></value></member>');
  expect(text).toContain('<member><name>readable</name><value><boolean>1</boolean></value></member>');
  expect(text).toContain('<member><name>writable</name><value><boolean>1</boolean></value></member>');
});

test.each([
  ['-32700', '<methodCall>'],
  ['-32700', '<!DOCTYPE methodCall [<!ENTITY a "b">]><methodCall><methodName>&a;</methodName></methodCall>'],
  ['-32600', '<other/>'],
  ['-32601', xmlCall('__proto__')],
  ['-32602', xmlCall('DescribeService', '<params><param><value>1</value></param></params>')],
])('XML-RPC: the fault %s with 200', async (code, body) => {
  const { post } = await testEndpoint();
  const response = await post(body, XML);
  expect(response.status).toBe(200);
  expect(textOf(response)).toContain(`<name>faultCode</name><value><int>${code}</int></value>`);
  expect(textOf(response)).toContain('<name>faultString</name><value><string>');
});

test('a mistake of ours is logged and not told', async () => {
  const logged: unknown[] = [];
  const logger = { info: () => undefined, warn: () => undefined, error: (...all: unknown[]) => logged.push(all) };
  const { service, post } = await testEndpoint({ logger });
  service.state = () => {
    throw new Error('secret');
  };
  const response = await post(describeService);
  expect(response.status).toBe(200);
  expect(jsonOf(response)).toMatchObject({ error: { code: -32603, message: 'internal error', data: { status: 500 } } });
  expect(JSON.stringify(logged)).toContain('secret');
  expect(textOf(response)).not.toContain('secret');
});

test('the access log has the path without its query', async () => {
  const lines: unknown[] = [];
  const logger = { info: (...all: unknown[]) => lines.push(all), warn: () => undefined, error: () => undefined };
  const { post } = await testEndpoint({ logger, accessLog: true });
  await post(describeService, {}, '/rpc?auth_token=secret');
  expect(lines).toMatchObject([['request', { method: 'POST', path: '/rpc', status: 200 }]]);
  expect(JSON.stringify(lines)).not.toContain('secret');
});

test('DescribeService tells of a store that takes no writes, and of one that is closed', async () => {
  const driver = new FaultDriver(new MemoryDriver());
  const database = await open({ storage: driver });
  const service = await openService(database);
  await service.accounts.create('acme');
  const handler = createRpcHandler({ service });
  const state = async (): Promise<unknown> => {
    const body = new TextEncoder().encode(describeService);
    const headers = { host: 'x', 'content-type': 'application/json', 'content-length': String(body.length) };
    return jsonOf(await handler({ method: 'POST', path: '/rpc', headers, body })).result;
  };
  const version = '2012-06-01';
  expect(await state()).toEqual({ version, status: 'nominal', readable: true, writable: true });
  driver.setFault({ effect: 'fail', operations: ['write'], repeat: 'forever' });
  await expect(service.accounts.create('other')).rejects.toThrow();
  expect(await state()).toEqual({ version, status: 'read-only', readable: true, writable: false });
  driver.setFault();
  await service.accounts.create('other');
  expect(await state()).toEqual({ version, status: 'nominal', readable: true, writable: true });
  await service.close();
  await database.close();
  expect(await state()).toEqual({ version, status: 'unavailable', readable: false, writable: false });
});
