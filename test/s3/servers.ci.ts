/** Several servers over one bucket: of a service in this process, and of versitygw where its binary is there. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { inShare, notInShare } from '../share.js';
import { serve, stop, stopAll, type Server } from '../servers/serve.js';
import { Gateway, WITHOUT_GATEWAY } from './gateway.js';
import { KEYS, S3Server } from './server.js';

const env = { AWS_ACCESS_KEY_ID: KEYS.accessKeyId, AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey };
const serveAt = (store: string, ...options: string[]): Promise<Server> =>
  serve(store, { options: ['--open', ...options], env });

const insert = (server: Server, name: string): Promise<Response> =>
  fetch(`${server.url}/default/default/sparql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/sparql-update' },
    body: `INSERT DATA { <urn:${name}> <urn:p> "${name}" }`,
    // Nobody waits longer than ten seconds for a store that is away.
    signal: AbortSignal.timeout(60_000),
  });
const names = async (server: Server): Promise<string[]> => {
  const query = encodeURIComponent('SELECT ?o { ?s <urn:p> ?o } ORDER BY ?o');
  const answer = await fetch(`${server.url}/default/default/sparql?query=${query}`, {
    headers: { Accept: 'application/sparql-results+json' },
  });
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
  const { results } = (await answer.json()) as { results: { bindings: { o: { value: string } }[] } };
  return results.bindings.map(({ o }) => o.value);
};
/** Writes until it is done. An answer 503 that says that nothing was done is tried again. */
async function eventually(server: Server, name: string): Promise<void> {
  for (;;) {
    const answer = await insert(server, name);
    const body = await answer.text();
    if (answer.ok) return;
    expect(body).toMatch(/STORE_UNAVAILABLE|LEASE_LOST|NOT_READY/);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function suite(urlOf: (prefix: string) => string): void {
  afterEach(stopAll);

  test('a write through any server is read on any server at once, and another server takes over', async () => {
    const store = urlOf('servers');
    const directory = await mkdtemp(join(tmpdir(), 'quadrille-cache-'));
    const [one, two] = [
      await serveAt(store, '--disk-cache', join(directory, 'one')),
      await serveAt(store, '--disk-cache', join(directory, 'two')),
    ];
    const expected: string[] = [];
    for (let i = 10; i < 16; i++) {
      expect((await insert(i % 2 === 0 ? one : two, `n${i}`)).ok).toBe(true);
      expected.push(`n${i}`);
      expect(await names(one)).toEqual(expected);
      expect(await names(two)).toEqual(expected);
    }
    // Nobody listens at the address of the holder, so nobody waits until it is silent.
    await stop(one, 'SIGKILL');
    await eventually(two, 'n20');
    expect(await names(two)).toEqual([...expected, 'n20']);
    // A server with the folder of another one does not start.
    await expect(serveAt(store, '--disk-cache', join(directory, 'two'))).rejects.toThrow(/folder|STORE_LOCKED/i);
    await stop(two);
    const three = await serveAt(store, '--disk-cache', join(directory, 'two'));
    expect(await names(three)).toEqual([...expected, 'n20']);
    await stop(three);
    await rm(directory, { recursive: true });
  });
}

describe.skipIf(!inShare(0, 2))(`servers over a bucket${notInShare(0, 2)}`, () => {
  let server: S3Server;
  beforeAll(async () => {
    server = await S3Server.start();
  });
  afterAll(() => server.stop());
  suite((prefix) => server.url(prefix));
});

describe.skipIf(WITHOUT_GATEWAY !== '')(`servers over versitygw${WITHOUT_GATEWAY}`, () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await Gateway.start();
  });
  afterAll(() => gateway.stop());
  suite((prefix) => gateway.url(prefix));

  test('it is killed while two servers write, and one of them is: what was acknowledged is there, once', async () => {
    const store = gateway.url('outages');
    const [one, two] = [await serveAt(store), await serveAt(store)];
    const acknowledged: string[] = [];
    let written = 0;
    const write = async (server: Server, client: number): Promise<void> => {
      for (let i = 0; i < 12; i++) {
        const name = `c${String(client)}-${String(i)}`;
        const answer = await insert(server, name).catch((error: Error) => {
          if (error.name === 'TimeoutError') throw error;
          return undefined;
        });
        written++;
        if (answer?.ok === true) acknowledged.push(name);
        // Whoever gets no answer, or 503, does not know: the name may be there.
        else if (answer !== undefined) expect([answer.status, await answer.text()]).toEqual([503, expect.any(String)]);
      }
    };
    const after = async (count: number): Promise<void> => {
      await expect.poll(() => written >= count, { timeout: 60_000, interval: 10 }).toBe(true);
    };
    const clients = [0, 1, 2, 3].map((client) => write(client % 2 === 0 ? one : two, client));
    for (const count of [4, 16]) {
      await after(count);
      await gateway.kill();
      await gateway.resume();
    }
    await after(24);
    await stop(one, 'SIGKILL');
    await Promise.all(clients);
    await eventually(two, 'last');
    const found = await names(two);
    expect(acknowledged.length).toBeGreaterThan(10);
    expect(found.filter((name) => acknowledged.includes(name)).sort()).toEqual(acknowledged.sort());
    expect(new Set(found).size).toBe(found.length);
    await stop(two);
    const again = await serveAt(store);
    expect(await names(again)).toEqual(found);
  });
});
