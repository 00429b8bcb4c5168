import { DEFAULT_SERVICE_LIMITS } from '@quadrille/service';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { describedPath } from './openapi-document.js';
import { DESCRIPTIONS } from '../routes/descriptions.js';
import { routes } from '../routes/index.js';
import type { Service } from '../service.js';
import { BASE, type TestServer, testServer } from '../testing/server.js';

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
});
afterEach(() => server.database.close());

const methodsByPath = (table: Iterable<readonly [string, object]>): Record<string, string[]> =>
  Object.fromEntries([...table].map(([path, methods]) => [path, Object.keys(methods).toSorted()]));

test('every route and method is described, and nothing else', () => {
  const hosted = { limits: DEFAULT_SERVICE_LIMITS } as Service['hosted'];
  const table = routes({ database: server.database, hosted } as Service).map(
    ({ path, handlers }) => [describedPath(path), handlers] as const,
  );
  expect(methodsByPath(Object.entries(DESCRIPTIONS))).toEqual(methodsByPath(table));
});

test('the document names every path, with parameters, media types and rights', async () => {
  const response = await server.get('/openapi.json');
  expect(response.headers.get('Content-Type')).toContain('application/json');
  const document = (await response.json()) as {
    openapi: string;
    servers: { url: string }[];
    paths: Record<string, Record<string, Record<string, unknown>>>;
    components: { parameters: Record<string, unknown> };
  };
  expect([document.openapi, document.servers[0]?.url]).toEqual(['3.1.0', BASE]);
  const statements = document.paths['/{account}/{repository}/statements'];
  expect(statements?.['get']).toMatchObject({
    summary: 'Read statements',
    responses: { 200: { content: { 'text/turtle': {} } }, default: { $ref: '#/components/responses/Error' } },
    security: [{}, { token: [] }, { bearer: [] }],
  });
  expect(statements?.['post']).toMatchObject({
    requestBody: { content: { 'text/turtle': {} } },
    responses: { 204: {} },
  });
  expect(document.paths['/{account}/{repository}/refs/{name}']?.['put']).toMatchObject({
    parameters: [{ name: 'account', in: 'path', required: true }, { name: 'repository' }, { name: 'name' }, {}],
  });
  const references = JSON.stringify(document).matchAll(/"#\/components\/parameters\/([^"]+)"/g);
  for (const [, name] of references) expect(Object.keys(document.components.parameters)).toContain(name);
});
