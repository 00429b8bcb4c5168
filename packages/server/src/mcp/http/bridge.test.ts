/** A client of lines at a server over HTTP. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { PassThrough } from 'node:stream';
import { open } from 'quadrille';
import { expect, onTestFinished, test } from 'vitest';
import { createHandler } from '../../handler.js';
import { openService } from '../../host/index.js';
import { serveNode } from '../../node/node.js';
import { listen } from '../../testing/listen.js';
import { LineWriter } from '../lines.js';
import { agents } from './agents.js';
import { type BridgeOptions, bridgeLines } from './bridge.js';

interface Bridged {
  send(text: string): void;
  /** The next answers. */
  next(count: number): Promise<any[]>;
  end(): Promise<void>;
}

function bridged(options: BridgeOptions): Bridged {
  const input = new PassThrough();
  const output = new PassThrough();
  let text = '';
  output.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const ended = bridgeLines(options, input, new LineWriter(output), new AbortController().signal);
  let read = 0;
  return {
    send: (line) => void input.write(`${line}\n`),
    async next(count) {
      const lines = (): string[] => text.split('\n').slice(0, -1);
      await expect.poll(() => lines().length).toBeGreaterThanOrEqual(read + count);
      const found = lines()
        .slice(read, read + count)
        .map((line) => JSON.parse(line) as unknown);
      read += count;
      return found;
    },
    end: () => {
      input.end();
      return ended;
    },
  };
}

const request = (id: number, method: string, params: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });
const INITIALIZE = request(1, 'initialize', { protocolVersion: '2025-06-18', clientInfo: { name: 'bridged' } });
const DONE = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });

test('lines are answered by a server, also when it has lost the session', async () => {
  const database = await open(':memory:');
  const service = await openService(database);
  await service.accounts.create('acme');
  const { text: token } = await service.tokens.create('acme');
  const started = (): Promise<{ url: string; port: number; close(ms?: number): Promise<unknown> }> =>
    serveNode(createHandler({ service, agents: agents({ tools: ['memory'] }) }), { port });
  let port = 0;
  let server = await started();
  onTestFinished(async () => {
    await server.close(0);
    await service.close();
    await database.close();
  });
  ({ port } = server);
  const bridge = bridged({ url: `${server.url}/`, token });
  // What comes at once waits for the session.
  const entities = [{ name: 'Ada', entityType: 'person', observations: [] }];
  const create = { name: 'create_entities', arguments: { entities } };
  for (const line of [INITIALIZE, DONE, request(2, 'tools/call', create)]) bridge.send(line);
  expect(await bridge.next(2)).toMatchObject([
    { id: 1, result: { protocolVersion: '2025-06-18' } },
    { id: 2, result: { structuredContent: { entities: [{ name: 'Ada' }] } } },
  ]);
  bridge.send('{');
  expect(await bridge.next(1)).toMatchObject([{ id: null, error: { code: -32_700 } }]);
  await server.close(0);
  server = await started();
  // The first request may meet a connection that is just being closed, and nobody knows then what has become of it.
  await expect
    .poll(async () => {
      bridge.send(request(3, 'tools/call', { name: 'read_graph', arguments: {} }));
      return (await bridge.next(1))[0];
    })
    .toMatchObject({ id: 3, result: { structuredContent: { entities: [{ name: 'Ada' }] } } });
  await bridge.end();
  const wrong = bridged({ url: `${server.url}/mcp`, token: 'qdt_wrong' });
  wrong.send(INITIALIZE);
  expect(await wrong.next(1)).toMatchObject([
    { id: 1, error: { message: expect.stringContaining('UNAUTHENTICATED') as string } },
  ]);
  await wrong.end();
});

test('subscriptions are heard of, also after the server has lost the session', async () => {
  const database = await open(':memory:');
  const repository = await database.repository('acme/people', { create: true });
  const service = await openService(database, { open: true });
  const started = (): Promise<{ url: string; port: number; close(ms?: number): Promise<unknown> }> =>
    serveNode(createHandler({ service, agents: agents({ tools: ['data'] }) }), { port });
  let port = 0;
  let server = await started();
  onTestFinished(async () => {
    await server.close(0);
    await service.close();
    await database.close();
  });
  ({ port } = server);
  const bridge = bridged({ url: server.url });
  const uri = 'quadrille://acme/people@HEAD/urn%3Aann';
  for (const line of [INITIALIZE, DONE, request(2, 'resources/subscribe', { uri })]) bridge.send(line);
  expect(await bridge.next(2)).toMatchObject([{ id: 1 }, { id: 2, result: {} }]);
  const updated = { method: 'notifications/resources/updated', params: { uri } };
  await repository.update('INSERT DATA { <urn:ann> <urn:p> 1 }');
  expect(await bridge.next(1)).toMatchObject([updated]);
  await server.close(0);
  server = await started();
  await expect.poll(() => service.feeds.open, { timeout: 10_000 }).toBe(1);
  expect(await bridge.next(1)).toMatchObject([updated]);
  await repository.update('INSERT DATA { <urn:ann> <urn:p> 2 }');
  expect(await bridge.next(1)).toMatchObject([updated]);
  bridge.send(request(3, 'resources/unsubscribe', { uri }));
  expect(await bridge.next(1)).toMatchObject([{ id: 3, result: {} }]);
  await bridge.end();
  await expect.poll(() => service.feeds.open).toBe(0);
});

test('a server that is not there, or speaks otherwise, is an error of the request', async () => {
  const other = await listen((_, answer) => answer.writeHead(502).end('<html>'));
  const elsewhere = await listen((_, answer) => answer.writeHead(302, { Location: 'http://evil.example/mcp' }).end());
  const gone = createServer().listen(0, '127.0.0.1');
  await once(gone, 'listening');
  const { port } = gone.address() as { port: number };
  gone.close();
  for (const [url, message] of [
    [other, 'the server answered 502'],
    [elsewhere, 'cannot be reached'],
    [`http://127.0.0.1:${port}`, 'cannot be reached'],
  ] as const) {
    const bridge = bridged({ url, token: 'secret' });
    bridge.send(INITIALIZE);
    bridge.send(DONE);
    const [answer] = await bridge.next(1);
    expect(answer).toMatchObject({ id: 1, error: { message: expect.stringContaining(message) as string } });
    await bridge.end();
  }
});
