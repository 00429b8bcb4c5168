import { open } from 'quadrille';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createHandler } from '../../index.js';
import { openService } from '../../host/index.js';
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

test('no request reads a file of the server, whatever hosts it may reach', async () => {
  const federation = { service: ['*'], load: true, mode: 'all' } as const;
  const database = await open(':memory:', { federation });
  await database.repository('acme/people', { create: true });
  const handler = createHandler({ service: await openService(database, { open: true }) });
  const ask = (headers: Record<string, string>, body: string): Promise<Response> =>
    handler(new Request('http://localhost:1/acme/people/sparql', { method: 'POST', headers, body }));
  const asking = { 'Content-Type': 'application/sparql-query' };
  const file = import.meta.url;
  for (const address of [file, file.replace('file://', 'file:'), 'file:people.csv']) {
    const service = await ask(asking, `SELECT * { SERVICE <${address}> { ?s ?p ?o } }`);
    expect(await service.text()).toMatch(/only http and https can be fetched/);
    const load = await ask({ 'Content-Type': 'application/sparql-update' }, `LOAD <${address}>`);
    expect(await load.text()).toMatch(/only http and https can be fetched/);
    // The name of a graph, which is not there.
    const from = await ask(asking, `SELECT (COUNT(*) AS ?n) FROM <${address}> { ?s ?p ?o }`);
    expect(await from.text()).toContain('"value": "0"');
  }
  await database.close();
});
