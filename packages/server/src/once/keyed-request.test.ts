// Writes with an Idempotency-Key: done once, whatever is sent again.
import { openService } from '../host/index.js';
import { open } from 'quadrille';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHandler, type Handler } from '../handler.js';
import { BASE, testServer, type TestServer, TURTLE } from '../testing/server.js';

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
});
afterEach(() => server.database.close());

const UPDATE = { 'Content-Type': 'application/sparql-update' };
const REPLAYED = 'Idempotency-Replayed';
const R = '/acme/people';

const revisions = async (): Promise<number> =>
  (await (await server.database.repository('acme/people')).revision()).number;
const keyed = (key: string, method: string, path: string, body?: string, headers: Record<string, string> = {}) =>
  server.send(method, path, { headers: { 'Idempotency-Key': key, ...headers }, ...(body !== undefined && { body }) });
const update = (key: string, text: string, headers: Record<string, string> = {}): Promise<Response> =>
  keyed(key, 'POST', `${R}/sparql`, text, { ...UPDATE, ...headers });
const shown = async (answer: Response): Promise<unknown[]> => [
  answer.status,
  answer.headers.get('ETag'),
  answer.headers.get('Location'),
  answer.headers.get('Content-Type'),
  await answer.text(),
];

const PATCH = 'H version "2.0" .\nA <urn:p1> <urn:p> <urn:o> .\n';
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

describe('a repeat gets the first answer, and nothing is done', () => {
  test.each([
    ['an update', 'POST', '/sparql', 'INSERT DATA { <urn:a> <urn:p> 1 }', UPDATE],
    ['an update in a form', 'POST', '/sparql', 'update=INSERT+DATA+%7B+%3Curn%3Aa%3E+%3Curn%3Ap%3E+1+%7D', FORM],
    ['an update answered by true', 'POST', '/sparql', 'CLEAR ALL', { ...UPDATE, Accept: 'text/boolean' }],
    ['an update that changes nothing', 'POST', '/sparql', 'DELETE DATA { <urn:x> <urn:p> 1 }', UPDATE],
    ['a document', 'POST', '/statements', '<urn:a> <urn:p> 2 .', TURTLE],
    ['a document in a graph', 'POST', '/statements?context=%3Curn:g%3E', '<urn:a> <urn:p> 2 .', TURTLE],
    [
      'a document in two graphs',
      'POST',
      '/statements?context=%3Curn:g%3E&context=%3Curn:h%3E',
      '<urn:a> <urn:p> 2 .',
      TURTLE,
    ],
    ['a document that replaces', 'PUT', '/statements', '<urn:a> <urn:p> 3 .', TURTLE],
    ['a removal', 'DELETE', '/statements?subj=%3Curn:first%3E', undefined, {}],
    ['a removal of nothing', 'DELETE', '/statements?subj=%3Curn:nobody%3E', undefined, {}],
    ['a new graph', 'PUT', '/graphs/new', '<urn:a> <urn:p> 4 .', TURTLE],
    ['a graph that must be new', 'PUT', '/graphs/new', '<urn:a> <urn:p> 4 .', { ...TURTLE, 'If-None-Match': '*' }],
    ['a graph whose name the server makes', 'POST', '/service', '<urn:a> <urn:p> 5 .', TURTLE],
    ['a patch of graphs', 'PATCH', '/service?default', '<urn:a> <urn:p> 6 .', TURTLE],
    ['a patch', 'POST', '/changes', PATCH, { 'Content-Type': 'application/rdf-patch' }],
    ['a reset', 'POST', '/reset?to=TAIL', undefined, {}],
    ['a revert', 'POST', '/revisions/HEAD/revert', undefined, {}],
    [
      'a form with a method',
      'POST',
      '/statements',
      'subj=%3Curn:first%3E',
      { ...FORM, 'X-HTTP-Method-Override': 'DELETE' },
    ],
  ] as [string, string, string, string | undefined, Record<string, string>][])(
    '%s',
    async (_, method, path, body, headers) => {
      await update('begin', 'INSERT DATA { <urn:first> <urn:p> 0 }');
      const first = await keyed('"k1"', method, R + path, body, headers);
      expect([first.ok, first.headers.get(REPLAYED)]).toEqual([true, null]);
      const expected = await shown(first);
      const made = await revisions();
      // Something else is committed meanwhile: by the repeat it would be undone, or it would conflict.
      await update('other', 'INSERT DATA { <urn:other> <urn:p> 1 }');
      const again = await keyed('k1', method, R + path, body, headers);
      expect(again.headers.get(REPLAYED)).toBe('true');
      expect(await shown(again)).toEqual(expected);
      expect(await revisions()).toBe(made + 1);
    },
  );

  test('a commit that names the revision that it changes', async () => {
    const before = (await update('a', 'INSERT DATA { <urn:a> <urn:p> 1 }')).headers.get('ETag')!;
    const write = (): Promise<Response> => update('b', 'INSERT DATA { <urn:b> <urn:p> 1 }', { 'If-Match': before });
    expect((await write()).status).toBe(204);
    const again = await write();
    expect([again.status, again.headers.get(REPLAYED)]).toEqual([204, 'true']);
    expect((await update('c', 'INSERT DATA { <urn:c> <urn:p> 1 }', { 'If-Match': before })).status).toBe(412);
  });

  test('a merge, and the commit of a transaction', async () => {
    const repository = await server.database.repository('acme/people');
    await (await repository.branches.open('dev', { create: true })).update('INSERT DATA { <urn:dev> <urn:p> 1 }');
    const merged = (): Promise<Response> =>
      keyed('m', 'POST', `${R}/branches/dev/merge`, '{}', { 'Content-Type': 'application/json' });
    const first = await merged();
    expect(first.ok).toBe(true);
    const again = await merged();
    expect([again.status, again.headers.get('ETag'), again.headers.get(REPLAYED)]).toEqual([
      first.status,
      first.headers.get('ETag'),
      'true',
    ]);
    const at = new URL((await server.send('POST', `${R}/transactions`)).headers.get('Location')!).pathname;
    await server.send('PUT', `${at}?action=ADD`, { body: '<urn:t> <urn:p> 1 .', headers: TURTLE });
    const commit = (): Promise<Response> => keyed('t', 'PUT', `${at}?action=COMMIT`);
    expect((await commit()).status).toBe(200);
    const made = await revisions();
    expect((await commit()).headers.get(REPLAYED)).toBe('true');
    expect(await revisions()).toBe(made);
    expect((await keyed('u', 'PUT', `${at}?action=COMMIT`)).status).toBe(404);
  });
});

test('of many at once one is done, and the others wait for its answer', async () => {
  const text = 'INSERT { ?n <urn:p> 1 } WHERE { BIND(UUID() AS ?n) }';
  const before = await revisions();
  const answers = await Promise.all(Array.from({ length: 20 }, () => update('once', text)));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(204));
  expect(new Set(answers.map(({ headers }) => headers.get('ETag'))).size).toBe(1);
  expect(answers.filter(({ headers }) => headers.get(REPLAYED) === null)).toHaveLength(1);
  expect(await revisions()).toBe(before + 1);
});

test('another request with the same key is refused, and changes nothing', async () => {
  await update('k', 'INSERT DATA { <urn:a> <urn:p> 1 }');
  const made = await revisions();
  const others = [
    update('k', 'INSERT DATA { <urn:a> <urn:p> 2 }'),
    update('k', 'INSERT DATA { <urn:a> <urn:p> 1 }', { 'Revision-Message': 'x' }),
    keyed('k', 'POST', `${R}/sparql?message=x`, 'INSERT DATA { <urn:a> <urn:p> 1 }', UPDATE),
    keyed('k', 'POST', `${R}/statements`, '<urn:a> <urn:p> 2 .', TURTLE),
    keyed('k', 'DELETE', `${R}/statements`),
  ];
  for (const answer of await Promise.all(others)) {
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  }
  expect(await revisions()).toBe(made);
});

test('a request that has failed is not kept', async () => {
  expect((await update('k', 'INSERT DATA { <urn:a> ')).status).toBe(400);
  const answer = await update('k', 'INSERT DATA { <urn:a> <urn:p> 1 }');
  expect([answer.status, answer.headers.get(REPLAYED)]).toEqual([204, null]);
});

test('a query ignores the key; other requests that are not commits refuse it', async () => {
  const ask = { 'Content-Type': 'application/sparql-query', Accept: 'text/boolean' };
  for (let i = 0; i < 2; i++) {
    const answer = await keyed('q', 'POST', `${R}/sparql`, 'ASK {}', ask);
    expect([answer.status, answer.headers.get(REPLAYED)]).toEqual([200, null]);
  }
  const form = new URLSearchParams({ name: 'new' }).toString();
  expect((await keyed('q', 'POST', '/acme/repositories', form, FORM)).status).toBe(400);
  expect((await keyed('q', 'PUT', `${R}/namespaces/ex`, 'urn:ex:', { 'Content-Type': 'text/plain' })).status).toBe(204);
  for (const headers of [{ Prefer: 'respond-async' }, { 'Accept-Asynchronous': 'notify' }, { 'Upload-Complete': '?0' }])
    expect(
      (
        await keyed('q', 'POST', `${R}/statements`, '<urn:a> <urn:p> 1 .', { ...TURTLE, ...headers } as Record<
          string,
          string
        >)
      ).status,
    ).toBe(400);
});

test.each([
  ['', 400],
  ['""', 400],
  ['a b', 400],
  ['ä', 400],
  ['x'.repeat(256), 400],
  ['x'.repeat(255), 204],
  ['"quoted"', 204],
])('the key %s is answered by %i', async (key, status) => {
  const answer = await update(key, 'INSERT DATA { <urn:a> <urn:p> 1 }');
  expect(answer.status).toBe(status);
  if (status === 400) expect(await answer.json()).toMatchObject({ code: 'BAD_REQUEST' });
});

test('a repository of the same name that was made anew knows no keys of the old one', async () => {
  const text = 'INSERT DATA { <urn:a> <urn:p> 1 }';
  await update('k', text);
  await server.database.deleteRepository('acme/people');
  await server.database.repository('acme/people', { create: true });
  const answer = await update('k', text);
  expect([answer.status, answer.headers.get(REPLAYED)]).toEqual([204, null]);
  expect(await revisions()).toBe(2);
});

test('keys of another account and of another repository are other keys', async () => {
  const database = await open(':memory:');
  const service = await openService(database, { rateLimit: false });
  const handler: Handler = createHandler({ service });
  const tokens: string[] = [];
  for (const name of ['ann', 'bob']) {
    await service.accounts.create(name);
    tokens.push((await service.tokens.create(name)).text);
    await database.repository(`${name}/data`, { create: true });
  }
  const write = async (token: string, path: string): Promise<string | null> => {
    const headers = { ...UPDATE, Authorization: `Bearer ${token}`, 'Idempotency-Key': 'k' };
    const body = 'INSERT DATA { <urn:a> <urn:p> 1 }';
    const answer = await handler(new Request(BASE + path, { method: 'POST', headers, body }));
    expect(answer.status).toBe(204);
    return answer.headers.get(REPLAYED);
  };
  const [ann, bob] = tokens as [string, string];
  expect(await write(ann, '/ann/data/sparql')).toBe(null);
  expect(await write(bob, '/bob/data/sparql')).toBe(null);
  expect(await write(ann, '/ann/data/sparql')).toBe('true');
  await service.close();
  await database.close();
});

test('a new server over the same data knows the keys', async () => {
  const text = 'INSERT DATA { <urn:a> <urn:p> 1 }';
  const first = (await update('k', text)).headers.get('ETag');
  const handler = createHandler({ service: await openService(server.database, { open: true }) });
  const headers = { ...UPDATE, 'Idempotency-Key': 'k' };
  const answer = await handler(new Request(`${BASE}${R}/sparql`, { method: 'POST', headers, body: text }));
  expect([answer.headers.get('ETag'), answer.headers.get(REPLAYED)]).toEqual([first, 'true']);
});

test('a request that another server sends again has its first answer, and does not tell so', async () => {
  const headers = { ...UPDATE, 'Quadrille-Forwarded': crypto.randomUUID() };
  const body = 'INSERT { ?s <urn:p> 1 } WHERE { BIND(UUID() AS ?s) }';
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => server.send('POST', `${R}/sparql`, { headers, body })),
  );
  expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204]);
  expect(new Set(answers.map((answer) => answer.headers.get('ETag'))).size).toBe(1);
  expect(answers.map((answer) => answer.headers.get(REPLAYED))).toEqual([null, null, null, null]);
  expect(await revisions()).toBe(2);
  const other = { ...headers, 'Quadrille-Forwarded': crypto.randomUUID() };
  expect((await server.send('POST', `${R}/sparql`, { headers: other, body })).status).toBe(204);
  expect(await revisions()).toBe(3);
});

describe('a repeat is answered before its long body is read', () => {
  const LENGTH = 6_000_000;
  const line = `<urn:a> <urn:p> "${'x'.repeat(1000)}" .\n`;
  const document = line.repeat(Math.ceil(LENGTH / line.length));
  const bytes = new TextEncoder().encode(document);
  /** Sends the bytes in pieces, and tells how many of them were asked for. */
  async function send(content: Uint8Array, announced?: number): Promise<[status: number, asked: number]> {
    let asked = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          const piece = content.subarray(asked, asked + 65_536);
          asked += piece.length;
          if (piece.length === 0) controller.close();
          else controller.enqueue(piece);
        },
      },
      { highWaterMark: 0 },
    );
    const headers: Record<string, string> = {
      'Idempotency-Key': 'long',
      'Content-Type': 'application/n-triples',
      ...(announced !== undefined && { 'Content-Length': String(announced) }),
    };
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
    const answer = await server.handler(new Request(`${BASE}${R}/statements`, init));
    return [answer.status, asked];
  }

  test('whatever comes after its beginning', async () => {
    expect(await send(bytes, bytes.length)).toEqual([204, bytes.length]);
    const before = await revisions();
    const [status, asked] = await send(bytes, bytes.length);
    expect([status, asked < 1_500_000]).toEqual([204, true]);
    const [chunked, askedOfChunks] = await send(bytes);
    expect([chunked, askedOfChunks < 1_500_000]).toEqual([204, true]);
    expect(await send(bytes.subarray(0, 1000), bytes.length - 1)).toEqual([422, 0]);
    expect((await send(bytes.subarray(0, 1000)))[0]).toBe(422);
    const other = bytes.slice();
    other[20] = 0x79;
    expect((await send(other, bytes.length))[0]).toBe(422);
    expect(await revisions()).toBe(before);
  });
});
