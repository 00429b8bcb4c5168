/** The rows of the protocol that sparql.test.ts does not have: forms, dataset, bindings, parts of answers, types. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { serveNode } from '../../node/node.js';
import { query, type TestServer, testServer } from '../../testing/server.js';

const SPARQL = '/acme/people/sparql';
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const SRJ = 'application/sparql-results+json';
const SRX = 'application/sparql-results+xml';
const CSV = { Accept: 'text/csv' };
const ALL = 'SELECT ?o { ?s ?p ?o } ORDER BY ?o';

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
  const body = '<urn:a> <urn:p> 1, 2, 3 .\n<urn:g> { <urn:a> <urn:p> 4 }\n<urn:h> { <urn:a> <urn:p> 5 }\n';
  const headers = { 'Content-Type': 'application/trig' };
  expect((await server.send('POST', '/acme/people/statements', { body, headers })).status).toBe(204);
});
afterEach(() => server.database.close());

const get = (parameters: Record<string, string> | string, headers: Record<string, string> = CSV): Promise<Response> =>
  server.get(`${SPARQL}?${typeof parameters === 'string' ? parameters : query(parameters)}`, headers);
const post = (body: string, headers: Record<string, string> = FORM, path = SPARQL): Promise<Response> =>
  server.send('POST', path, { body, headers });
const cells = async (response: Promise<Response>): Promise<string[]> =>
  (await (await response).text()).trim().split('\r\n').slice(1);
const size = async (): Promise<string> => (await server.get('/acme/people/size')).text();

describe('forms of a request', () => {
  test.each(['/acme/people', '/acme/people/', '/acme/repositories/people', '/repositories/acme/people', SPARQL])(
    'at %s',
    async (path) => {
      expect(await cells(server.get(`${path}?${query({ query: ALL })}`, CSV))).toEqual(['1', '2', '3']);
      expect(await cells(post(query({ query: ALL }), { ...FORM, ...CSV }, path))).toEqual(['1', '2', '3']);
      const direct = { 'Content-Type': 'application/sparql-query; charset=utf-8', ...CSV };
      expect(await cells(post(ALL, direct, `${path}?`))).toEqual(['1', '2', '3']);
      const update = { 'Content-Type': 'application/sparql-update;charset=UTF-8' };
      expect((await post('CLEAR DEFAULT', update, path)).status).toBe(204);
      expect((await post(query({ update: 'CLEAR GRAPH <urn:g>' }), FORM, path)).status).toBe(204);
      expect(await size()).toBe('1');
    },
  );

  test('a query without a type, or of an odd one, is a form; an update has to say what it is', async () => {
    expect(await cells(post(query({ query: ALL }), { 'Content-Type': 'text/plain', ...CSV }))).toEqual(['1', '2', '3']);
    const untyped = new TextEncoder().encode(query({ query: ALL }));
    expect(await cells(server.send('POST', SPARQL, { body: untyped, headers: CSV }))).toEqual(['1', '2', '3']);
    for (const body of ['update=CLEAR%20ALL', 'query=CLEAR%20ALL', 'ASK {}', 'CLEAR ALL', '']) {
      expect((await post(body, { 'Content-Type': 'text/plain' })).status, body).toBe(415);
    }
    expect(await size()).toBe('5');
  });

  test('a form that says again what stands in the address, as graphdb.js sends it', async () => {
    const twice = query({ query: ALL, limit: '2' });
    expect(await cells(post(twice, { ...FORM, ...CSV }, `${SPARQL}?${twice}`))).toEqual(['1', '2']);
    const other = await post(query({ query: 'ASK {}' }), { ...FORM, ...CSV }, `${SPARQL}?${twice}`);
    expect(other.status).toBe(400);
  });

  test('an update as query is refused, and a query as update', async () => {
    const direct = (type: string): Record<string, string> => ({ 'Content-Type': `application/sparql-${type}` });
    const codeOf = async (answer: Promise<Response>): Promise<unknown[]> => {
      const response = await answer;
      return [response.status, ((await response.json()) as { code: string }).code];
    };
    const notAQuery = [400, 'NOT_A_QUERY'];
    expect(await codeOf(post(query({ query: 'CLEAR DEFAULT' })))).toEqual(notAQuery);
    expect(await codeOf(post('CLEAR ALL', direct('query')))).toEqual(notAQuery);
    expect(await codeOf(server.get(`${SPARQL}?${query({ query: 'CLEAR ALL' })}`))).toEqual(notAQuery);
    expect(await codeOf(post(query({ update: 'ASK {}' })))).toEqual([400, 'NOT_AN_UPDATE']);
    expect(await codeOf(post('SELECT * {}', direct('update')))).toEqual([400, 'NOT_AN_UPDATE']);
    expect(await size()).toBe('5');
  });

  test('an update as query runs on a lenient server, never by GET', async () => {
    const lenient = await testServer({}, { lenientProtocol: true });
    try {
      const send = (body: string, type: string): Promise<Response> =>
        lenient.send('POST', SPARQL, { body, headers: { 'Content-Type': type } });
      expect((await send('INSERT DATA { <urn:a> <urn:p> 1, 2 }', 'application/sparql-query')).status).toBe(204);
      expect((await send(query({ query: 'DELETE DATA { <urn:a> <urn:p> 1 }' }), FORM['Content-Type'])).status).toBe(
        204,
      );
      expect((await lenient.get(`${SPARQL}?${query({ query: 'CLEAR ALL' })}`)).status).toBe(400);
      expect(await (await lenient.get('/acme/people/size')).text()).toBe('1');
    } finally {
      await lenient.database.close();
    }
  });

  test('parameters of a form may stand in the address too', async () => {
    const path = `${SPARQL}?${query({ 'default-graph-uri': 'urn:g' })}`;
    expect(await cells(post(query({ query: ALL }), { ...FORM, ...CSV }, path))).toEqual(['4']);
  });

  test.each([
    ['no query', () => post('a=b'), 400],
    ['two queries', () => get('query=ASK%7B%7D&query=ASK%7B%7D'), 400],
    ['two updates', () => post('update=CLEAR%20ALL&update=CLEAR%20ALL'), 400],
    ['query and update', () => post(query({ query: 'ASK {}', update: 'CLEAR ALL' })), 400],
    ['an update by GET', () => get({ update: 'CLEAR ALL' }), 400],
    ['an update as query by GET', () => get({ query: 'CLEAR ALL' }), 400],
    ['a query in the type of updates', () => post('ASK {}', { 'Content-Type': 'application/sparql-update' }), 400],
    ['UTF-16', () => post('ASK {}', { 'Content-Type': 'application/sparql-query; charset=utf-16' }), 415],
    ['a revision for an update', () => post(query({ update: 'CLEAR ALL', 'revision-id': 'HEAD' })), 400],
    ['PUT', () => server.send('PUT', SPARQL, { body: 'query=ASK{}', headers: FORM }), 405],
    ['a text that is too long', () => post(`query=ASK{}%23${'x'.repeat(1024 ** 2)}`), 413],
  ])('%s: refused', async (_name, run, expected) => {
    expect((await run()).status).toBe(expected);
    expect(await size()).toBe('5');
  });
});

describe('dataset', () => {
  test.each([
    ['default-graph-uri=urn:g', ALL, ['4']],
    ['default-graph-uri=urn:g&default-graph-uri=urn:h', ALL, ['4', '5']],
    ['default-graph-uri=urn:quadrille:all', ALL, ['1', '2', '3', '4', '5']],
    ['default-graph-uri=urn:dydra:named', ALL, ['4', '5']],
    ['default-graph-uri=%3Curn:g%3E', ALL, ['4']],
    ['default-graph-uri=http://rdf4j.org/schema/rdf4j%23nil', ALL, ['1', '2', '3']],
    ['default-graph-uri=urn:none', ALL, []],
    ['named-graph-uri=urn:g', 'SELECT ?o { GRAPH ?g { ?s ?p ?o } }', ['4']],
    ['named-graph-uri=urn:g', ALL, []],
    ['default-graph-uri=urn:g', 'SELECT ?o FROM <urn:h> { ?s ?p ?o }', ['4']],
    ['', 'SELECT ?o FROM <urn:h> { ?s ?p ?o }', ['5']],
  ])('%s with %s', async (dataset, text, expected) => {
    expect(await cells(get(`${query({ query: text })}&${dataset}`))).toEqual(expected);
  });

  test('of updates', async () => {
    const update = 'INSERT { GRAPH <urn:new> { ?s ?p ?o } } WHERE { ?s ?p ?o }';
    expect((await post(query({ update, 'using-graph-uri': 'urn:g' }))).status).toBe(204);
    expect(await cells(get({ query: ALL, 'default-graph-uri': 'urn:new' }))).toEqual(['4']);
    const named = 'INSERT { GRAPH <urn:new> { ?s ?p ?o } } WHERE { GRAPH ?g { ?s ?p ?o } }';
    const direct = { 'Content-Type': 'application/sparql-update' };
    expect((await post(named, direct, `${SPARQL}?using-named-graph-uri=urn:h`)).status).toBe(204);
    expect(await cells(get({ query: ALL, 'default-graph-uri': 'urn:new' }))).toEqual(['4', '5']);
  });

  test.each([
    ['default-graph-uri', 'CLEAR ALL'],
    ['insert-graph-uri', 'CLEAR ALL'],
    ['using-graph-uri', 'DELETE { ?s ?p ?o } USING <urn:h> WHERE { ?s ?p ?o }'],
    ['using-named-graph-uri', 'WITH <urn:g> DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }'],
  ])('%s does not go with %s', async (parameter, update) => {
    expect((await post(query({ update, [parameter]: 'urn:g' }))).status).toBe(400);
    expect((await get({ query: ALL, 'using-graph-uri': 'urn:g' })).status).toBe(400);
    expect((await get({ query: ALL, 'default-graph-uri': 'relative' })).status).toBe(400);
    expect(await size()).toBe('5');
  });
});

test('a prologue of many blanks and no IRI is refused at once', async () => {
  const started = performance.now();
  for (const text of [`PREFIX a:${' '.repeat(28)}`, `PREFIX a:${' \n'.repeat(20_000)}SELECT`]) {
    expect((await get({ query: text })).status).toBe(400);
    expect((await post(query({ query: text }))).status).toBe(400);
    expect((await post(text, { 'Content-Type': 'application/sparql-query' })).status).toBe(400);
  }
  expect(performance.now() - started).toBeLessThan(5000);
});

describe('values from outside', () => {
  test.each([
    [{ $o: '2' }, 400],
    [{ $o: '"2"^^<http://www.w3.org/2001/XMLSchema#integer>' }, ['2']],
    [{ $s: '<urn:a>', $o: '"3"^^<http://www.w3.org/2001/XMLSchema#integer>' }, ['3']],
    [{ $s: 'urn:a' }, ['1', '2', '3']],
    [{ $s: '<urn:none>' }, []],
    [{ values: '?o { 1 3 }' }, ['1', '3']],
    [{ values: 'VALUES (?s ?o) { (<urn:a> 2) }' }, ['2']],
    [{ values: 'nonsense' }, 400],
    [{ '$a b': '<urn:a>' }, 400],
    [{ $: '<urn:a>' }, ['1', '2', '3']],
  ] as const)('%j', async (parameters, expected) => {
    const response = get({ query: ALL.replace('?o {', '?s ?o {').replace('SELECT ?s', 'SELECT'), ...parameters });
    if (typeof expected === 'number') expect((await response).status).toBe(expected);
    else expect((await cells(response)).map((cell) => cell.split(',').at(-1))).toEqual(expected);
  });

  test('in an update', async () => {
    const update = 'DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }';
    const one = '"1"^^<http://www.w3.org/2001/XMLSchema#integer>';
    expect((await post(query({ update, $o: one }))).status).toBe(204);
    expect(await cells(get({ query: ALL }))).toEqual(['2', '3']);
    expect((await post(query({ update, values: '?o { 2 }' }))).status).toBe(400);
  });
});

describe('a part of the answer', () => {
  test.each([
    ['limit=2', ['1', '2']],
    ['offset=1', ['2', '3']],
    ['limit=1&offset=1', ['2']],
    ['limit=0', []],
    ['offset=9', []],
    ['response-limit=1', ['1']],
    ['response-offset=2', ['3']],
    ['limit=2&response-limit=5&response-offset=1', ['2']],
    ['limit=&offset=', ['1', '2', '3']],
  ])('%s', async (parameters, expected) => {
    expect(await cells(get(`${query({ query: ALL })}&${parameters}`))).toEqual(expected);
  });

  test('of triples and of ASK; and what is no number', async () => {
    const construct = query({ query: 'CONSTRUCT WHERE { ?s ?p ?o }' });
    const lines = await (await get(`${construct}&limit=2`, {})).text();
    expect(lines.trim().split('\n')).toHaveLength(2);
    expect(await cells(get(`${construct}&limit=1`))).toHaveLength(1);
    expect(await (await get('query=ASK{}&limit=0', { Accept: 'text/boolean' })).text()).toBe('true');
    for (const bad of ['limit=-1', 'offset=x', 'response-limit=1.5']) {
      expect((await get(`${query({ query: ALL })}&${bad}`)).status).toBe(400);
    }
  });
});

test('parameters that mean nothing here are let be, with or without a value', async () => {
  const parameters = 'user_id&ruleset&queryLn=sparql&infer=false&distinct=true&Client=1&timeout=10';
  expect(await cells(get(`${parameters}&${query({ query: ALL })}`))).toEqual(['1', '2', '3']);
});

describe('the dialect', () => {
  test('count(*) without AS, and a variable twice', async () => {
    expect(await (await get({ query: 'SELECT count(*) { ?s ?p ?o }' })).text()).toBe('COUNT1\r\n3\r\n');
    expect(await (await get({ query: 'SELECT ?p ?p { ?s ?p 1 }' })).text()).toBe('p\r\nurn:p\r\n');
  });
});

describe('types of answers', () => {
  const SELECT = 'SELECT ?o { ?s ?p ?o FILTER(?o = 1) }';
  const CONSTRUCT = 'CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o FILTER(?o = 1) }';

  test.each([
    [SELECT, undefined, `${SRJ}; charset=utf-8`],
    [SELECT, '*/*', `${SRJ}; charset=utf-8`],
    [SELECT, `${SRX}, application/rdf+xml`, `${SRX}; charset=utf-8`],
    [SELECT, 'text/csv;q=0.5, text/tab-separated-values', 'text/tab-separated-values; charset=utf-8'],
    [SELECT, 'application/json', 'application/json; charset=utf-8'],
    [SELECT, 'text/turtle', 406],
    [SELECT, 'text/turtle, application/n-triples', 406],
    [SELECT, 'text/boolean', 406],
    [SELECT, 'json', 400],
    ['ASK {}', undefined, `${SRJ}; charset=utf-8`],
    ['ASK {}', SRX, `${SRX}; charset=utf-8`],
    ['ASK {}', 'text/boolean', 'text/boolean; charset=utf-8'],
    ['ASK {}', 'text/csv', 'text/csv; charset=utf-8'],
    ['ASK {}', 'text/turtle', 406],
    [CONSTRUCT, undefined, 'application/n-triples'],
    [CONSTRUCT, `${SRX}, text/turtle`, 'text/turtle; charset=utf-8'],
    [CONSTRUCT, 'application/x-trig', 'application/x-trig'],
    [CONSTRUCT, SRJ, `${SRJ}; charset=utf-8`],
    [CONSTRUCT, 'application/json', 'application/json; charset=utf-8'],
    ['DESCRIBE <urn:a>', 'text/csv', 'text/csv; charset=utf-8'],
    [CONSTRUCT, 'image/png', 406],
  ])('%s, Accept %s: %s', async (text, accept, expected) => {
    const response = await get({ query: text }, accept === undefined ? {} : { Accept: accept });
    if (typeof expected === 'number') expect(response.status).toBe(expected);
    else expect([response.status, response.headers.get('Content-Type')]).toEqual([200, expected]);
  });

  test('what one header asks for by all forms: CONSTRUCT is RDF/XML, an update is done', async () => {
    const rdflib = { Accept: 'application/sparql-results+xml, application/rdf+xml' };
    const response = await get({ query: CONSTRUCT }, rdflib);
    expect(response.headers.get('Content-Type')).toBe('application/rdf+xml; charset=utf-8');
    const update = await post(query({ update: 'CLEAR ALL' }), { ...FORM, ...rdflib });
    expect([update.status, await update.text()]).toEqual([200, expect.stringContaining('<boolean>true</boolean>')]);
  });

  test.each([
    ['format=csv', 'text/csv; charset=utf-8'],
    ['output=xml', `${SRX}; charset=utf-8`],
    ['results=json', `${SRJ}; charset=utf-8`],
    ['format=json&output=json&results=json', `${SRJ}; charset=utf-8`],
    ['format=text/csv', 'text/csv; charset=utf-8'],
    ['Accept=text/csv', 'text/csv; charset=utf-8'],
    ['format=nonsense', `${SRJ}; charset=utf-8`],
  ])('%s where Accept takes anything', async (parameter, type) => {
    const path = `${query({ query: SELECT })}&${parameter}`;
    for (const accept of [{}, { Accept: '*/*' }]) {
      expect((await get(path, accept as Record<string, string>)).headers.get('Content-Type')).toBe(type);
    }
    expect((await get(path, { Accept: SRX })).headers.get('Content-Type')).toBe(`${SRX}; charset=utf-8`);
  });

  test('format=turtle for a graph', async () => {
    const response = await get({ query: CONSTRUCT, format: 'turtle' }, {});
    expect(response.headers.get('Content-Type')).toBe('text/turtle; charset=utf-8');
  });

  test.each([
    [undefined, 204, ''],
    ['*/*', 204, ''],
    ['application/json', 204, ''],
    ['text/turtle', 204, ''],
    [SRJ, 200, '"boolean": true'],
    [`text/turtle, ${SRX};q=0.1`, 200, '<boolean>true</boolean>'],
    ['text/boolean', 200, 'true'],
    [`${SRJ};q=0`, 204, ''],
  ])('an update, Accept %s: %i', async (accept, status, body) => {
    const headers = accept === undefined ? FORM : { ...FORM, Accept: accept };
    const response = await post(query({ update: 'CLEAR ALL' }), headers);
    expect([response.status, await response.text()]).toEqual([
      status,
      body === '' ? '' : expect.stringContaining(body),
    ]);
    expect(response.headers.get('ETag')).toMatch(/^"[0-9a-f-]{36}"$/);
    expect(await size()).toBe('0');
  });

  test('an update with an Accept that cannot be read is not done', async () => {
    expect((await post(query({ update: 'CLEAR ALL' }), { ...FORM, Accept: 'json' })).status).toBe(400);
    expect(await size()).toBe('5');
  });
});

describe('service description', () => {
  test('without a query, in any RDF type, at the address that was asked', async () => {
    for (const path of [SPARQL, `${SPARQL}?`, '/acme/repositories/people/sparql']) {
      const response = await server.get(path);
      expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'text/turtle; charset=utf-8']);
      const text = await response.text();
      expect(text).toContain(`sd:endpoint <http://localhost:1${path.replace('?', '')}>`);
      expect(text).toMatch(/sd:name <urn:g>/);
    }
    const nt = await server.get(SPARQL, { Accept: 'application/n-triples' });
    expect(await nt.text()).toContain('<http://www.w3.org/ns/sparql-service-description#Service>');
    expect((await server.send('HEAD', SPARQL)).status).toBe(200);
    expect((await server.get(SPARQL, { Accept: 'image/png' })).status).toBe(406);
    expect((await server.get('/acme/nobody/sparql')).status).toBe(404);
  });
});

test('a client that hangs up stops its query', async () => {
  const lines = Array.from({ length: 400 }, (_, i) => `<urn:s${String(i)}> <urn:p> ${String(i)} .`).join('\n');
  const headers = { 'Content-Type': 'text/turtle' };
  await server.send('POST', '/acme/people/statements', { body: lines, headers });
  const node = await serveNode(server.handler, { port: 0 });
  try {
    const slow = 'SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER(?c + ?f + ?i < 0) }';
    const client = new AbortController();
    const answer = fetch(`${node.url}${SPARQL}?${query({ query: slow })}`, { signal: client.signal });
    const outcome = expect(answer).rejects.toThrow();
    while (server.database.queries().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    client.abort();
    await outcome;
    const end = Date.now() + 2000;
    while (server.database.queries().length > 0 && Date.now() < end)
      await new Promise((resolve) => setTimeout(resolve, 5));
    expect(server.database.queries()).toEqual([]);
  } finally {
    await node.close(100);
  }
});
