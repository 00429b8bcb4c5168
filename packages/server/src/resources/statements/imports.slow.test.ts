// Documents that come as bodies, as files of forms and from other hosts: the answers, and the jobs that they are.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGuardedFetch } from '@quadrille/fetch';
import { openService, type Service } from '../../host/index.js';
import { open } from 'quadrille';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHandler, type Handler } from '../../handler.js';

const STATEMENTS = '/acme/people/statements';
const TURTLE = '<urn:a> <urn:p> "1" . <urn:b> <urn:p> <rel> .';
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

let service: Service;
let handler: Handler;
let host: Server;
let origin: string;
beforeEach(async () => {
  host = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://x');
    if (pathname === '/slow.nt')
      return void response.setHeader('Content-Type', 'text/plain').write('<urn:a> <urn:p> 1');
    if (pathname === '/away') return void response.writeHead(302, { Location: 'http://127.0.0.1:9/' }).end();
    if (pathname === '/bad.ttl') return void response.setHeader('Content-Type', 'text/turtle').end('secret stuff');
    if (pathname === '/context') return void response.end('{"@context": {"name": "urn:name"}}');
    if (pathname !== '/data.ttl') return void response.writeHead(404).end();
    response.setHeader('Content-Type', 'text/turtle').end(TURTLE);
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${String((host.address() as AddressInfo).port)}`;
  const fetch = createGuardedFetch({ allow: [origin] });
  service = await openService(await open(':memory:'), { open: true, fetch });
  await service.accounts.create('acme');
  await service.repositories.create({ account: 'acme', readOnly: false, admin: false }, 'acme', { name: 'people' });
  handler = createHandler({ service });
});
afterEach(async () => {
  host.closeAllConnections();
  host.close();
  await service.close();
  await service.database.close();
});

const send = (method: string, path: string, init: RequestInit = {}): Promise<Response> =>
  handler(new Request(`http://localhost${path}`, { ...init, method }));
const json = async (path: string): Promise<Record<string, unknown>> =>
  (await (await send('GET', path)).json()) as Record<string, unknown>;
const size = async (): Promise<number> => Number(await (await send('GET', '/acme/people/size')).text());
const head = async (): Promise<number> => (await (await service.database.repository('acme/people')).revision()).number;

async function upload(parts: Readonly<Record<string, string | File>>, method = 'POST'): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries(parts)) form.append(name, value);
  return send(method, STATEMENTS, { body: form });
}
const file = (text: string, name: string, type = ''): File => new File([text], name, { type });

describe('a file of a form', () => {
  test.each([
    ['by its type', file(TURTLE, 'data', 'text/turtle')],
    ['by its name', file(TURTLE, 'data.ttl', 'application/octet-stream')],
    ['by its name rather than text/plain', file(TURTLE, 'data.ttl', 'text/plain')],
  ])('is read %s', async (_, data) => {
    const response = await upload({ file: data, baseURI: 'http://e.org/', context: '<urn:g>' });
    expect([response.status, await response.text()]).toEqual([204, '']);
    const text = await (await send('GET', `${STATEMENTS}?context=urn:g&obj=http://e.org/rel`)).text();
    expect(text).toBe('<urn:b> <urn:p> <http://e.org/rel> .\n');
    expect(await head()).toBe(2);
    expect(await json('/acme/people/status')).toMatchObject({ operation: 'import', status: 'completed', pct: 100 });
  });

  test('PUT replaces; a long one is read as it comes in', async () => {
    await upload({ file: file(TURTLE, 'a.ttl') });
    const lines = Array.from({ length: 20_000 }, (_, i) => `<urn:s${String(i)}> <urn:p> "${'x'.repeat(50)}" .\n`).join(
      '',
    );
    expect((await upload({ file: file(lines, 'b.nt') }, 'PUT')).status).toBe(204);
    expect([await size(), await head()]).toEqual([20_000, 3]);
    const late = await upload({ file: file(lines, 'b.nt'), context: 'urn:g' });
    expect([late.status, await late.text()]).toEqual([400, expect.stringContaining('before a file')]);
    expect([await size(), await head()]).toEqual([20_000, 3]);
    expect((await upload({ context: 'urn:g', file: file(lines, 'b.nt') })).status).toBe(204);
    expect(await size()).toBe(40_000);
  });

  test.each([
    [{}, 400],
    [{ context: 'urn:g' }, 400],
    [{ file: file(TURTLE, 'data.png', 'image/png') }, 415],
    [{ file: file('nonsense', 'data.ttl') }, 400],
    [{ a: file(TURTLE, 'a.ttl'), b: file(TURTLE, 'b.ttl') }, 400],
    [{ 'revision-id': 'HEAD', file: file(TURTLE, 'a.ttl') }, 400],
  ])('%# is refused', async (parts, status) => {
    expect((await upload(parts)).status).toBe(status);
    expect(await head()).toBe(1);
  });

  test('a form that breaks off leaves nothing', async () => {
    const body = '--X\r\nContent-Disposition: form-data; name="file"; filename="a.ttl"\r\n\r\n<urn:a> <urn:p> 1 .';
    const response = await send('POST', STATEMENTS, {
      body,
      headers: { 'Content-Type': 'multipart/form-data; boundary=X' },
    });
    expect([response.status, await head()]).toEqual([400, 1]);
  });
});

describe('a short document whose client waits', () => {
  const post = (headers: Record<string, string>, body = '<urn:a> <urn:p> 1 .', query = ''): Promise<Response> =>
    send('POST', `${STATEMENTS}${query}`, {
      body,
      headers: { 'Content-Type': 'text/turtle', 'Content-Length': String(body.length), ...headers },
    });
  const jobs = async (): Promise<unknown> => json('/jobs?status=all&client-request-id=mine');

  test('is no job, unless its request has an id to find one by', async () => {
    const before = await json('/jobs?status=all');
    expect((await post({})).status).toBe(204);
    expect(await json('/jobs?status=all')).toEqual(before);
    expect((await post({ 'Client-Request-Id': 'mine' }, '<urn:b> <urn:p> 1 .')).status).toBe(204);
    expect(await jobs()).toHaveLength(1);
    expect([await size(), await head()]).toEqual([2, 3]);
  });

  test('goes to its graph, has the base of the repository, and is refused as a longer one is', async () => {
    expect((await post({}, '<urn:a> <urn:p> <rel> .', '?context=<urn:g>')).status).toBe(204);
    const text = await (await send('GET', `${STATEMENTS}?context=<urn:g>`)).text();
    expect(text).toContain('<http://localhost/acme/rel>');
    const wrong = await post({}, 'no turtle');
    expect([wrong.status, ((await wrong.json()) as { code: string }).code]).toEqual([400, 'RDF_SYNTAX']);
    expect((await post({ 'If-Match': '"none"' })).status).toBe(412);
    expect([await size(), await head()]).toEqual([1, 2]);
  });

  test('of a client that goes away ends, and leaves nothing', async () => {
    const away = new AbortController();
    const first = new TextEncoder().encode('<urn:a> ');
    // The rest never comes.
    const body = new ReadableStream<Uint8Array>({ start: (stream) => stream.enqueue(first) });
    const headers = { 'Content-Type': 'text/turtle', 'Content-Length': '18' };
    const init = { method: 'POST', body, headers, signal: away.signal, duplex: 'half' };
    const answer = handler(new Request(`http://localhost${STATEMENTS}`, init as RequestInit));
    away.abort();
    expect((await answer).status).toBe(503);
    expect([await size(), await head()]).toEqual([0, 1]);
  });
});

describe('an address', () => {
  test('is read in the request, its own address is the base', async () => {
    const response = await send('POST', STATEMENTS, {
      body: `url=${encodeURIComponent(`${origin}/data.ttl`)}`,
      headers: FORM,
    });
    expect(response.status).toBe(204);
    const text = await (await send('GET', `${STATEMENTS}?subj=urn:b`)).text();
    expect(text).toBe(`<urn:b> <urn:p> <${origin}/rel> .\n`);
    const put = await send(
      'PUT',
      `${STATEMENTS}?${new URLSearchParams({ url: `<${origin}/data.ttl>`, context: 'urn:g' }).toString()}`,
    );
    expect(put.status).toBe(204);
    expect([await size(), await head()]).toEqual([4, 3]);
  });

  test('while it is read its job shows, and can be aborted', async () => {
    const running = send('POST', `${STATEMENTS}?url=${origin}/slow.nt`);
    await expect.poll(() => json('/acme/people/status')).toMatchObject({ status: 'running', working: true });
    const [job] = (await json('/jobs')) as unknown as Record<string, string>[];
    expect(job).toMatchObject({ status: 'running', working: true, repository_id: 'acme/people' });
    expect(job?.['time']).toMatch(/\+00:00$/);
    expect(await json(`/repositories/jobs/${job?.['uuid']?.toUpperCase() ?? ''}`)).toMatchObject({
      uuid: job?.['uuid'],
    });
    expect((await send('DELETE', `/jobs/${job?.['uuid'] ?? ''}`)).status).toBe(204);
    expect((await running).status).toBe(503);
    expect(await json(`/ops/${job?.['uuid'] ?? ''}`)).toMatchObject({ status: 'aborted', working: false });
    expect(await json('/ops')).toEqual([]);
    expect(await json('/jobs?status=aborted')).toHaveLength(1);
    expect((await send('GET', '/jobs?status=lost')).status).toBe(400);
    expect((await send('GET', '/jobs/00000000-0000-0000-0000-000000000000')).status).toBe(404);
    expect((await send('DELETE', `/jobs/${job?.['uuid'] ?? ''}`)).status).toBe(204);
    expect([await size(), await head()]).toEqual([0, 1]);
  });

  test('with a document beside it, or none that can be read', async () => {
    const both = { body: TURTLE, headers: { 'Content-Type': 'text/turtle', 'Content-Length': String(TURTLE.length) } };
    expect((await send('POST', `${STATEMENTS}?url=${origin}/data.ttl`, both)).status).toBe(400);
    const missing = await send('POST', `${STATEMENTS}?url=${origin}/missing.ttl`);
    expect(missing.status).toBe(502);
    const bad = await send('POST', `${STATEMENTS}?url=${origin}/bad.ttl`);
    expect(bad.status).toBe(400);
    expect(await json('/acme/people/status')).toMatchObject({ status: 'failed', working: false });
    expect(await head()).toBe(1);
  });
});

describe('answered at once', () => {
  test.each([
    [{ 'Accept-Asynchronous': 'notify' }, null],
    [{ Prefer: 'respond-async, wait=10' }, 'respond-async'],
  ])('%j', async (headers, applied) => {
    const type = { 'Content-Type': 'text/turtle' };
    const response = await send('POST', STATEMENTS, {
      body: TURTLE,
      headers: { ...headers, ...type } as Record<string, string>,
    });
    expect([response.status, response.headers.get('Preference-Applied')]).toEqual([202, applied]);
    expect(response.headers.get('Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
    const job = new URL(response.headers.get('Location') ?? '').pathname;
    await expect.poll(() => json(job)).toMatchObject({ status: 'completed', pct: 100, working: false });
    expect([await size(), await head()]).toEqual([2, 2]);
  });

  test('an address is read afterwards', async () => {
    const headers = { Prefer: 'respond-async' };
    const response = await send('POST', `${STATEMENTS}?url=${origin}/slow.nt`, { headers });
    expect(response.status).toBe(202);
    const job = new URL(response.headers.get('Location') ?? '').pathname;
    await expect.poll(() => json(job)).toMatchObject({ status: 'running', working: true });
    expect((await send('DELETE', job)).status).toBe(204);
    expect(await json(job)).toMatchObject({ status: 'aborted', working: false });
    expect(await head()).toBe(1);
  });

  test('execute is the default, another word is none', async () => {
    const of = (mode: string): RequestInit => ({
      body: TURTLE,
      headers: { 'Content-Type': 'text/turtle', 'Accept-Asynchronous': mode },
    });
    expect((await send('POST', STATEMENTS, of('execute'))).status).toBe(204);
    expect((await send('POST', STATEMENTS, of('later'))).status).toBe(400);
  });
});

describe('documents that nobody vouches for', () => {
  const post = (type: string, body: string): Promise<Response> =>
    send('POST', STATEMENTS, { body, headers: { 'Content-Type': type } });
  const rdfXml = (content: string): string =>
    `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="urn:">${content}</rdf:RDF>`;

  test('JSON-LD, with contexts from where imports may come from', async () => {
    const of = (context: string): string => JSON.stringify({ '@context': context, '@id': 'urn:a', name: 'x' });
    expect((await post('application/ld+json', of(`${origin}/context`))).status).toBe(204);
    expect(await (await send('GET', STATEMENTS)).text()).toBe('<urn:a> <urn:name> "x" .\n');
    const blocked = await post('application/ld+json', of('http://169.254.169.254/latest/meta-data/'));
    expect([blocked.status, await blocked.json()]).toEqual([403, expect.objectContaining({ code: 'BLOCKED_ADDRESS' })]);
    expect((await post('application/ld+json', of('file:///etc/passwd'))).status).toBe(400);
    expect(await head()).toBe(2);
  });

  test('JSON-LD with the options of its specification', async () => {
    const body = JSON.stringify({ '@id': 'urn:a', name: { '@value': 'x', '@direction': 'rtl' } });
    const of = (parameters: Record<string, string>): string =>
      `${STATEMENTS}?${String(new URLSearchParams(parameters))}`;
    const context = { '@context': { name: 'urn:name' } };
    const typed = '<urn:a> <urn:name> "x"^^<https://www.w3.org/ns/i18n#_rtl> .\n';
    for (const expandContext of [JSON.stringify(context), `${origin}/context`]) {
      const address = of({ rdfDirection: 'i18n-datatype', expandContext });
      const headers = { 'Content-Type': 'application/ld+json' };
      expect((await send('PUT', address, { body, headers })).status).toBe(204);
      expect(await (await send('GET', STATEMENTS)).text()).toBe(typed);
    }
    // A long document, in a thread.
    const long = JSON.stringify(Array.from({ length: 500 }, () => JSON.parse(body) as object));
    const form = new FormData();
    form.append('rdfDirection', 'i18n-datatype');
    form.append('expandContext', JSON.stringify(context));
    form.append('file', new Blob([long], { type: 'application/ld+json' }), 'a.jsonld');
    expect((await send('PUT', STATEMENTS, { body: form })).status).toBe(204);
    expect(await (await send('GET', STATEMENTS)).text()).toBe(typed);
    for (const wrong of [
      { rdfDirection: 'rtl' },
      { processingMode: '1.0' },
      { expandContext: '{"p":' },
      { expandContext: '' },
      { expandContext: '['.repeat(1000) + ']'.repeat(1000) },
    ]) {
      const headers = { 'Content-Type': 'application/ld+json' };
      const refused = await send('POST', of(wrong as Record<string, string>), { body, headers });
      expect(refused.status).toBe(400);
      expect(await refused.text()).toContain(Object.keys(wrong)[0]);
    }
    const blocked = await send('POST', of({ expandContext: 'http://169.254.169.254/latest/' }), {
      body,
      headers: { 'Content-Type': 'application/ld+json' },
    });
    expect(blocked.status).toBe(403);
  });

  test('long ones go through a thread, and several at once', async () => {
    const nodes = Array.from(
      { length: 3000 },
      (_, i) => `<rdf:Description rdf:about="urn:s${String(i)}"><p>x</p></rdf:Description>`,
    );
    const json = JSON.stringify(Array.from({ length: 500 }, (_, i) => ({ '@id': `urn:j${String(i)}`, 'urn:p': 'x' })));
    const bodies = Array.from({ length: 6 }, () => post('application/rdf+xml', rdfXml(nodes.join(''))));
    bodies.push(post('application/ld+json', json), post('application/ld+json', json));
    for (const { status } of await Promise.all(bodies)) expect(status).toBe(204);
    expect(await size()).toBe(3500);
  });

  test.each([
    ['application/ld+json', '['.repeat(500)],
    ['application/ld+json', '{"urn:p":'.repeat(100_000)],
    ['application/rdf+json', '['.repeat(100_000)],
    ['application/rdf+xml', rdfXml('<a><b>'.repeat(50_000))],
    [
      'application/rdf+xml',
      `<!DOCTYPE r [<!ENTITY a "${'x'.repeat(50_000)}">]>${rdfXml(`<p>${'&a;'.repeat(2000)}</p>`)}`,
    ],
  ])('%s that nests or grows without end is refused in time', async (type, body) => {
    const start = performance.now();
    expect((await post(type, body)).status).toBe(400);
    expect(performance.now() - start).toBeLessThan(10_000);
    expect(await head()).toBe(1);
  });
});

// reliability: S1, S2, S4
const BLOCKED = [
  'http://127.0.0.1:8080/',
  'http://0x7f.1/',
  'http://2130706433/',
  'http://127.1/',
  'http://[::ffff:7f00:1]/',
  'http://[::]/',
  'http://0/',
  'http://localhost./',
  'http://169.254.169.254/latest/meta-data/',
  'http://100.64.0.1/',
  'http://[fd00::1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://①②⑦.⓪.⓪.①/',
];
const IMPOSSIBLE = [
  'file:///etc/passwd',
  'ftp://e.org/',
  'gopher://e.org/',
  'data:,x',
  'http://a@e.org/',
  'http://e.org:22/',
  'http://e.org:6379/',
  'nowhere',
];

describe('addresses that nobody may choose', () => {
  test.each([...BLOCKED.map((url) => [url, 403] as const), ...IMPOSSIBLE.map((url) => [url, 400] as const)])(
    '%s',
    async (url, status) => {
      const response = await send('POST', STATEMENTS, { body: new URLSearchParams({ url }), headers: FORM });
      expect(response.status).toBe(status);
      if (status === 403) {
        expect(await response.json()).toMatchObject({ code: 'BLOCKED_ADDRESS', status });
        expect(await json('/acme/people/status')).toMatchObject({ status: 'failed', operation: 'import' });
      }
      expect(await head()).toBe(1);
    },
  );

  test('a redirect to one', async () => {
    const response = await send('POST', `${STATEMENTS}?url=${origin}/away`);
    expect([400, 403]).toContain(response.status);
    expect(await response.text()).not.toContain('passwd');
  });
});
