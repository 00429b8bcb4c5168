import { afterEach, beforeEach, expect, test } from 'vitest';
import { query, type TestServer, testServer } from '../../testing/server.js';

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
});
afterEach(() => server.database.close());

const codeOf = async (response: Response): Promise<[number, string]> => [
  response.status,
  ((await response.json()) as { code: string }).code,
];
const update = (text: string): Promise<Response> =>
  server.send('POST', '/acme/people/sparql', {
    body: text,
    headers: { 'Content-Type': 'application/sparql-update' },
  });

test('SERVICE and LOAD that are not allowed are 403, unless they are silent', async () => {
  const service = 'SELECT * { SERVICE <http://192.0.2.1/sparql> { ?s ?p ?o } }';
  const get = (text: string): Promise<Response> => server.get(`/acme/people/sparql?${query({ query: text })}`);
  expect(await codeOf(await get(service))).toEqual([403, 'BLOCKED_ADDRESS']);
  const bound = 'SELECT * { BIND(<http://192.0.2.1/sparql> AS ?e) SERVICE ?e { ?s ?p ?o } }';
  expect(await codeOf(await get(bound))).toEqual([403, 'BLOCKED_ADDRESS']);
  const inserting = 'INSERT { ?s ?p ?o } WHERE { SERVICE <http://192.0.2.1/sparql> { ?s ?p ?o } }';
  expect(await codeOf(await update(inserting))).toEqual([403, 'BLOCKED_ADDRESS']);
  expect(await codeOf(await update('LOAD <http://192.0.2.1/doc>'))).toEqual([403, 'BLOCKED_ADDRESS']);
  expect((await get(service.replace('SERVICE', 'SERVICE SILENT'))).status).toBe(200);
  expect((await update('LOAD SILENT <http://192.0.2.1/doc>')).status).toBe(204);
});
