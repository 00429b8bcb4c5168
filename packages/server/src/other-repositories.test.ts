/** Texts of clients that name other repositories: each protocol path checks the rights of the client, and such answers are not cached. */
import { openService, type Service } from './host/index.js';
import { type Database, open } from 'quadrille';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHandler, type Handler, type HandlerOptions } from './handler.js';
import { BASE, query } from './testing/server.js';

const SPARQL = '/acme/people/sparql';
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const UPDATE = { 'Content-Type': 'application/sparql-update' };
const OWNERS = ['acme', 'other'] as const;
/** What `acme` may read of the other account, and what it may not; the last one does not exist. */
const READABLE = ['open', 'shared'];
const HIDDEN = ['secret', 'missing'];

let database: Database;
let service: Service;
let handler: Handler;
const tokens: Record<string, string> = {};

beforeEach(async () => {
  database = await open(':memory:');
  service = await openService(database, { rateLimit: false });
  for (const account of OWNERS) {
    await service.accounts.create(account);
    tokens[account] = (await service.tokens.create(account)).text;
  }
  tokens['reader'] = (await service.tokens.create('acme', { readOnly: true })).text;
  await create('acme', 'people', 'public');
  await create('other', 'open', 'public');
  await create('other', 'shared', 'private');
  await create('other', 'secret', 'private');
  const owner = { account: 'other', readOnly: false, admin: false };
  await service.repositories.setCollaborator(owner, 'other/shared', 'acme', 'read');
  handler = createHandler({ service });
});
afterEach(async () => {
  await service.close();
  await database.close();
});

async function create(account: string, name: string, privacy: 'public' | 'private'): Promise<void> {
  await service.repositories.create({ account, readOnly: false, admin: false }, account, { name, privacy });
  const repository = await database.repository(`${account}/${name}`);
  await repository.load(
    { text: `<urn:${name}> <urn:p> "${name}" . <urn:x> <urn:q> "${name}" .` },
    { format: 'text/turtle' },
  );
}

interface Sent {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whose token; `undefined`: nobody's. */
  readonly by?: string | undefined;
}

async function send(path: string, { method = 'GET', body, headers = {}, by }: Sent = {}): Promise<Response> {
  const authorization = by === undefined ? {} : { Authorization: `Bearer ${tokens[by]!}` };
  const init = { method, headers: { ...headers, ...authorization }, ...(body === undefined ? {} : { body }) };
  return handler(new Request(BASE + path, init));
}

/** Status, and the error without what differs in every answer. */
async function outcome(response: Response, name: string): Promise<string> {
  const text = await response.text();
  if (response.ok) return `${String(response.status)}`;
  const { error, code } = JSON.parse(text) as { error: string; code: string };
  return `${String(response.status)} ${code} ${error.replaceAll(name, 'NAME')}`;
}

const inService = (name: string): string => `SELECT * { SERVICE <repo:other/${name}> { ?s <urn:p> ?o } }`;
const ask = (text: string, by?: string, headers = {}): Promise<Response> =>
  send(`${SPARQL}?${query({ query: text })}`, { headers: { Accept: 'text/csv', ...headers }, by });

/** Every path by which a text of a client is evaluated, with the name of the repository that the text reads. */
const PATHS: Readonly<Record<string, (name: string, by: string) => Promise<Response>>> = {
  'GET query': (name, by) => ask(inService(name), by),
  'GET query at a revision': (name, by) => ask(inService(`${name}@2`), by),
  'GET query FROM': (name, by) => ask(`SELECT * FROM <repo:other/${name}> { ?s ?p ?o }`, by),
  'GET query FROM NAMED': (name, by) => ask(`SELECT * FROM NAMED <repo:other/${name}> { GRAPH ?g { ?s ?p ?o } }`, by),
  'GET default-graph-uri': (name, by) =>
    send(`${SPARQL}?${query({ query: 'SELECT * { ?s ?p ?o }', 'default-graph-uri': `repo:other/${name}` })}`, { by }),
  'GET query with a variable': (name, by) =>
    ask(`SELECT * { VALUES ?e { <repo:other/${name}> } SERVICE ?e { ?s <urn:p> ?o } }`, by),
  'GET query with a bound variable': (name, by) =>
    send(`${SPARQL}?${query({ query: 'SELECT * { SERVICE ?e { ?s <urn:p> ?o } }', $e: `<repo:other/${name}>` })}`, {
      by,
    }),
  'GET query in EXISTS': (name, by) =>
    ask(`ASK { FILTER NOT EXISTS { SERVICE <repo:other/${name}> { <urn:none> <urn:p> ?o } } }`, by, {
      Accept: 'text/boolean',
    }),
  'GET explain': (name, by) =>
    send(`${SPARQL}?${query({ query: inService(name), explain: 'analyze' })}`, { headers: { Accept: '*/*' }, by }),
  'POST query': (name, by) =>
    send(SPARQL, {
      method: 'POST',
      body: inService(name),
      headers: { 'Content-Type': 'application/sparql-query' },
      by,
    }),
  'POST form': (name, by) =>
    send(SPARQL, { method: 'POST', body: query({ query: inService(name) }), headers: FORM, by }),
  'GET view': async (name, by) => {
    const view = '/acme/people/views/theirs';
    const stored = await send(view, {
      method: 'PUT',
      body: inService(name),
      headers: { 'Content-Type': 'text/plain' },
      by: 'acme',
    });
    expect(stored.status).toBeLessThan(300);
    return send(view, { headers: { Accept: 'text/csv' }, by });
  },
  'POST update': (name, by) => send(SPARQL, { method: 'POST', body: insertFrom(name), headers: UPDATE, by }),
  'POST update USING': (name, by) =>
    send(SPARQL, {
      method: 'POST',
      body: `INSERT { ?s ?p ?o } USING <repo:other/${name}> WHERE { ?s ?p ?o }`,
      headers: UPDATE,
      by,
    }),
  'POST using-graph-uri': (name, by) => {
    const update = 'INSERT { ?s ?p ?o } WHERE { ?s ?p ?o }';
    const body = query({ update, 'using-graph-uri': `repo:other/${name}` });
    return send(SPARQL, { method: 'POST', body, headers: FORM, by });
  },
  'update in a transaction': async (name, by) => {
    const begun = await send('/acme/repositories/people/transactions', { method: 'POST', by });
    const path = (begun.headers.get('Location') ?? '').slice(BASE.length);
    const body = query({ update: insertFrom(name) });
    return send(`${path}?action=UPDATE`, { method: 'PUT', body, headers: FORM, by });
  },
  'query in a transaction': async (name, by) => {
    const begun = await send('/acme/repositories/people/transactions', { method: 'POST', by });
    const path = (begun.headers.get('Location') ?? '').slice(BASE.length);
    return send(`${path}?action=QUERY`, { method: 'PUT', body: query({ query: inService(name) }), headers: FORM, by });
  },
  'update in a document of changes': (name, by) => {
    const update = insertFrom(name).replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    const body = `<transaction><sparql><updateString>${update}</updateString></sparql></transaction>`;
    const headers = { 'Content-Type': 'application/x-rdftransaction' };
    return send('/acme/people/statements', { method: 'POST', body, headers, by });
  },
};
const insertFrom = (name: string): string =>
  `INSERT { ?s <urn:copied> ?o } WHERE { SERVICE <repo:other/${name}> { ?s <urn:p> ?o } }`;

describe.each(Object.entries(PATHS))('%s', (path, run) => {
  test('reads what the account may read, and nothing else', async () => {
    for (const name of READABLE) expect(await outcome(await run(name, 'acme'), name)).toMatch(/^20[04]$/);
    // One after the other: the view is the same one.
    const refused: string[] = [];
    for (const name of HIDDEN) refused.push(await outcome(await run(name, 'acme'), name));
    expect(refused[0]).toMatch(/^404 REPOSITORY_NOT_FOUND/);
    expect(refused[1]).toBe(refused[0]);
    // The owner may read it by the same path, where it may use the repository of the path.
    if (!/update|POST using|transaction|document/.test(path)) {
      expect(await outcome(await run('secret', 'other'), 'secret')).toBe('200');
    }
  });
});

test('somebody without a token learns nothing of private repositories', async () => {
  expect((await ask(inService('open'))).status).toBe(200);
  const refused = await Promise.all(
    ['shared', ...HIDDEN].map(async (name) => outcome(await ask(inService(name)), name)),
  );
  expect(new Set(refused).size).toBe(1);
  expect(refused[0]).toMatch(/^401 UNAUTHENTICATED/);
});

test('SILENT gives the same answer for a private and a missing repository', async () => {
  const answers = await Promise.all(
    HIDDEN.map(async (name) => (await ask(inService(name).replace('SERVICE', 'SERVICE SILENT'), 'acme')).text()),
  );
  expect(answers).toEqual(['s,o\r\n,\r\n', 's,o\r\n,\r\n']);
});

test('a token that may only read reads other repositories', async () => {
  expect(await (await ask(inService('shared'), 'reader')).text()).toBe('s,o\r\nurn:shared,"shared"\r\n');
});

test('rights that end hold for the next query, also for a text whose plan is kept', async () => {
  expect((await ask(inService('shared'), 'acme')).status).toBe(200);
  const owner = { account: 'other', readOnly: false, admin: false };
  await service.repositories.setCollaborator(owner, 'other/shared', 'acme', 'none');
  expect((await ask(inService('shared'), 'acme')).status).toBe(404);
});

test('a wrong address says what is expected', async () => {
  const response = await ask('SELECT * { SERVICE <repo:people> { ?s ?p ?o } }', 'acme');
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    code: 'INVALID_NAME',
    error: expect.stringContaining('repo:account/name@ref'),
  });
});

describe('answers that read others are not kept by caches', () => {
  const own = 'SELECT * { ?s <urn:p> ?o }';
  test.each([
    ['SERVICE', query({ query: inService('open') })],
    ['SILENT that fails', query({ query: inService('missing').replace('SERVICE', 'SERVICE SILENT') })],
    ['FROM', query({ query: 'SELECT * FROM <repo:other/open> { ?s ?p ?o }' })],
    ['FROM NAMED', query({ query: 'SELECT * FROM NAMED <repo:other/open> { GRAPH ?g { ?s ?p ?o } }' })],
    ['default-graph-uri', query({ query: own, 'default-graph-uri': 'repo:other/open' })],
    ['named-graph-uri', query({ query: 'SELECT * { GRAPH ?g { ?s ?p ?o } }', 'named-graph-uri': 'repo:other/open' })],
    ['an EXISTS', query({ query: `SELECT * { ?s ?p ?o FILTER EXISTS { SERVICE <repo:other/open> { ?a ?b ?o } } }` })],
    ['a variable', query({ query: 'SELECT * { VALUES ?e { <repo:other/open> } SERVICE ?e { ?s ?p ?o } }' })],
  ])('%s', async (_, parameters) => {
    const { id } = await (await database.repository('acme/people')).revision();
    const fixed = `${SPARQL}?${parameters}&revision-id=${id}`;
    for (const path of [`${SPARQL}?${parameters}`, fixed]) {
      const response = await send(path, { by: 'acme' });
      expect(response.status).toBe(200);
      expect(response.headers.get('Cache-Control')).toBe('no-store');
      for (const name of ['ETag', 'Last-Modified', 'Memento-Datetime'])
        expect(response.headers.get(name), name).toBeNull();
      const headers = { 'If-None-Match': `*`, 'If-Modified-Since': new Date(Date.now() + 1e6).toUTCString() };
      expect((await send(path, { headers, by: 'acme' })).status).toBe(200);
    }
  });

  test('other answers are', async () => {
    const response = await send(`${SPARQL}?${query({ query: own })}`, { by: 'acme' });
    expect(response.headers.get('ETag')).not.toBeNull();
    expect(response.headers.get('Cache-Control')).toBeNull();
  });
});

describe('where an embedding server checks the rights', () => {
  const asked: (string | undefined)[] = [];
  const authorize: Extract<HandlerOptions, { authorize: unknown }>['authorize'] = async (
    context,
    access,
    repository,
  ) => {
    asked.push(repository);
    const { AccessError } = await import('@quadrille/model');
    if (repository === 'other/secret') throw new AccessError('FORBIDDEN', 'not for you');
    void context;
    void access;
  };

  test('its function is asked for each other repository', async () => {
    handler = createHandler({ database, authorize });
    expect((await ask(inService('open'))).status).toBe(200);
    expect(asked).toContain('other/open');
    const refused = await Promise.all(HIDDEN.map(async (name) => outcome(await ask(inService(name)), name)));
    expect(refused[0]).toMatch(/^404 REPOSITORY_NOT_FOUND/);
    expect(refused[1]).toBe(refused[0]);
  });
});

test('an open server reads every repository', async () => {
  handler = createHandler({ database, open: true });
  expect((await ask(inService('secret'))).status).toBe(200);
  expect((await ask(inService('missing'))).status).toBe(404);
});
