import { openService } from '../host/index.js';
import { open } from 'quadrille';
import { expect, onTestFinished, test } from 'vitest';
import { createHandler, type HandlerOptions } from '../handler.js';

const ORIGIN = 'http://localhost:1';

async function serverAt(basePath: string, options: { publicBase?: string } = {}) {
  const database = await open(':memory:');
  const service = await openService(database, { open: true });
  onTestFinished(async () => {
    await service.close();
    await database.close();
  });
  const handler = createHandler({ service, basePath, directGraphs: true, ...options });
  return (method: string, path: string, init: RequestInit = {}) =>
    handler(new Request(ORIGIN + path, { ...init, method }));
}

test('everything is below the path, nothing outside', async () => {
  const send = await serverAt('/rdf/');
  const json = { 'Content-Type': 'application/json' };
  const made = await send('POST', '/rdf/acme/repositories', { body: '{"name":"people"}', headers: json });
  expect([made.status, made.headers.get('Location')]).toEqual([200, `${ORIGIN}/rdf/acme/people`]);
  const token = await send('POST', '/rdf/acme/tokens', { body: '{}', headers: json });
  expect(token.headers.get('Location')).toMatch(`${ORIGIN}/rdf/acme/tokens/`);
  for (const path of [
    '/health',
    '/ready',
    '/metrics',
    '/openapi.json',
    '/acme/people',
    '/repositories/acme/people/size',
  ])
    expect([path, (await send('GET', `/rdf${path}`)).status]).toEqual([path, 200]);
  for (const path of [
    '/',
    '/health',
    '/ready',
    '/acme/people',
    '/rdfs/health',
    '/RDF/health',
    '/rdf/../health',
    '/%72df/health',
  ])
    expect([path, (await send('GET', path)).status]).toEqual([path, 404]);
  for (const [path, location] of [
    ['/rdf', 'rdf/'],
    ['/rdf?x=1', 'rdf/?x=1'],
  ] as const) {
    const led = await send('GET', path, { redirect: 'manual' });
    expect([led.status, led.headers.get('Location')]).toEqual([308, location]);
  }
  const openApi = (await (await send('GET', '/rdf/openapi.json')).json()) as { servers: object };
  expect(openApi.servers).toEqual([{ url: `${ORIGIN}/rdf` }]);
});

test('links, graphs, transactions and mementos have it', async () => {
  const send = await serverAt('/data/rdf');
  const R = '/data/rdf/acme/people';
  await send('POST', '/data/rdf/acme/repositories', {
    body: 'name=people',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });
  const turtle = { 'Content-Type': 'text/turtle' };
  expect((await send('PUT', `${R}/graphs/g`, { body: '<urn:a> <urn:p> <x> .', headers: turtle })).status).toBe(201);
  const quads = await (await send('GET', `${R}/statements`, { headers: { Accept: 'application/n-quads' } })).text();
  expect(quads).toBe(`<urn:a> <urn:p> <${ORIGIN}${R}/graphs/x> <${ORIGIN}${R}/graphs/g> .\n`);
  const begun = await send('POST', `${R}/transactions`);
  expect([begun.status, begun.headers.get('Location')]).toEqual([
    201,
    expect.stringContaining(`${ORIGIN}${R}/transactions/`),
  ]);
  expect((await send('DELETE', new URL(begun.headers.get('Location')!).pathname)).status).toBe(204);
  const gate = await send('GET', `${R}/timegate`, {
    headers: { 'Accept-Datetime': new Date().toUTCString() },
    redirect: 'manual',
  });
  expect([gate.status, gate.headers.get('Location')]).toEqual([
    302,
    expect.stringContaining(`${ORIGIN}${R}?revision-id=`),
  ]);
  const size = await send('GET', `${R}/size`);
  expect(size.headers.get('Link')).not.toMatch(/<(?!http:\/\/localhost:1\/data\/rdf\/)/);
});

test('the public address is told as it is, since it has its own path', async () => {
  const send = await serverAt('/rdf', { publicBase: 'https://data.example.org/all' });
  const made = await send('POST', '/rdf/acme/repositories', {
    body: '{"name":"people"}',
    headers: { 'Content-Type': 'application/json' },
  });
  expect(made.headers.get('Location')).toBe('https://data.example.org/all/acme/people');
});

test.each(['rdf', '/a//b', '/..', '/a?b'])('%j is refused', async (basePath) => {
  const options = { database: undefined, open: true, basePath } as unknown as HandlerOptions;
  expect(() => createHandler(options)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
});
