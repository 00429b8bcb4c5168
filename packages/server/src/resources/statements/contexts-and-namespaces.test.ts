import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHandler } from '../../handler.js';
import { BASE, query, type TestServer, testServer, TURTLE } from '../../testing/server.js';

const NAMESPACES = '/acme/people/namespaces';
const SRJ = 'application/sparql-results+json';
const SRX = 'application/sparql-results+xml';
const TSV = 'text/tab-separated-values';

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
});
afterEach(() => server.database.close());

const send = async (method: string, path: string, body?: string, headers: Record<string, string> = {}) =>
  (await server.send(method, path, { ...(body === undefined ? {} : { body }), headers })).status;
const text = async (path: string, accept?: string): Promise<string> =>
  (await server.get(path, accept === undefined ? {} : { Accept: accept })).text();

describe('contexts', () => {
  beforeEach(async () => {
    await send('POST', '/acme/people/statements', '<urn:a> <urn:p> 1 .', TURTLE);
    await send('POST', '/acme/people/statements?context=urn:g', '<urn:a> <urn:p> 1 .', TURTLE);
  });

  test.each([
    [undefined, SRJ, /"contextID": \{"type": "uri", "value": "urn:g"\}/],
    [SRJ, SRJ, /^\{"head": \{"vars": \["contextID"\]\}/],
    [SRX, SRX, /<binding name="contextID"><uri>urn:g<\/uri><\/binding>/],
    ['text/csv', 'text/csv', /^contextID\r\nurn:g\r\n$/],
    [TSV, TSV, /^\?contextID\n<urn:g>\n$/],
    ['application/json', 'application/json', /^\[\s*\{\s*"contextID":\s*"urn:g"\s*\}\s*\]\s*$/],
  ])('Accept %s', async (accept, type, expected) => {
    const response = await server.get('/acme/people/contexts', accept === undefined ? {} : { Accept: accept });
    expect([response.status, response.headers.get('Content-Type')]).toEqual([200, `${type}; charset=utf-8`]);
    expect(await response.text()).toMatch(expected);
  });

  test('of an earlier revision, and what is refused', async () => {
    expect(await text('/acme/people/contexts?revision-id=HEAD~1', 'text/csv')).toBe('contextID\r\n');
    expect(await send('GET', '/acme/people/contexts', undefined, { Accept: 'text/turtle' })).toBe(406);
    expect(await send('GET', '/acme/people/contexts', undefined, { Accept: 'text/boolean' })).toBe(406);
    expect(await send('POST', '/acme/people/contexts', 'x')).toBe(405);
    expect(await send('GET', '/acme/nobody/contexts')).toBe(404);
  });
});

describe('namespaces', () => {
  const declare = (prefix: string, iri: string): Promise<number> => send('PUT', `${NAMESPACES}/${prefix}`, iri);

  test('the life of a declaration', async () => {
    expect(await (await server.get(NAMESPACES)).json()).toEqual({});
    expect(await declare('ex', ' http://example.org/ \n')).toBe(204);
    expect(await text(`${NAMESPACES}/ex`)).toBe('http://example.org/');
    expect((await server.get(`${NAMESPACES}/ex`)).headers.get('Content-Type')).toBe('text/plain; charset=utf-8');
    expect(await declare('ex', 'http://example.org/2/')).toBe(204);
    expect(await (await server.get(NAMESPACES, { Accept: '*/*' })).json()).toEqual({ ex: 'http://example.org/2/' });
    expect(await send('DELETE', `${NAMESPACES}/ex`)).toBe(204);
    expect(await send('DELETE', `${NAMESPACES}/ex`)).toBe(204);
    expect(await send('GET', `${NAMESPACES}/ex`)).toBe(404);
  });

  test('a body without any type', async () => {
    const body = new Uint8Array(new TextEncoder().encode('http://example.org/'));
    expect((await server.send('PUT', `${NAMESPACES}/ex`, { body })).status).toBe(204);
    expect(await text(`${NAMESPACES}/ex`)).toBe('http://example.org/');
  });

  test('all are removed at once, and those of the account stay', async () => {
    await declare('a', 'http://a/');
    await declare('b', 'http://b/');
    expect(await send('DELETE', NAMESPACES)).toBe(204);
    expect(await (await server.get(NAMESPACES)).json()).toEqual({});
    expect(await send('GET', `${NAMESPACES}/foaf`)).toBe(404);
    expect(await text(`/acme/people/sparql?${query({ query: 'ASK { foaf:a foaf:b 1 }' })}`)).toContain('false');
  });

  test.each([
    ['application/json', 'application/json', /^\{\s*"ex":"http:\/\/example.org\/"\s*\}\n$/],
    [SRJ, SRJ, /"prefix": \{"type": "literal", "value": "ex"\}, "namespace": \{"type": "literal"/],
    [SRX, SRX, /<literal>ex<\/literal>/],
    ['text/csv', 'text/csv', /^prefix,namespace\r\n"ex","http:\/\/example.org\/"\r\n$/],
    [TSV, TSV, /^\?prefix\t\?namespace\n"ex"\t"http:\/\/example.org\/"\n$/],
  ])('the list as %s', async (accept, type, expected) => {
    await declare('ex', 'http://example.org/');
    const response = await server.get(NAMESPACES, { Accept: accept });
    expect([response.status, response.headers.get('Content-Type')]).toEqual([200, `${type}; charset=utf-8`]);
    expect(response.headers.get('ETag')).toBeNull();
    expect(await response.text()).toMatch(expected);
  });

  test('one of them as results; not as JSON', async () => {
    await declare('ex', 'http://example.org/');
    expect(await text(`${NAMESPACES}/ex`, SRJ)).toContain(
      '"namespace": {"type": "literal", "value": "http://example.org/"}',
    );
    expect(await send('GET', `${NAMESPACES}/ex`, undefined, { Accept: 'application/json' })).toBe(406);
    expect(await send('GET', NAMESPACES, undefined, { Accept: 'text/turtle' })).toBe(406);
  });

  test.each(['__proto__', 'a%20b', '1a', '-x', 'a:b', 'a.', '%F0%9F%98%80'])('%s is no prefix', async (prefix) => {
    expect(await declare(prefix, 'http://example.org/')).toBe(400);
    expect(await send('GET', `${NAMESPACES}/${prefix}`)).toBe(404);
  });

  test.each(['constructor', 'é', 'a.b', 'A-1'])('%s is one', async (prefix) => {
    expect(await declare(encodeURIComponent(prefix), 'http://example.org/')).toBe(204);
    expect(await (await server.get(NAMESPACES)).json()).toEqual({ [prefix]: 'http://example.org/' });
  });

  test.each(['', 'relative', '<http://example.org/>', 'http://a b/'])('%j is no namespace', async (iri) => {
    expect(await declare('ex', iri)).toBe(400);
  });

  test('a body that is too long', async () => {
    expect(await declare('ex', `http://example.org/${'x'.repeat(70_000)}`)).toBe(413);
  });

  test('they are prefixes of queries, updates and documents; those of the text beat them', async () => {
    await declare('ex', 'http://example.org/');
    const update = new URLSearchParams({ update: 'INSERT DATA { ex:a ex:p ex:o GRAPH ex:g { ex:a ex:p ex:o } }' });
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect(await send('POST', '/acme/people/sparql', update.toString(), form)).toBe(204);
    const ask = (q: string): Promise<string> => text(`/acme/people/sparql?${query({ query: q })}`, 'text/boolean');
    expect(await ask('ASK { ex:a ex:p ex:o }')).toBe('true');
    expect(await ask('PREFIX ex: <urn:other:> ASK { ex:a ex:p ex:o }')).toBe('false');
    for (const path of [
      '/acme/people/statements',
      '/acme/people/statements?context=http://example.org/g',
      '/acme/people/service?graph=http://example.org/g',
      `/acme/people/sparql?${query({ query: 'CONSTRUCT WHERE { ?s ?p ?o }' })}`,
      `/acme/people/sparql?${query({ query: 'CONSTRUCT WHERE { ?s ?p ?o }', limit: '1' })}`,
    ]) {
      expect(await text(path, 'text/turtle'), path).toMatch(
        /@prefix ex: <http:\/\/example.org\/> ?\.[^]*ex:a ex:p ex:o/,
      );
    }
    const undeclared = await server.get(`/acme/people/sparql?${query({ query: 'ASK { never:a ?p ?o }' })}`);
    expect(undeclared.status).toBe(400);
    expect(await undeclared.json()).toMatchObject({ code: 'SPARQL_SYNTAX' });
  });
});

describe('lists as RDF4J clients ask for them', () => {
  test('the version of the protocol', async () => {
    const response = await server.get('/acme/protocol');
    expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(await response.text()).toBe('6');
    const newer = createHandler({ database: server.database, open: true, protocolVersion: 10 });
    expect(await (await newer(new Request(`${BASE}/acme/protocol`))).text()).toBe('10');
  });

  test('repositories', async () => {
    const response = await server.get('/acme/repositories', { Accept: SRJ });
    expect(await response.json()).toMatchObject({
      head: { vars: ['uri', 'id', 'title', 'readable', 'writable'] },
      results: {
        bindings: [
          {
            uri: { type: 'uri', value: 'http://localhost:1/acme/repositories/people' },
            id: { value: 'people' },
            readable: { value: 'true', datatype: 'http://www.w3.org/2001/XMLSchema#boolean' },
            writable: { value: 'true' },
          },
        ],
      },
    });
    expect(await text('/acme/repositories', SRX)).toContain('<literal>people</literal>');
    expect(await (await server.get('/acme/repositories')).json()).toHaveLength(1);
  });

  test('size', async () => {
    expect(await text('/acme/people/size', 'text/csv')).toBe('SIZE\r\n0\r\n');
    expect(await (await server.get('/acme/people/size', { Accept: SRJ })).json()).toMatchObject({
      results: { bindings: [{ SIZE: { value: '0' } }] },
    });
    expect(await text('/acme/people/size', '*/*')).toBe('0');
  });
});
