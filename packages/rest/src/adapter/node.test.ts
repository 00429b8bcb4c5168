import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Handler } from '../handler.js';
import { type TestServer, testServer, TURTLE } from '../testing/server.js';
import { type NodeServer, serveNode } from './node.js';
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

test('closing lets a running request finish and takes no new one', async () => {
  let release = (): void => undefined;
  const started = new Promise<void>((started) => {
    const slow: Handler = async () => {
      started();
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return new Response('done');
    };
    void serveNode(slow, { port: 0 }).then(async (other) => {
      slowServer = other;
      running = fetch(other.url).then((response) => response.text());
    });
  });
  let slowServer: NodeServer | undefined;
  let running: Promise<string> | undefined;
  await started;
  const closed = slowServer?.close(5000);
  await expect(fetch(slowServer?.url ?? '')).rejects.toThrow();
  release();
  expect(await running).toBe('done');
  await closed;
});

test('a port that is taken: the usual one gives way, a chosen one says so', async () => {
  await expect(serveOnPort(server.handler, node.port)).rejects.toThrow(`port ${String(node.port)} is in use`);
  const first = await serveOnPort(server.handler);
  const second = await serveOnPort(server.handler);
  expect(second.port).toBeGreaterThan(first.port);
  await Promise.all([first.close(), second.close()]);
});
