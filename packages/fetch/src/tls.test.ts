import { createServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createGuardedFetch } from './guarded-fetch.js';
import type { GuardedFetchOptions } from './options.js';
import { makeCertificate } from './testing/certificate.js';
import { readAll, started, type TestServer } from './testing/server.js';

const { key, cert } = makeCertificate('secure.example');

async function secureServer(): Promise<TestServer & { options: GuardedFetchOptions }> {
  const server = await started(createServer({ key, cert }), (request, response) => {
    if (request.url === '/down') response.writeHead(302, { Location: 'http://example.org/' });
    response.end(`hello ${request.headers.host}`);
  });
  const allow = ['secure.example', 'other.example', '127.0.0.1'].map((host) => `${host}:${server.port}`);
  return { ...server, options: { allow, resolve: async () => ['127.0.0.1'] } };
}

test('a certificate has to be signed by an authority that is known, for the name that was asked', async () => {
  const { port, options } = await secureServer();
  const trusting = createGuardedFetch({ ...options, ca: [cert] });
  const response = await trusting({ url: `https://secure.example:${port}/` });
  expect(String(await readAll(response))).toBe(`hello secure.example:${port}`);
  expect((await trusting({ url: `https://secure.example.:${port}/` })).status).toBe(200);
  for (const host of ['other.example', '127.0.0.1']) {
    await expect(trusting({ url: `https://${host}:${port}/` })).rejects.toThrow(/ERR_TLS_CERT_ALTNAME_INVALID/);
  }
  const url = `https://secure.example:${port}/`;
  await expect(createGuardedFetch(options)({ url })).rejects.toMatchObject({ code: 'FETCH_FAILED' });
});

test('the environment cannot switch the check off', async () => {
  const { port, options } = await secureServer();
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
  try {
    const fetching = createGuardedFetch(options)({ url: `https://secure.example:${port}/` });
    await expect(fetching).rejects.toMatchObject({ code: 'FETCH_FAILED' });
  } finally {
    delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
  }
});

test('a redirect from https to http is refused', async () => {
  const { port, options, idle } = await secureServer();
  const fetch = createGuardedFetch({ ...options, ca: [cert] });
  await expect(fetch({ url: `https://secure.example:${port}/down` })).rejects.toMatchObject({
    code: 'URL_NOT_ALLOWED',
    message: expect.stringContaining('from https to http'),
  });
  await idle();
});

test('TLS that is never answered', async () => {
  const silent = createTcpServer((socket) => socket.resume());
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const fetch = createGuardedFetch({ allow: [`127.0.0.1:${port}`], limits: { connectMs: 80 } });
  await expect(fetch({ url: `https://127.0.0.1:${port}/` })).rejects.toMatchObject({ code: 'FETCH_TIMEOUT' });
  await new Promise<void>((done) => silent.close(() => done()));
});
