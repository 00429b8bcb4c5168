// Changes that only tell what they would do.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestServer, testServer, TURTLE } from '../../testing/server.js';

const R = '/acme/people';
const UPDATE = { 'Content-Type': 'application/sparql-update' };
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
  await send('POST', '/statements', '<urn:a> <urn:p> 1 , 2 .');
  await send('POST', '/statements?context=urn:g', '<urn:a> <urn:p> 3 .');
});
afterEach(() => server.database.close());

const send = (
  method: string,
  path: string,
  body: BodyInit | null,
  headers: Record<string, string> = TURTLE,
): Promise<Response> => server.send(method, R + path, { body, headers });
const head = async (): Promise<unknown> => (await server.database.repository('acme/people')).revision();
const told = async (response: Response): Promise<unknown> => [response.status, await response.json()];

const form = (): FormData => {
  const data = new FormData();
  data.append('dry-run', '1');
  data.append('file', new Blob(['<urn:z> <urn:p> 1 .']), 'a.ttl');
  return data;
};

test.each<[string, string, string, BodyInit, Record<string, string>, number, number]>([
  ['a document', 'POST', '/statements?dry-run=1', '<urn:a> <urn:p> 1 , 9 .', TURTLE, 1, 0],
  ['one that is there', 'POST', '/statements?dry-run', '<urn:a> <urn:p> 1 .', TURTLE, 0, 0],
  ['a replacement', 'PUT', '/statements?dry-run=true', '<urn:a> <urn:p> 1 , 9 .', TURTLE, 1, 2],
  ['that of a graph', 'PUT', '/statements?dry-run=1&context=urn:g', '<urn:z> <urn:p> 1 .', TURTLE, 1, 1],
  ['a long one', 'POST', '/statements?dry-run=1', `<urn:z> <urn:p> ${'1,'.repeat(200_000)} 2 .`, TURTLE, 2, 0],
  [
    'skipped lines',
    'POST',
    '/statements?dry-run=1&on-error=skip',
    '<a>\n<urn:z> <urn:p> "1" .\n',
    { 'Content-Type': 'text/plain' },
    1,
    0,
  ],
  ['a file of a form', 'POST', '/statements', form(), {}, 1, 0],
  ['an update', 'POST', '/sparql?dry-run=1', 'DELETE WHERE { <urn:a> ?p ?o }', UPDATE, 0, 2],
  ['one of a form', 'POST', '/sparql', 'update=CLEAR+ALL&dry-run=1', FORM, 0, 3],
  ['one to the statements', 'POST', '/statements?dry-run=1', 'CLEAR DEFAULT', UPDATE, 0, 2],
  ['one to the graphs', 'PATCH', '/rdf-graphs/service?dry-run=1', 'CLEAR DEFAULT', UPDATE, 0, 2],
])('%s is told, and not made', async (_, method, path, body, headers, added, removed) => {
  const before = await head();
  const preview = await send(method, path, body, headers);
  const tag = preview.headers.get('ETag')!;
  expect(await told(preview)).toEqual([200, { added, removed }]);
  expect(await head()).toEqual(before);
  if (body instanceof FormData) return;
  // A change with its tag does just that, and nothing where another commit came between.
  const undone = (text: string): string => text.replace(/[?&]dry-run(=\w+)?/, '').replace(/^(\/\S+?)&/, '$1?');
  const given = [method, undone(path), typeof body === 'string' ? undone(body) : body] as const;
  const made = await send(...given, { ...headers, 'If-Match': tag });
  expect([made.status, await made.text()]).toEqual([204, '']);
  const after = (await head()) as { added: number; removed: number };
  if (added + removed > 0) {
    expect(after).toMatchObject({ added, removed });
    expect((await send(...given, { ...headers, 'If-Match': tag })).status).toBe(412);
  }
});

test('a branch has its own preview', async () => {
  await server.send('PUT', `${R}/branches/dev`);
  await send('POST', '/sparql', 'CLEAR ALL', { ...UPDATE, Branch: 'dev' });
  const preview = (headers: Record<string, string>): Promise<Response> =>
    send('POST', '/sparql?dry-run=1', 'CLEAR ALL', { ...UPDATE, ...headers });
  expect(await told(await preview({ Branch: 'dev' }))).toEqual([200, { added: 0, removed: 0 }]);
  expect(await told(await preview({}))).toEqual([200, { added: 0, removed: 3 }]);
});

test('a key of a preview is free for the change', async () => {
  const keyed = { ...TURTLE, 'Idempotency-Key': 'k' };
  expect((await send('POST', '/statements?dry-run=1', '<urn:z> <urn:p> 1 .', keyed)).status).toBe(200);
  expect((await send('POST', '/statements', '<urn:z> <urn:p> 1 .', keyed)).status).toBe(204);
  expect(await head()).toMatchObject({ number: 4, added: 1 });
});

test('what the change refuses, its preview refuses, and what has no preview says so', async () => {
  const before = await head();
  const refused = async (...given: Parameters<typeof send>): Promise<unknown> => {
    const response = await send(...given);
    return [response.status, ((await response.json()) as { code: string }).code];
  };
  expect(await refused('POST', '/statements?dry-run=1', '<urn:a> <urn:p> .')).toEqual([400, 'RDF_SYNTAX']);
  expect(await refused('POST', '/statements?dry-run=2', '')).toEqual([400, 'INVALID_PARAMETER']);
  expect(await refused('POST', '/sparql?dry-run=1', 'CLEAR', UPDATE)).toEqual([400, 'SPARQL_SYNTAX']);
  expect(await refused('POST', '/sparql?dry-run=1', 'ASK {}', { 'Content-Type': 'application/sparql-query' })).toEqual([
    400,
    'INVALID_PARAMETER',
  ]);
  const stale = { ...UPDATE, 'If-Match': '"018bcfe5-8358-738e-9154-8181177da82e"' };
  expect(await refused('POST', '/sparql?dry-run=1', 'CLEAR ALL', stale)).toEqual([412, 'PRECONDITION_FAILED']);
  expect(await refused('POST', '/statements?dry-run=1&context=urn:g&context=urn:h', '')).toEqual([
    400,
    'INVALID_OPTION',
  ]);
  const later = { ...TURTLE, Prefer: 'respond-async' };
  expect(await refused('POST', '/statements?dry-run=1', '', later)).toEqual([400, 'INVALID_PARAMETER']);
  const parts = { ...TURTLE, 'Upload-Complete': '?0' };
  expect(await refused('POST', '/statements?dry-run=1', '', parts)).toEqual([400, 'INVALID_PARAMETER']);
  for (const [method, path] of [
    ['PUT', '/rdf-graphs/service?default&dry-run=1'],
    ['POST', '/changes?dry-run=1'],
    ['DELETE', '/statements?dry-run=1'],
  ] as const)
    expect(await refused(method, path, null), path).toEqual([400, 'INVALID_PARAMETER']);
  const begun = await server.send('POST', `${R}/transactions`);
  const transaction = new URL(begun.headers.get('Location')!).pathname.replace(R, '');
  expect(await refused('PUT', `${transaction}?action=UPDATE&dry-run=1`, 'CLEAR ALL', UPDATE)).toEqual([
    400,
    'INVALID_PARAMETER',
  ]);
  expect(await head()).toEqual(before);
});
