/** Roles without the command: two servers in this process over one bucket. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { serve, type Served, type ServeStoreOptions } from '@quadrille/server';
import { joinStore, open } from 'quadrille';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { KEYS, S3Server } from '../s3/server.js';

let bucket: S3Server;
beforeAll(async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', KEYS.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', KEYS.secretAccessKey);
  bucket = await S3Server.start();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await bucket.stop();
});

async function freePort(): Promise<number> {
  const socket = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => socket.once('listening', done));
  const { port } = socket.address() as { port: number };
  await new Promise((done) => socket.close(done));
  return port;
}

async function member(store: string, more: Pick<ServeStoreOptions, 'follow' | 'basePath'> = {}): Promise<Served> {
  const port = await freePort();
  return serve(store, {
    port,
    advertise: `http://127.0.0.1:${String(port)}`,
    open: true,
    ...more,
    whenOpen: async ({ database }, role) => {
      if (role === 'holder') await database.repository('acme/people', { create: true });
    },
  });
}

const insert = (server: Served, name: string): Promise<Response> =>
  fetch(`${server.url}/acme/people/sparql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/sparql-update' },
    body: `INSERT DATA { <urn:${name}> <urn:p> "${name}" }`,
  });
const size = async (server: Served): Promise<string> => (await fetch(`${server.url}/acme/people/size`)).text();

test('a follower forwards what it gets, and takes over when the holder has ended', async () => {
  const store = bucket.url('roles');
  const one = await member(store);
  const two = await member(store);
  expect([one.role, two.role]).toEqual(['holder', 'follower']);
  expect((await insert(two, 'a')).status).toBe(204);
  expect((await insert(one, 'b')).status).toBe(204);
  expect([await size(one), await size(two)]).toEqual(['2', '2']);
  expect(await one.close()).toBe(true);
  await vi.waitFor(async () => expect((await insert(two, 'c')).status).toBe(204), { timeout: 60_000, interval: 20 });
  expect(two.role).toBe('holder');
  expect(await size(two)).toBe('3');
  const three = await member(store, { follow: true });
  expect(three.role).toBe('follower');
  expect(await size(three)).toBe('3');
  expect((await insert(three, 'd')).status).toBe(204);
  expect(await two.close()).toBe(true);
  // It never writes: nobody is left who does.
  const refused = await insert(three, 'e');
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([503, 'STORE_UNAVAILABLE']);
  expect(three.role).toBe('follower');
  await three.close();
});

test('a server from which the right to write is taken answers the reads that find it out by its next role', async () => {
  const store = bucket.url('taken');
  const one = await member(store);
  expect((await insert(one, 'a')).status).toBe(204);
  // It listens, so nobody takes over from it.
  const next = createServer().listen(0, '127.0.0.1');
  await once(next, 'listening');
  const thief = await joinStore(store, {
    advertise: `http://127.0.0.1:${String((next.address() as AddressInfo).port)}`,
  });
  await thief.open();
  let isTaken = false;
  const taking = open({ storage: thief.holder(true) }).finally(() => (isTaken = true));
  const answers = new Set<string>();
  while (!isTaken || one.role === 'holder') answers.add(await size(one));
  answers.add(await size(one));
  expect([...answers]).toEqual(['1']);
  await (await taking).close();
  await thief.close();
  next.close();
  await one.close();
});

test('below a path, a read waits for the revision that it asks for', async () => {
  const store = bucket.url('below');
  const one = await member(store, { basePath: '/base' });
  const two = await member(store, { basePath: '/base' });
  for (const name of ['a', 'b', 'c']) {
    const headers = { 'Min-Revision': (await insert(one, name)).headers.get('ETag')!, 'Cache-Control': 'max-age=60' };
    const answer = await fetch(
      `${two.url}/acme/people/sparql?query=${encodeURIComponent(`ASK { <urn:${name}> ?p ?o }`)}`,
      {
        headers: { ...headers, Accept: 'application/sparql-results+json' },
      },
    );
    expect(await answer.json()).toMatchObject({ boolean: true });
  }
  await two.close();
  await one.close();
});
