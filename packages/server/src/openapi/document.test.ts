import { DEFAULT_SERVICE_LIMITS } from '../host/index.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createHandler } from '../handler.js';
import { agents } from '../mcp/index.js';
import { RESOURCES, routes } from '../resources/index.js';
import type { Service } from '../service.js';
import { BASE, type TestServer, testServer } from '../testing/server.js';

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
});
afterEach(() => server.database.close());

const methodsByPath = (table: Iterable<readonly [string, object]>): Record<string, string[]> =>
  Object.fromEntries([...table].map(([path, methods]) => [path, Object.keys(methods).toSorted()]));

test('each resource has handlers for the methods of its record, and for no others', () => {
  const hosted = { limits: DEFAULT_SERVICE_LIMITS } as Service['hosted'];
  const service = { agents: agents({ tools: [] }), database: server.database, hosted, directGraphs: true } as Service;
  const table = routes(service).map(({ path, handlers }) => [path, handlers] as const);
  expect(methodsByPath(RESOURCES.map(({ path, methods }) => [path, methods]))).toEqual(methodsByPath(table));
});

interface Documented {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name?: string; readonly schema?: { readonly pattern?: string } }[];
}

const documentOf = async (path = '/openapi.json'): Promise<Documented> =>
  (await (await server.get(path)).json()) as Documented;

test('every operation has an id of its own', async () => {
  const { paths } = await documentOf();
  const ids = Object.values(paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every((id) => /^(?:get|put|post|patch|delete)[A-Z]\w*$/.test(id))).toBe(true);
  expect(paths['/{account}/{repository}/refs/{name}']?.['put']?.operationId).toBe('putRepositoryRefsName');
});

test('no path is that of two resources: names of accounts and repositories leave the words of paths out', async () => {
  const { paths } = await documentOf();
  const pattern = new RegExp(
    paths['/{account}/{repository}']!['get']!.parameters!.find(({ name }) => name === 'account')!.schema!.pattern!,
  );
  expect(['acme', 'my_data-1', 'systems'].every((name) => pattern.test(name))).toBe(true);
  expect(['', 'Acme', 'a.b', '-a', 'x'.repeat(101)].some((name) => pattern.test(name))).toBe(false);
  for (const path of Object.keys(paths)) {
    const [, first = '', second = ''] = path.split('/');
    if (!first.startsWith('{')) expect([path, pattern.test(first.replace(/\..*/, ''))]).toEqual([path, false]);
    else if (second !== '' && !second.startsWith('{')) expect([path, pattern.test(second)]).toEqual([path, false]);
  }
});

test('RPC is told where it is served', async () => {
  expect((await documentOf()).paths).not.toHaveProperty('/rpc');
  const handler = createHandler({ database: server.database, open: true, rpc: true });
  const { paths } = (await (await handler(new Request(`${BASE}/openapi.json`))).json()) as Documented;
  expect(paths['/rpc']?.['post']?.operationId).toBe('postRpc');
  expect(paths['/rpc/2012-06-01']).toHaveProperty('post');
});

test('the document names every path, with parameters, media types and rights', async () => {
  const response = await server.get('/openapi.json');
  expect(response.headers.get('Content-Type')).toContain('application/json');
  const document = (await response.json()) as {
    openapi: string;
    servers: { url: string }[];
    paths: Record<string, Record<string, Record<string, unknown>>>;
    components: Record<string, Record<string, unknown>>;
  };
  expect([document.openapi, document.servers[0]?.url]).toEqual(['3.1.0', BASE]);
  const statements = document.paths['/{account}/{repository}/statements'];
  expect(statements?.['get']).toMatchObject({
    summary: 'Read statements, or what has changed from one revision to another',
    responses: {
      200: { content: { 'text/turtle': {}, 'application/rdf-patch': {} } },
      404: { $ref: '#/components/responses/Error404' },
    },
    security: [{}, { token: [] }, { bearer: [] }],
  });
  expect(statements?.['post']).toMatchObject({
    requestBody: { content: { 'text/turtle': {} } },
    responses: { 204: {} },
  });
  expect(document.paths['/{account}/{repository}/refs/{name}']?.['put']).toMatchObject({
    parameters: [{ name: 'account', in: 'path', required: true }, { name: 'repository' }, { name: 'name' }, {}, {}, {}],
  });
  for (const path of ['/{account}/{repository}', '/{account}/{repository}/export/{extension}'])
    expect(document.paths[path]?.['get']).toMatchObject({
      responses: { 200: { content: { 'application/rdf-patch': {} } } },
    });
  const references = JSON.stringify(document).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g);
  for (const [, kind, name] of references) expect(Object.keys(document.components[kind!]!)).toContain(name);
});
