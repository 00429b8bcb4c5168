import { getEventListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createGuardedFetch, createUrlCheck } from './guarded-fetch.js';
import type { GuardedFetchOptions } from './options.js';
import type { FetchRequest } from './port.js';
import { activeTimers, bodyOf, readAll, serve, type TestServer } from './testing/server.js';

const fetcher = (server: TestServer, options: GuardedFetchOptions = {}) =>
  createGuardedFetch({ allow: [server.host], ...options });
const code = (expected: string) => expect.objectContaining({ code: expected });

test('GET: status, headers, final URL and body', async () => {
  const server = await serve((_, response) => {
    response.writeHead(404, { 'X-Answer': 'yes', 'Content-Type': 'text/plain', Link: ['<a>', '<b>'] }).end('not here');
  });
  const before = activeTimers();
  const response = await fetcher(server)({ url: `${server.url}a/../b?c=d#e`, headers: { Accept: 'text/turtle' } });
  expect(response).toMatchObject({ status: 404, url: `${server.url}b?c=d` });
  expect(response.headers).toMatchObject({ 'x-answer': 'yes', 'content-type': 'text/plain', link: '<a>, <b>' });
  expect(String(await readAll(response))).toBe('not here');
  const [request] = server.requests;
  expect(request).toMatchObject({ method: 'GET', url: '/b?c=d' });
  expect(request?.headers).toMatchObject({ host: server.host, accept: 'text/turtle', connection: 'close' });
  expect(() => response.body[Symbol.asyncIterator]()).toThrow(code('INVALID_OPTION'));
  await server.idle();
  expect(activeTimers()).toBeLessThanOrEqual(before);
});

test.each(['POST', 'PUT'] as const)('%s: body and its length', async (method) => {
  const server = await serve((request, response) => {
    void bodyOf(request).then((text) => response.end(`${request.method} ${request.headers['content-length']} ${text}`));
  });
  const post = (body: string | Uint8Array | undefined) =>
    fetcher(server)({ url: server.url, method, body, headers: { 'content-type': 'text/plain' } });
  expect(String(await readAll(await post('ä')))).toBe(`${method} 2 ä`);
  expect(String(await readAll(await post(new Uint8Array([65]))))).toBe(`${method} 1 A`);
  expect(String(await readAll(await post(undefined)))).toBe(`${method} 0 `);
  expect(server.requests[0]?.headers['content-type']).toBe('text/plain');
});

test.each<Partial<FetchRequest>>([
  { headers: { Host: 'elsewhere' } },
  { headers: { 'Proxy-Authorization': 'x' } },
  { headers: { 'X-A': 'a\r\nb: c' } },
  { headers: { 'a b': 'c' } },
  { body: 'a GET has none' },
  { method: 'DELETE' as 'POST' },
  { maxBytes: -1 },
  { timeouts: { idleMs: Number.POSITIVE_INFINITY } },
])('a request that cannot be: %j', async (request) => {
  await expect(createGuardedFetch()({ url: 'http://1.1.1.1/', ...request })).rejects.toThrow(code('INVALID_OPTION'));
});

test('a name is resolved once, and all of its addresses count', async () => {
  const server = await serve((_, response) => response.end('secret'));
  const url = `http://rebind.example:${server.port}/`;
  for (const answer of [['93.184.216.34', '127.0.0.1'], ['::ffff:127.0.0.1'], ['fe80::1%lo'], ['127.0.0.1']]) {
    const fetch = createGuardedFetch({ resolve: async () => answer, ports: [server.port] });
    const error: Error = await fetch({ url }).then(
      () => expect.unreachable(),
      (caught) => caught as Error,
    );
    expect(error).toMatchObject({ code: 'BLOCKED_ADDRESS', details: { host: 'rebind.example' } });
    expect(error.message).not.toMatch(/127|fe80|93/);
  }
  expect(server.connections()).toBe(0);
});

test('a resolver that changes its mind is asked once, and what it said first is connected to', async () => {
  const server = await serve((_, response) => response.end('secret'));
  const asked: string[] = [];
  const resolve = async (host: string): Promise<string[]> => (asked.push(host) === 1 ? ['192.0.0.1'] : ['127.0.0.1']);
  const fetch = createGuardedFetch({ resolve, ports: [server.port], mode: 'all', limits: { connectMs: 300 } });
  await expect(fetch({ url: `http://rebind.example:${server.port}/` })).rejects.toThrow(/./);
  expect(asked).toEqual(['rebind.example']);
  expect(server.connections()).toBe(0);
});

test('the next address is tried where one does not answer', async () => {
  const server = await serve((request, response) => response.end(request.headers.host));
  const allow = [`intern.example:${server.port}`];
  const fetch = createGuardedFetch({ allow, resolve: async () => ['127.0.0.9', '::1', '127.0.0.1'] });
  expect(String(await readAll(await fetch({ url: `http://intern.example:${server.port}/` })))).toBe(allow[0]);
});

test('names without an address, and hosts that refuse', async () => {
  const resolves = (resolve: () => Promise<string[]>) => createGuardedFetch({ resolve })({ url: 'http://a.example/' });
  await expect(resolves(async () => [])).rejects.toThrow(code('FETCH_FAILED'));
  await expect(resolves(async () => ['nonsense'])).rejects.toThrow(code('FETCH_FAILED'));
  await expect(resolves(() => Promise.reject(new Error('ENOTFOUND')))).rejects.toThrow(code('FETCH_FAILED'));
  const refused = createGuardedFetch({ allow: ['127.0.0.1:9'] })({ url: 'http://127.0.0.1:9/' });
  await expect(refused).rejects.toThrow('the fetch from 127.0.0.1 failed (ECONNREFUSED)');
});

test('a name that takes too long to resolve', async () => {
  const fetch = createGuardedFetch({ resolve: () => new Promise(() => undefined), limits: { connectMs: 30 } });
  await expect(fetch({ url: 'http://a.example/' })).rejects.toThrow(code('FETCH_TIMEOUT'));
});

test('a server that says nothing, in the head and in the body', async () => {
  const server = await serve((request, response) => {
    if (request.url === '/body') response.write('a');
  });
  const fetch = fetcher(server, { limits: { idleMs: 60 } });
  await expect(fetch({ url: server.url })).rejects.toThrow(code('FETCH_TIMEOUT'));
  await expect(fetch({ url: `${server.url}body` }).then(readAll)).rejects.toThrow(code('FETCH_TIMEOUT'));
  await server.idle();
});

test('a byte now and then ends with the total time', async () => {
  const server = await serve((_, response) => {
    const drip = setInterval(() => response.write('a'), 20);
    response.on('close', () => clearInterval(drip));
  });
  const response = await fetcher(server)({ url: server.url, timeouts: { idleMs: 1000, totalMs: 250 } });
  await expect(readAll(response)).rejects.toThrow(/the fetch from 127.0.0.1 took longer than 250 ms/);
  await server.idle();
});

test('a slow reader is no idle server, and nothing is read ahead without bounds', async () => {
  const piece = Buffer.alloc(64 * 1024);
  let written = 0;
  const server = await serve(async (_, response) => {
    for (; written < 512 && !response.destroyed; written++) {
      if (!response.write(piece)) await new Promise((resolve) => response.once('drain', resolve));
    }
    response.end();
  });
  const response = await fetcher(server, { limits: { idleMs: 80 } })({ url: server.url });
  await sleep(200);
  expect(written).toBeLessThan(300);
  expect((await readAll(response)).length).toBe(512 * piece.length);
});

test('an endless answer ends at the limit, one that says its length at once', async () => {
  const server = await serve((request, response) => {
    if (request.url === '/length') return response.writeHead(200, { 'Content-Length': '5000' }).write('a');
    const write = (): void => {
      while (!response.destroyed && response.write('a'.repeat(1000)));
    };
    response.on('drain', write);
    return write();
  });
  const fetch = fetcher(server, { limits: { maxBytes: 100_000 } });
  let bytes = 0;
  const reading = (async () => {
    for await (const chunk of (await fetch({ url: server.url })).body) bytes += chunk.length;
  })();
  await expect(reading).rejects.toThrow(code('FETCH_TOO_LARGE'));
  expect(bytes).toBeLessThanOrEqual(100_000);
  await expect(fetch({ url: `${server.url}length`, maxBytes: 4999 })).rejects.toThrow(code('FETCH_TOO_LARGE'));
  await server.idle();
});

test('an answer that is cut off fails', async () => {
  const server = await serve((_, response) => {
    response.writeHead(200, { 'Content-Length': '10' }).write('abc', () => setTimeout(() => response.destroy(), 20));
  });
  await expect(fetcher(server)({ url: server.url }).then(readAll)).rejects.toThrow(code('FETCH_FAILED'));
});

test('what is no HTTP fails without showing it', async () => {
  const server = await serve((request) => request.socket.end('SSH-2.0-secret\r\n'));
  const error: Error = await fetcher(server)({ url: server.url }).then(
    () => expect.unreachable(),
    (caught) => caught as Error,
  );
  expect(error).toMatchObject({ code: 'FETCH_FAILED' });
  expect(error.message).not.toContain('secret');
});

test('a switch of protocols fails at once', async () => {
  const server = await serve((request) => {
    request.socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n');
  });
  await expect(fetcher(server)({ url: server.url })).rejects.toThrow(code('FETCH_FAILED'));
});

test('a signal ends it before, while connecting, while waiting and while reading', async () => {
  const server = await serve((request, response) => {
    if (request.url === '/body') response.write('a');
  });
  const before = activeTimers();
  const aborted = { name: 'EvaluationError', code: 'ABORTED' };
  const fetch = fetcher(server);
  await expect(fetch({ url: server.url, signal: AbortSignal.abort() })).rejects.toMatchObject(aborted);
  const slow = createGuardedFetch({ resolve: () => new Promise(() => undefined) });
  await expect(slow({ url: 'http://a.example/', signal: AbortSignal.timeout(20) })).rejects.toMatchObject(aborted);
  await expect(fetch({ url: server.url, signal: AbortSignal.timeout(40) })).rejects.toMatchObject(aborted);
  const controller = new AbortController();
  const response = await fetch({ url: `${server.url}body`, signal: controller.signal });
  setTimeout(() => controller.abort(new Error('enough')), 20);
  await expect(readAll(response)).rejects.toMatchObject({ ...aborted, cause: new Error('enough') });
  await server.idle();
  expect(activeTimers()).toBeLessThanOrEqual(before);
});

test('leaving the body, and close() without reading it, free the connection', async () => {
  const server = await serve((_, response) => response.write('a'.repeat(100_000)));
  const before = activeTimers();
  const fetch = fetcher(server);
  const { signal } = new AbortController();
  for (let round = 0; round < 5; round++) {
    for await (const chunk of (await fetch({ url: server.url, signal })).body) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    await server.idle();
    const response = await fetch({ url: server.url, signal });
    response.close();
    response.close();
    await server.idle();
    await expect(readAll(response)).rejects.toThrow(code('FETCH_FAILED'));
  }
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  expect(activeTimers()).toBeLessThanOrEqual(before);
});

test('the environment names no proxy', async () => {
  const proxy = await serve((_, response) => response.end('proxy'));
  const server = await serve((_, response) => response.end('server'));
  const variables = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
  const kept = variables.map((name) => [name, process.env[name]] as const);
  for (const name of variables) process.env[name] = name.startsWith('NODE') ? '1' : proxy.url;
  try {
    expect(String(await readAll(await fetcher(server)({ url: server.url })))).toBe('server');
  } finally {
    for (const [name, value] of kept) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
  expect(proxy.connections()).toBe(0);
});

test('a further rule of the caller holds for every hop', async () => {
  const server = await serve((request, response) => {
    if (request.url === '/a') response.writeHead(302, { Location: '/b' });
    response.end();
  });
  const mayVisit = (url: string): boolean => !url.endsWith('/b');
  const fetch = fetcher(server);
  expect((await fetch({ url: `${server.url}c`, mayVisit })).status).toBe(200);
  await expect(fetch({ url: `${server.url}a`, mayVisit })).rejects.toThrow(code('URL_NOT_ALLOWED'));
  expect(server.requests.map(({ url }) => url)).toEqual(['/c', '/a']);
});

test('a URL can be checked before it is asked', () => {
  const check = createUrlCheck({ mode: 'listed', allow: ['https://e.org/done/'] });
  expect(() => check('https://e.org/done/1')).not.toThrow();
  expect(() => check('https://e.org/else')).toThrow(code('URL_NOT_ALLOWED'));
  expect(() => createUrlCheck()('http://127.0.0.1/')).toThrow(code('BLOCKED_ADDRESS'));
});
