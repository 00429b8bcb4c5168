import { createServer, type Server } from 'node:http';
import { type AddressInfo, createConnection } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { rpcListener } from './node-listener.js';
import { request, testEndpoint, type TestEndpoint } from '../testing/endpoint.js';

const body = request('DescribeService');

async function served(): Promise<TestEndpoint & { port: number; server: Server }> {
  const endpoint = await testEndpoint();
  const rpc = rpcListener(endpoint.handler);
  const server = createServer((incoming, outgoing) => {
    if (!rpc(incoming, outgoing)) outgoing.end('somebody else');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { ...endpoint, server, port: (server.address() as AddressInfo).port };
}

/** What comes back until the server closes or `until` has come. */
function exchange(port: number, text: string, until?: RegExp): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = createConnection(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString();
      if (until?.test(answer) === true) socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
  });
}

const post = (headers: readonly string[], sent = body, path = '/rpc/2012-06-01'): string =>
  [`POST ${path} HTTP/1.1`, ...headers, 'Connection: close', '', sent].join('\r\n');
const HOST = 'Host: localhost';
const TYPE = 'Content-Type: application/json';
const LENGTH = `Content-Length: ${String(body.length)}`;

test('a call over a socket: status, media type, length', async () => {
  const { port } = await served();
  const answer = await exchange(port, post([HOST, TYPE, LENGTH, 'User-Agent: name/1.0.0']));
  const [head = '', content = ''] = answer.split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(head).toContain('\r\nContent-Type: application/json; charset=utf-8');
  expect(head).toContain(`\r\nContent-Length: ${String(content.length)}\r\n`);
  expect(JSON.parse(content)).toMatchObject({ id: 1, result: { status: 'nominal' } });
});

test('a notification: 200, no body, length 0', async () => {
  const { port } = await served();
  const sent = '{"jsonrpc":"2.0","method":"DescribeService"}';
  const answer = await exchange(port, post([HOST, TYPE, `Content-Length: ${String(sent.length)}`], sent));
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*Content-Length: 0\r\n[^]*\r\n\r\n$/);
});

test.each([
  ['no Host', [TYPE, LENGTH], body, '400'],
  ['chunks', [HOST, TYPE, 'Transfer-Encoding: chunked'], `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`, '411'],
  ['no length', [HOST, TYPE], '', '411'],
  ['a length that is none', [HOST, TYPE, 'Content-Length: 1x'], body, '400'],
  ['a length that is too short', [HOST, TYPE, `Content-Length: ${String(body.length - 1)}`], body, '400'],
  ['a length that is too great', [HOST, TYPE, 'Content-Length: 100000001'], body, '413'],
  ['no Content-Type', [HOST, LENGTH], body, '415'],
  ['another Content-Type', [HOST, LENGTH, 'Content-Type: text/plain'], body, '415'],
])('%s', async (_, headers, sent, status) => {
  const { port } = await served();
  expect(await exchange(port, post(headers, sent))).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
});

test('HTTP/1.0 without Host is told by a JSON-RPC error', async () => {
  const { port } = await served();
  const answer = await exchange(port, ['POST /rpc HTTP/1.0', TYPE, LENGTH, '', body].join('\r\n'));
  expect(answer).toMatch(/^HTTP\/1\.1 400 [^]*\{"jsonrpc":"2\.0","id":null,"error":\{"code":-32600/);
});

test('a body of 100 MB is refused while it is being sent, and the connection ends', async () => {
  const { port } = await served();
  const before = performance.now();
  const answer = await exchange(port, post([HOST, TYPE, 'Content-Length: 104857601'], 'x'.repeat(1_000_000)));
  expect(answer).toMatch(/^HTTP\/1\.1 413 [^]*"code":-32600/);
  expect(answer).toContain('Connection: close');
  expect(performance.now() - before).toBeLessThan(3000);
});

test('connections are kept from call to call', async () => {
  const { port } = await served();
  const one = [`POST /rpc HTTP/1.1`, HOST, TYPE, LENGTH, '', body].join('\r\n');
  const answer = await exchange(port, one + one, /"id":1[^]*"id":1/);
  expect(answer.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
});

test('a target with a host, as proxies send it; GET and OPTIONS; another path', async () => {
  const { port } = await served();
  expect(await exchange(port, post([HOST, TYPE, LENGTH], body, 'http://localhost/rpc'))).toContain('200 OK');
  expect(await exchange(port, `GET /rpc HTTP/1.1\r\n${HOST}\r\nConnection: close\r\n\r\n`)).toMatch(
    /^HTTP\/1\.1 405 [^]*Allow: POST, OPTIONS/,
  );
  expect(await exchange(port, `OPTIONS /rpc HTTP/1.1\r\n${HOST}\r\nConnection: close\r\n\r\n`)).toContain('200 OK');
  expect(await exchange(port, post([HOST, TYPE, LENGTH], body, '/rpc/1999-01-01'))).toContain('404 Not Found');
  expect(await exchange(port, post([HOST, TYPE, LENGTH], body, '/rpcs/x'))).toContain('somebody else');
});

test('a client that leaves in the middle of its body', async () => {
  const { port } = await served();
  await new Promise<void>((resolve) => {
    const text = post([HOST, TYPE, 'Content-Length: 1000']);
    const socket = createConnection(port, '127.0.0.1', () => socket.write(text, () => socket.destroy()));
    socket.on('close', () => resolve());
  });
  expect(await exchange(port, post([HOST, TYPE, LENGTH]))).toContain('200 OK');
});
