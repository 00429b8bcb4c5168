// Queries and updates of the interface, row by row, with curl against the bundled server.
import { describe, expect } from 'vitest';
import { etagOf, FORM, jsonOf, query, row, scene, status, TURTLE, typeOf } from '../scene.js';

const at = scene();
const DATA = '<urn:a> <urn:p> "1" .\n<urn:b> <urn:p> "2" <urn:g> .\n<urn:c> <urn:p> "3" <urn:h> .\n';
const endpoint = (): string => `${at.repository}/sparql`;
const service = (parameters = ''): string => `${at.repository}/service${parameters}`;
const CSV = 'text/csv';
const cells = async (text: string, parameters: Record<string, string> | string = {}): Promise<string[]> => {
  const more = typeof parameters === 'string' ? parameters : query(parameters);
  const { body } = await at.get(`${endpoint()}?${query({ query: text })}&${more}`, CSV);
  return body
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .map((cell) => cell.replaceAll('"', ''));
};
const post = (type: string, body: string, accept?: string, path = endpoint()) =>
  at.send('POST', path, { type, body, ...(accept === undefined ? {} : { accept }) });
const ALL = 'SELECT ?o { ?s <urn:p> ?o } ORDER BY ?o';
const size = async (): Promise<string> => (await at.get(`${at.repository}/size`)).body;

describe('7 SPARQL endpoint behaviour', () => {
  row('7 endpoints and forms of a request', async () => {
    await at.fill(DATA);
    for (const path of [
      '/default/people/sparql',
      '/default/people',
      '/default/repositories/people',
      '/default/repositories/people/sparql',
    ]) {
      for (const answer of [
        at.get(`${path}?${query({ query: ALL })}`, CSV),
        post(FORM, query({ query: ALL }), CSV, path),
        post('application/sparql-query', ALL, CSV, path),
        at.send('POST', path, { body: query({ query: ALL }), accept: CSV }),
        post('text/odd', query({ query: ALL }), CSV, path),
      ])
        expect([path, (await answer).body]).toEqual([path, 'o\r\n"1"\r\n']);
      expect(await status(post('application/sparql-update', 'CLEAR GRAPH <urn:none>', undefined, path))).toBe(204);
    }
  });
  row('7 update in query: 400', async () => {
    expect(await status(post(FORM, query({ query: 'INSERT DATA { <urn:x> <urn:p> "9" }' })))).toBe(400);
    expect(await cells(ALL)).toEqual(['1']);
    expect(await status(post(FORM, query({ update: 'INSERT DATA { <urn:x> <urn:p> "9" }' })))).toBe(204);
    expect(await cells(ALL)).toEqual(['1', '9']);
    expect(await status(at.get(`${endpoint()}?${query({ query: 'CLEAR ALL' })}`))).toBe(400);
    const anonymous = at.get(`${endpoint()}?${query({ query: 'CLEAR ALL' })}`, undefined, { token: null });
    expect(await status(anonymous)).toBe(401);
  });
  row('7 update response: 204, or 200 true in a results type', async () => {
    const update = 'DELETE DATA { <urn:x> <urn:p> "9" }';
    const done = await post('application/sparql-update', update);
    expect([done.status, done.body, etagOf(done).length]).toEqual([204, '', 36]);
    const told = await post('application/sparql-update', update, 'application/sparql-results+json');
    expect([told.status, JSON.parse(told.body).boolean]).toEqual([200, true]);
  });
  row('7 no query on GET /sparql: service description, HEAD likewise', async () => {
    const { body } = await at.get(endpoint(), TURTLE);
    for (const text of ['sd:Service', 'sd:endpoint', 'sd:defaultDataset']) expect(body).toContain(text);
    const head = await at.send('HEAD', endpoint(), { accept: TURTLE });
    expect([head.status, typeOf(head)]).toEqual([200, 'text/turtle; charset=utf-8']);
  });
  row('7 default dataset: the default graph alone; urn:dydra: and urn:quadrille: names', async () => {
    await at.fill(DATA);
    expect(await cells(ALL)).toEqual(['1']);
    for (const root of ['urn:dydra:', 'urn:quadrille:']) {
      const from = (name: string): Promise<string[]> =>
        cells(`SELECT ?o FROM <${root}${name}> { ?s <urn:p> ?o } ORDER BY ?o`);
      expect(await from('all')).toEqual(['1', '2', '3']);
      expect(await from('default')).toEqual(['1']);
      expect(await from('named')).toEqual(['2', '3']);
      expect(await cells(ALL, { 'default-graph-uri': `${root}all` })).toEqual(['1', '2', '3']);
      expect(await cells(`SELECT ?o { GRAPH <${root}all> { ?s <urn:p> ?o } } ORDER BY ?o`)).toEqual(['1', '2', '3']);
    }
  });
  row('7 dialect: count(*) without AS is COUNT1; a variable once', async () => {
    const counted = await jsonOf(at.get(`${endpoint()}?${query({ query: 'SELECT count(*) { ?s ?p ?o }' })}`));
    expect(counted).toMatchObject({ head: { vars: ['COUNT1'] }, results: { bindings: [{ COUNT1: { value: '1' } }] } });
    const twice = await jsonOf(at.get(`${endpoint()}?${query({ query: 'SELECT ?s ?s { ?s ?p ?o }' })}`));
    expect(twice.head.vars).toEqual(['s']);
  });
  row('7 request params: bindings, values, limit, offset, timeout, tolerated ones, names without =', async () => {
    const all = ALL.replace('{', 'FROM <urn:dydra:all> {');
    expect(await cells(all, { $s: '<urn:b>' })).toEqual(['2']);
    expect(await cells(all, { values: '?s { <urn:a> <urn:c> }' })).toEqual(['1', '3']);
    expect(await cells(all, { limit: '1', offset: '1' })).toEqual(['2']);
    expect(await cells(all, { 'response-limit': '1', 'response-offset': '2' })).toEqual(['3']);
    const tolerated = 'timeout=5&ruleset=x&queryLn=SPARQL&infer=true&distinct=true&user_id&other';
    expect(await cells(all, tolerated)).toEqual(['1', '2', '3']);
    const answer = await at.get(`${endpoint()}?query=ASK%7B%7D`, undefined, {
      headers: { 'Client-Request-Id': 'mine' },
    });
    expect(answer.headers.get('client-request-id')).toBe('mine');
  });
  row('7 body type with charset; an empty ? on POST', async () => {
    expect((await post('application/sparql-query; charset=utf-8', ALL, CSV, `${endpoint()}?`)).body).toBe(
      'o\r\n"1"\r\n',
    );
  });
  row('7 GSP: default, default=, graph not percent-encoded, <iri>, default, empty', async () => {
    await at.fill(DATA);
    const count = async (parameters: string): Promise<number> =>
      (await at.get(service(parameters), 'application/n-quads')).body.split('\n').filter(Boolean).length;
    for (const [parameters, lines] of [
      ['?default', 1],
      ['?default=', 1],
      ['?graph=urn:g', 1],
      ['?graph=%3Curn:g%3E', 1],
      ['?graph=default', 1],
      ['', 3],
    ] as const)
      expect([parameters, await count(parameters)]).toEqual([parameters, lines]);
    for (const parameters of ['?graph=', '?graph', '?Graph=urn:g', '?graph=%20'])
      expect([parameters, await status(at.get(service(parameters)))]).toEqual([parameters, 400]);
  });
  row('7 GSP without a graph: the dataset; POST of triples makes a graph, of quads fills theirs', async () => {
    const made = await at.send('POST', service(), { type: TURTLE, body: '<urn:n> <urn:p> 1 .' });
    expect([made.status, decodeURIComponent(made.headers.get('location') ?? '')]).toEqual([
      201,
      expect.stringContaining('urn:uuid:'),
    ]);
    expect(await status(at.get(made.headers.get('location') ?? ''))).toBe(200);
    await at.send('POST', service(), { type: 'application/trig', body: '<urn:g> { <urn:n> <urn:p> 1 }' });
    expect(await at.lines('?context=urn:g')).toHaveLength(2);
    expect(await status(at.send('PUT', service(), { type: 'application/n-quads', body: DATA }))).toBe(204);
    expect(await size()).toBe('3');
    expect(await status(at.send('DELETE', service()))).toBe(204);
    expect(await size()).toBe('0');
  });
  row('7 GSP missing graph 404, Silent 200 or 204; the empty default graph 200', async () => {
    for (const [method, silent] of [
      ['GET', 200],
      ['HEAD', 200],
      ['DELETE', 204],
    ] as const) {
      expect([method, await status(at.send(method, service('?graph=urn:none')))]).toEqual([method, 404]);
      expect(await status(at.send(method, service('?graph=urn:none'), { headers: { Silent: 'true' } }))).toBe(silent);
    }
    expect(await status(at.get(service('?default')))).toBe(200);
    expect(await status(at.get(service()))).toBe(200);
  });
  row('7 GSP PUT and POST: 201 and Location for a new graph, else 204', async () => {
    const sent = { type: TURTLE, body: '<urn:n> <urn:p> 1 .' };
    const first = await at.send('PUT', service('?graph=urn:new'), sent);
    expect([first.status, first.headers.get('location')]).toEqual([201, expect.stringContaining('urn%3Anew')]);
    for (const method of ['PUT', 'POST'])
      expect(await status(at.send(method, service('?graph=urn:new'), sent))).toBe(204);
  });
  row('7 direct graphs: /graphs/<path>, /rdf-graphs/<name>; other paths 404', async () => {
    const sent = { type: TURTLE, body: '<urn:n> <urn:p> 1 .' };
    for (const path of ['/default/people/graphs/a/b', '/default/repositories/people/rdf-graphs/c']) {
      expect(await status(at.send('PUT', path, sent))).toBe(201);
      expect(await at.lines(`?context=${at.url}${path}`)).toHaveLength(1);
    }
    expect(await status(at.send('PUT', '/default/people/mistyped', sent))).toBe(404);
  });
  row('7 PATCH: quads by graph, triples by subject, update, several parts, overrides', async () => {
    await at.fill(
      '<urn:a> <urn:p> "1" .\n<urn:a> <urn:q> "1" .\n<urn:b> <urn:p> "2" .\n<urn:b> <urn:p> "2" <urn:g> .\n',
    );
    const patch = (type: string, body: string) => at.send('PATCH', service(), { type, body });
    expect(await status(patch('application/n-quads', '<urn:c> <urn:p> "3" <urn:g> .'))).toBe(204);
    expect(await at.lines('?context=urn:g')).toEqual(['<urn:c> <urn:p> "3" <urn:g> .']);
    expect(await status(patch('application/n-triples', '<urn:a> <urn:p> "4" .'))).toBe(204);
    expect(await at.lines('?context=null')).toEqual(['<urn:a> <urn:p> "4" .', '<urn:b> <urn:p> "2" .']);
    expect(await status(patch('application/sparql-update', 'DELETE DATA { <urn:b> <urn:p> "2" }'))).toBe(204);
    const part = (method: string, body: string): string =>
      `--b\r\nX-HTTP-Method-Override: ${method}\r\nContent-Type: application/n-triples\r\n\r\n${body}\r\n`;
    const parts = `${part('DELETE', '<urn:a> <urn:p> "4" .')}${part('POST', '<urn:e> <urn:p> "5" .')}--b--\r\n`;
    expect(
      await status(at.send('PATCH', service('?default'), { type: 'multipart/related; boundary=b', body: parts })),
    ).toBe(204);
    expect(await at.lines('?context=null')).toEqual(['<urn:e> <urn:p> "5" .']);
    const override = { headers: { 'X-HTTP-Method-Override': 'DELETE' } };
    expect(await status(at.send('POST', service('?default'), override))).toBe(204);
    expect(await status(post(FORM, '_method=DELETE', undefined, service('?graph=urn:g')))).toBe(204);
    expect(await size()).toBe('0');
  });
  row('7 views', async () => {
    await at.fill(DATA);
    const view = `${at.repository}/views/all`;
    const type = 'application/sparql-query';
    expect(await status(at.send('PUT', view, { type, body: ALL }))).toBe(201);
    expect((await at.get(view, CSV)).body).toBe('o\r\n"1"\r\n');
    expect((await at.get(view, type)).body).toBe(ALL);
    expect(await status(at.send('POST', view))).toBe(501);
    expect(await status(at.send('DELETE', view))).toBe(204);
    expect(await status(at.get(view))).toBe(404);
    expect(await status(at.get(view, undefined, { headers: { Silent: 'true' } }))).toBe(204);
  });
});
