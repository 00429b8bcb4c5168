// Every media type of docs/reference/formats.md, in and out, and the extensions that stand for them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestServer, testServer } from '../testing/server.js';

const STATEMENTS = '/acme/people/statements';
const TRIPLE = '<urn:a> <http://e.org/p> "x" .\n';
const TYPES = `
  application/n-triples text/plain application/rdf-triples
  application/n-quads text/x-nquads text/nquads
  text/turtle application/turtle application/x-turtle text/n3 text/rdf+n3
  application/trig application/x-trig
  application/rdf+xml text/rdf application/xml
  application/ld+json application/rdf+json application/json text/json
  application/trix`
  .trim()
  .split(/\s+/);
const EXTENSIONS: Readonly<Record<string, string>> = {
  nt: 'application/n-triples',
  ttl: 'text/turtle',
  rdf: 'application/rdf+xml',
  nq: 'application/n-quads',
  trig: 'application/trig',
  jsonld: 'application/ld+json',
  rj: 'application/rdf+json',
  trix: 'application/trix',
};

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.database.close());

const put = (body: string, type: string): Promise<Response> =>
  server.send('PUT', STATEMENTS, { body, headers: { 'Content-Type': type } });
const triples = async (): Promise<string> => (await server.get(STATEMENTS)).text();

describe.each(TYPES)('%s', (type) => {
  test('what is written in it is read again, whatever parameters the type has', async () => {
    await put(TRIPLE, 'text/plain');
    const response = await server.get(STATEMENTS, { Accept: type });
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')?.split(';')[0]).toBe(type);
    const document = await response.text();
    await put('', 'text/plain');
    expect(await triples()).toBe('');
    expect((await put(document, `${type}; charset=utf-8; q=1`)).status).toBe(204);
    expect(await triples()).toBe(TRIPLE);
  });

  test('what is not in it is refused with its line', async () => {
    await put(TRIPLE, 'text/plain');
    const response = await put('\n<<<', type);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'RDF_SYNTAX' });
    expect(await triples()).toBe(TRIPLE);
  });
});

describe('extensions', () => {
  test.each(Object.entries(EXTENSIONS))('.%s is %s', async (extension, type) => {
    await put(TRIPLE, 'text/plain');
    for (const path of [`/acme/people.${extension}`, `/acme/repositories/people.${extension}?subj=urn:a`]) {
      const response = await server.get(path, { Accept: 'text/csv' });
      expect([response.status, response.headers.get('Content-Type')?.split(';')[0]]).toEqual([200, type]);
      expect(await response.text()).toContain('urn:a');
    }
  });

  test('others are not there, and none can be written to', async () => {
    expect((await server.get('/acme/people.pdf')).status).toBe(404);
    for (const method of ['PUT', 'POST', 'DELETE']) {
      expect((await server.send(method, '/acme/people.nt')).status).toBe(405);
    }
  });
});
