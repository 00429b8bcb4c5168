import { brotliCompressSync } from 'node:zlib';
import { open } from 'quadrille';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHandler, type Handler } from '../handler.js';
import type { StaticFile } from './static-files.js';

const text = 'a page '.repeat(500);
const page: StaticFile = {
  bytes: new TextEncoder().encode(text),
  brotli: brotliCompressSync(text),
  mediaType: 'text/html; charset=utf-8',
  etag: '"e1"',
  immutable: false,
  headers: { 'Content-Security-Policy': "default-src 'self'" },
};
const asset: StaticFile = {
  bytes: page.bytes,
  mediaType: 'text/javascript',
  etag: '"e2"',
  immutable: true,
  headers: {},
};

let database: Awaited<ReturnType<typeof open>>;
let handler: Handler;
beforeAll(async () => {
  database = await open(':memory:');
  await database.repository('acme/people', { create: true });
  const files = new Map([
    ['/', page],
    ['/workbench/assets/a-1.js', asset],
  ]);
  handler = createHandler({ database, open: true, pages: (path) => files.get(path) });
});
afterAll(() => database.close());

const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
  handler(new Request(`http://localhost:1${path}`, { method, headers }));

const HTML = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

test('a file with its own headers, whole or compressed', async () => {
  const plain = await get('/');
  expect(plain.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
  expect(plain.headers.get('Content-Security-Policy')).toBe("default-src 'self'");
  expect(plain.headers.get('Cache-Control')).toBe('no-cache');
  expect(plain.headers.get('X-Content-Type-Options')).toBe('nosniff');
  expect(await plain.text()).toBe(text);
  const packed = await get('/', { 'Accept-Encoding': 'gzip, deflate, br, zstd' });
  expect(packed.headers.get('Content-Encoding')).toBe('br');
  expect((await packed.arrayBuffer()).byteLength).toBe(page.brotli!.length);
  expect((await get('/', { 'Accept-Encoding': 'gzip' })).headers.get('Content-Encoding')).toBe('gzip');
});

test.each([
  [{}, 200],
  [{ Accept: '*/*' }, 200],
  [HTML, 200],
  [{ Accept: 'application/json, text/html;q=0.5' }, 303],
  [{ Accept: 'application/json' }, 303],
  [{ Accept: 'text/turtle' }, 406],
])('the root for %j is answered with %i', async (headers: Record<string, string>, status) => {
  const reply = await get('/', headers);
  expect(reply.status).toBe(status);
  expect(reply.headers.get('Vary')).toMatch(/\bAccept\b/);
  if (status !== 303) return;
  expect(new URL(reply.headers.get('Location')!, 'http://localhost:1/').pathname).toBe('/system');
});

test('a client that has the file is told so, for each coding', async () => {
  for (const coding of ['identity', 'br']) {
    const tag = (await get('/', { 'Accept-Encoding': coding })).headers.get('ETag')!;
    const again = await get('/', { 'Accept-Encoding': coding, 'If-None-Match': `"other", W/${tag}` });
    expect([again.status, again.headers.get('ETag')]).toEqual([304, tag]);
  }
  expect((await get('/', { 'If-None-Match': '"e2"' })).status).toBe(200);
});

test('a name with a hash is kept forever', async () => {
  expect((await get('/workbench/assets/a-1.js')).headers.get('Cache-Control')).toContain('immutable');
  expect((await get('/workbench/assets/a-2.js')).status).toBe(404);
});

test('HEAD has no body, other methods no file', async () => {
  const head = await get('/', {}, 'HEAD');
  expect([head.status, head.headers.get('Content-Length'), await head.text()]).toEqual([200, String(text.length), '']);
  expect((await get('/', {}, 'POST')).status).toBe(404);
});

test('a repository asked for as HTML is its page, below every prefix, existing or not', async () => {
  for (const name of ['acme/people', 'acme/none', 'no/body']) {
    const reply = await get(`/${name}`, HTML);
    expect([reply.status, reply.headers.get('Location')]).toEqual([303, `../#/${name}/query`]);
  }
  const location = (await get('/acme/people/', HTML)).headers.get('Location')!;
  expect(new URL(location, 'http://h/rdf/acme/people/').href).toBe('http://h/rdf/#/acme/people/query');
});

test('any other request for a repository means its data', async () => {
  const types: [string, Record<string, string>][] = [
    ['/acme/people', { Accept: 'application/json' }],
    ['/acme/people', { Accept: '*/*' }],
    ['/acme/people', { Accept: 'text/turtle, text/html;q=0.5' }],
    ['/acme/people?query=ASK{}', HTML],
    ['/acme/people', { ...HTML, 'Accept-Datetime': new Date().toUTCString() }],
    ['/acme/people/size', HTML],
  ];
  for (const [path, headers] of types) expect([path, (await get(path, headers)).status]).not.toEqual([path, 303]);
});
