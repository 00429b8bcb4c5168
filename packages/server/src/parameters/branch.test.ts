import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openService, type Service } from '../host/index.js';
import { type Database, open, type Repository } from 'quadrille';
import { type NodeServer, serveNode } from '../node/node.js';
import { createHandler } from '../handler.js';

let database: Database;
let service: Service;
let server: NodeServer;
let main: Repository;
let side: Repository;

beforeAll(async () => {
  database = await open(':memory:');
  service = await openService(database, { open: true });
  server = await serveNode(createHandler({ service }), { port: 0 });
});
afterAll(async () => {
  await server.close(0);
  await service.close();
  await database.close();
});
beforeEach(async () => {
  await database.deleteRepository('acme/people');
  main = await database.repository('acme/people', { create: true });
  await main.update('INSERT DATA { <urn:a> <urn:p> 1 }');
  side = await main.branches.open('side', { create: true });
  await side.update('INSERT DATA { <urn:b> <urn:p> 2, 3 . GRAPH <urn:g> { <urn:b> a <urn:C> } }');
});

type Init = Omit<RequestInit, 'headers'> & { readonly headers?: Record<string, string> };
const send = (method: string, path: string, init: Init = {}): Promise<Response> =>
  fetch(`${server.url}/acme/people${path}`, { ...init, method });
const TURTLE = { 'Content-Type': 'text/turtle' };
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

test('every read is of the branch that the parameter or the header names', async () => {
  const head = await side.revision();
  const query = encodeURIComponent('SELECT (COUNT(*) AS ?n) { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }');
  const reads: readonly (readonly [string, RegExp | string])[] = [
    ['/size', '4'],
    ['/statements', /urn:b/],
    ['/service', /urn:b/],
    [`/sparql?query=${query}`, /"4"/],
    ['/contexts', /urn:g/],
    ['/schema', /urn:C/],
    ['/terms?position=class', /urn:C/],
    ['/tpf', /urn:b/],
    ['/blame', /urn:b/],
    ['/history?subj=urn:b', /urn:b/],
    ['/diff', /urn:b/],
    ['/digest', new RegExp(head.id)],
    ['/revisions', new RegExp(head.id)],
    ['/revisions/HEAD', new RegExp(head.id)],
    ['/timemap', new RegExp(`revision-id=${head.id}`)],
    ['/ldes/1', /urn:b/],
    ['/meta', /"triple_count":4/],
    ['/changes?since=TAIL', new RegExp(head.id)],
    ['.nt', /urn:b/],
    ['', /urn:b/],
  ];
  for (const [path, wanted] of reads) {
    const accept = path.startsWith('/changes')
      ? 'application/rdf-patch'
      : path.startsWith('/diff') || path.startsWith('/sparql') || path.startsWith('/revisions')
        ? '*/*'
        : 'application/json;q=0.5, application/trig, application/n-triples;q=0.9, */*;q=0.1';
    const asked = `${path}${path.includes('?') ? '&' : '?'}branch=side`;
    const [by, from] = [
      await send('GET', asked, { headers: { Accept: accept } }),
      await send('GET', path, { headers: { Accept: accept, Branch: 'side' } }),
    ];
    expect([path, by.status, from.status]).toEqual([path, 200, 200]);
    const text = await by.text();
    expect(text, path).toMatch(wanted);
    // The header is no part of the addresses, and so it is not in them either way.
    expect((await from.text()).length, path).toBeGreaterThan(0);
    expect(from.headers.get('ETag'), path).toBe(by.headers.get('ETag'));
    const others = await (await send('GET', path, { headers: { Accept: accept } })).text();
    if (typeof wanted !== 'string') expect(others, path).not.toMatch(wanted);
  }
});

test('every write is made on the branch that is named, and on no other one', async () => {
  const before = (await main.revision()).id;
  const start = await side.size();
  const json = { 'Content-Type': 'application/json' };
  const patch = `TX .\nA <urn:patch> <urn:p> 1 .\nTC .\n`;
  const multipart =
    '--x\r\nContent-Disposition: form-data; name="branch"\r\n\r\nside\r\n--x\r\nContent-Disposition: form-data; name="file"; filename="a.ttl"\r\n\r\n<urn:file> <urn:p> 1 .\r\n--x--\r\n';
  const writes: readonly (readonly [string, string, Init, number])[] = [
    ['POST', '/statements?branch=side', { headers: TURTLE, body: '<urn:c> <urn:p> 1 .' }, 1],
    ['POST', '/statements', { headers: { ...TURTLE, Branch: 'side' }, body: '<urn:d> <urn:p> 1 .' }, 1],
    [
      'POST',
      '/statements?branch=side',
      { headers: { 'Content-Type': 'application/sparql-update' }, body: 'INSERT DATA { <urn:e> <urn:p> 1 }' },
      1,
    ],
    ['POST', '/statements', { headers: { 'Content-Type': 'multipart/form-data; boundary=x' }, body: multipart }, 1],
    ['POST', '/statements', { headers: FORM, body: 'branch=side&update=INSERT DATA { <urn:f> <urn:p> 1 }' }, 1],
    ['POST', '/sparql?branch=side', { headers: FORM, body: 'update=INSERT DATA { <urn:h> <urn:p> 1 }' }, 1],
    ['POST', '/sparql', { headers: FORM, body: 'branch=side&update=INSERT DATA { <urn:i> <urn:p> 1 }' }, 1],
    [
      'POST',
      '/sparql?branch=side&update=INSERT%20DATA%20{%20%3Curn:j%3E%20%3Curn:p%3E%201%20}',
      { headers: FORM, body: '' },
      1,
    ],
    ['PUT', '/service?graph=urn:new&branch=side', { headers: TURTLE, body: '<urn:k> <urn:p> 1 .' }, 1],
    [
      'PATCH',
      '/service?branch=side',
      { headers: { 'Content-Type': 'application/sparql-update' }, body: 'INSERT DATA { <urn:l> <urn:p> 1 }' },
      1,
    ],
    ['DELETE', '/service?graph=urn:new&branch=side', {}, -1],
    ['POST', '/changes?branch=side', { headers: { 'Content-Type': 'application/rdf-patch' }, body: patch }, 1],
    ['POST', '/revisions/HEAD/revert?branch=side', {}, -1],
    ['DELETE', '/statements?subj=urn:c&branch=side', {}, -1],
    ['DELETE', '/statements?subj=urn:d', { headers: { Branch: 'side' } }, -1],
    ['DELETE', '/statements', { headers: FORM, body: 'subj=urn:e&branch=side' }, -1],
    ['POST', '/statements', { headers: { ...FORM }, body: '_method=DELETE&subj=urn:f&branch=side' }, -1],
    ['POST', '/revisions/HEAD/cherry-pick?branch=side', { headers: json, body: '{}' }, 0],
  ];
  let size = start;
  for (const [method, path, init, more] of writes) {
    const { status, headers } = await send(method, path, init);
    expect([method, path, init.body, status < 300 ? '2xx' : status]).toEqual([method, path, init.body, '2xx']);
    size += more;
    expect([method, path, init.body, await side.size()]).toEqual([method, path, init.body, size]);
    expect(headers.get('ETag'), path).toBe(`"${(await side.revision()).id}"`);
  }
  expect((await send('POST', '/reset?to=1&branch=side')).status).toBe(204);
  expect(await side.size()).toBe(0);
  expect((await send('PUT', '/statements?branch=side', { headers: TURTLE, body: '<urn:z> <urn:p> 1 .' })).status).toBe(
    204,
  );
  expect((await send('DELETE', '/statements', { headers: { Branch: 'side' } })).status).toBe(204);
  expect([(await main.revision()).id, await side.size()]).toEqual([before, 0]);
});

test('a name that is empty, unknown or at odds changes nothing', async () => {
  const [before, own] = [(await main.revision()).id, (await side.revision()).id];
  const body = '<urn:x> <urn:p> 1 .';
  const wrong: readonly (readonly [string, Record<string, string>, number])[] = [
    ['?branch=', {}, 400],
    ['?branch=%20', {}, 400],
    ['', { Branch: '' }, 400],
    ['', { Branch: '%' }, 400],
    ['?branch=none', {}, 404],
    ['?branch=%00', {}, 404],
    ['?branch=HEAD', {}, 404],
    [`?branch=${'x'.repeat(5000)}`, {}, 404],
    ['', { Branch: 'none' }, 404],
    ['?branch=side', { Branch: 'main' }, 400],
    ['?branch=main&branch=side', {}, 400],
  ];
  for (const [path, headers, status] of wrong) {
    const sent = [
      await send('POST', `/statements${path}`, { headers: { ...TURTLE, ...headers }, body }),
      await send('DELETE', `/statements${path}`, { headers }),
      await send('GET', `/size${path}`, { headers }),
      await send('PUT', `/namespaces/ex${path}`, { headers, body: 'urn:ex:' }),
    ];
    expect([path, headers, ...sent.map((each) => each.status)]).toEqual([
      path,
      headers,
      status,
      status,
      status,
      status,
    ]);
  }
  for (const [path, headers, form] of [
    ['/statements?branch=side', FORM, 'branch=main&update=CLEAR ALL'],
    ['/sparql', { ...FORM, Branch: 'side' }, 'branch=main&update=CLEAR ALL'],
    ['/sparql', FORM, 'branch=&update=CLEAR ALL'],
  ] as const)
    expect((await send('POST', path, { headers: { ...headers }, body: form })).status).toBe(400);
  expect([(await main.revision()).id, (await side.revision()).id]).toEqual([before, own]);
  expect(await main.namespaces.list()).toEqual({});
});

test('what concerns all branches is not deleted by the name of one', async () => {
  expect((await send('DELETE', '?branch=side')).status).toBe(400);
  expect((await send('DELETE', '', { headers: { Branch: 'side' } })).status).toBe(400);
  expect((await send('POST', '', { headers: FORM, body: '_method=DELETE&branch=side' })).status).toBe(400);
  expect(await main.size()).toBe(1);
  // What is in no repository is on no branch; a header may be sent with every request.
  expect((await fetch(`${server.url}/jobs?branch=side`)).status).toBe(400);
  expect((await fetch(`${server.url}/jobs`, { headers: { Branch: 'side' } })).status).toBe(200);
});

test('If-Match and If-None-Match are about the head of the branch', async () => {
  const tag = `"${(await side.revision()).id}"`;
  const other = `"${(await main.revision()).id}"`;
  const write = (headers: Record<string, string>): Promise<Response> =>
    send('POST', '/statements?branch=side', { headers: { ...TURTLE, ...headers }, body: '<urn:x> <urn:p> 1 .' });
  expect((await send('GET', '/size?branch=side', { headers: { 'If-None-Match': tag } })).status).toBe(304);
  expect((await send('GET', '/size', { headers: { 'If-None-Match': tag } })).status).toBe(200);
  expect((await write({ 'If-Match': other })).status).toBe(412);
  expect((await write({ 'If-Match': tag })).status).toBe(204);
  expect((await write({ 'If-Match': tag })).status).toBe(412);
  expect((await send('GET', '/size')).headers.get('Vary')).toContain('Branch');
});

test('a transaction stays on the branch on which it was begun', async () => {
  const begun = await send('POST', '/transactions?branch=side');
  const path = new URL(begun.headers.get('Location')!).pathname.replace('/acme/people', '');
  const act = (query: string, headers: Record<string, string> = {}, body?: string): Promise<Response> =>
    send('PUT', `${path}?${query}`, { headers: { ...TURTLE, ...headers }, ...(body !== undefined && { body }) });
  expect((await act('action=ADD', {}, '<urn:t> <urn:p> 1 .')).status).toBe(200);
  expect(await (await act('action=SIZE')).text()).toBe('5');
  expect((await act('action=COMMIT&branch=main')).status).toBe(400);
  expect((await act('action=COMMIT', { Branch: 'main' })).status).toBe(400);
  const query = { method: 'PUT', headers: FORM, body: 'branch=main&query=ASK {}' };
  expect((await fetch(`${server.url}/acme/people${path}?action=QUERY`, query)).status).toBe(400);
  expect((await act('action=COMMIT')).status).toBe(200);
  expect([await side.size(), await main.size()]).toEqual([5, 1]);
});

test('addresses in answers lead to the same branch', async () => {
  const ldes = await (await send('GET', '/ldes?branch=side', { headers: { Accept: 'application/n-quads' } })).text();
  expect(ldes).toContain('/acme/people/ldes/1?branch=side>');
  const read = await send('GET', '/statements?branch=side&revision-id=HEAD~1');
  const link = read.headers.get('Link')!;
  const links = [...link.matchAll(/<([^>]+)>/g)].map(([, url]) => url!);
  expect(links.filter((url) => !url.includes('branch=side'))).toEqual([]);
  for (const url of links) expect([url, (await fetch(url, { redirect: 'manual' })).status < 400]).toEqual([url, true]);
  const page = await send('GET', '/revisions?branch=side&limit=1');
  expect(page.headers.get('Link')).toContain('branch=side');
  const created = await send('PUT', '/service?graph=urn:n&branch=side', {
    headers: TURTLE,
    body: '<urn:x> <urn:p> 1 .',
  });
  const location = created.headers.get('Location')!;
  expect(await (await fetch(location)).text()).toContain('urn:x');
  // A revision of another branch has no neighbours here, and no range begins with it.
  const elsewhere = await send('GET', `/size?revision-id=${(await side.revision()).id}`);
  expect([elsewhere.status, await elsewhere.text()]).toEqual([200, '5']);
  expect(elsewhere.headers.get('Link')).not.toMatch(/rel="[^"]*(?:prev|next)/);
  expect((await send('GET', '/revisions?from=side')).status).toBe(404);
});

test('the default branch serves requests without a name', async () => {
  await main.settings.set({ defaultBranch: 'side' });
  expect(await (await send('GET', '/size')).text()).toBe('4');
  expect(await (await send('GET', '/size?branch=main')).text()).toBe('1');
  expect((await send('POST', '/statements', { headers: TURTLE, body: '<urn:x> <urn:p> 1 .' })).status).toBe(204);
  expect((await send('DELETE', '/statements?subj=urn:x')).status).toBe(204);
  const update = { headers: { 'Content-Type': 'application/sparql-update' }, body: 'CLEAR ALL' };
  expect((await send('POST', '/sparql', update)).status).toBe(204);
  expect([await side.size(), await main.size()]).toEqual([0, 1]);
});
