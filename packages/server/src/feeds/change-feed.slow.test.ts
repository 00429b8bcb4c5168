/** `GET /A/R/changes` over sockets: feeds, resuming, long polls, limits, lost rights and the end of the server. */
import { execFile, spawnSync } from 'node:child_process';
import type { Repository } from 'quadrille';
import { describe, expect, test } from 'vitest';
import { EventClient } from '../testing/events.js';
import { Reader } from '../testing/reader.js';
import { running as serving, type Running, type Setting } from '../testing/running.js';

async function running(setting?: Setting): Promise<Running> {
  const server = await serving(setting);
  return { ...server, url: `${server.url}/changes` };
}

const insert = (repository: Repository, number: number) =>
  repository.update(`INSERT DATA { <urn:s> <urn:p> <urn:o${String(number)}> }`);

const PATCH = { Accept: 'application/rdf-patch' };
const ids = ({ events }: EventClient): string[] => events.map(({ id }) => id);
const numberOf = (data: string): number => Number(/^H number "(\d+)"/m.exec(data)?.[1]);

describe('a feed of events', () => {
  test('begins after HEAD, and tells each revision as a patch', async () => {
    const { repository, url } = await running();
    const before = await repository.revision();
    const client = await EventClient.open(url, { Accept: '*/*', 'Accept-Encoding': 'gzip' });
    expect([client.status, client.header('content-type'), client.header('content-encoding')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      undefined,
    ]);
    expect([client.header('cache-control'), client.header('x-accel-buffering')]).toEqual(['no-cache', 'no']);
    // A client that is cut off before the first revision misses nothing either.
    expect(await client.begun()).toBe(before.id);
    await repository.update(
      `INSERT DATA { _:b <urn:p> "a\\r\\nb\u2028c\u2029\\"\\\\" . GRAPH <urn:g> { <urn:a> <urn:p> 1 } }`,
      { author: 'jo', message: 'two\nlines' },
    );
    const [first] = await client.count(1);
    const revision = await repository.revision();
    expect(first).toMatchObject({ id: revision.id, type: 'revision' });
    const rows = first!.data.split('\n');
    expect(rows.slice(0, 8)).toEqual([
      `H id <urn:uuid:${revision.id}> .`,
      `H prev <urn:uuid:${before.id}> .`,
      `H number "2"^^<http://www.w3.org/2001/XMLSchema#integer> .`,
      `H time "${revision.time.toISOString()}"^^<http://www.w3.org/2001/XMLSchema#dateTime> .`,
      'H author "jo" .',
      'H message "two\\nlines" .',
      expect.stringMatching(/^H nonce "[\da-f]{32}" \.$/),
      'TX .',
    ]);
    expect(rows.slice(8, 10).toSorted()).toEqual([
      expect.stringMatching(/^A <_:\w+> <urn:p> "a\\r\\nb\u2028c\u2029\\"\\\\" \.$/),
      'A <urn:a> <urn:p> "1"^^<http://www.w3.org/2001/XMLSchema#integer> <urn:g> .',
    ]);
    expect(rows.slice(10)).toEqual(['TC .', '']);
    await repository.update('DELETE DATA { GRAPH <urn:g> { <urn:a> <urn:p> 1 } } ; INSERT DATA { <urn:a> <urn:p> 2 }');
    const second = (await client.count(2))[1]!.data;
    expect(second).toMatch(/^TX \.\nD .*<urn:g> \.\nA .*"2".*\nTC \.\n$/ms);
    client.leave();
  });

  test('resumes: Last-Event-ID comes before since; limit, pattern and refs', async () => {
    const { repository, url } = await running();
    for (let i = 2; i <= 5; i++) await insert(repository, i);
    await repository.update('INSERT DATA { GRAPH <urn:g> { <urn:x> <urn:q> 1 } <urn:y> <urn:q> 1 }');
    const all = await repository.log().toArray();
    const id = (number: number): string => all.find((revision) => revision.number === number)!.id;
    const told = async (query: string, headers = {}): Promise<string[]> => {
      const client = await EventClient.open(url + query, headers);
      await client.end();
      expect([client.status, client.retry]).toEqual([200, 1000]);
      return ids(client);
    };
    expect(await told(`?since=${id(1)}&limit=2`)).toEqual([id(2), id(3)]);
    expect(await told(`?since=urn:uuid:${id(1)}&limit=2`, { 'Last-Event-ID': id(3) })).toEqual([id(4), id(5)]);
    expect(await told('?since=HEAD~1&limit=1')).toEqual([id(6)]);
    expect(await told('?since=1&limit=0')).toEqual([]);
    for (const filter of [
      'context=urn:g',
      'graph=%3Curn:g%3E',
      'pred=urn:q',
      'subj=urn:x',
      'context=default&pred=urn:q',
    ])
      expect(await told(`?since=1&limit=1&${filter}`)).toEqual([id(6)]);
  });

  test.each([
    ['?since=018bcfe5-8358-738e-9154-8181177da82e', {}, 404, 'REVISION_NOT_FOUND'],
    ['', { 'Last-Event-ID': '018bcfe5-8358-738e-9154-8181177da82e' }, 404, 'REVISION_NOT_FOUND'],
    ['?since=1', { 'Last-Event-ID': 'no ref!' }, 400, 'INVALID_REF'],
    ['?limit=-1', {}, 400, 'INVALID_PARAMETER'],
    ['?wait=61', PATCH, 400, 'INVALID_PARAMETER'],
    ['?wait=soon', PATCH, 400, 'INVALID_PARAMETER'],
    ['?context=urn:a&graph=urn:b', {}, 400, 'INVALID_PARAMETER'],
    ['', { Accept: 'text/turtle' }, 406, 'NOT_ACCEPTABLE'],
  ])('%s %j is refused: %i %s', async (query, headers, status, code) => {
    const { url, service } = await running();
    const response = await fetch(url + query, { headers: headers as Record<string, string> });
    expect([response.status, await response.json()]).toMatchObject([status, { code }]);
    expect(service.feeds.open).toBe(0);
  });

  test('a long patch is an event or, above 1 MB, an address', async () => {
    const { repository, url } = await running();
    const values = (count: number): string => Array.from({ length: count }, (_, i) => `<urn:s${String(i)}>`).join(' ');
    const fill = (count: number, value: string) =>
      repository.update(
        `INSERT { ?s <urn:p> "${value}" . <urn:other> <urn:q> ?s } WHERE { VALUES ?s { ${values(count)} } }`,
      );
    await fill(2000, 'x'.repeat(50));
    await fill(5000, 'y'.repeat(400));
    const client = await EventClient.open(`${url}?since=1&pred=urn:p&limit=2`);
    const [medium, long] = await client.count(2);
    expect(medium!.type).toBe('revision');
    expect(medium!.data.match(/^A /gm)).toHaveLength(2000);
    expect(long!.type).toBe('revision-link');
    const patch = await (await fetch(long!.data.trim())).text();
    expect(patch.match(/^A .* <urn:p> "y+" \.$/gm)).toHaveLength(5000);
    expect(patch).not.toContain('urn:q');
    expect(patch).toContain(`H id <urn:uuid:${long!.id}> .`);
  });

  test('while many commit and clients are cut off again and again: each revision once, in order', async () => {
    const { repository, url } = await running();
    const total = 200;
    const seen: number[] = [];
    const following = (async () => {
      let since = (await repository.revision()).id;
      for (let round = 1; seen.length < total; round++) {
        const client = await EventClient.open(`${url}?since=1`, { 'Last-Event-ID': since });
        await client.count(Math.min(total - seen.length, (round % 7) + 1));
        client.leave();
        for (const { id, data } of client.events) {
          expect(data).toContain(`H id <urn:uuid:${id}>`);
          seen.push(numberOf(data));
        }
        since = client.lastId;
      }
    })();
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let i = 0; i < total / 8; i++) await insert(repository, writer * 1000 + i);
    });
    await Promise.all([following, ...writers]);
    expect(seen).toEqual(Array.from({ length: total }, (_, i) => i + 2));
  });

  test('curl reads it', async (context) => {
    if (spawnSync('curl', ['--version']).error) return context.skip('curl is not installed');
    const { repository, url } = await running();
    const output = new Promise<string>((resolve, reject) =>
      execFile('curl', ['-sN', `${url}?since=1&limit=2`], (error, stdout) =>
        error ? reject(new Error('curl failed', { cause: error })) : resolve(stdout),
      ),
    );
    await insert(repository, 1);
    await insert(repository, 2);
    expect((await output).match(/^(?:id|event|retry|data: T).*$/gm)).toEqual([
      expect.stringMatching(/^id: /),
      ...[1, 2].flatMap(() => [expect.stringMatching(/^id: /), 'event: revision', 'data: TX .', 'data: TC .']),
      'retry: 1000',
    ]);
  });
});

describe('application/rdf-patch', () => {
  test('is what there is, as transactions, or 204', async () => {
    const { repository, url } = await running();
    for (let i = 2; i <= 4; i++) await insert(repository, i);
    const told = async (query: string): Promise<number[]> => {
      const response = await fetch(url + query, { headers: PATCH });
      const text = await response.text();
      const numbers = [...text.matchAll(/^H number "(\d+)"/gm)].map(([, number]) => Number(number));
      expect(response.status).toBe(numbers.length > 0 ? 200 : 204);
      expect(text.match(/^TC \.$/gm) ?? []).toHaveLength(numbers.length);
      return numbers;
    };
    expect(await told('?since=1')).toEqual([2, 3, 4]);
    expect(await told('?since=1&limit=2')).toEqual([2, 3]);
    expect(await told('?since=1&obj=urn:o3')).toEqual([3]);
    expect(await told('?since=1&obj=urn:o3&limit=5')).toEqual([3]);
    for (const query of ['', '?since=4', '?since=1&obj=urn:o9', '?since=1&limit=0'])
      expect(await told(query)).toEqual([]);
  });

  test('waits for the first matching revision, or for its time', async () => {
    const { repository, url, service } = await running();
    const waiting = fetch(`${url}?wait=60&obj=urn:o3`, { headers: PATCH });
    await expect.poll(() => service.feeds.open).toBe(1);
    await insert(repository, 2);
    await insert(repository, 3);
    const response = await waiting;
    expect([response.status, numberOf(await response.text())]).toEqual([200, 3]);
    expect((await fetch(`${url}?wait=0.05`, { headers: PATCH })).status).toBe(204);
    expect((await fetch(`${url}?since=1&wait=60`, { headers: PATCH })).status).toBe(200);
    expect(service.feeds.open).toBe(0);
  });

  test('a client that polls misses nothing', async () => {
    const { repository, url } = await running();
    const [seen, total]: [number[], number] = [[], 100];
    const polling = (async () => {
      for (let since = '1'; seen.length < total;) {
        const text = await (await fetch(`${url}?since=${since}&wait=10&limit=7`, { headers: PATCH })).text();
        for (const [, id, number] of text.matchAll(/^H id <urn:uuid:(.*)> \.\n(?:H prev .*\n)H number "(\d+)"/gm)) {
          since = id!;
          seen.push(Number(number));
        }
      }
    })();
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let i = 0; i < total / 4; i++) await insert(repository, writer * 1000 + i);
    });
    await Promise.all([polling, ...writers]);
    expect(seen).toEqual(Array.from({ length: total }, (_, i) => i + 2));
  });
});

describe('the end of a feed', () => {
  test('the server closes: at once, with the time to come back, and long polls are answered', async () => {
    const { node, url, service } = await running();
    const client = await EventClient.open(url);
    const waiting = fetch(`${url}?wait=60`, { headers: PATCH });
    await expect.poll(() => service.feeds.open).toBe(2);
    // Far longer than the test may take.
    const closed = node.close(600_000);
    await client.end();
    expect([client.retry, client.response.complete]).toEqual([1000, true]);
    expect((await waiting).status).toBe(204);
    await closed;
    expect(service.feeds.open).toBe(0);
  });

  test('the repository is dropped, the store is closed', async () => {
    const { service, url } = await running();
    const client = await EventClient.open(url);
    await service.database.deleteRepository('acme/people');
    await client.end();
    expect(client.response.complete).toBe(true);
    expect((await fetch(url)).status).toBe(404);
    await service.database.repository('acme/people', { create: true });
    const other = await EventClient.open(url);
    await service.database.close();
    await other.end();
    expect([other.response.complete, service.feeds.open]).toEqual([true, 0]);
  });

  test('a client that goes away is not counted any more', async () => {
    const { url, service } = await running();
    const client = await EventClient.open(url);
    expect(service.feeds.open).toBe(1);
    client.leave();
    await expect.poll(() => service.feeds.open).toBe(0);
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
    expect(service.feeds.open).toBe(0);
  });

  test('a client that reads nothing is cut off, and can resume', async () => {
    const { repository, url, service } = await running({ serve: { writeStallMs: 1000 } });
    const reader = await Reader.get(`${url}?since=1`, {}, false);
    await expect.poll(() => service.feeds.open).toBe(1);
    const large = 'x'.repeat(400_000);
    let count = 0;
    // More than the sockets of both sides hold.
    while (service.feeds.open > 0 && count < 200)
      await repository.update(`INSERT DATA { <urn:s> <urn:p> "${large}${String(count++)}" }`);
    await expect.poll(() => service.feeds.open).toBe(0);
    reader.read();
    await reader.end();
    expect(reader.complete).toBe(false);
    // The event after it has begun, so it is complete.
    const [, last] = [...reader.text.matchAll(/^id: ([\da-f-]{36})/gm)].at(-2)!;
    const { number } = await repository.at(last!).revision();
    const left = count + 1 - number;
    const client = await EventClient.open(`${url}?limit=${String(left)}`, { 'Last-Event-ID': last! });
    await client.end();
    expect(client.events.map(({ data }) => numberOf(data))).toEqual(
      Array.from({ length: left }, (_, i) => number + 1 + i),
    );
  });

  test('a revoked token and a lost right end feeds and long polls', async () => {
    const { service, url } = await running({ closed: true });
    await service.accounts.create('jo');
    const operator = { account: undefined, readOnly: false, admin: true };
    await service.repositories.setCollaborator(operator, 'acme/people', 'jo', 'read');
    const token = async (account: string) => {
      const made = await service.tokens.create(account);
      return { id: made.token.id, headers: { Authorization: `Bearer ${made.text}` } };
    };
    const [owner, other, jo] = [await token('acme'), await token('acme'), await token('jo')];
    expect((await fetch(url)).status).toBe(401);
    const clients = await Promise.all([owner, other, jo].map(({ headers }) => EventClient.open(url, headers)));
    const waiting = fetch(`${url}?wait=60`, { headers: { ...PATCH, ...owner.headers } });
    await expect.poll(() => service.feeds.open).toBe(4);
    await service.tokens.revoke('acme', owner.id);
    await service.repositories.setCollaborator(operator, 'acme/people', 'jo', 'none');
    await Promise.all([clients[0]!.end(), clients[2]!.end()]);
    expect([(await waiting).status, service.feeds.open, clients[1]!.ended]).toEqual([401, 1, false]);
    for (const [{ headers }, status] of [
      [owner, 401],
      [jo, 404],
    ] as const)
      expect((await fetch(url, { headers })).status).toBe(status);
  });
});

test('an account has a limit, and the server', async () => {
  const { service, url } = await running({ closed: true, limits: { feedsPerAccount: 2, feedsAtOnce: 3 } });
  await service.accounts.create('jo');
  const headersOf = async (account: string) => ({
    Authorization: `Bearer ${(await service.tokens.create(account)).text}`,
  });
  const [acme, jo] = [await headersOf('acme'), await headersOf('jo')];
  const operator = { account: undefined, readOnly: false, admin: true };
  await service.repositories.setCollaborator(operator, 'acme/people', 'jo', 'read');
  const feeds = [await EventClient.open(url, acme), await EventClient.open(url, acme)];
  const refused = await fetch(url, { headers: acme });
  expect([refused.status, await refused.json()]).toMatchObject([429, { code: 'RATE_LIMITED' }]);
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
  // Answers that do not wait are no feeds.
  expect((await fetch(`${url}?since=HEAD`, { headers: { ...acme, ...PATCH } })).status).toBe(204);
  feeds.push(await EventClient.open(url, jo));
  expect((await fetch(url, { headers: jo })).status).toBe(429);
  feeds[0]!.leave();
  await expect.poll(() => service.feeds.open).toBe(2);
  expect((await EventClient.open(url, jo)).status).toBe(200);
});

test('feeds leave the turns of queries free', async () => {
  const { url, node, service } = await running({ queries: { concurrency: 1 } });
  for (let i = 0; i < 50; i++) await EventClient.open(url);
  expect(service.feeds.open).toBe(50);
  const answer = await fetch(`${node.url}/acme/people/sparql?query=ASK%7B%7D`, {
    headers: { Accept: 'application/json' },
  });
  expect(await answer.json()).toBe(true);
});
