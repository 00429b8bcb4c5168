import { createConnection, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AccessLine } from '../http/index.js';
import { createHandler } from '../handler.js';
import { type TestServer, testServer, TURTLE } from '../testing/server.js';
import { type NodeServer, serveNode, type ServeOptions } from './node.js';
import { serveOnPort } from './serve-on-port.js';

let server: TestServer;
let node: NodeServer;
beforeEach(async () => {
  server = await testServer();
  node = await serveNode(server.handler, { port: 0 });
});
afterEach(async () => {
  await node.close(100);
  await server.database.close();
});

const manyQuads = async (count: number): Promise<void> => {
  const lines = Array.from({ length: count }, (_, i) => `<urn:s${String(i)}> <urn:p> "${'x'.repeat(100)}" .\n`);
  const response = await fetch(`${node.url}/acme/people/statements`, {
    method: 'POST',
    body: lines.join(''),
    headers: { 'Content-Type': 'application/n-triples' },
  });
  expect(response.status).toBe(204);
};

test('the whole way over a socket, as one connection after the other', async () => {
  expect(node.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  await manyQuads(20_000);
  const text = await (await fetch(`${node.url}/acme/people/statements`)).text();
  expect(text.split('\n')).toHaveLength(20_001);
  const head = await fetch(`${node.url}/acme/people/statements`, { method: 'HEAD' });
  expect(head.status).toBe(200);
  const removed = await fetch(`${node.url}/acme/people/statements`, { method: 'DELETE' });
  expect(removed.status).toBe(204);
  expect(await (await fetch(`${node.url}/acme/people/size`)).text()).toBe('0');
});

test('a client that leaves in the middle stops the answer, and the store can close', async () => {
  await manyQuads(50_000);
  const controller = new AbortController();
  const response = await fetch(`${node.url}/acme/people/statements`, { signal: controller.signal });
  await response.body?.getReader().read();
  controller.abort();
  expect((await fetch(`${node.url}/acme/people/size`)).status).toBe(200);
});

test('an upload that breaks off leaves nothing', async () => {
  const broken = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('<urn:a> <urn:p> "1" .\n'));
    },
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      controller.error(new Error('gone'));
    },
  });
  const init = { method: 'POST', body: broken, headers: TURTLE, duplex: 'half' };
  await expect(fetch(`${node.url}/acme/people/statements`, init as RequestInit)).rejects.toThrow();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await (await fetch(`${node.url}/acme/people/size`)).text()).toBe('0');
});

test.each([
  ['that announced its length', (length: number) => `Content-Length: ${String(length)}\r\n\r\n`],
  ['in chunks', () => 'Transfer-Encoding: chunked\r\n\r\nfffff\r\n'],
])('a client that goes away in the middle of an upload %s: its job has failed', async (_, framing) => {
  for (const lines of [10, 20_000]) {
    const body = '<urn:a> <urn:p> "a part of the body" .\n'.repeat(lines);
    const socket = createConnection(node.port, '127.0.0.1');
    socket.write(`POST /acme/people/statements HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n`);
    // Without it a short document is no job.
    socket.write('Client-Request-Id: mine\r\n');
    socket.write(framing(body.length * 2) + body);
    const jobs = async (path: string) => (await (await fetch(node.url + path)).json()) as Record<string, unknown>[];
    await expect.poll(() => jobs('/jobs')).toHaveLength(1);
    const [{ uuid }] = (await jobs('/jobs')) as [Record<string, unknown>];
    socket.destroy();
    await expect.poll(() => jobs('/jobs')).toEqual([]);
    expect(await jobs(`/jobs/${String(uuid)}`)).toMatchObject({
      status: 'failed',
      working: false,
      message: 'the client closed the connection; nothing of it was kept',
    });
  }
  expect(await (await fetch(`${node.url}/acme/people/size`)).text()).toBe('0');
});

test.each([
  ['a Host that is none', 'GET /acme/people/size HTTP/1.1\r\nHost: a/b c'],
  ['an address of another scheme', 'GET ftp://a/b HTTP/1.1\r\nHost: a'],
])('%s is refused as everything else is: with all headers, and a line in the log', async (_, head) => {
  const lines: unknown[] = [];
  const info = (...line: unknown[]): void => void lines.push(line);
  const logger = { info, warn: info, error: info };
  const handler = createHandler({ database: server.database, open: true, logger, accessLog: true });
  const logging = await serveNode(handler, { port: 0 });
  const socket = createConnection(logging.port, '127.0.0.1');
  socket.write(`${head}\r\nConnection: close\r\n\r\n`);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  expect(answer).toContain('HTTP/1.1 400');
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({ code: 'BAD_REQUEST', status: 400 });
  const headers = answer.toLowerCase();
  for (const name of ['x-content-type-options', 'content-security-policy', 'access-control-allow-origin', 'request-id'])
    expect(headers).toContain(`\r\n${name}: `);
  expect(lines).toEqual([['request', expect.objectContaining({ method: 'GET', route: 'none', status: 400 })]]);
  await logging.close(100);
});

test('the access log has the bytes and the end of long answers, also of those that are broken off', async () => {
  await manyQuads(20_000);
  const lines: AccessLine[] = [];
  const handler = createHandler({ database: server.database, open: true, accessLog: (line) => lines.push(line) });
  const logging = await serveNode(handler, { port: 0 });
  const url = `${logging.url}/acme/people/statements`;
  const body = await (await fetch(url, { headers: { 'Accept-Encoding': 'identity' } })).text();
  await expect.poll(() => lines.length).toBe(1);
  const controller = new AbortController();
  const left = await fetch(url, { headers: { 'Accept-Encoding': 'identity' }, signal: controller.signal });
  await left.body!.getReader().read();
  controller.abort();
  await expect.poll(() => lines.length).toBe(2);
  await (await fetch(url, { method: 'HEAD' })).text();
  expect(lines[0]).toMatchObject({ address: '127.0.0.1', status: 200, bytes: Buffer.byteLength(body), account: null });
  expect(lines[1]!.bytes).toBeLessThan(Buffer.byteLength(body));
  expect(lines[2]).toMatchObject({ method: 'HEAD', bytes: 0 });
  const response = await handler(new Request(url));
  expect(lines).toHaveLength(3);
  expect(await response.text()).toBe(body);
  expect(lines[3]).toMatchObject({ bytes: Buffer.byteLength(body) });
  const cancelled = (await handler(new Request(url))).body!.getReader();
  await cancelled.read();
  await cancelled.cancel();
  expect(lines[4]!.bytes).toBeGreaterThan(0);
  await logging.close(100);
});

test('a socket that says it is not encrypted has addresses of http, as sockets of Bun say it', async () => {
  const before: ServeOptions['before'] = ({ socket }) => {
    Object.assign(socket, { encrypted: false });
    return false;
  };
  const plain = await serveNode(server.handler, { port: 0, before });
  try {
    const body = new URLSearchParams({ name: 'other' });
    const made = await fetch(`${plain.url}/acme/repositories`, { method: 'POST', body });
    expect([made.status, made.headers.get('Location')]).toEqual([200, `${plain.url}/acme/other`]);
  } finally {
    await plain.close(100);
  }
});

test('a port that is taken: the usual one gives way, a chosen one says so', async () => {
  await expect(serveOnPort(server.handler, node.port)).rejects.toThrow(`port ${String(node.port)} is in use`);
  const first = await serveOnPort(server.handler);
  const second = await serveOnPort(server.handler);
  expect(second.port).toBeGreaterThan(first.port);
  await Promise.all([first.close(), second.close()]);
});

describe('slow clients', () => {
  const sockets: Socket[] = [];
  let slowServer: NodeServer;
  const start = async (options: Partial<ServeOptions>): Promise<void> => {
    slowServer = await serveNode(server.handler, { port: 0, ...options });
    // What the first request loads is not what is measured.
    await server.get('/acme/people/size');
  };
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await slowServer.close(100);
  });

  const connect = (text: string, localAddress = '127.0.0.1'): Promise<Socket> =>
    new Promise((resolve, reject) => {
      const to = { port: slowServer.port, host: '127.0.0.1', localAddress };
      const socket = createConnection(to, () => socket.write(text, () => resolve(socket)));
      socket.once('error', reject);
      sockets.push(socket);
    });
  const closed = (socket: Socket): Promise<string> =>
    new Promise((resolve) => {
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(text));
    });
  const timeOf = async (path: string): Promise<number> => {
    const before = performance.now();
    expect((await fetch(slowServer.url + path)).status).toBe(200);
    return performance.now() - before;
  };

  test('a thousand that send their head byte by byte do not keep the others waiting', async () => {
    await start({});
    await Promise.all(
      Array.from({ length: 1000 }, () => connect('GET /acme/people/size HTTP/1.1\r\nHost: localhost\r\nX-Slow: ')),
    );
    const drip = setInterval(() => sockets.forEach((socket) => socket.write('a')), 1000);
    try {
      const times: number[] = [];
      for (let i = 0; i < 30; i++) times.push(await timeOf('/acme/people/size'));
      // All but what a busy machine makes of one in ten.
      expect(times.toSorted((a, b) => a - b)[26]).toBeLessThan(200);
    } finally {
      clearInterval(drip);
    }
  });

  test('nor do they when there are more of them than connections are allowed', async () => {
    await start({ maxConnections: 20 });
    for (let i = 0; i < 60; i++) (await connect('GET / HTTP/1.1\r\n')).on('error', () => undefined);
    expect(await timeOf('/acme/people/size')).toBeLessThan(200);
    expect(sockets.filter((socket) => !socket.destroyed).length).toBeLessThanOrEqual(20);
  });

  test('nor when all of them come from one address: others have their own', async () => {
    await start({ maxConnectionsPerAddress: 10 });
    const other = await connect('', '127.0.0.2');
    for (let i = 0; i < 30; i++) (await connect('GET / HTTP/1.1\r\n')).on('error', () => undefined);
    expect(await timeOf('/acme/people/size')).toBeLessThan(200);
    expect(sockets.filter((socket) => !socket.destroyed).length).toBeLessThanOrEqual(11);
    expect(other.destroyed).toBe(false);
  });

  test('a running request is not closed for a new connection', async () => {
    await start({ maxConnections: 1 });
    const upload = await connect(
      'POST /acme/people/statements HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: text/turtle\r\nContent-Length: 18\r\n\r\n<urn:a>',
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    await expect(fetch(`${slowServer.url}/acme/people/size`)).rejects.toThrow();
    const answer = closed(upload);
    upload.write(' <urn:p> 1.');
    expect(await answer).toContain('204');
  });

  test('heads and bodies have to come in time', async () => {
    await start({ headersTimeoutMs: 200, bodyTimeoutMs: 200 });
    const head = closed(await connect('GET / HTTP/1.1\r\nHost'));
    const silent = closed(await connect(''));
    const post = 'POST /acme/people/statements HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/turtle\r\n';
    const body = closed(await connect(`${post}Content-Length: 100\r\n\r\n<urn:a>`));
    const chunked = closed(await connect(`${post}Transfer-Encoding: chunked\r\n\r\n7\r\n<urn:a>\r\n`));
    for (const socket of [head, silent, body, chunked]) expect(await socket).toContain('408');
    expect(await (await fetch(`${slowServer.url}/acme/people/size`)).text()).toBe('0');
  });

  test('a steady upload may take longer than that', async () => {
    await start({ bodyTimeoutMs: 200 });
    const line = `<urn:a> <urn:p> "${'x'.repeat(500)}" .\n`;
    const upload = await connect(
      `POST /acme/people/statements HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: text/turtle\r\nContent-Length: ${String(line.length * 20)}\r\n\r\n`,
    );
    const answer = closed(upload);
    for (let i = 0; i < 20; i++) {
      upload.write(line);
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    expect(await answer).toContain('204');
  });

  test.each([
    ['a head that is too long', `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, '431'],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      '400',
    ],
    ['a folded header', 'GET / HTTP/1.1\r\nHost: localhost\r\nX: a\r\n b\r\n\r\n', '400'],
  ])('%s', async (_, text, status) => {
    await start({});
    const answer = closed(await connect(text));
    expect(await answer).toContain(`HTTP/1.1 ${status}`);
  });
});

test('a request that names its Host twice is refused, also where another interface is in front', async () => {
  let asked = 0;
  const front = await serveNode(server.handler, { port: 0, before: () => ++asked < 0 });
  const socket = createConnection(front.port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  socket.write('GET /health HTTP/1.1\r\nHost: a.example\r\nhOsT: b.example\r\nConnection: close\r\n\r\n');
  await new Promise((resolve) => socket.once('close', resolve));
  expect([text.slice(0, 12), text.includes('"BAD_REQUEST"'), asked]).toEqual(['HTTP/1.1 400', true, 0]);
  await front.close(0);
});
