import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { query, sortedLines, type TestServer, testServer, TURTLE } from '../../testing/server.js';

const STATEMENTS = '/acme/people/statements';
const DATA = '<urn:a> <urn:p> "1" . <urn:b> <urn:p> "2" .';
const NQUADS =
  '<urn:a> <urn:p> "1" .\n<urn:a> <urn:p> "1" <urn:g> .\n<urn:b> <urn:p> "2" <urn:g> .\n<urn:c> <urn:p> "3" <urn:h> .\n';

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
});
afterEach(() => server.database.close());

const post = (body: BodyInit, headers: Record<string, string> = TURTLE, parameters = ''): Promise<Response> =>
  server.send('POST', STATEMENTS + parameters, { body, headers });
const size = async (parameters = ''): Promise<number> =>
  Number(await (await server.get(`/acme/people/size${parameters}`)).text());
const postQuads = (): Promise<Response> => post(NQUADS, { 'Content-Type': 'application/n-quads' });

describe('POST and PUT', () => {
  test('POST adds, PUT replaces, each is one revision that the ETag names', async () => {
    const added = await post(DATA);
    expect([added.status, await added.text()]).toEqual([204, '']);
    expect((await post('<urn:c> <urn:p> "3" .')).status).toBe(204);
    expect(await size()).toBe(3);
    const replaced = await server.send('PUT', STATEMENTS, { body: '<urn:z> <urn:p> 1 .', headers: TURTLE });
    expect(replaced.status).toBe(204);
    expect(await size()).toBe(1);
    const repository = await server.database.repository('acme/people');
    const head = await repository.revision();
    expect(replaced.headers.get('ETag')).toBe(`"${head.id}"`);
    expect(head.number).toBe(4);
  });

  test('context loads into a graph; PUT with context replaces that graph only', async () => {
    await post(DATA);
    expect((await post(DATA, TURTLE, `?${query({ context: '<urn:g>' })}`)).status).toBe(204);
    expect(await size()).toBe(4);
    const put = await server.send('PUT', `${STATEMENTS}?${query({ context: 'urn:g' })}`, {
      body: '<urn:z> <urn:p> 1 .',
      headers: TURTLE,
    });
    expect(put.status).toBe(204);
    expect([await size(), await size('?context=urn:g'), await size('?context=null')]).toEqual([3, 1, 2]);
  });

  test('several contexts get the document each, in one revision', async () => {
    const response = await post(DATA, TURTLE, '?context=urn:g&context=urn:h');
    expect(response.status).toBe(204);
    expect([await size(), await size('?context=urn:h')]).toEqual([4, 2]);
    expect((await (await server.database.repository('acme/people')).revision()).number).toBe(2);
  });

  test('gzip, a fourth term in N-Triples, and relative IRIs', async () => {
    expect((await post(gzipSync(DATA) as unknown as BodyInit, { ...TURTLE, 'Content-Encoding': 'gzip' })).status).toBe(
      204,
    );
    expect((await post('<urn:q> <urn:p> "x" <urn:g> .\n', { 'Content-Type': 'text/plain' })).status).toBe(204);
    expect(await size('?context=urn:g')).toBe(1);
    expect((await post('<#x> <urn:p> <y> .', TURTLE, '?baseURI=http://e.org/d/')).status).toBe(204);
    const text = await (await server.get(`${STATEMENTS}?subj=http://e.org/d/%23x`)).text();
    expect(text).toBe('<http://e.org/d/#x> <urn:p> <http://e.org/d/y> .\n');
  });

  test('the repository is the base where none is given', async () => {
    await post('<> <urn:p> 1 .');
    expect(await (await server.get(STATEMENTS)).text()).toContain('<http://localhost:1/acme/people> <urn:p>');
  });

  test('bad input tells its place and changes nothing', async () => {
    const response = await post('<urn:a> <urn:p> "1" .\n<urn:a> <urn:p> oops .');
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'RDF_SYNTAX', status: 400, line: 2 });
    expect(await size()).toBe(0);
  });

  test.each([
    [{}, 415],
    [{ 'Content-Type': 'image/png' }, 415],
    [{ ...TURTLE, 'Content-Encoding': 'zstd' }, 415],
    [{ 'Content-Type': 'application/x-www-form-urlencoded' }, 400],
  ])('with headers %j it is %i', async (headers, status) => {
    const body = new TextEncoder().encode(DATA);
    expect((await post(body as unknown as BodyInit, headers as Record<string, string>)).status).toBe(status);
    expect(await size()).toBe(0);
  });

  test('all and named are no graphs to write to, and a revision cannot be written to', async () => {
    for (const parameters of ['context=urn:quadrille:all', 'context=urn:dydra:named', 'revision-id=HEAD']) {
      expect((await post(DATA, TURTLE, `?${parameters}`)).status).toBe(400);
      expect((await server.send('DELETE', `${STATEMENTS}?${parameters}`)).status).toBe(400);
    }
    expect(await size()).toBe(0);
  });

  test('If-Match lets only the expected revision be followed', async () => {
    const first = (await post(DATA)).headers.get('ETag') ?? '';
    await post('<urn:c> <urn:p> 3 .');
    const late = await post('<urn:d> <urn:p> 4 .', { ...TURTLE, 'If-Match': first });
    expect(late.status).toBe(412);
    expect(await size()).toBe(3);
  });

  test('an update may come to the statements', async () => {
    const update = 'INSERT DATA { <urn:u> <urn:p> 1 }';
    expect((await post(update, { 'Content-Type': 'application/sparql-update; charset=utf-8' })).status).toBe(204);
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await post(query({ update: 'INSERT DATA { <urn:v> <urn:p> 1 }' }), form)).status).toBe(204);
    expect(await size()).toBe(2);
    expect((await post(query({ url: 'http://e.org/' }), form)).status).toBe(400);
  });
});

describe('GET', () => {
  beforeEach(postQuads);

  test('N-Triples by default, each triple once', async () => {
    const response = await server.get(STATEMENTS);
    expect(response.headers.get('Content-Type')).toBe('text/plain; charset=utf-8');
    expect(sortedLines(await response.text())).toEqual([
      '<urn:a> <urn:p> "1" .',
      '<urn:b> <urn:p> "2" .',
      '<urn:c> <urn:p> "3" .',
    ]);
  });

  test('N-Quads, TriG and Turtle by Accept', async () => {
    const nquads = await server.get(STATEMENTS, { Accept: 'application/n-quads' });
    expect(sortedLines(await nquads.text())).toEqual(sortedLines(NQUADS));
    const trig = await server.get(STATEMENTS, { Accept: 'application/trig' });
    expect(trig.headers.get('Content-Type')).toBe('application/trig');
    expect(await trig.text()).toContain('<urn:h>');
    const turtle = await server.get(`${STATEMENTS}?subj=urn:b`, { Accept: 'text/turtle' });
    const repository = await server.database.repository('acme/people');
    await repository.namespaces.set('ex', 'http://e.org/');
    await post('<urn:t> a <http://e.org/T> ; <http://xmlns.com/foaf/0.1/name> "t" .');
    const prefixed = await server.get(`${STATEMENTS}?subj=urn:t`, { Accept: 'text/turtle' });
    expect(await prefixed.text()).toMatch(/a ex:T\s*;\s+foaf:name "t"/);
    expect(await turtle.text()).toMatch(/<urn:b>\s+<urn:p>\s+"2"/);
    expect((await server.get(STATEMENTS, { Accept: 'image/png' })).status).toBe(406);
    expect((await server.get(STATEMENTS, { Accept: 'json' })).status).toBe(400);
  });

  test.each([
    ['subj=%3Curn:a%3E', 1],
    ['subject=urn:a&predicate=urn:p&object=%221%22', 1],
    ['pred=urn:p', 3],
    ['obj=%221%22&context=urn:g', 1],
    ['context=null', 1],
    ['context=', 1],
    ['context=default', 1],
    ['context=urn:dydra:default', 1],
    ['context=urn:g', 2],
    ['context=urn:g&context=%3Curn:h%3E', 3],
    ['context=urn:quadrille:named', 3],
    ['context=urn:quadrille:all', 3],
    ['context=urn:none', 0],
    ['subj=urn:nobody', 0],
  ])('?%s has %i triples', async (parameters, count) => {
    const response = await server.get(`${STATEMENTS}?${parameters}`);
    expect(response.status).toBe(200);
    expect(sortedLines(await response.text())).toHaveLength(count);
  });

  test.each([
    'subj=a',
    'subj=',
    'subj=%22lit%22',
    'pred=_:b',
    'subj=%22lit',
    'pred=x%20y',
    'context=%22lit%22',
    'subj=urn:a&subject=urn:b',
  ])('?%s is refused', async (parameters) => {
    expect((await server.get(`${STATEMENTS}?${parameters}`)).status).toBe(400);
  });

  test('sizes follow the contexts', async () => {
    expect(await size()).toBe(4);
    expect(await size('?context=urn:quadrille:named')).toBe(3);
    expect(await size('?context=null&context=urn:g')).toBe(3);
  });

  test('the ETag is the revision, and an unchanged one is 304', async () => {
    const etag = (await server.get(STATEMENTS)).headers.get('ETag') ?? '';
    const again = await server.get(STATEMENTS, { 'If-None-Match': etag });
    expect([again.status, again.headers.get('ETag'), await again.text()]).toEqual([304, etag, '']);
  });

  test('an old revision', async () => {
    await post(DATA);
    const response = await server.get(`${STATEMENTS}?revision-id=TAIL`);
    expect(await response.text()).toBe('');
    expect((await server.get(`${STATEMENTS}?revision-id=99`)).status).toBe(404);
    const changes = await server.get(`${STATEMENTS}?revision-id=1--2`);
    expect(changes.headers.get('Content-Type')).toBe('application/rdf-patch');
  });

  test('HEAD has the headers alone, OPTIONS and 405 say what is allowed', async () => {
    const head = await server.send('HEAD', STATEMENTS);
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.get('ETag')).toMatch(/^"[0-9a-f-]{36}"$/);
    const options = await server.send('OPTIONS', STATEMENTS);
    expect(options.status).toBe(200);
    expect(options.headers.get('Allow')).toBe('GET, POST, PUT, DELETE, HEAD, OPTIONS');
    expect(options.headers.get('Access-Control-Allow-Origin')).toBe('*');
    const patch = await server.send('PATCH', STATEMENTS);
    expect([patch.status, patch.headers.get('Allow')]).toEqual([405, 'GET, POST, PUT, DELETE, HEAD, OPTIONS']);
  });
});

describe('DELETE', () => {
  beforeEach(postQuads);

  test.each([
    ['?subj=urn:a', 2],
    ['?subj=urn:a&context=null', 3],
    ['?context=urn:g', 2],
    ['?context=urn:g&context=urn:h', 1],
    ['?obj=%22none%22', 4],
    ['?subject=urn:b&predicate=urn:p&infer=false', 3],
    ['', 0],
  ])('%s leaves %i quads', async (parameters, left) => {
    expect((await server.send('DELETE', STATEMENTS + parameters)).status).toBe(204);
    expect(await size()).toBe(left);
  });

  test.each(['?sub=urn:a', '?s=urn:a', '?subj=', '?Context=urn:g'])('%s removes nothing', async (parameters) => {
    expect((await server.send('DELETE', STATEMENTS + parameters)).status).toBe(400);
    expect(await size()).toBe(4);
  });

  test('a pattern in a form counts, any other body is refused', async () => {
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await server.send('DELETE', STATEMENTS, { body: 'subj=urn:a', headers: form })).status).toBe(204);
    expect(await size()).toBe(2);
    expect((await server.send('DELETE', STATEMENTS, { body: '{"subj":"urn:b"}' })).status).toBe(415);
    expect(await size()).toBe(2);
  });
});

describe('the message of a revision', () => {
  const utf8AsBytes = Buffer.from('grüße 🌍').toString('latin1');
  const message = async (): Promise<string | undefined> =>
    (await (await server.database.repository('acme/people')).revision()).message;

  test.each([
    ['percent-encoded', encodeURIComponent('grüße 🌍, 50 %'), 'grüße 🌍, 50 %'],
    ['in bytes of UTF-8', utf8AsBytes, 'grüße 🌍'],
    ['that is no encoding', '50 % less', '50 % less'],
    ['of other bytes', 'gr\u00fc\u00dfe', 'gr\u00fc\u00dfe'],
  ])('in a header %s', async (_, header, expected) => {
    expect((await post(DATA, { ...TURTLE, 'Revision-Message': header })).status).toBe(204);
    expect(await message()).toBe(expected);
  });

  test('in a parameter, which the header comes before, and in a form', async () => {
    const parameter = `?${query({ message: 'grüße' })}`;
    await post(DATA, TURTLE, parameter);
    expect(await message()).toBe('grüße');
    await server.send('DELETE', `${STATEMENTS}${parameter}`, { headers: { 'Revision-Message': 'header' } });
    expect(await message()).toBe('header');
    const form = new URLSearchParams({ update: 'INSERT DATA { <urn:a> <urn:p> 5 }', message: 'a form' });
    expect((await server.send('POST', '/acme/people/sparql', { body: form })).status).toBe(204);
    expect(await message()).toBe('a form');
  });
});

describe('a message of more than 16 KiB', () => {
  const MESSAGE = { 'Revision-Message': 'm'.repeat(16 * 1024 + 1) };
  test.each([
    ['POST', STATEMENTS, TURTLE, '<urn:a> <urn:p> 1 .'],
    ['PUT', STATEMENTS, TURTLE, '<urn:a> <urn:p> 1 .'],
    ['POST', STATEMENTS, { 'Content-Type': 'application/sparql-update' }, 'INSERT DATA { <urn:a> <urn:p> 1 }'],
    ['PATCH', '/acme/people/service', TURTLE, '<urn:a> <urn:p> 1 .'],
    ['DELETE', STATEMENTS, {}, undefined],
  ])('%s %s refuses it, and changes nothing', async (method, path, headers, body) => {
    await post('<urn:b> <urn:p> 2 .');
    const init = { headers: { ...headers, ...MESSAGE } as Record<string, string>, ...(body !== undefined && { body }) };
    const refused = await server.send(method, path, init);
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { code: 'INVALID_OPTION', error: expect.stringContaining('message') },
    ]);
    expect(await size()).toBe(1);
  });
});
