import type { Database } from 'quadrille';
import { expect, test } from 'vitest';
import { serve } from './index.js';

const callOf = (method: string): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }),
});

test('a server that is alone holds its store, and answers REST and RPC below its base path', async () => {
  const seen: string[] = [];
  const server = await serve(':memory:', {
    port: 0,
    open: true,
    basePath: '/rdf',
    store: { workers: 0 },
    whenOpen: async (service, role) => {
      seen.push(role);
      await service.accounts.create('acme');
    },
  });
  try {
    expect(server.url).toBe(`http://127.0.0.1:${String(server.port)}/rdf`);
    expect([server.role, ...seen]).toEqual(['holder', 'holder']);
    expect((await fetch(`${server.url}/acme`)).status).toBe(200);
    const answer = await fetch(`${server.url}/rpc`, callOf('DescribeService'));
    expect(await answer.json()).toMatchObject({ id: 1, result: {} });
  } finally {
    expect(await server.close()).toBe(true);
  }
  await expect(fetch(server.url)).rejects.toThrow(/fetch failed/);
});

test('without RPC there is nobody answers calls', async () => {
  const server = await serve(':memory:', { port: 0, open: true, rpc: false, store: { workers: 0 } });
  try {
    expect((await fetch(`${server.url}/rpc`, callOf('DescribeService'))).status).toBe(405);
    const { paths } = (await (await fetch(`${server.url}/openapi.json`)).json()) as { paths: object };
    expect(Object.keys(paths)).not.toContain('/rpc');
  } finally {
    await server.close();
  }
});

test.each([
  [{ open: true, host: '0.0.0.0' }, /open requires no token/],
  [{ advertise: 'http://a.example/path' }, /advertise is not/],
  [{ publicBase: 'data.example' }, /publicBase is not/],
])('refuses %j before anything is opened', async (options, text) => {
  await expect(serve(':memory:', { port: 0, ...options })).rejects.toMatchObject({
    code: 'INVALID_OPTION',
    message: expect.stringMatching(text) as string,
  });
});

test('a failure of `whenOpen` closes the store', async () => {
  let database: Database | undefined;
  const failing = serve(':memory:', {
    open: true,
    port: 0,
    store: { workers: 0 },
    whenOpen: (service) => {
      ({ database } = service);
      return Promise.reject(new Error('not today'));
    },
  });
  await expect(failing).rejects.toThrow('not today');
  await expect(database!.repositories().toArray()).rejects.toMatchObject({ code: 'STORE_NOT_OPEN' });
});
