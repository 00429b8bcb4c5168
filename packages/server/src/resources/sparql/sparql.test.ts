import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { query, sortedLines, type TestServer, testServer, TURTLE } from '../../testing/server.js';

const SPARQL = '/acme/people/sparql';
const SELECT = 'SELECT ?o { <urn:a> <urn:p> ?o }';
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
  await server.send('POST', '/acme/people/statements', { body: '<urn:a> <urn:p> "1" .', headers: TURTLE });
});
afterEach(() => server.database.close());

const ask = (parameters: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> =>
  server.get(`${SPARQL}?${query(parameters)}`, headers);
const post = (body: string, headers: Record<string, string> = FORM, parameters = ''): Promise<Response> =>
  server.send('POST', SPARQL + parameters, { body, headers });
const size = async (): Promise<number> => Number(await (await server.get('/acme/people/size')).text());

describe('queries', () => {
  test('GET, form and body give SPARQL JSON by default', async () => {
    const answers = [
      await ask({ query: SELECT }),
      await post(query({ query: SELECT })),
      await post(SELECT, { 'Content-Type': 'application/sparql-query; charset=utf-8' }),
    ];
    for (const response of answers) {
      expect(response.status).toBe(200);
      expect(response.headers.get('Content-Type')).toBe('application/sparql-results+json; charset=utf-8');
      expect(await response.json()).toMatchObject({
        head: { vars: ['o'] },
        results: { bindings: [{ o: { type: 'literal', value: '1' } }] },
      });
    }
  });

  test.each([
    ['application/sparql-results+xml', /<sparql[^>]*>[^]*<literal>1<\/literal>/],
    ['text/csv', /^o\r?\n"?1"?\r?\n$/],
    ['application/json', /^\[\s*\{\s*"o":\s*"1"\s*\}\s*\]\s*$/],
    ['text/tab-separated-values', /^\?o\r?\n"1"\r?\n$/],
  ])('SELECT as %s', async (accept, expected) => {
    const response = await ask({ query: SELECT }, { Accept: accept });
    expect(response.headers.get('Content-Type')).toMatch(accept);
    expect(await response.text()).toMatch(expected);
  });

  test('ASK', async () => {
    expect(await (await ask({ query: 'ASK { ?s ?p ?o }' })).json()).toMatchObject({ boolean: true });
    expect(await (await ask({ query: 'ASK { ?s ?p 7 }' }, { Accept: 'text/boolean' })).text()).toMatch(/^false\r?\n?$/);
  });

  test('CONSTRUCT and DESCRIBE answer RDF', async () => {
    const construct = 'CONSTRUCT { ?s <urn:q> ?o } WHERE { ?s <urn:p> ?o }';
    const nt = await ask({ query: construct });
    expect(nt.headers.get('Content-Type')).toBe('application/n-triples');
    expect(await nt.text()).toBe('<urn:a> <urn:q> "1" .\n');
    const turtle = await ask({ query: construct }, { Accept: 'text/turtle' });
    expect(turtle.headers.get('Content-Type')).toBe('text/turtle; charset=utf-8');
    expect(await (await ask({ query: 'DESCRIBE <urn:a>' })).text()).toContain('<urn:a> <urn:p> "1" .');
    const rows = await ask({ query: construct }, { Accept: 'application/sparql-results+json' });
    expect(await rows.json()).toMatchObject({
      head: { vars: ['s', 'p', 'o'] },
      results: { bindings: [{ s: { type: 'uri', value: 'urn:a' }, p: { value: 'urn:q' }, o: { value: '1' } }] },
    });
    expect((await ask({ query: construct }, { Accept: 'image/png' })).status).toBe(406);
    expect((await ask({ query: SELECT }, { Accept: 'text/turtle' })).status).toBe(406);
  });

  test('namespaces of the repository need no PREFIX', async () => {
    const repository = await server.database.repository('acme/people');
    await repository.namespaces.set('u', 'urn:');
    expect(await (await ask({ query: 'ASK { u:a u:p ?o }' })).json()).toMatchObject({ boolean: true });
  });

  test('the paths of repositories are the same resource', async () => {
    for (const path of ['/acme/repositories/people/sparql', '/repositories/acme/people/sparql', `${SPARQL}/`]) {
      expect((await server.get(`${path}?${query({ query: SELECT })}`)).status).toBe(200);
    }
  });

  test('errors', async () => {
    const syntax = await ask({ query: 'SELECT * {\n?s ?p' });
    expect([syntax.status, syntax.headers.get('Content-Type')]).toEqual([400, 'application/json; charset=utf-8']);
    const body = (await syntax.json()) as Record<string, unknown>;
    expect(body).toMatchObject({ code: 'SPARQL_SYNTAX', status: 400 });
    expect(body['requestId']).toBe(syntax.headers.get('Request-Id'));
    expect((await post('')).status).toBe(400);
    expect((await ask({ query: SELECT, timeout: 'soon' })).status).toBe(400);
    expect((await ask({ query: 'SELECT * { undeclared:x ?p ?o }' })).status).toBe(400);
    expect((await post(SELECT, { 'Content-Type': 'application/json' })).status).toBe(415);
    expect((await server.get(`/acme/nobody/sparql?${query({ query: SELECT })}`)).status).toBe(404);
    expect((await post(query({ query: `${SELECT}#${'x'.repeat(1024 ** 2)}` }))).status).toBe(413);
  });

  test('a query that takes too long is 503', async () => {
    const lines = Array.from({ length: 400 }, (_, i) => `<urn:s${String(i)}> <urn:p> ${String(i)} .`).join('\n');
    await server.send('POST', '/acme/people/statements', { body: lines, headers: TURTLE });
    const cross = 'SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER(?c + ?f + ?i < 0) }';
    const response = await ask({ query: cross, timeout: '0.2' });
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ code: 'QUERY_TIMEOUT' });
  });
});

describe('explain', () => {
  test('a plan as text or JSON, at any revision', async () => {
    const plan = await ask({ query: SELECT, explain: 'plan' });
    expect([plan.status, plan.headers.get('Content-Type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(await plan.text()).toMatch(/^scan <urn:a> <urn:p> \?o.*\[about 1 rows\]\n$/);
    const json = await ask({ query: SELECT, explain: 'plan' }, { Accept: 'application/json' });
    expect(await json.json()).toMatchObject({ evaluator: 'native', plan: { operator: 'scan', estimatedRows: 1 } });
    const old = await ask({ query: SELECT, explain: 'analyze', 'revision-id': 'HEAD~1' });
    expect(await old.text()).toMatch(/got 0 in/);
  });

  test('analyze runs the query, by GET and POST', async () => {
    for (const response of [
      await ask({ query: SELECT, explain: 'analyze' }),
      await post(query({ query: SELECT, explain: 'analyze' })),
      await post(SELECT, { 'Content-Type': 'application/sparql-query' }, '?explain=analyze'),
    ]) {
      expect(response.headers.get('Cache-Control')).toBe('no-store');
      expect(await response.text()).toMatch(/got 1 in [\d.]+ ms/);
    }
  });

  test('what cannot be explained', async () => {
    expect((await ask({ query: SELECT, explain: 'yes' })).status).toBe(400);
    expect((await ask({ query: 'SELECT {', explain: 'plan' })).status).toBe(400);
    expect((await ask({ query: SELECT, explain: 'plan' }, { Accept: 'text/csv' })).status).toBe(406);
    expect((await post(query({ update: 'CLEAR ALL', explain: 'plan' }))).status).toBe(400);
    expect((await post(query({ query: 'CLEAR ALL', explain: 'analyze' }))).status).toBe(400);
    expect(await size()).toBe(1);
  });
});

describe('revisions', () => {
  test('every shape of revision-id', async () => {
    const repository = await server.database.repository('acme/people');
    const old = await repository.revision();
    await post(query({ update: 'DELETE DATA { <urn:a> <urn:p> "1" }' }));
    await repository.tags.set('before', old);
    const shapes = [
      old.id,
      `"${old.id}"`,
      `urn:uuid:${old.id}`,
      `urn:quadrille:revision:${old.id}`,
      `<urn:dydra:revision:${old.id}>`,
      'HEAD~1',
      `#${String(old.number)}`,
      String(old.number),
      'before',
      old.time.toISOString(),
    ];
    for (const shape of shapes) {
      const response = await ask({ query: 'ASK { <urn:a> ?p ?o }', 'revision-id': shape });
      expect([shape, response.status, await response.text()]).toEqual([shape, 200, expect.stringMatching(/true/)]);
      expect(response.headers.get('ETag')).toBe(`"${old.id}"`);
    }
    expect(await (await ask({ query: 'ASK { <urn:a> ?p ?o }' })).json()).toMatchObject({ boolean: false });
    const form = await post(query({ query: 'ASK { <urn:a> ?p ?o }', 'revision-id': 'HEAD~1' }));
    expect(await form.json()).toMatchObject({ boolean: true });
  });

  test('unknown and malformed ones', async () => {
    const unknown = await ask({ query: SELECT, 'revision-id': '01936b2e-5a00-7000-8000-000000000001' });
    expect(unknown.status).toBe(404);
    expect((await ask({ query: SELECT, 'revision-id': '1--2' })).status).toBe(400);
    expect((await ask({ query: SELECT, 'revision-id': '' })).status).toBe(200);
  });

  test('an update that names one is refused', async () => {
    const update = 'INSERT DATA { <urn:x> <urn:p> 1 }';
    expect((await post(query({ update, 'revision-id': 'HEAD' }))).status).toBe(400);
    expect((await post(update, { 'Content-Type': 'application/sparql-update' }, '?revision-id=HEAD')).status).toBe(400);
    expect(await size()).toBe(1);
  });
});

describe('updates', () => {
  test('form, body and query parameter; one revision each', async () => {
    const first = await post(query({ update: 'INSERT DATA { <urn:b> <urn:p> 1 }' }));
    expect(first.status).toBe(204);
    expect(first.headers.get('ETag')).toMatch(/^"[0-9a-f-]{36}"$/);
    expect(
      (await post('INSERT DATA { <urn:c> <urn:p> 1 }', { 'Content-Type': 'application/sparql-update' })).status,
    ).toBe(204);
    expect(await size()).toBe(3);
    expect((await (await server.database.repository('acme/people')).revision()).number).toBe(4);
  });

  test('never by GET', async () => {
    expect((await ask({ update: 'CLEAR ALL' })).status).toBe(400);
    expect((await ask({ query: 'CLEAR ALL' })).status).toBe(400);
    expect(await size()).toBe(1);
  });

  test('a failure changes nothing', async () => {
    expect((await post(query({ update: 'INSERT DATA { <urn:b> <urn:p> 1 } ; INSERT DATA {' }))).status).toBe(400);
    expect(await size()).toBe(1);
  });

  test('a client of results gets true, the message is kept', async () => {
    const headers = { ...FORM, Accept: 'application/sparql-results+json', 'Revision-Message': 'by hand' };
    const response = await post(query({ update: 'INSERT DATA { <urn:b> <urn:p> 1 }' }), headers);
    expect(await response.json()).toMatchObject({ boolean: true });
    expect((await (await server.database.repository('acme/people')).revision()).message).toBe('by hand');
  });
});

test('many answers at once, each complete', async () => {
  const lines = Array.from({ length: 3000 }, (_, i) => `<urn:s${String(i)}> <urn:p> ${String(i)} .`).join('\n');
  await server.send('POST', '/acme/people/statements', { body: lines, headers: TURTLE });
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => ask({ query: 'SELECT * { ?s ?p ?o }' }, { Accept: 'text/csv' })),
  );
  for (const response of answers) expect(sortedLines(await response.text())).toHaveLength(3002);
});
