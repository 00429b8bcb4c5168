// Paths, methods and headers of the interface, row by row, with curl against the bundled server.
import { gzipSync } from 'node:zlib';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { etagOf, FORM, query, row, scene, status, TURTLE, typeOf } from '../scene.js';

const at = scene();
const statements = (): string => `${at.repository}/statements`;
const write = (headers: Record<string, string>, method = 'POST', body = `<urn:a> <urn:p> ${String(values++)} .`) =>
  at.send(method, statements(), { type: TURTLE, headers, body });
const head = async (): Promise<string> => etagOf(await at.get(`${at.repository}/size`));
let values = 0;
const NOBODY = '"00000000-0000-7000-8000-000000000000"';

/** As a client makes one now. */
function uuidV1(): string {
  const ticks = (BigInt(Date.now() + 12_219_292_800_000) * 10_000n).toString(16).padStart(15, '0');
  return `${ticks.slice(7)}-${ticks.slice(3, 7)}-1${ticks.slice(0, 3)}-8d51-0242ac120002`;
}

describe('13 HTTP mechanics', () => {
  row('13 HEAD wherever GET works: the same headers, no body', async () => {
    await write({});
    for (const path of [
      '',
      '/statements',
      '/size',
      '/meta',
      '/status',
      '/contexts',
      '/namespaces',
      '/timemap',
      '/revisions',
      '/sparql',
      '/service',
      '/views',
    ]) {
      const [get, found] = [await at.get(at.repository + path), await at.send('HEAD', at.repository + path)];
      expect([path, found.status, typeOf(found), found.body]).toEqual([path, get.status, typeOf(get), '']);
      expect([path, found.headers.get('etag')]).toEqual([path, get.headers.get('etag')]);
    }
  });
  row('13 OPTIONS: 200 without credentials, Allow of the resource', async () => {
    for (const [path, allow] of [
      [`${at.repository}/size`, 'GET, HEAD, OPTIONS'],
      ['/nobody/none/statements', 'GET, POST, PUT, DELETE, HEAD, OPTIONS'],
    ] as const) {
      const answer = await at.send('OPTIONS', path, { token: null });
      expect([answer.status, answer.headers.get('allow')]).toEqual([200, allow]);
      expect(answer.headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS');
    }
  });
  row('13 CORS: * without credentials', async () => {
    const answer = await at.get(`${at.repository}/size`, undefined, { headers: { Origin: 'https://page.example' } });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-credentials')).toBeUndefined();
    const exposed = answer.headers.get('access-control-expose-headers') ?? '';
    for (const name of ['ETag', 'Location', 'Link', 'Memento-Datetime', 'Request-Id', 'Client-Request-Id'])
      expect(exposed).toContain(name);
    const allowed = (await at.send('OPTIONS', statements())).headers.get('access-control-allow-headers') ?? '';
    for (const name of 'Authorization Content-Type Accept ETag If-Match Content-Encoding Silent Client-Request-Id Accept-Datetime'.split(
      ' ',
    ))
      expect(allowed.split(/,\s*/)).toContain(name);
  });
  row('13 request Content-Encoding: gzip, x-gzip; others 415', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'quadrille-gzip-'));
    const file = join(directory, 'data.gz');
    await writeFile(file, gzipSync('<urn:zipped> <urn:p> 1 .'));
    for (const coding of ['gzip', 'x-gzip']) {
      const args = ['--data-binary', `@${file}`];
      expect(
        await status(at.send('POST', statements(), { type: TURTLE, headers: { 'Content-Encoding': coding }, args })),
      ).toBe(204);
    }
    expect(await at.lines('?subj=urn:zipped')).toHaveLength(1);
    expect(await status(write({ 'Content-Encoding': 'compress' }))).toBe(415);
    await rm(directory, { recursive: true });
  });
  row('13 response: gzip, deflate, br; Vary', async () => {
    await at.fill(Array.from({ length: 200 }, (_, i) => `<urn:s${String(i)}> <urn:p> "value" .`).join('\n'));
    const plain = await at.get(statements());
    expect(plain.headers.get('vary')).toBe('Accept, Accept-Encoding, Accept-Datetime, Branch');
    for (const coding of ['gzip', 'deflate', 'br']) {
      const packed = await at.get(statements(), undefined, {
        headers: { 'Accept-Encoding': coding },
        args: ['-o', '/dev/null', '-D', '-'],
      });
      expect([coding, packed.headers.get('content-encoding')]).toEqual([coding, coding]);
      expect(packed.headers.get('etag')).toBe(`${plain.headers.get('etag')!.slice(0, -1)}-${coding}"`);
    }
  });
  row(
    '13 ETag: the revision; of a write the new one; a suffix for other representations; none on meta and namespaces',
    async () => {
      const written = etagOf(await write({}));
      for (const path of ['/statements', '/size', '/contexts', '/sparql?query=ASK%7B%7D'])
        expect((await at.get(at.repository + path)).headers.get('etag')).toBe(`"${written}"`);
      expect((await at.get(statements(), TURTLE)).headers.get('etag')).toMatch(new RegExp(`^"${written}-.+"$`));
      for (const path of ['/meta', '/namespaces'])
        expect((await at.get(at.repository + path)).headers.get('etag')).toBeUndefined();
    },
  );
  row('13 If-None-Match, If-Modified-Since: 304', async () => {
    const tag = (await at.get(statements())).headers.get('etag')!;
    const with304 = (headers: Record<string, string>) => status(at.get(statements(), undefined, { headers }));
    expect(await with304({ 'If-None-Match': tag })).toBe(304);
    expect(await with304({ 'If-None-Match': `"other", ${tag}` })).toBe(304);
    expect(await with304({ 'If-None-Match': NOBODY })).toBe(200);
    await expect
      .poll(async () => (await at.get(statements())).headers.get('last-modified'), { timeout: 3000 })
      .toBeTruthy();
    const modified = (await at.get(statements())).headers.get('last-modified')!;
    expect(await with304({ 'If-Modified-Since': modified })).toBe(304);
  });
  row('13 If-Match: uuid, "uuid", *; mismatch 412; If-None-Match: * only creates', async () => {
    for (const tag of [await head(), '*']) expect(await status(write({ 'If-Match': tag }))).toBe(204);
    expect(await status(write({ 'If-Match': `"${await head()}"` }))).toBe(204);
    expect(await status(write({ 'If-Match': NOBODY }))).toBe(412);
    const create = () =>
      at.send('PUT', `${at.repository}/service?graph=urn:once`, {
        type: TURTLE,
        body: '<urn:a> <urn:p> 1 .',
        headers: { 'If-None-Match': '*' },
      });
    expect([await status(create()), await status(create())]).toEqual([201, 412]);
  });
  row(
    '13 request ETag: the client names the new revision, where its UUID can follow the others; else it is ignored',
    async () => {
      const hex = Date.now().toString(16).padStart(12, '0');
      const mine = `${hex.slice(0, 8)}-${hex.slice(8)}-7fff-bfff-ffffffffff01`;
      for (const tag of [`"${mine}"`, mine]) {
        const answer = await write({ ETag: tag });
        expect(answer.status).toBe(204);
        // It is taken the first time.
        expect(etagOf(answer) === mine).toBe(tag.startsWith('"'));
      }
      expect((await at.get(`${at.repository}/size?revision-id=${mine}`)).status).toBe(200);
      // Clients in use send UUIDs of version 1, in any form of a revision.
      for (const form of [
        'U',
        '"U"',
        'urn:uuid:U',
        '<urn:uuid:U>',
        '<urn:dydra:revision:U>',
        'urn:quadrille:revision:U',
      ]) {
        const id = uuidV1();
        const answer = await write({ ETag: form.replace('U', id) });
        expect([form, answer.status, etagOf(answer)]).toEqual([form, 204, id]);
        expect((await at.get(`${at.repository}/size?revision-id=${id}`)).status).toBe(200);
      }
      for (const ignored of [
        'nonsense',
        NOBODY,
        'a6e4f3b0-c2a1-11ee-8d51-0242ac120002',
        'ffffffff-ffff-7fff-bfff-ffffffffffff',
      ]) {
        const answer = await write({ ETag: ignored });
        expect([ignored, answer.status]).toEqual([ignored, 204]);
        expect(ignored).not.toContain(etagOf(answer));
      }
      const ids = (await at.get(`${at.repository}/revisions`, 'text/plain')).body.trim().split('\n');
      expect(ids).toHaveLength(new Set(ids).size);
    },
  );
  row('13 Request-Id; Client-Request-Id echoed', async () => {
    const answer = await at.get('/health', undefined, { headers: { 'Client-Request-Id': 'mine-1' } });
    expect(answer.headers.get('request-id')).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(answer.headers.get('client-request-id')).toBe('mine-1');
  });
  row('13 method override: X-HTTP-Method-Override, _method of a form by POST', async () => {
    expect(
      await status(
        at.send('POST', `${statements()}?subj=urn:none`, { headers: { 'X-HTTP-Method-Override': 'DELETE' } }),
      ),
    ).toBe(204);
    const form = { type: FORM, body: query({ _method: 'DELETE', subj: '<urn:a>' }) };
    expect(await status(at.send('POST', statements(), form))).toBe(204);
    expect(await at.lines('?subj=urn:a&context=null')).toEqual([]);
    expect(await status(at.get(`${statements()}?_method=DELETE`))).toBe(200);
    expect((await at.lines()).length).toBeGreaterThan(0);
  });
  row('13 chunked lists and documents', async () => {
    const lines = Array.from({ length: 2000 }, (_, i) => `<urn:s${String(i)}> <urn:p> "value" .`).join('\n');
    await at.fill(lines);
    expect((await at.get(statements())).headers.get('transfer-encoding')).toBe('chunked');
    expect((await at.get('/default/repositories')).headers.get('content-length') ?? 'chunked').toBeTruthy();
  });
  row('13 write response: 204; a results type may get 200', async () => {
    const answer = await write({});
    expect([answer.status, answer.body]).toEqual([204, '']);
    expect([200, 204]).toContain(await status(write({ Accept: 'application/sparql-results+json' })));
  });
});
