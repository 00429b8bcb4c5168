import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BASE, query, sortedLines, type TestServer, testServer, TURTLE } from '../../testing/server.js';

const COLLECTION = '/acme/repositories/people/transactions';
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const NQUADS = { 'Content-Type': 'application/n-quads' };

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
  await server.send('POST', '/acme/people/statements', { body: '<urn:a> <urn:p> "1" .', headers: TURTLE });
});
afterEach(() => server.database.close());

async function begin(): Promise<string> {
  const response = await server.send('POST', COLLECTION);
  expect(response.status).toBe(201);
  const location = response.headers.get('Location') ?? '';
  expect(location).toMatch(new RegExp(`^${BASE}${COLLECTION}/[0-9a-f-]{36}$`));
  return location.slice(BASE.length);
}
const act = (path: string, action: string, init: RequestInit = {}, parameters: Record<string, string> = {}) =>
  server.send('PUT', `${path}?${query({ action, ...parameters })}`, init);
const statements = async (): Promise<string[]> =>
  sortedLines(await (await server.get('/acme/people/statements', { Accept: 'application/n-quads' })).text());
const revisionNumber = async (): Promise<number> =>
  (await (await server.database.repository('acme/people')).revision()).number;

describe('a transaction', () => {
  test('every action, and one revision in the end', async () => {
    const before = await revisionNumber();
    const path = await begin();
    expect((await act(path, 'ADD', { body: '<urn:b> <urn:p> "2" .', headers: TURTLE })).status).toBe(200);
    const inGraph = { body: '<urn:c> <urn:p> <rel> .', headers: TURTLE };
    expect((await act(path, 'ADD', inGraph, { context: '<urn:g>', baseURI: 'http://b/' })).status).toBe(200);
    expect((await act(path, 'DELETE', { body: '<urn:a> <urn:p> "1" .', headers: TURTLE })).status).toBe(200);
    const update = { body: query({ update: 'INSERT DATA { <urn:d> <urn:p> "4" }' }), headers: FORM };
    expect((await act(path, 'UPDATE', update)).status).toBe(200);
    expect(await (await act(path, 'SIZE')).text()).toBe('3');
    expect(await (await act(path, 'SIZE', {}, { context: '<urn:g>' })).text()).toBe('1');
    expect(await (await act(path, 'PING')).text()).toBe('60000');
    const read = await act(path, 'GET', { headers: { Accept: 'application/n-quads' } });
    expect(sortedLines(await read.text())).toEqual([
      '<urn:b> <urn:p> "2" .',
      '<urn:c> <urn:p> <http://b/rel> <urn:g> .',
      '<urn:d> <urn:p> "4" .',
    ]);
    const one = await act(path, 'GET', {}, { subj: '<urn:b>' });
    expect(await one.text()).toBe('<urn:b> <urn:p> "2" .\n');
    expect(await statements()).toEqual(['<urn:a> <urn:p> "1" .']);
    const committed = await act(path, 'COMMIT');
    expect(committed.status).toBe(200);
    expect(committed.headers.get('ETag')).toMatch(/^"[0-9a-f-]{36}"$/);
    expect(await statements()).toHaveLength(3);
    expect(await revisionNumber()).toBe(before + 1);
    expect((await act(path, 'PING')).status).toBe(404);
  });

  test('queries see what was changed, in every form and by every method', async () => {
    const path = await begin();
    await act(path, 'ADD', { body: '<urn:b> <urn:p> "2" .', headers: TURTLE });
    const count = 'SELECT (COUNT(*) AS ?n) { ?s ?p ?o }';
    for (const response of [
      await act(path, 'QUERY', { body: query({ query: count }), headers: FORM }),
      await act(path, 'QUERY', { body: count, headers: { 'Content-Type': 'application/sparql-query' } }),
      await server.send('POST', `${path}?action=QUERY`, { body: query({ query: count }), headers: FORM }),
      await server.get(`${path}?${query({ action: 'QUERY', query: count })}`),
    ]) {
      expect(response.headers.get('Content-Type')).toBe('application/sparql-results+json; charset=utf-8');
      expect(await response.json()).toMatchObject({ results: { bindings: [{ n: { value: '2' } }] } });
    }
    const ask = { body: query({ query: 'ASK { ?s ?p $o }', $o: '"2"' }), headers: { ...FORM, Accept: 'text/boolean' } };
    expect(await (await act(path, 'QUERY', ask)).text()).toBe('true');
    const construct = { body: query({ query: 'CONSTRUCT WHERE { ?s ?p "2" }' }), headers: FORM };
    expect(await (await act(path, 'QUERY', construct)).text()).toBe('<urn:b> <urn:p> "2" .\n');
    expect((await act(path, 'ROLLBACK')).status).toBe(204);
    expect(await statements()).toEqual(['<urn:a> <urn:p> "1" .']);
  });

  test('DELETE without a graph removes from all graphs; wildcards and contexts', async () => {
    const body = '<urn:a> <urn:p> "1" <urn:g> .\n<urn:a> <urn:q> "1" <urn:g> .\n<urn:z> <urn:p> "1" <urn:h> .\n';
    await server.send('POST', '/acme/people/statements', { body, headers: NQUADS });
    const path = await begin();
    const remove = (text: string, parameters = {}): Promise<Response> =>
      act(path, 'DELETE', { body: text, headers: NQUADS }, parameters);
    await remove('<urn:a> <urn:p> "1" .');
    expect(await (await act(path, 'SIZE')).text()).toBe('2');
    await remove('<urn:z> <http://rdf4j.org/schema/rdf4j#wildcard> "1" .', { context: '<urn:g>' });
    expect(await (await act(path, 'SIZE')).text()).toBe('2');
    const any = '<http://www.openrdf.org/schema/sesame#wildcard>';
    await remove(`${any} ${any} ${any} <urn:g> .`);
    await act(path, 'COMMIT');
    expect(await statements()).toEqual(['<urn:z> <urn:p> "1" <urn:h> .']);
  });

  test('rolls back by DELETE', async () => {
    const path = await begin();
    await act(path, 'ADD', { body: '<urn:b> <urn:p> "2" .', headers: TURTLE });
    expect((await server.send('DELETE', path)).status).toBe(204);
    expect((await server.send('DELETE', path)).status).toBe(404);
    expect(await statements()).toHaveLength(1);
  });

  test('what is wrong with a step leaves the transaction as it was', async () => {
    const path = await begin();
    const add = (body: string, headers: Record<string, string>): Promise<Response> =>
      act(path, 'ADD', { body, headers });
    expect((await add('<urn:b> <urn:p> "2" . nonsense', TURTLE)).status).toBe(400);
    expect((await add('<urn:b> <urn:p> "2" .', { 'Content-Type': 'image/png' })).status).toBe(415);
    expect((await act(path, 'UPDATE', { body: 'update=DELETE', headers: FORM })).status).toBe(400);
    expect((await act(path, 'QUERY', { body: 'query=SELECT', headers: FORM })).status).toBe(400);
    expect(
      (await act(path, 'QUERY', { headers: { Accept: 'text/turtle' }, body: query({ query: 'ASK {}' }) })).status,
    ).toBe(415);
    expect((await act(path, 'JUMP')).status).toBe(400);
    expect((await server.send('PUT', path)).status).toBe(400);
    expect((await server.get(`${path}?action=COMMIT`)).status).toBe(400);
    expect((await act(path, 'SIZE', {}, { 'revision-id': 'HEAD~1' })).status).toBe(400);
    expect(await (await act(path, 'SIZE')).text()).toBe('1');
    expect((await act(path, 'COMMIT')).status).toBe(200);
  });

  test('a commit that another one came before', async () => {
    const path = await begin();
    await act(path, 'UPDATE', { body: query({ update: 'DELETE WHERE { ?s ?p ?o }' }), headers: FORM });
    await server.send('POST', '/acme/people/statements', { body: '<urn:b> <urn:p> "2" .', headers: TURTLE });
    const failed = await act(path, 'COMMIT');
    expect([failed.status, await failed.json()]).toMatchObject([409, { code: 'REVISION_CONFLICT' }]);
    expect((await act(path, 'PING')).status).toBe(404);
    expect(await statements()).toHaveLength(2);
  });

  test('belongs to its repository', async () => {
    await server.database.repository('acme/other', { create: true });
    const path = await begin();
    expect((await act(path.replace('people', 'other'), 'PING')).status).toBe(404);
    expect((await server.send('POST', '/acme/repositories/nobody/transactions')).status).toBe(404);
    expect((await act(path, 'PING')).status).toBe(200);
  });

  test('requests that come at once take turns', async () => {
    const path = await begin();
    const adds = Array.from({ length: 20 }, (_, i) =>
      act(path, 'ADD', { body: `<urn:n${String(i)}> <urn:p> "x" .`, headers: TURTLE }),
    );
    for (const add of adds) expect((await add).status).toBe(200);
    expect((await act(path, 'COMMIT')).status).toBe(200);
    expect(await statements()).toHaveLength(21);
  });
});

describe('what is held in memory', () => {
  const MEASURE = 2000;
  const document = (bytes: number, name: string): RequestInit => {
    const line = `<urn:${name}> <urn:p> "x" .\n`;
    return { body: line.repeat(Math.floor(bytes / line.length)), headers: TURTLE };
  };

  test('one transaction holds so much, in one body or in several; what was refused does not count', async () => {
    await server.database.close();
    server = await testServer({ transactionBytes: MEASURE, openTransactionsBytes: MEASURE * 1.5 });
    const path = await begin();
    expect((await act(path, 'ADD', document(1500, 'a'))).status).toBe(200);
    const refused = await act(path, 'ADD', document(1000, 'b'));
    expect([refused.status, await refused.json()]).toEqual([
      413,
      expect.objectContaining({ code: 'INPUT_TOO_LARGE', error: expect.stringContaining('2000 bytes at most') }),
    ]);
    expect((await act(path, 'DELETE', document(1000, 'b'))).status).toBe(413);
    expect((await act(path, 'ADD', { body: 'no Turtle', headers: TURTLE })).status).toBe(400);
    expect((await act(path, 'ADD', document(400, 'c'))).status).toBe(200);
    // All of them together hold no more than that.
    const other = await begin();
    const full = await act(other, 'ADD', document(1500, 'd'));
    expect([full.status, full.headers.get('Retry-After')]).toEqual([429, '10']);
    expect((await act(path, 'COMMIT')).status).toBe(200);
    expect((await act(other, 'ADD', document(1500, 'd'))).status).toBe(200);
    expect(await statements()).toEqual(['<urn:a> <urn:p> "x" .', '<urn:c> <urn:p> "x" .']);
  });

  test('so do PATCH, transaction documents, bodies of several documents and documents for several graphs', async () => {
    await server.database.close();
    server = await testServer({ transactionBytes: MEASURE });
    const { send } = server;
    const long = document(3000, 'a');
    const form = new FormData();
    for (const name of ['a', 'b']) form.append(name, new Blob([document(1500, name).body as string]), `${name}.nt`);
    const removal = '<remove><uri>urn:a</uri><null/><null/></remove>'.repeat(50);
    const change = {
      body: `<transaction>${removal}</transaction>`,
      headers: { 'Content-Type': 'application/x-rdftransaction' },
    };
    for (const refused of [
      send('PATCH', '/acme/people/service', long),
      send('POST', '/acme/people/statements', change),
      send('POST', '/acme/people/service?default', { body: form }),
      send('POST', '/acme/people/statements?context=<urn:g>&context=<urn:h>', long),
    ]) {
      expect((await refused).status).toBe(413);
    }
    expect(await statements()).toEqual([]);
    // Alone it is read as it comes.
    expect((await send('POST', '/acme/people/statements', long)).status).toBe(204);
    expect((await send('PUT', '/acme/people/service?default', long)).status).toBe(204);
  });

  test('all requests together hold so much, until they are answered', async () => {
    await server.database.close();
    server = await testServer({ transactionBytes: MEASURE, openTransactionsBytes: MEASURE * 1.5 });
    const patch = (body: BodyInit): Promise<Response> =>
      server.send('PATCH', '/acme/people/service', { body, headers: TURTLE, duplex: 'half' } as RequestInit);
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const slow = patch(readable);
    await writer.write(new TextEncoder().encode(document(1900, 'a').body as string));
    await expect.poll(async () => (await patch(document(1900, 'b').body as string)).status).toBe(429);
    await writer.close();
    expect((await slow).status).toBe(204);
    expect((await patch(document(1900, 'b').body as string)).status).toBe(204);
  });
});
