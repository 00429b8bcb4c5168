/** Long answers end when their client loses the right to read: revoked tokens, lost rights, private and deleted repositories. */
import { Agent, get, request as send } from 'node:http';
import { AccessError } from '@quadrille/model';
import { openService, type Service } from './host/index.js';
import { type Database, open, type Repository } from 'quadrille';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type NodeServer, serveNode } from './node/node.js';
import { createHandler } from './handler.js';
import { Reader } from './testing/reader.js';

const OPERATOR = { account: undefined, readOnly: false, admin: true };
/** More than the sockets of both sides hold. */
const VALUES = 200;
const LONG = 'x'.repeat(100_000);
/** Never comes to an end, before the first row or after it. */
const CROSS = '?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n ?o FILTER(STRLEN(STR(?a)) > 0)';
const COUNT = `SELECT (COUNT(*) AS ?n) { ${CROSS} }`;

let database: Database;
let service: Service;
let node: NodeServer;
let people: Repository;
let others: Repository;

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  database = await open(':memory:');
  service = await openService(database, { rateLimit: false, queries: { concurrency: 32 } });
  people = await database.repository('acme/people', { create: true });
  others = await database.repository('acme/others', { create: true });
  const rows = Array.from({ length: VALUES }, (_, i) => `<urn:s${String(i)}> <urn:p> "${LONG}${String(i)}" .`);
  await people.load({ text: rows.join('\n') }, { format: 'text/turtle' });
  await others.update(`INSERT DATA { <urn:x> <urn:p> ${Array.from({ length: VALUES }, (_, i) => i).join(', ')} }`);
  await service.accounts.create('jo');
  node = await serveNode(createHandler({ service }), { port: 0 });
});

afterAll(async () => {
  vi.useRealTimers();
  await node.close(100);
  await service.close();
  await database.close();
});

/** The looks of not quite five seconds. */
const fiveSeconds = () => vi.advanceTimersByTimeAsync(4999);

const share = (name: string, access: 'read' | 'none') =>
  service.repositories.setCollaborator(OPERATOR, name, 'jo', access);

async function tokenOf(account: string) {
  const { token, text } = await service.tokens.create(account);
  return { id: token.id, headers: { Authorization: `Bearer ${text}` } };
}

const queryUrl = (query: string, repository = 'people'): string =>
  `${node.url}/acme/${repository}/sparql?timeout=300&query=${encodeURIComponent(query)}`;

/** Resolves when so many queries compute. Others wait for their readers. */
const running = (count: number) =>
  expect
    .poll(() => database.queries().filter(({ state }) => state === 'running').length, { timeout: 10_000 })
    .toBe(count);

describe('a revoked token', () => {
  test('ends answers that are sent, computed and not taken, and those alone', async () => {
    const [lost, kept] = [await tokenOf('acme'), await tokenOf('acme')];
    const urls = [
      `${node.url}/acme/people/statements`,
      `${node.url}/acme/people/blame`,
      `${node.url}/acme/people.nq`,
      `${node.url}/acme/people/diff?from=1&to=HEAD`,
      queryUrl('SELECT * { ?s ?p ?o }'),
      queryUrl('CONSTRUCT { ?s ?p ?o } { ?s ?p ?o }'),
    ];
    const packed = { 'Accept-Encoding': 'gzip', Accept: 'application/json' };
    const readers = await Promise.all([
      ...urls.map((url) => Reader.begun(url, lost.headers)),
      Reader.begun(queryUrl(`SELECT * { ${CROSS} }`, 'others'), { ...lost.headers, ...packed }),
    ]);
    const others = await Promise.all(urls.map((url) => Reader.begun(url, kept.headers)));
    const computed = fetch(queryUrl(COUNT), { headers: lost.headers });
    await running(1);
    await service.tokens.revoke('acme', lost.id);
    await fiveSeconds();
    const refused = await computed;
    expect([refused.status, await refused.json()]).toMatchObject([401, { code: 'UNAUTHENTICATED' }]);
    await running(0);
    for (const reader of [...readers, ...others]) reader.read();
    await Promise.all([...readers, ...others].map((reader) => reader.end()));
    expect(readers.map(({ status, complete }) => [status, complete])).toEqual(readers.map(() => [200, false]));
    expect(others.map(({ status, complete }) => [status, complete])).toEqual(others.map(() => [200, true]));
  });

  test('ends an update before its commit', async () => {
    const token = await tokenOf('acme');
    const before = await others.revision();
    const answer = fetch(`${node.url}/acme/others/sparql?timeout=300`, {
      method: 'POST',
      headers: { ...token.headers, 'Content-Type': 'application/sparql-update' },
      body: `INSERT { ?a <urn:done> ?n } WHERE { { SELECT ?a (COUNT(*) AS ?n) { ${CROSS} . ?t ?u ?v . ?w ?x ?y } GROUP BY ?a } }`,
    });
    await running(1);
    await service.tokens.revoke('acme', token.id);
    await fiveSeconds();
    expect((await answer).status).toBe(401);
    await running(0);
    expect((await others.revision()).id).toBe(before.id);
  });

  test('leaves its connection to other requests', async () => {
    const [lost, kept] = [await tokenOf('acme'), await tokenOf('acme')];
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const status = (url: string, headers: Record<string, string>) =>
      new Promise<[number | undefined, boolean]>((resolve, reject) => {
        const sent = get(url, { agent, headers }, (response) => {
          response.resume().once('end', () => resolve([response.statusCode, sent.reusedSocket]));
        });
        sent.once('error', reject);
      });
    const first = status(queryUrl(COUNT), lost.headers);
    await running(1);
    await service.tokens.revoke('acme', lost.id);
    await fiveSeconds();
    expect(await first).toEqual([401, false]);
    expect(await status(queryUrl('SELECT * { ?s ?p ?o } LIMIT 1'), kept.headers)).toEqual([200, true]);
    agent.destroy();
  });
});

describe('a lost right', () => {
  test('of a collaborator is not found any more', async () => {
    await share('acme/people', 'read');
    const { headers } = await tokenOf('jo');
    const [computed, reader] = [
      fetch(queryUrl(COUNT), { headers }),
      await Reader.begun(queryUrl('SELECT * { ?s ?p ?o }'), headers),
    ];
    await running(1);
    await share('acme/people', 'none');
    await fiveSeconds();
    const refused = await computed;
    expect([refused.status, await refused.json()]).toMatchObject([404, { code: 'REPOSITORY_NOT_FOUND' }]);
    await running(0);
    reader.read();
    await reader.end();
    expect([reader.status, reader.complete]).toEqual([200, false]);
  });

  test('to another repository that the query reads', async () => {
    await share('acme/people', 'read');
    await share('acme/others', 'read');
    const { headers } = await tokenOf('jo');
    const joined = `SELECT (COUNT(*) AS ?n) { ${CROSS} SERVICE <repo:acme/others> { ?p ?q ?r } }`;
    const [both, one] = [fetch(queryUrl(joined), { headers }), new AbortController()];
    const alone = fetch(queryUrl(COUNT), { headers, signal: one.signal }).catch(() => undefined);
    await running(2);
    await share('acme/others', 'none');
    await fiveSeconds();
    const refused = await both;
    expect([refused.status, await refused.json()]).toMatchObject([404, { code: 'REPOSITORY_NOT_FOUND' }]);
    expect(database.queries()).toHaveLength(1);
    one.abort();
    await alone;
    await running(0);
  });

  test('of everybody, where a repository becomes private', async () => {
    await service.repositories.update(OPERATOR, 'acme/people', { privacy: 'public' });
    const [computed, reader] = [fetch(queryUrl(COUNT)), await Reader.begun(`${node.url}/acme/people/statements`, {})];
    await running(1);
    await service.repositories.update(OPERATOR, 'acme/people', { privacy: 'private' });
    await fiveSeconds();
    expect((await computed).status).toBe(401);
    reader.read();
    await reader.end();
    expect([reader.status, reader.complete]).toEqual([200, false]);
    await running(0);
  });

  test('of an account that was removed', async () => {
    await service.accounts.create('sam');
    await service.repositories.setCollaborator(OPERATOR, 'acme/people', 'sam', 'read');
    const answer = fetch(queryUrl(COUNT), { headers: (await tokenOf('sam')).headers });
    await running(1);
    await service.accounts.remove('sam');
    await fiveSeconds();
    expect((await answer).status).toBe(401);
    await running(0);
  });
});

describe('a session of an embedding server that expires', () => {
  const session = { expired: false };
  const handler = () =>
    createHandler({
      database,
      authorize: async () => {
        if (session.expired) throw new AccessError('UNAUTHENTICATED', 'the session has expired');
      },
    });

  test('ends answers of the Fetch interface', async () => {
    session.expired = false;
    const handle = handler();
    const base = 'http://localhost:1/acme/people';
    const computed = handle(new Request(`${base}/sparql?timeout=300&query=${encodeURIComponent(COUNT)}`));
    const waiting = handle(new Request(`${base}/changes?wait=60`, { headers: { Accept: 'application/rdf-patch' } }));
    const body = (await handle(new Request(`${base}/statements`))).body!.getReader();
    expect((await body.read()).done).toBe(false);
    const feed = (await handle(new Request(`${base}/changes`))).body!.getReader();
    expect((await feed.read()).done).toBe(false);
    const head = await handle(new Request(`${base}/statements`, { method: 'HEAD' }));
    expect([head.status, head.body]).toEqual([200, null]);
    await running(1);
    session.expired = true;
    await fiveSeconds();
    expect([(await computed).status, (await waiting).status]).toEqual([401, 401]);
    await expect(feed.closed).rejects.toThrow('the session has expired');
    await expect(body.closed).rejects.toThrow('the session has expired');
    await expect(body.read()).rejects.toThrow('the session has expired');
    await running(0);
  });

  test('is not asked again for answers that are short', async () => {
    let asked = 0;
    const handle = createHandler({ database, authorize: async () => void asked++ });
    for (let i = 0; i < 50; i++)
      expect((await handle(new Request('http://localhost:1/acme/people/size'))).status).toBe(200);
    expect(asked).toBe(50);
    await fiveSeconds();
    expect(asked).toBe(50);
  });
});

test('a client that goes away is not watched any more', async () => {
  const { headers } = await tokenOf('acme');
  const reader = await Reader.begun(`${node.url}/acme/people/statements`, headers);
  reader.leave();
  const head = send(`${node.url}/acme/people/statements`, { method: 'HEAD', headers });
  expect(await new Promise((resolve) => head.once('response', (r) => resolve(r.statusCode)).end())).toBe(200);
});

test('a backup goes on for a token that may operate the server, and nothing else', async () => {
  await service.accounts.create('op', { admin: true });
  const { text } = await service.tokens.create('op', { rights: ['operate'] });
  const headers = { Authorization: `Bearer ${text}` };
  const response = await fetch(`${node.url}/backup`, { method: 'POST', headers });
  const reader = response.body!.getReader();
  expect((await reader.read()).done).toBe(false);
  await fiveSeconds();
  let bytes = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) bytes += part.value.length;
  expect(bytes).toBeGreaterThan(1_000_000);
});
