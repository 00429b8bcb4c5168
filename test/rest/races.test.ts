// Repositories that are created, filled, asked and deleted at once over HTTP: each request succeeds whole or is refused with the
// status that says why, and nothing is acknowledged to a repository that is gone.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHandler, type NodeServer, serveNode } from '@quadrille/server';
import { openService, type Service } from '@quadrille/server/host';
import { type Database, open } from 'quadrille';
import { hostOf } from 'quadrille/host';
import { afterEach, beforeEach, expect, test } from 'vitest';

const NAMES = ['a', 'b', 'c'];
const ACTORS = 8;
const STEPS = 25;

/** A request with its place in the order of all sendings and answers. */
interface Event {
  readonly kind: string;
  readonly name: string;
  readonly sent: number;
  readonly answered: number;
  readonly status: number;
  /** The statements that it writes have this object. */
  readonly id: string;
}

let directory: string;
let database: Database;
let service: Service;
let server: NodeServer;
let headers: Record<string, string>;
let clock = 0;
let events: Event[] = [];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'quadrille-races-'));
  database = await open(directory, { durability: 'process' });
  service = await openService(database);
  await service.accounts.create('acme');
  await service.accounts.create('other');
  headers = { Authorization: `Bearer ${(await service.tokens.create('acme')).text}` };
  server = await serveNode(createHandler({ service }), { port: 0 });
  clock = 0;
  events = [];
});
afterEach(async () => {
  await server.close();
  await service.close();
  await database.close();
  await rm(directory, { recursive: true, force: true });
});

const send = (method: string, path: string, body?: string, more: Record<string, string> = {}): Promise<Response> =>
  fetch(server.url + path, { method, headers: { ...headers, ...more }, ...(body === undefined ? {} : { body }) });

/** Sends one request and notes what became of it. The answer is read to its end. */
async function note(kind: string, name: string, id: string, request: () => Promise<Response>): Promise<Response> {
  const sent = ++clock;
  const answer = await request();
  const text = await answer.text();
  events.push({ kind, name, id, sent, answered: ++clock, status: answer.status });
  if (answer.status >= 500) throw new Error(`${kind} ${name}: ${String(answer.status)} ${text}`);
  return answer;
}

const NT = { 'Content-Type': 'application/n-triples' };
const triples = (id: string, count: number): string =>
  Array.from({ length: count }, (_, i) => `<urn:${id}:${String(i)}> <urn:p> "${id}" .\n`).join('');

/** What an actor may do with the repository of a name. Each says with which statuses it may be answered. */
const STEPS_BY_KIND: Readonly<Record<string, (name: string, id: string) => Promise<unknown>>> = {
  create: (name, id) =>
    note('create', name, id, () => send('POST', '/acme/repositories', JSON.stringify({ name }), JSON_TYPE)),
  delete: (name, id) => note('delete', name, id, () => send('DELETE', `/acme/${name}`)),
  import: (name, id) => note('import', name, id, () => send('POST', `/acme/${name}/statements`, triples(id, 20), NT)),
  load: (name, id) => note('load', name, id, () => send('POST', `/acme/${name}/statements`, triples(id, 6000), NT)),
  update: (name, id) =>
    note('update', name, id, () =>
      send('POST', `/acme/${name}/sparql`, `INSERT DATA { ${triples(id, 3)} }`, UPDATE_TYPE),
    ),
  query: (name, id) => note('query', name, id, () => send('GET', `/acme/${name}/sparql?query=${SIZE}`)),
  job: (name, id) =>
    note('job', name, id, () =>
      send('POST', `/acme/${name}/statements`, triples(id, 100), { ...NT, 'Accept-Asynchronous': 'notify' }),
    ),
  view: (name, id) => note('view', name, id, () => send('PUT', `/acme/${name}/views/v`, 'ASK {}', QUERY_TYPE)),
  share: (name, id) =>
    note('share', name, id, () => send('PUT', `/acme/${name}/collaborators/other`, '{"read": true}', JSON_TYPE)),
  transaction: async (name, id) => {
    const begun = await note('begin', name, id, () => send('POST', `/acme/${name}/transactions`));
    if (begun.status !== 201) return;
    const path = new URL(begun.headers.get('Location') ?? '').pathname;
    await note('add', name, id, () => send('PUT', `${path}?action=ADD`, triples(id, 5), NT));
    await note('commit', name, id, () => send('PUT', `${path}?action=COMMIT`));
  },
};
const JSON_TYPE = { 'Content-Type': 'application/json' };
const UPDATE_TYPE = { 'Content-Type': 'application/sparql-update' };
const QUERY_TYPE = { 'Content-Type': 'application/sparql-query' };
const SIZE = encodeURIComponent('SELECT (COUNT(*) AS ?n) { ?s ?p ?o }');

const ALLOWED: Readonly<Record<string, readonly number[]>> = {
  create: [200, 422],
  delete: [200, 404],
  import: [204, 404],
  load: [204, 404],
  update: [204, 404],
  query: [200, 404],
  job: [202, 404],
  view: [201, 204, 404],
  share: [204, 404],
  begin: [201, 404],
  add: [200, 404],
  commit: [200, 404],
};
/** Of these an acknowledged one has written its statements. */
const WRITES = new Set(['import', 'load', 'update', 'commit']);
/** More often than the others. */
const DRAWN = [...Object.keys(STEPS_BY_KIND), 'create', 'create', 'create', 'delete', 'import', 'transaction'];

function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

async function actor(number: number, draw: (below: number) => number): Promise<void> {
  for (let step = 0; step < STEPS; step++) {
    const kind = DRAWN[draw(DRAWN.length)]!;
    await STEPS_BY_KIND[kind]!(NAMES[draw(NAMES.length)]!, `${String(number)}-${String(step)}`);
  }
}

const done = (kind: string, name: string): Event[] =>
  events.filter((event) => event.kind === kind && event.name === name && event.status < 300);

/** The objects in a repository at the end, each with the number of its statements. */
async function content(name: string): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const repository = await database.repository(`acme/${name}`).catch(() => undefined);
  if (repository === undefined) return found;
  for await (const { object } of repository.quads()) found.set(object.value, (found.get(object.value) ?? 0) + 1);
  return found;
}

test('requests of all kinds at once', { timeout: 120_000 }, async () => {
  const seed = Number(process.env['QUADRILLE_SEED'] ?? 1);
  console.log(`races: seed ${String(seed)}`);
  const actors = Array.from({ length: ACTORS }, (_, i) => actor(i, random(seed + i)));
  await Promise.all(actors);
  for (const { kind, name, status } of events)
    expect(ALLOWED[kind], `${kind} ${name}: ${String(status)}`).toContain(status);

  await expect.poll(() => service.jobs.working).toBe(0);
  for (const name of NAMES) {
    const [creations, deletions] = [done('create', name), done('delete', name)];
    const left = await content(name);
    for (const event of events.filter((each) => each.name === name && each.kind !== 'create')) {
      const { kind, id, sent, answered, status } = event;
      const text = `${kind} ${name} ${id} with seed ${String(seed)}`;
      // It was deleted before, and nobody made it again before the end of this.
      const before = Math.max(...deletions.filter((each) => each.answered < sent).map((each) => each.answered));
      const isGone = !creations.some((each) => each.answered > before && each.sent < answered);
      if (isGone && kind !== 'delete') expect(status, `${text}: there is no repository`).toBe(404);
      if (!WRITES.has(kind) || status >= 300) continue;
      if (deletions.every((each) => each.answered < sent)) {
        const count = { import: 20, load: 6000, update: 3, commit: 5 }[kind];
        expect(left.get(id), `${text}: acknowledged, and nobody deleted it`).toBe(count);
      } else if (deletions.some((each) => each.sent > answered)) {
        expect(left.get(id), `${text}: deleted afterwards`).toBeUndefined();
      }
    }
  }

  // Nothing stays behind of those that are deleted.
  for (const name of NAMES) await send('DELETE', `/acme/${name}`);
  for (const kind of ['repository/', 'view/'])
    expect([...(await hostOf(database).records.list(kind)).keys()]).toEqual([]);
  expect(await database.repositories().toArray()).toEqual([]);
  await service.close();
  await database.close();
  database = await open(directory);
  service = await openService(database);
  expect(service.interrupted).toEqual([]);
  expect(await database.verify()).toMatchObject({ ok: true, problems: [] });
});

test('a repository that is deleted ends its import, its transaction and its query', async () => {
  await send('POST', '/acme/repositories', JSON.stringify({ name: 'a' }), JSON_TYPE);
  const begun = await send('POST', '/acme/a/transactions');
  const transaction = new URL(begun.headers.get('Location') ?? '').pathname;
  // Its sender never ends.
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const importing = fetch(`${server.url}/acme/a/statements`, {
    method: 'POST',
    headers: { ...headers, ...NT },
    body: readable,
    duplex: 'half',
  } as RequestInit);
  void writer.write(new TextEncoder().encode(triples('x', 10_000))).catch(() => undefined);
  await expect.poll(() => service.jobs.latest('acme/a')?.statements ?? 0).toBeGreaterThan(0);

  expect((await send('DELETE', '/acme/a')).status).toBe(200);
  const refused = await importing;
  expect([refused.status, await refused.json()]).toMatchObject([404, { code: 'REPOSITORY_DELETED' }]);
  await writer.abort().catch(() => undefined);
  expect(service.jobs.working).toBe(0);
  await send('POST', '/acme/repositories', JSON.stringify({ name: 'a' }), JSON_TYPE);
  const late = await send('PUT', `${transaction}?action=COMMIT`);
  expect([late.status, await late.json()]).toMatchObject([404, { code: 'TRANSACTION_NOT_FOUND' }]);
  expect(await (await database.repository('acme/a')).size()).toBe(0);
});
