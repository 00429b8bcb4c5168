// What clients send that were made for other servers.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestServer, testServer } from '../testing/server.js';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
  await (
    await server.database.repository('acme/people')
  ).update('INSERT DATA { GRAPH <urn:g1> { <urn:a> <urn:p> 1 } }');
});
afterAll(() => server.database.close());

const JAVA = 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2';
const ASK = '/acme/people/sparql?query=ASK%7B%7D';
const typeOf = async (path: string, accept: string): Promise<[number, string | undefined]> => {
  const response = await server.get(path, { Accept: accept });
  await response.body?.cancel();
  return [response.status, response.headers.get('Content-Type')?.split(';')[0]];
};

test.each([
  [ASK, JAVA],
  ['/acme/people/service?graph=urn:g1', JAVA],
  ['/acme/people/statements', JAVA],
  ['/acme/people.ttl', JAVA],
  ['/acme/people/size', '*'],
  ['/acme/people/size', '*;q=0.5, nonsense'],
  ['/acme/people/service?graph=urn:g1', 'application/ld+json; profile="http://example.org/a,b", */*;q=0.1'],
  [ASK, 'application/sparql-results+json; x="a;b,c"'],
  [ASK, 'text/csv;q=1.5, */*'],
  ['/acme/people/revisions', `${JAVA}, x`],
])('GET %s with Accept: %s', async (path, accept) => {
  expect((await typeOf(path, accept))[0]).toBe(200);
});

test('application/xml gets results and graphs in XML', async () => {
  const select = '/acme/people/sparql?query=SELECT%20*%7B%3Fs%20%3Fp%20%3Fo%7D';
  const construct = '/acme/people/sparql?query=CONSTRUCT%20WHERE%7B%3Fs%20%3Fp%20%3Fo%7D';
  for (const accept of ['application/xml', 'text/xml', 'application/xml, text/html;q=0.5']) {
    for (const path of [ASK, select, '/acme/people/contexts'])
      expect(await typeOf(path, accept)).toEqual([200, 'application/sparql-results+xml']);
    for (const path of [construct, '/acme/people/service?graph=urn:g1', '/acme/people/statements']) {
      const body = await (await server.get(path, { Accept: accept })).text();
      expect(body, path).toContain('<rdf:RDF');
    }
  }
  expect((await typeOf(select, 'application/xml;q=0.1, text/csv'))[1]).toBe('text/csv');
});

test('empty graphs and times of Virtuoso', async () => {
  const more = ['&default-graph-uri=', '&named-graph-uri=', '&timeout=0', '&timeout=30000&debug=on', '&timeout='];
  const fuseki = '&default-graph-uri=&format=application%2Fsparql-results%2Bjson&timeout=0&debug=on';
  for (const query of [...more, fuseki]) expect([query, (await server.get(ASK + query)).status]).toEqual([query, 200]);
  const form = (body: string): Promise<Response> =>
    server.send('POST', '/acme/people/sparql', {
      body,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
  for (const query of [...more, fuseki]) expect((await form(`query=ASK{}${query}`)).status).toBe(200);
  expect((await server.get(`${ASK}&timeout=301`)).status).toBe(400);
  expect((await server.get(`${ASK}&timeout=1000000000`)).status).toBe(400);
  // An update without its graphs would be of all.
  expect((await form('update=CLEAR ALL&using-graph-uri=')).status).toBe(400);
});
