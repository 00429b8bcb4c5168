/** A repository that moves to another store, as clients of the store that it leaves see it. */
import { carriedRecords, openService, type Service } from './host/index.js';
import { MemoryDriver } from '@quadrille/storage';
import { FaultDriver } from '@quadrille/storage/testing';
import { type Database, moveRepository, open, type MoveOptions } from 'quadrille';
import { hostOf } from 'quadrille/host';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHandler, type Handler, type HandlerOptions } from './handler.js';
import { BASE } from './testing/server.js';

const NAME = 'acme/people';
const JSON_TYPE = { 'Content-Type': 'application/json', Accept: 'application/json' };
const OWNER = { account: 'acme', readOnly: false, admin: false };

/** A store in memory that is served. Moves open it for themselves. */
class Served {
  readonly storage = new MemoryDriver();
  readonly tokens: Record<string, string> = {};
  database!: Database;
  service!: Service;
  handler!: Handler;

  async start(options: Partial<HandlerOptions> = {}): Promise<this> {
    this.database = await open({ storage: this.storage });
    this.service = await openService(this.database, { rateLimit: false });
    this.handler = createHandler({ service: this.service, ...options });
    return this;
  }

  async stop(): Promise<void> {
    await this.service.close();
    await this.database.close();
  }

  async account(name: string): Promise<void> {
    await this.service.accounts.create(name);
    this.tokens[name] = (await this.service.tokens.create(name)).text;
  }

  send(path: string, init: RequestInit = {}, by?: string): Promise<Response> {
    const authorization = by === undefined ? {} : { Authorization: `Bearer ${this.tokens[by]!}` };
    const headers = { ...(init.headers as Record<string, string> | undefined), ...authorization };
    return this.handler(new Request(BASE + path, { ...init, headers }));
  }
}

let from: Served;
let to: Served;

beforeEach(async () => {
  from = await new Served().start();
  for (const account of ['acme', 'jo', 'kim', 'other']) await from.account(account);
  await from.service.repositories.create(OWNER, 'acme', {
    name: 'people',
    privacy: 'private',
    description: 'all of them',
  });
  await from.service.repositories.setCollaborator(OWNER, NAME, 'jo', 'write');
  await from.service.repositories.setCollaborator(OWNER, NAME, 'kim', 'read');
  await from.service.views.set(OWNER, NAME, 'all', 'SELECT * { ?s ?p ?o }');
  to = await new Served().start();
  for (const account of ['acme', 'jo']) await to.account(account);
});
afterEach(async () => {
  await from.stop();
  await to.stop();
});

const UPDATE = {
  method: 'POST',
  headers: { 'Content-Type': 'application/sparql-update' },
  body: 'INSERT DATA { <urn:a> <urn:p> 1 }',
};

/** Moves the repository while nobody serves either store. */
async function move(options: MoveOptions = {}, storage: MemoryDriver | FaultDriver = from.storage): Promise<void> {
  await from.stop();
  await to.stop();
  try {
    await moveRepository({ storage }, NAME, { storage: to.storage }, { carry: carriedRecords, ...options });
  } finally {
    await from.start();
    await to.start();
  }
}

const told = async (response: Response): Promise<unknown[]> => {
  const { code } = (await response.json()) as { code?: string };
  return [response.status, code, response.headers.get('Location')];
};

test('rights, views and the description go too, and so do keys of requests', async () => {
  const keyed = { ...UPDATE, headers: { ...UPDATE.headers, 'Idempotency-Key': '"k1"' } };
  const first = await from.send('/acme/people/sparql', keyed, 'acme');
  expect(first.status).toBe(204);
  await move();
  expect(await to.service.repositories.collaborators(OWNER, NAME)).toEqual({ jo: 'write' });
  expect(await to.service.views.list(OWNER, NAME)).toEqual([{ name: 'all', query: 'SELECT * { ?s ?p ?o }' }]);
  expect(await to.service.repositories.record(OWNER, NAME)).toMatchObject({
    privacy: 'private',
    description: 'all of them',
  });
  expect((await to.send('/acme/people', {}, 'jo')).status).toBe(200);
  const repeated = await to.send('/acme/people/sparql', keyed, 'acme');
  expect(repeated.headers.get('Idempotency-Replayed')).toBe('true');
  expect(repeated.headers.get('ETag')).toBe(first.headers.get('ETag'));
  const audit = new Map(Object.entries(Object.fromEntries(await hostOf(from.database).records.list('audit/'))));
  expect([...audit.values()]).toContainEqual(expect.objectContaining({ action: 'repository.move', subject: NAME }));
  expect([
    ...(await hostOf(from.database).records.list('view/')).keys(),
    ...(await hostOf(from.database).records.list('request/')).keys(),
  ]).toEqual([]);
});

describe.each([
  ['with an address', 'https://two.example/base', 308],
  ['without one', undefined, 410],
] as const)('after a move %s', (_, redirect, status) => {
  beforeEach(() => move({ redirect }));
  const at = (path: string): string | null => (redirect === undefined ? null : redirect + path);

  test('every request for it is answered so', async () => {
    const paths: [string, RequestInit][] = [
      ['/acme/people', {}],
      ['/acme/people', { method: 'DELETE' }],
      ['/acme/people/sparql?query=ASK%20%7B%7D', {}],
      ['/acme/people/sparql', UPDATE],
      [
        '/acme/people/sparql',
        { method: 'POST', headers: { 'Content-Type': 'application/sparql-query' }, body: 'ASK {}' },
      ],
      [
        '/acme/people/service?default',
        { method: 'PUT', headers: { 'Content-Type': 'text/turtle' }, body: '<urn:a> <urn:b> 1 .' },
      ],
      ['/acme/people/statements', { method: 'DELETE' }],
      ['/acme/people/changes', {}],
      ['/acme/people/revisions', {}],
      ['/acme/people/collaborators/jo', { method: 'PUT', headers: JSON_TYPE, body: '{"read": true, "write": true}' }],
      ['/acme/people/views', {}],
      ['/acme/people/transactions', { method: 'POST' }],
      ['/acme/%70eople/settings', {}],
    ];
    for (const [path, init] of paths)
      expect([path, await told(await from.send(path, init, 'acme'))]).toEqual([
        path,
        [status, 'REPOSITORY_MOVED', at(path)],
      ]);
    const head = await from.send('/acme/people/statements', { method: 'HEAD' }, 'acme');
    expect([head.status, await head.text(), head.headers.get('Cache-Control')]).toEqual([status, '', 'no-store']);
  });

  test('whoever could not read it is told nothing', async () => {
    expect(await told(await from.send('/acme/people', {}, 'kim'))).toEqual([
      status,
      'REPOSITORY_MOVED',
      at('/acme/people'),
    ]);
    expect(await told(await from.send('/acme/people', {}, 'other'))).toEqual([404, 'REPOSITORY_NOT_FOUND', null]);
    expect(await told(await from.send('/acme/people'))).toEqual([401, 'UNAUTHENTICATED', null]);
  });

  test('a text that names it at another address is not redirected', async () => {
    await from.service.repositories.create(OWNER, 'acme', { name: 'notes' });
    const target = { method: 'POST', headers: JSON_TYPE, body: '{"target": "acme/people"}' };
    const refused = await from.send('/acme/notes/fork', target, 'acme');
    expect([refused.status, refused.headers.get('Location')]).toEqual([422, null]);
  });

  test('its name is taken, it is in no list, and the operator frees it', async () => {
    const create = (): Promise<Response> =>
      from.send('/acme/repositories', { method: 'POST', headers: JSON_TYPE, body: '{"name": "people"}' }, 'acme');
    const refused = await create();
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining('has moved') as string]);
    expect(await from.service.repositories.list(OWNER, 'acme')).toEqual([]);
    expect(await from.database.deleteRepository(NAME)).toBe(true);
    expect((await create()).ok).toBe(true);
    // The new one has no rights of the old one.
    expect(await from.service.repositories.collaborators(OWNER, NAME)).toEqual({});
  });

  test('an account that is made anew has no repository that moved', async () => {
    await from.service.administration.removeAccount({ ...OWNER, admin: true }, 'acme', true);
    await from.account('acme');
    expect(await told(await from.send('/acme/people', {}, 'acme'))).toEqual([404, 'REPOSITORY_NOT_FOUND', null]);
  });
});

test('below a base path, the address has the path without it; an address of this server is none', async () => {
  await move({ redirect: 'https://two.example' });
  await from.stop();
  await from.start({ basePath: '/rdf' });
  expect(await told(await from.send('/rdf/acme/people/revisions?limit=1', {}, 'acme'))).toEqual([
    308,
    'REPOSITORY_MOVED',
    'https://two.example/acme/people/revisions?limit=1',
  ]);
  await from.stop();
  // A token is not sent on.
  await from.start({ queryToken: true });
  const asked = `/acme/people?a=1&auth%5Ftoken=${from.tokens['acme']!}&b=%26`;
  expect(await told(await from.send(asked))).toEqual([
    308,
    'REPOSITORY_MOVED',
    'https://two.example/acme/people?a=1&b=%26',
  ]);
  await from.stop();
  await from.start({ publicBase: 'https://two.example' });
  expect(await told(await from.send('/acme/people', {}, 'acme'))).toEqual([410, 'REPOSITORY_MOVED', null]);
});

test('while it is copied it can be read, and takes no change', async () => {
  const faulty = new FaultDriver(from.storage);
  const killed = move(
    {
      onProgress() {
        faulty.setFault({ effect: 'fail', operations: ['write'], repeat: 'forever' });
        throw new Error('killed');
      },
    },
    faulty,
  );
  await expect(killed).rejects.toThrow('killed');
  expect((await from.send('/acme/people/sparql?query=ASK%20%7B%7D', {}, 'acme')).status).toBe(200);
  expect(await from.service.repositories.list(OWNER, 'acme')).toHaveLength(1);
  const changes: [string, RequestInit][] = [
    ['/acme/people/sparql', UPDATE],
    ['/acme/people', { method: 'DELETE' }],
    ['/acme/people/meta', { method: 'PUT', headers: JSON_TYPE, body: '{"name": "People"}' }],
    ['/acme/people/meta', { method: 'PUT', headers: JSON_TYPE, body: '{"privacy": "public"}' }],
    ['/acme/people/collaborators/jo', { method: 'DELETE' }],
    ['/acme/people/views/all', { method: 'DELETE' }],
    [
      '/acme/people/views/new',
      { method: 'PUT', headers: { 'Content-Type': 'application/sparql-query' }, body: 'ASK {}' },
    ],
  ];
  for (const [path, init] of changes) {
    const response = await from.send(path, init, 'acme');
    const retry = response.headers.get('Retry-After');
    const { code, error } = (await response.json()) as { code: string; error: string };
    expect([path, response.status, code, retry]).toEqual([path, 503, 'REPOSITORY_MOVING', '10']);
    expect(error).not.toContain('memory');
  }
  expect(await from.service.repositories.collaborators(OWNER, NAME)).toEqual({ jo: 'write', kim: 'read' });
});
