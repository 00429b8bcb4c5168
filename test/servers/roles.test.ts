/** Roles without the command: two servers in this process over one bucket. */
import { createServer } from 'node:net';
import { serve, type Served } from '@quadrille/server';
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

async function member(store: string, more: { readonly follow?: boolean } = {}): Promise<Served> {
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
