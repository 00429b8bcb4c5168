import { expect, test } from 'vitest';
import { bearer, type Headers, jsonOf, request, testEndpoint, textOf } from '../testing/endpoint.js';

const describeService = request('DescribeService');

test('a result has jsonrpc, the id and the media type of the request', async () => {
  const { post } = await testEndpoint();
  const response = await post(describeService);
  expect(response.status).toBe(200);
  expect(response.headers['Content-Type']).toBe('application/json; charset=utf-8');
  expect(jsonOf(response)).toEqual({
    jsonrpc: '2.0',
    id: 1,
    result: { version: '2012-06-01', status: 'nominal', readable: true, writable: true },
  });
});

test.each([
  '1',
  '-7',
  '1.5',
  '1.0',
  '12345678901234567890',
  '1e400',
  'null',
  '"text"',
  '""',
  '"\\u00e9 \\" \\\\"',
  '"é"',
  '"\\ud800"',
])('the id %s comes back as it was written', async (id) => {
  const { post } = await testEndpoint();
  const params = '"params":[],"x":{"id":5},"y":["id"]';
  for (const body of [
    `{"jsonrpc":"2.0","id":${id},"method":"DescribeService",${params}}`,
    `{ ${params} , "method" : "DescribeService" , "jsonrpc" : "2.0" , "id" : ${id} }`,
  ]) {
    expect(textOf(await post(body))).toMatch(/^\{"jsonrpc":"2\.0","id":(.*),"result":/);
    expect(textOf(await post(body))).toContain(`"id":${id},"result"`);
    expect(textOf(await post(`[${body} , ${body}]`)).split(`"id":${id},"result"`)).toHaveLength(3);
  }
});

test('an id whose name is written in escapes comes back too', async () => {
  const { post } = await testEndpoint();
  const body = '{"jsonrpc":"2.0","\\u0069d":"a","method":"DescribeService"}';
  expect(jsonOf(await post(body))).toMatchObject({ id: 'a', result: {} });
});

test.each([
  ['jsonrpc 1.0', '{"jsonrpc":"1.0","id":3,"method":"DescribeService"}', 3, '1.x'],
  ['no jsonrpc, as in 1.x', '{"id":3,"method":"DescribeService","params":[]}', 3, '1.x'],
  ['jsonrpc as a number', '{"jsonrpc":2.0,"id":3,"method":"DescribeService"}', 3, '1.x'],
  ['an object as id', '{"jsonrpc":"2.0","id":{},"method":"DescribeService"}', null, 'id is'],
  ['an array as id', '{"jsonrpc":"2.0","id":[1],"method":"DescribeService"}', null, 'id is'],
  ['a boolean as id', '{"jsonrpc":"2.0","id":true,"method":"DescribeService"}', null, 'id is'],
  ['a number as method', '{"jsonrpc":"2.0","id":3,"method":1}', 3, 'method'],
  ['no method and no id', '{"jsonrpc":"2.0"}', null, 'method'],
  ['an inherited jsonrpc', '{"__proto__":{"jsonrpc":"2.0","method":"DescribeService"},"id":3}', 3, '1.x'],
  ['a number', '1', null, 'object'],
  ['null', 'null', null, 'object'],
  ['an empty batch', '[]', null, 'batch'],
  ['a batch that is too long', `[${Array(101).fill(describeService).join(',')}]`, null, '100'],
])('-32600 and 400: %s', async (_, body, id, message) => {
  const { post } = await testEndpoint();
  const response = await post(body);
  expect(response.status).toBe(400);
  expect(jsonOf(response)).toMatchObject({
    jsonrpc: '2.0',
    id,
    error: {
      code: -32600,
      message: expect.stringContaining(message),
      data: { status: 400, type: 'RPC_INVALID_REQUEST' },
    },
  });
});

test.each([
  ['no JSON', '{"jsonrpc":"2.0",'],
  ['nothing', ''],
  ['text after the end', `${describeService}}`],
  ['bytes that are not UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
  ['arrays in arrays', '['.repeat(500)],
  ['objects in objects', '{"a":'.repeat(100_000)],
  ['params that nest too deeply', `{"jsonrpc":"2.0","id":1,"method":"x","params":${'['.repeat(16)}${']'.repeat(16)}}`],
])('-32700 and 400: %s', async (_, body) => {
  const { post } = await testEndpoint();
  const response = await post(body);
  expect(response.status).toBe(400);
  expect(jsonOf(response)).toMatchObject({ id: null, error: { code: -32700, data: { type: 'RPC_PARSE_ERROR' } } });
});

test('brackets and quotes in texts do not count as depth', async () => {
  const { post } = await testEndpoint();
  const id = JSON.stringify(`${'[{'.repeat(30)}\\"\\`);
  const response = await post(`{"jsonrpc":"2.0","id":${id},"method":"DescribeService"}`);
  expect(textOf(response)).toContain(`"id":${id},"result"`);
});

test.each(['__proto__', 'constructor', 'toString', 'describeservice', 'rpc.x', '', 'system'])(
  '-32601: the method %j',
  async (method) => {
    const { post } = await testEndpoint();
    const response = await post(request(method, [], 'x'));
    expect(response.status).toBe(200);
    expect(jsonOf(response)).toMatchObject({ id: 'x', error: { code: -32601, data: { status: 404 } } });
  },
);

test.each([
  ['too many', 'DescribeService', [1]],
  ['too many by name', 'DescribeService', { a: 1 }],
  ['too few', 'DescribeRepository', []],
  ['none', 'DescribeRepository', undefined],
  ['one of a wrong type', 'DescribeRepository', [1]],
  ['null for one that is necessary', 'DescribeRepository', [null]],
  ['an unknown name', 'DescribeRepository', { repository: 'acme/x', other: 1 }],
  ['an inherited name', 'DescribeRepository', { __proto__: null, toString: 'x' }],
  ['a text as params', 'DescribeService', 'x'],
  ['a number as params', 'DescribeService', 0],
])('-32602: %s', async (_, method, params) => {
  const { call } = await testEndpoint();
  expect(await call(method, params)).toMatchObject({ error: { code: -32602, data: { type: 'RPC_INVALID_PARAMS' } } });
});

test('parameters by position, by name, empty, null and left out', async () => {
  const { call, service, tokens } = await testEndpoint();
  await call('CreateRepository', ['acme/x']);
  expect((await call('CountStatements', ['acme/x'])).result).toBe(0);
  expect((await call('CountStatements', { repository: 'acme/x' })).result).toBe(0);
  for (const params of [undefined, null, [], {}]) {
    expect((await call('DescribeService', params)).result).toMatchObject({ version: '2012-06-01' });
  }
  for (const params of [undefined, [], [''], [null], {}, { account: 'acme' }]) {
    expect((await call('ListRepositories', params, bearer(tokens.acme))).result).toEqual([['acme', 'x']]);
  }
  expect(service.limits.requestsPerSecond).toBe(1000);
});

test('a notification gets 200 and nothing, whatever becomes of it', async () => {
  const { post, service, tokens } = await testEndpoint();
  const notify = (method: string, params?: unknown): string => JSON.stringify({ jsonrpc: '2.0', method, params });
  for (const body of [
    notify('DescribeService'),
    notify('nothing'),
    notify('DescribeRepository', [1]),
    notify('x', 1),
  ]) {
    const response = await post(body);
    expect([response.status, textOf(response), response.headers['Content-Type']]).toEqual([200, '', undefined]);
  }
  await post(notify('CreateRepository', ['acme/made']), bearer(tokens.acme));
  expect(await service.database.repositories('acme').toArray()).toHaveLength(1);
  const nullId = await post(request('DescribeService', [], null));
  expect(jsonOf(nullId)).toMatchObject({ id: null, result: {} });
});

test('a batch: in order, without notifications, each with its own error, 200', async () => {
  const { post, tokens } = await testEndpoint();
  const notification = '{"jsonrpc":"2.0","method":"DescribeService"}';
  const body = `[${[
    request('DescribeService', [], 'a'),
    notification,
    '1',
    request('nothing', [], 'b'),
    request('CreateRepository', ['acme/x'], 4),
    request('CountStatements', ['acme/x'], 5),
    '{"jsonrpc":"1.0","id":6,"method":"x"}',
  ].join(',')}]`;
  const response = await post(body, bearer(tokens.acme));
  expect(response.status).toBe(200);
  expect(jsonOf(response).map(({ id, error }: any) => [id, error?.code])).toEqual([
    ['a', undefined],
    [null, -32600],
    ['b', -32601],
    [4, undefined],
    [5, undefined],
    [6, -32600],
  ]);
  expect(jsonOf(response)[4].result).toBe(0);
  const silent = await post(`[${notification},${notification}]`);
  expect([silent.status, textOf(silent)]).toEqual([200, '']);
  const single = await post(`[${describeService}]`);
  expect(jsonOf(single)).toMatchObject([{ id: 1, result: {} }]);
  const most = await post(`[${Array(100).fill(describeService).join(',')}]`);
  expect(jsonOf(most)).toHaveLength(100);
});

test('what a batch has no time left for is refused', async () => {
  const { post } = await testEndpoint({ limits: { batchMs: -1 } });
  const response = await post(`[${describeService},${describeService}]`);
  expect(response.status).toBe(200);
  expect(jsonOf(response)[1]).toMatchObject({ error: { code: -32603, message: expect.stringContaining('not run') } });
});

test('the results of a batch have so many bytes together; a single one may have more', async () => {
  const { post, call, tokens } = await testEndpoint({ limits: { batchBytes: 500 } });
  const help = request('system.listMethods', []);
  expect((await call('system.listMethods')).result.length).toBeGreaterThan(40);
  const batch = jsonOf(await post(`[${help},${help}]`, bearer(tokens.acme)));
  const tooLarge = { code: -32003, data: { status: 413, type: 'RESULT_TOO_LARGE' } };
  expect(batch).toMatchObject([{ result: expect.any(Array) }, { error: tooLarge }]);
  const member = { methodName: 'system.listMethods', params: [] };
  const members = [member, member];
  expect(await call('system.multicall', [members])).toMatchObject({
    result: [[expect.any(Array)], { faultCode: -32003 }],
  });
});

test('members of a batch count as requests', async () => {
  const { post } = await testEndpoint({
    serviceOptions: { limits: { requestBurst: 50, requestsPerSecond: 1 }, now: () => 0 },
  });
  const response = await post(`[${Array(60).fill(describeService).join(',')}]`);
  expect(response.status).toBe(429);
  expect(jsonOf(response)).toMatchObject({ id: null, error: { code: -32029, data: { status: 429 } } });
});

test('two members of the same name: the last one counts, as for JSON', async () => {
  const { post } = await testEndpoint();
  const body = '{"jsonrpc":"2.0","id":1,"method":"x","id":2,"method":"DescribeService"}';
  expect(jsonOf(await post(body))).toMatchObject({ id: 2, result: {} });
});

test('a name such as __proto__ reaches no prototype', async () => {
  const { post } = await testEndpoint();
  await post('{"jsonrpc":"2.0","id":1,"method":"x","params":{"__proto__":{"polluted":1}}}');
  await post('{"jsonrpc":"2.0","id":1,"method":"x","params":{"constructor":{"prototype":{"polluted":1}}}}');
  expect(({} as any).polluted).toBeUndefined();
});

test.each<[string, Headers]>([
  ['application/json', { 'content-type': 'application/json' }],
  ['application/json', { 'content-type': 'Application/JSON; Charset="UTF-8"' }],
  ['application/json', { 'content-type': 'application/json;charset=utf-8' }],
  ['application/json-rpc', { 'content-type': 'application/json-rpc' }],
  ['application/jsonrequest', { 'content-type': 'application/jsonrequest' }],
])('the media type %s', async (mediaType, headers) => {
  const { post } = await testEndpoint();
  const response = await post(describeService, headers);
  expect([response.status, response.headers['Content-Type']]).toEqual([200, `${mediaType}; charset=utf-8`]);
});
