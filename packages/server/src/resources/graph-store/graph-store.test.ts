import { openService } from '../../host/index.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHandler, type Handler } from '../../handler.js';
import { BASE, sortedLines, type TestServer, testServer, TURTLE } from '../../testing/server.js';

const SERVICE = '/acme/people/service';
const NT = { 'Content-Type': 'application/n-triples' };
const NQ = { 'Content-Type': 'application/n-quads' };

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
});
afterEach(() => server.database.close());

const send = (method: string, path: string, body?: string, headers: Record<string, string> = TURTLE) =>
  server.send(method, path, body === undefined ? { headers } : { body, headers });
const status = async (...parameters: Parameters<typeof send>): Promise<number> => (await send(...parameters)).status;
const quads = async (path = '/acme/people/statements'): Promise<string[]> =>
  sortedLines(await (await server.get(path, { Accept: 'application/n-quads' })).text());
const text = async (path: string, accept = 'application/n-triples'): Promise<string> =>
  (await server.get(path, { Accept: accept })).text();

describe('which graph', () => {
  const inGraph = ['<urn:a> <urn:p> "1" <urn:g> .'];
  const inDefault = ['<urn:a> <urn:p> "1" .'];
  test.each([
    ['?graph=urn:g', inGraph],
    ['?graph=urn%3Ag', inGraph],
    ['?graph=%3Curn:g%3E', inGraph],
    ['?graph=<urn:g>', inGraph],
    ['?default', inDefault],
    ['?default=', inDefault],
    ['?graph=default', inDefault],
    ['?graph=urn:dydra:default', inDefault],
    ['?graph=urn:quadrille:default&default', inDefault],
    ['?graph=http://e/a+b', ['<urn:a> <urn:p> "1" <http://e/a+b> .']],
  ])('%s', async (parameters, expected) => {
    expect(await status('PUT', SERVICE + parameters, '<urn:a> <urn:p> "1" .')).toBe(expected === inDefault ? 204 : 201);
    expect(await quads()).toEqual(expected);
    expect(await text(SERVICE + parameters)).toBe('<urn:a> <urn:p> "1" .\n');
  });

  test.each([
    '?graph=relative',
    '?graph=urn:a&graph=urn:b',
    '?graph=urn:a&default',
    '?graph=urn:dydra:named',
    '?graph=%22x%22',
  ])('%s is refused', async (parameters) => {
    for (const method of ['GET', 'PUT', 'POST', 'DELETE', 'PATCH']) {
      expect(await status(method, SERVICE + parameters, method === 'GET' ? undefined : '')).toBe(400);
    }
  });

  test.each([
    '/acme/people/rdf-graphs/service',
    '/acme/repositories/people/rdf-graphs/service',
    '/repositories/acme/people/service/',
  ])('%s is the same resource', async (path) => {
    expect(await status('PUT', `${path}?graph=urn:g`, '<urn:a> <urn:p> "1" .')).toBe(201);
    expect(await text(`${SERVICE}?graph=urn:g`)).toBe('<urn:a> <urn:p> "1" .\n');
  });

  test.each([
    '/acme/people/graphs/some/path',
    '/acme/repositories/people/rdf-graphs/name',
    '/acme/people/graphs/caf%C3%A9',
  ])('%s names itself', async (path) => {
    const created = await send('PUT', path, '<urn:a> <urn:p> <rel> .');
    expect([created.status, created.headers.get('Location')]).toEqual([201, BASE + path]);
    expect(await quads()).toEqual([`<urn:a> <urn:p> <${new URL('rel', BASE + path).href}> <${BASE + path}> .`]);
    expect(await status('HEAD', path)).toBe(200);
    expect(await status('DELETE', path)).toBe(204);
    expect(await status('GET', path)).toBe(404);
  });

  test('a direct graph has the name that the world knows the server by', async () => {
    const handler = createHandler({ database: server.database, open: true, publicBase: 'https://data.example.org/' });
    const path = '/acme/people/graphs/g';
    const init = { method: 'PUT', body: '<urn:a> <urn:p> "1" .', headers: TURTLE };
    const created = await handler(new Request(BASE + path, init));
    expect(created.headers.get('Location')).toBe(`https://data.example.org${path}`);
    expect(await quads()).toEqual([`<urn:a> <urn:p> "1" <https://data.example.org${path}> .`]);
  });
});

test('any path is a graph only with the switch for it', async () => {
  const path = '/acme/people/any/thing';
  expect(await status('PUT', path, '<urn:a> <urn:p> "1" .')).toBe(404);
  const handler = createHandler({ database: server.database, open: true, directGraphs: true });
  const put = (to: string): Promise<Response> =>
    handler(new Request(BASE + to, { method: 'PUT', body: '<urn:a> <urn:p> "1" .', headers: TURTLE }));
  expect((await put(path)).status).toBe(201);
  expect((await put('/acme/people/size')).status).toBe(405);
  expect(await quads()).toEqual([`<urn:a> <urn:p> "1" <${BASE}${path}> .`]);
});

describe('documents that are imported', () => {
  const hosted = async (): Promise<Handler> => {
    const service = await openService(server.database, {
      open: true,
      fetch: async ({ url }) => ({
        status: 200,
        headers: { 'content-type': 'text/turtle' },
        url,
        body: (async function* () {
          yield new TextEncoder().encode('<> <urn:p> "fetched" .');
        })(),
        close: () => undefined,
      }),
    });
    return createHandler({ service });
  };

  test('from the address in the header Location, where there is no body', async () => {
    const handler = await hosted();
    const headers = { Location: 'http://data.example.org/doc' };
    const path = `${BASE}${SERVICE}?graph=urn:g`;
    expect((await handler(new Request(path, { method: 'PUT', headers }))).status).toBe(201);
    expect(await quads()).toEqual(['<http://data.example.org/doc> <urn:p> "fetched" <urn:g> .']);
    expect((await handler(new Request(path, { method: 'PUT', headers: { Location: 'nonsense' } }))).status).toBe(400);
  });

  test('are jobs, also those that nobody waits for', async () => {
    const handler = await hosted();
    const path = `${BASE}${SERVICE}?graph=urn:g`;
    const headers = { ...TURTLE, 'Accept-Asynchronous': 'notify' };
    const accepted = await handler(new Request(path, { method: 'PUT', body: '<urn:a> <urn:p> "1" .', headers }));
    expect(accepted.status).toBe(202);
    const location = accepted.headers.get('Location') ?? '';
    let job: { working?: boolean; status?: string } = { working: true };
    while (job.working === true) {
      // Nothing but promises lies between a request and its answer: without a rest the job would never have its turn.
      await new Promise((resolve) => setTimeout(resolve, 5));
      job = (await (await handler(new Request(location))).json()) as typeof job;
    }
    expect(job.status).toBe('completed');
    expect(await text(`${SERVICE}?graph=urn:g`)).toBe('<urn:a> <urn:p> "1" .\n');
  });
});

describe('the life of a graph', () => {
  const graph = `${SERVICE}?graph=urn:g`;

  test('PUT makes and replaces, POST adds, DELETE removes', async () => {
    const created = await send('PUT', graph, '<urn:a> <urn:p> 1, 2 .');
    expect(created.status).toBe(201);
    expect(created.headers.get('Location')).toBe(`${BASE}${SERVICE}?graph=urn%3Ag`);
    expect(created.headers.get('ETag')).toMatch(/^"[0-9a-f-]{36}"$/);
    expect(await status('PUT', graph, '<urn:a> <urn:p> "x" .')).toBe(204);
    expect(await status('POST', graph, '<urn:a> <urn:p> "y" .')).toBe(204);
    expect(sortedLines(await text(graph))).toEqual(['<urn:a> <urn:p> "x" .', '<urn:a> <urn:p> "y" .']);
    expect(await status('DELETE', graph)).toBe(204);
    expect(await status('POST', graph, '<urn:a> <urn:p> "y" .')).toBe(201);
  });

  test('what is not there, and Silent', async () => {
    for (const method of ['GET', 'HEAD', 'DELETE']) {
      expect(await status(method, graph)).toBe(404);
      expect(await status(method, graph, undefined, { Silent: 'true' })).toBe(method === 'DELETE' ? 204 : 200);
      expect(await status(method, `${SERVICE}?default`)).toBe(method === 'DELETE' ? 204 : 200);
      expect(await status(method, SERVICE)).toBe(method === 'DELETE' ? 204 : 200);
    }
    expect(await (await server.get(`${SERVICE}?default`, { Accept: 'application/n-triples' })).text()).toBe('');
  });

  test('the whole dataset', async () => {
    const body = '<urn:a> <urn:p> "1" .\n<urn:a> <urn:p> "1" <urn:g> .\n<urn:b> <urn:p> "2" <urn:h> .\n';
    expect(await status('PUT', SERVICE, body, NQ)).toBe(204);
    expect(await quads(SERVICE)).toEqual(body.trimEnd().split('\n'));
    expect(sortedLines(await text(SERVICE))).toEqual(['<urn:a> <urn:p> "1" .', '<urn:b> <urn:p> "2" .']);
    expect(await status('POST', SERVICE, '<urn:c> <urn:p> "3" <urn:h> .', NQ)).toBe(204);
    expect(await quads()).toHaveLength(4);
    expect(await status('PUT', SERVICE, '<urn:c> <urn:p> "3" .', NQ)).toBe(204);
    expect(await quads()).toEqual(['<urn:c> <urn:p> "3" .']);
    expect(await status('DELETE', SERVICE)).toBe(204);
    expect(await quads()).toEqual([]);
  });

  test('triples that are added without a graph get a new one', async () => {
    const created = await send('POST', SERVICE, '<urn:a> <urn:p> "1" .');
    const location = created.headers.get('Location') ?? '';
    expect(created.status).toBe(201);
    expect(location).toMatch(/\/acme\/people\/service\?graph=urn%3Auuid%3A[0-9a-f-]{36}$/);
    expect(await text(location.slice(BASE.length))).toBe('<urn:a> <urn:p> "1" .\n');
    expect(await text(`${SERVICE}?graph=${encodeURIComponent(location)}`)).toBe('<urn:a> <urn:p> "1" .\n');
    expect((await quads())[0]).toMatch(/^<urn:a> <urn:p> "1" <urn:uuid:[0-9a-f-]{36}> \.$/);
  });

  test('graph names of a body give way to the graph of the request', async () => {
    expect(await status('PUT', graph, '<urn:a> <urn:p> "1" <urn:other> .', NQ)).toBe(201);
    expect(await quads()).toEqual(['<urn:a> <urn:p> "1" <urn:g> .']);
  });

  test('earlier revisions are read, never written', async () => {
    await send('PUT', graph, '<urn:a> <urn:p> "1" .');
    await send('PUT', graph, '<urn:a> <urn:p> "2" .');
    expect(await text(`${graph}&revision-id=HEAD~1`)).toBe('<urn:a> <urn:p> "1" .\n');
    expect(await status('GET', `${graph}&revision-id=HEAD~2`)).toBe(404);
    for (const method of ['PUT', 'POST', 'DELETE', 'PATCH']) {
      expect(await status(method, `${graph}&revision-id=HEAD`, '<urn:a> <urn:p> "3" .')).toBe(400);
    }
    expect(await text(graph)).toBe('<urn:a> <urn:p> "2" .\n');
  });

  test('conditions', async () => {
    const init = { ...TURTLE, 'If-None-Match': '*' };
    const created = await send('PUT', graph, '<urn:a> <urn:p> "1" .', init);
    expect(created.status).toBe(201);
    expect(await status('PUT', graph, '<urn:a> <urn:p> "2" .', init)).toBe(412);
    const tag = created.headers.get('ETag') ?? '';
    expect(await status('PUT', graph, '<urn:a> <urn:p> "2" .', { ...TURTLE, 'If-Match': tag })).toBe(204);
    expect(await status('PUT', graph, '<urn:a> <urn:p> "3" .', { ...TURTLE, 'If-Match': tag })).toBe(412);
    const read = await server.get(graph);
    expect(await status('GET', graph, undefined, { 'If-None-Match': read.headers.get('ETag') ?? '' })).toBe(304);
  });

  test('what cannot be read changes nothing', async () => {
    await send('PUT', graph, '<urn:a> <urn:p> "1" .');
    for (const method of ['PUT', 'POST', 'PATCH']) {
      expect(await status(method, graph, '<urn:a> <urn:p> "2" . nonsense')).toBe(400);
      expect(await status(method, graph, 'a=b', { 'Content-Type': 'application/x-www-form-urlencoded' })).toBe(415);
      expect(await status(method, graph, 'x', { 'Content-Type': 'image/png' })).toBe(415);
    }
    expect(await text(graph)).toBe('<urn:a> <urn:p> "1" .\n');
    expect(await status('PUT', '/acme/nobody/service?graph=urn:g', '<urn:a> <urn:p> "2" .')).toBe(404);
    expect(await status('GET', '/acme/people/nothing')).toBe(404);
  });
});

describe('formats', () => {
  beforeEach(async () => {
    await send('PUT', `${SERVICE}?graph=urn:g`, '<urn:a> <urn:p> "1" .');
  });

  test.each([
    [undefined, 200, 'text/turtle; charset=utf-8'],
    ['*/*', 200, 'text/turtle; charset=utf-8'],
    ['text/*', 200, 'text/turtle; charset=utf-8'],
    ['application/n-triples', 200, 'application/n-triples'],
    ['application/n-quads', 200, 'application/n-quads'],
    ['text/plain, application/n-triples;q=0.5', 200, 'application/n-triples'],
    ['text/turtle; charset=utf-8', 200, 'text/turtle; charset=utf-8'],
    ['text/plain', 406, undefined],
    ['image/png', 406, undefined],
    ['application/ntriples', 400, undefined],
    ['json', 400, undefined],
  ])('Accept %s: %i %s', async (accept, expected, type) => {
    const response = await server.get(`${SERVICE}?graph=urn:g`, accept === undefined ? {} : { Accept: accept });
    expect(response.status).toBe(expected);
    if (type !== undefined) expect(response.headers.get('Content-Type')).toBe(type);
  });

  test('formats of quads keep the name of a graph; other formats have its triples', async () => {
    const quad = '<urn:a> <urn:p> "1" <urn:g> .\n';
    expect(await text(`${SERVICE}?graph=urn:g`, 'application/n-quads')).toBe(quad);
    expect(await text(`${SERVICE}?graph=urn:g`, 'application/trig')).toMatch(/<urn:g>\s*\{\s*<urn:a> <urn:p> "1"/);
    expect(await text(`${SERVICE}?graph=urn:g`, 'application/trix')).toContain('<uri>urn:g</uri>');
    expect(await text(`${SERVICE}?graph=urn:g`, 'application/ld+json')).not.toContain('urn:g');
    expect(await text(`${SERVICE}?graph=urn:g`, 'application/n-triples')).toBe('<urn:a> <urn:p> "1" .\n');
    expect(await text(`${SERVICE}?default`, 'application/n-quads')).not.toContain('urn:g');
    // It can be sent back as it is, also to another graph.
    const put = await server.send('PUT', `${SERVICE}?graph=urn:copy`, { body: quad, headers: NQ });
    expect(put.status).toBe(201);
    expect(await text(`${SERVICE}?graph=urn:copy`, 'application/n-quads')).toBe('<urn:a> <urn:p> "1" <urn:copy> .\n');
    await server.send('DELETE', `${SERVICE}?graph=urn:copy`);
    expect(await text(SERVICE, 'application/n-quads')).toBe('<urn:a> <urn:p> "1" <urn:g> .\n');
  });
});

describe('PATCH', () => {
  beforeEach(async () => {
    const body =
      '<urn:a> <urn:p> "1" <urn:g> .\n<urn:b> <urn:p> "2" <urn:g> .\n<urn:c> <urn:p> "3" <urn:h> .\n<urn:a> <urn:p> "0" .\n';
    await send('PUT', SERVICE, body, NQ);
  });

  test('quads replace the graphs that they are in', async () => {
    expect(await status('PATCH', SERVICE, '<urn:x> <urn:p> "9" <urn:g> .', NQ)).toBe(204);
    expect(await quads()).toEqual([
      '<urn:a> <urn:p> "0" .',
      '<urn:c> <urn:p> "3" <urn:h> .',
      '<urn:x> <urn:p> "9" <urn:g> .',
    ]);
  });

  test('triples replace what is said of their subjects', async () => {
    expect(await status('PATCH', `${SERVICE}?graph=urn:g`, '<urn:a> <urn:q> "9" .', NT)).toBe(204);
    expect(await status('PATCH', SERVICE, '<urn:a> <urn:q> "8" .', NT)).toBe(204);
    expect(await quads()).toEqual([
      '<urn:a> <urn:q> "8" .',
      '<urn:a> <urn:q> "9" <urn:g> .',
      '<urn:b> <urn:p> "2" <urn:g> .',
      '<urn:c> <urn:p> "3" <urn:h> .',
    ]);
    expect(await status('PATCH', SERVICE, '<urn:a> <urn:q> "8" <urn:g> .', NT)).toBe(400);
  });

  test('an update', async () => {
    const type = { 'Content-Type': 'application/sparql-update' };
    expect(await status('PATCH', SERVICE, 'DROP GRAPH <urn:g>', type)).toBe(204);
    expect(await quads()).toHaveLength(2);
    expect(await status('PATCH', `${SERVICE}?graph=urn:h`, 'CLEAR ALL', type)).toBe(400);
  });

  test('several steps as one revision', async () => {
    const repository = await server.database.repository('acme/people');
    const before = (await repository.revision()).number;
    const part = (headers: string, body: string): string => `--XX\r\n${headers}\r\n\r\n${body}\r\n`;
    const body =
      part('Content-Type: text/turtle\r\nContent-Location: urn:g', '<urn:n> <urn:p> "4" .') +
      part(
        'Content-Type: text/turtle\r\nContent-Location: urn:h\r\nX-HTTP-Method-Override: PUT',
        '<urn:n> <urn:p> "5" .',
      ) +
      part('Content-Type: application/n-quads\r\nX-HTTP-Method-Override: DELETE', '<urn:b> <urn:p> "2" <urn:g> .') +
      part('Content-Type: application/n-triples\r\nX-HTTP-Method-Override: PATCH', '<urn:a> <urn:q> "7" .') +
      part('Content-Type: application/sparql-update', 'INSERT DATA { <urn:u> <urn:p> "6" }') +
      '--XX--\r\n';
    const type = { 'Content-Type': 'multipart/related; boundary=XX' };
    expect(await status('PATCH', SERVICE, body, type)).toBe(204);
    expect(await quads()).toEqual([
      '<urn:a> <urn:p> "1" <urn:g> .',
      '<urn:a> <urn:q> "7" .',
      '<urn:n> <urn:p> "4" <urn:g> .',
      '<urn:n> <urn:p> "5" <urn:h> .',
      '<urn:u> <urn:p> "6" .',
    ]);
    expect((await repository.revision()).number).toBe(before + 1);
    const drop = `${part('Content-Location: urn:g\r\nX-HTTP-Method-Override: DELETE', '')}--XX--\r\n`;
    expect(await status('PATCH', SERVICE, drop, type)).toBe(204);
    expect(await quads()).toHaveLength(3);
    const bad = `${part('Content-Type: text/turtle', '<urn:n> <urn:p> "4" .')}${part('Content-Type: text/turtle', 'x')}--XX--`;
    expect(await status('PATCH', SERVICE, bad, type)).toBe(400);
    expect(await quads()).toHaveLength(3);
  });
});

test('If-Match: * wants the resource, and If-None-Match: * wants none', async () => {
  const sent = (method: string, path: string, headers: Record<string, string>, body?: string): Promise<Response> =>
    server.send(method, path, { headers, ...(body !== undefined && { body }) });
  const any = { 'If-Match': '*' };
  const none = { 'If-None-Match': '*' };
  const turtle = { 'Content-Type': 'text/turtle' };
  const query = { 'Content-Type': 'application/sparql-query' };
  const R = '/acme/people';
  for (const [path, type, body] of [
    [`${R}/service?graph=urn:new`, turtle, '<urn:x> <urn:p> 1 .'],
    [`${R}/rdf-graphs/new`, turtle, '<urn:x> <urn:p> 1 .'],
    [`${R}/namespaces/new`, {}, 'urn:new:'],
    [`${R}/views/new`, query, 'ASK {}'],
    [`${R}/refs/new`, {}, 'HEAD'],
  ] as const) {
    expect([path, (await sent('PUT', path, { ...type, ...any }, body)).status]).toEqual([path, 412]);
    expect([path, (await sent('PUT', path, { ...type, ...none }, body)).status < 300]).toEqual([path, true]);
    expect([path, (await sent('PUT', path, { ...type, ...none }, body)).status]).toEqual([path, 412]);
    expect([path, (await sent('PUT', path, { ...type, ...any }, body)).status < 300]).toEqual([path, true]);
  }
  expect(
    (await sent('POST', `${R}/service?graph=urn:other`, { ...turtle, ...any }, '<urn:x> <urn:p> 1 .')).status,
  ).toBe(412);
  expect((await sent('DELETE', `${R}/service?graph=urn:other`, any)).status).toBe(412);
});

describe('multipart bodies', () => {
  const form = (): FormData => {
    const data = new FormData();
    data.append('file', new Blob(['<urn:a> <urn:p> _:b .'], { type: 'text/turtle' }), 'one.ttl');
    data.append('other', new Blob(['<urn:a> <urn:p> _:b .']), 'two.nt');
    return data;
  };

  test('all files go to the graph, blank nodes apart', async () => {
    const path = `${SERVICE}?graph=urn:g`;
    expect((await server.send('POST', path, { body: form() })).status).toBe(201);
    expect(sortedLines(await text(path))).toHaveLength(2);
    expect((await server.send('PUT', path, { body: form() })).status).toBe(204);
    expect(sortedLines(await text(path))).toHaveLength(2);
  });

  test('with a field that is no file, and could be meant as the graph', async () => {
    for (const method of ['PUT', 'POST']) {
      const body = form();
      body.append('graph', 'urn:g');
      const refused = await server.send(method, SERVICE, { body });
      expect([refused.status, await refused.json()]).toMatchObject([400, { code: 'INVALID_PARAMETER' }]);
    }
    expect(await quads()).toEqual([]);
  });

  test('without a file, or with one of which the type cannot be told', async () => {
    const nothing = new FormData();
    nothing.append('note', 'is no file');
    expect((await server.send('POST', `${SERVICE}?default`, { body: nothing })).status).toBe(400);
    const unknown = new FormData();
    unknown.append('file', new Blob(['x']), 'data.bin');
    expect((await server.send('POST', `${SERVICE}?default`, { body: unknown })).status).toBe(415);
  });
});
