import { Agent, request } from 'node:https';
import { connect as connectTls, type PeerCertificate, type TLSSocket } from 'node:tls';
import { createConnection } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { selfSigned } from '../testing/certificate.js';
import { BASE, type TestServer, testServer } from '../testing/server.js';
import { type NodeServer, serveNode } from './node.js';

const first = selfSigned('first.example');
const second = selfSigned('second.example');

let server: TestServer;
let node: NodeServer;
beforeEach(async () => {
  server = await testServer();
  node = await serveNode(server.handler, { port: 0, tls: first, maxConnections: 3 });
});
afterEach(async () => {
  await node.close(100);
  await server.database.close();
});

interface Answer {
  readonly status: number | undefined;
  readonly location: string | undefined;
  readonly name: string;
}
const send = (method: string, path: string, ca: string, body = '', agent?: Agent): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const headers = { 'Content-Type': path.endsWith('s') ? 'application/json' : 'text/turtle' };
    request(node.url + path, { method, ca, agent: agent ?? false, headers }, (response) => {
      const { subject } = (response.socket as TLSSocket).getPeerCertificate() as PeerCertificate;
      const { statusCode: status, headers: got } = response;
      response.resume().once('end', () => resolve({ status, location: got.location, name: String(subject?.CN) }));
    })
      .once('error', reject)
      .end(body);
  });

test('https serves, with its scheme in links, and large bodies', async () => {
  expect(node.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  const made = await send('POST', '/acme/repositories', first.cert, '{"name":"x"}');
  expect([made.status, made.location]).toEqual([200, `${node.url}/acme/x`]);
  const body = Array.from({ length: 20_000 }, (_, i) => `<urn:s${String(i)}> <urn:p> "${'x'.repeat(50)}" .\n`).join('');
  expect((await send('POST', '/acme/x/statements?', first.cert, body)).status).toBe(204);
  await expect(send('GET', '/health', second.cert)).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
});

test('another certificate is used for new connections; connections that there are go on', async () => {
  const agent = new Agent({ keepAlive: true, ca: first.cert, maxSockets: 1 });
  expect((await send('GET', '/health', first.cert, '', agent)).name).toBe('first.example');
  node.renew(second);
  expect((await send('GET', '/health', first.cert, '', agent)).status).toBe(200);
  expect((await send('GET', '/health', second.cert)).name).toBe('second.example');
  expect(() => node.renew({ cert: 'none', key: second.key })).toThrow();
  expect(() => node.renew({ cert: first.cert, key: second.key })).toThrow();
  expect((await send('GET', '/health', second.cert)).status).toBe(200);
  agent.destroy();
  const plain = await serveNode(server.handler, { port: 0 });
  expect(() => plain.renew(second)).toThrow('does not serve https');
  await plain.close();
});

test('of too many connections the idle ones are closed, not those with a request', async () => {
  const socket = connectTls({ port: node.port, host: '127.0.0.1', ca: first.cert });
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await new Promise((resolve) => socket.once('secureConnect', resolve));
  const head =
    'POST /acme/people/statements HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: text/turtle\r\n';
  socket.write(`${head}Content-Length: 18\r\n\r\n<urn:a>`);
  // Connections without a handshake count as well.
  const others = Array.from({ length: 6 }, () => createConnection(node.port, '127.0.0.1').on('error', () => undefined));
  await expect.poll(() => others.filter(({ destroyed, closed }) => destroyed || closed).length).toBeGreaterThan(0);
  const ended = new Promise((resolve) => socket.once('close', resolve));
  socket.write(' <urn:p> 1.');
  await ended;
  expect(text).toContain('HTTP/1.1 204');
  for (const other of others) other.destroy();
});

test('what is no TLS is closed', async () => {
  const answer = await fetch(node.url.replace('https', 'http')).catch((error: unknown) => error);
  expect(answer).toBeInstanceOf(Error);
  expect((await server.handler(new Request(`${BASE}/health`))).status).toBe(200);
});
