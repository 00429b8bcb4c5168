import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type TestServer, testServer } from '../../testing/server.js';

const UPDATE = 'INSERT DATA { <urn:a> <urn:p> 1 }';

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
});
afterEach(() => server.database.close());

const form = (...fields: readonly (readonly [string, string | File])[]): FormData => {
  const data = new FormData();
  for (const [name, value] of fields) data.append(name, value);
  return data;
};
const post = (path: string, body: FormData, method = 'POST'): Promise<Response> => server.send(method, path, { body });
const size = async (): Promise<string> => (await server.get('/acme/people/size')).text();

describe('/sparql', () => {
  test('takes updates and queries as multipart forms, also as files', async () => {
    expect((await post('/acme/people/sparql', form(['update', UPDATE]))).status).toBe(204);
    const file = new File(['INSERT DATA { <urn:b> <urn:p> 2 }'], 'a.ru', { type: 'application/sparql-update' });
    expect((await post('/acme/people/sparql', form(['update', file]))).status).toBe(204);
    expect(await size()).toBe('2');
    const asked = form(['query', 'SELECT ?o { ?s <urn:p> ?o } ORDER BY ?o'], ['limit', '1'], ['$s', '<urn:b>']);
    const response = await post('/acme/people/sparql?format=csv', asked);
    expect([response.status, (await response.text()).trim().split(/\r?\n/)]).toEqual([200, ['o', '2']]);
  });

  test('refuses what a form of the other kind is refused for', async () => {
    expect((await post('/acme/people/sparql', form(['update', UPDATE], ['query', 'ASK {}']))).status).toBe(400);
    expect((await post('/acme/people/sparql', form(['update', UPDATE], ['update', UPDATE]))).status).toBe(400);
    expect((await post('/acme/people/sparql', form(['other', UPDATE]))).status).toBe(400);
    expect((await post('/acme/people/sparql', form(['query', '#'.repeat(1024 ** 2 + 1)]))).status).toBe(413);
    const broken = await server.send('POST', '/acme/people/sparql', {
      body: '--x\r\nContent-Disposition: form-data; name="update"\r\n\r\nCLEAR ALL',
      headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
    });
    expect(broken.status).toBe(400);
    expect(await size()).toBe('0');
  });
});

describe('/statements', () => {
  test('takes an update as a field or as a file', async () => {
    expect((await post('/acme/people/statements', form(['update', UPDATE], ['timeout', '5']))).status).toBe(204);
    const file = new File(['DELETE DATA { <urn:a> <urn:p> 1 }'], 'a.ru', { type: 'application/sparql-update' });
    expect((await post('/acme/people/statements', form(['file', file]))).status).toBe(204);
    expect(await size()).toBe('0');
    expect(await (await server.get('/acme/people/revisions')).json()).toHaveLength(3);
  });

  test('refuses it with PUT, with a file, with an address, twice and beyond its limit', async () => {
    const data = new File(['<urn:a> <urn:p> 2 .'], 'a.ttl', { type: 'text/turtle' });
    expect((await post('/acme/people/statements', form(['update', UPDATE]), 'PUT')).status).toBe(400);
    expect((await post('/acme/people/statements', form(['update', UPDATE], ['file', data]))).status).toBe(400);
    const url = form(['update', UPDATE], ['url', 'http://example.org/']);
    expect((await post('/acme/people/statements', url)).status).toBe(400);
    expect((await post('/acme/people/statements', form(['update', UPDATE], ['update', UPDATE]))).status).toBe(400);
    expect((await post('/acme/people/statements', form(['update', ' '.repeat(16 * 1024 ** 2 + 1)]))).status).toBe(413);
    expect(await size()).toBe('0');
  });
});
