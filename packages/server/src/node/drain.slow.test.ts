/** Draining, and readiness while the store is opened. */
import { Agent, type IncomingMessage, request } from 'node:http';
import { openService, type Service } from '../host/index.js';
import { type Database, open } from 'quadrille';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHandler } from '../handler.js';
import { type NodeServer, serveNode } from './node.js';

let database: Database;
let service: Service;
let node: NodeServer;
beforeEach(async () => {
  database = await open(':memory:');
  await database.repository('acme/people', { create: true });
  service = await openService(database, { open: true });
  node = await serveNode(createHandler({ service }), { port: 0 });
});
afterEach(async () => {
  await node.close(0);
  await service.close();
  await database.close();
});

interface Answer {
  readonly status: number | undefined;
  readonly connection: string | undefined;
  readonly body: string;
}
const answerOf = async (response: IncomingMessage): Promise<Answer> => {
  let body = '';
  for await (const chunk of response.setEncoding('utf8')) body += String(chunk);
  return { status: response.statusCode, connection: response.headers.connection, body };
};
const get = (path: string, agent?: Agent): Promise<Answer> =>
  new Promise((resolve, reject) => {
    request(node.url + path, { agent: agent ?? false }, (response) => resolve(answerOf(response)))
      .once('error', reject)
      .end();
  });

/** An upload whose end is sent when the returned function is called. */
async function upload(): Promise<{ answer: Promise<Answer>; end: () => void }> {
  // With this header it is a job, which tells that it has begun.
  const headers = { 'Content-Type': 'text/turtle', 'Content-Length': 18, 'Client-Request-Id': 'mine' };
  const sent = request(`${node.url}/acme/people/statements`, { method: 'POST', headers, agent: false });
  const answer = new Promise<Answer>((resolve, reject) => {
    sent.once('response', (response) => resolve(answerOf(response))).once('error', reject);
  });
  answer.catch(() => undefined);
  sent.write('<urn:a>');
  await expect.poll(() => service.jobs.list({ account: undefined, readOnly: false, admin: true }).length).toBe(1);
  return { answer, end: () => void sent.end(' <urn:p> 1.') };
}

describe('draining', () => {
  test('what is under way ends, what comes is refused, then the listener closes', async () => {
    const agent = new Agent({ keepAlive: true });
    expect((await get('/ready', agent)).status).toBe(200);
    const running = await upload();
    const closed = node.close(30_000);
    const ready = await get('/ready');
    expect([ready.status, JSON.parse(ready.body)]).toMatchObject([503, { status: 'draining' }]);
    expect((await get('/health')).status).toBe(200);
    // On a connection that was kept, too.
    for (const from of [agent, undefined]) {
      const refused = await get('/acme/people/size', from);
      expect([refused.status, refused.connection]).toEqual([503, 'close']);
      expect(JSON.parse(refused.body)).toMatchObject({ code: 'NOT_READY', status: 503 });
    }
    running.end();
    expect(await running.answer).toMatchObject({ status: 204 });
    expect(await closed).toBe(true);
    await expect(get('/health')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    agent.destroy();
  });

  test('what does not end in time is cut', async () => {
    const running = await upload();
    expect(await node.close(50)).toBe(false);
    await expect(running.answer).rejects.toThrow();
    await expect(get('/health')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  test('idle connections, and those without a whole request, keep nobody waiting', async () => {
    const agent = new Agent({ keepAlive: true });
    await get('/health', agent);
    const half = request(`${node.url}/acme/people/size`, { agent: false });
    half.once('error', () => undefined);
    half.flushHeaders();
    expect(await node.close(30_000)).toBe(true);
    expect(await node.close(30_000)).toBe(true);
    half.destroy();
    agent.destroy();
  });
});

test('while the store is opened the server lives, is not ready, and refuses the rest', async () => {
  let opened: (service: Service) => void = () => undefined;
  const promise = new Promise<Service>((resolve) => (opened = resolve));
  await node.close();
  node = await serveNode(createHandler({ service: promise }), { port: 0 });
  expect((await get('/health')).status).toBe(200);
  const ready = await get('/ready');
  expect([ready.status, JSON.parse(ready.body)]).toMatchObject([503, { status: 'opening' }]);
  const refused = await get('/acme/people/size');
  expect([refused.status, JSON.parse(refused.body)]).toMatchObject([503, { code: 'NOT_READY' }]);
  opened(service);
  await expect.poll(async () => (await get('/ready')).status).toBe(200);
  expect(await get('/acme/people/size')).toMatchObject({ status: 200, body: '0' });
});

test('monitoring is not counted among the requests of a client', async () => {
  const limited = await openService(database, { limits: { requestBurst: 1, requestsPerSecond: 1 } });
  await node.close();
  node = await serveNode(createHandler({ service: limited }), { port: 0 });
  expect((await get('/system')).status).toBe(200);
  expect((await get('/system')).status).toBe(429);
  for (let i = 0; i < 3; i++) expect([(await get('/health')).status, (await get('/ready')).status]).toEqual([200, 200]);
  await limited.close();
});
