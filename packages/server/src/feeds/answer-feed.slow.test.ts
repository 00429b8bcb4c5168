/** `GET /A/R/live` over sockets: answers that go on, resuming, limits, lost rights and the end of the server. */
import type { Repository } from 'quadrille';
import { describe, expect, test } from 'vitest';
import { EventClient, type ServerEvent } from '../testing/events.js';
import { Reader } from '../testing/reader.js';
import { running } from '../testing/running.js';

const ROWS = 'SELECT ?o { ?s <urn:p> ?o }';
const COUNT = 'SELECT (COUNT(*) AS ?n) { ?s <urn:p> ?o }';
const OPTIONAL = 'SELECT ?o ?x { ?s <urn:p> ?o OPTIONAL { ?o <urn:q> ?x } }';

const live = (url: string, query: string, more = ''): string => `${url}/live?query=${encodeURIComponent(query)}${more}`;
const insert = (repository: Repository, ...values: (number | string)[]) =>
  repository.update(`INSERT DATA { <urn:s> <urn:p> ${values.join(' , ')} }`);
const remove = (repository: Repository, ...values: number[]) =>
  repository.update(`DELETE DATA { <urn:s> <urn:p> ${values.join(' , ')} }`);

interface Told {
  readonly revision: string;
  readonly path: string;
  readonly added: readonly Readonly<Record<string, { readonly value: string }>>[];
  readonly removed: Told['added'];
}
const told = ({ data }: ServerEvent): Told => JSON.parse(data) as Told;

/** `path +added -removed`, of the values of each row. */
function short(event: ServerEvent): string {
  const { path, added, removed } = told(event);
  const rows = (list: Told['added'], sign: string): string[] =>
    list
      .map(
        (row) =>
          ` ${sign}${Object.values(row)
            .map(({ value }) => value)
            .join(' ')}`,
      )
      .toSorted();
  return [path, ...rows(added, '+'), ...rows(removed, '-')].join('');
}

describe('a live answer', () => {
  test('begins with the whole answer, and tells what each revision changes', async () => {
    const { repository, url } = await running();
    await insert(repository, 1, 2);
    const client = await EventClient.open(live(url, ROWS), { Accept: '*/*', 'Accept-Encoding': 'gzip' });
    expect([client.status, client.header('content-type'), client.header('content-encoding')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      undefined,
    ]);
    expect([client.header('cache-control'), client.header('x-accel-buffering')]).toEqual(['no-cache', 'no']);
    const [first] = await client.count(1);
    const before = await repository.revision();
    expect(first).toMatchObject({ id: before.id, type: 'answer' });
    expect(told(first!)).toMatchObject({ revision: before.id, path: 'initial', removed: [] });
    expect(short(first!)).toBe('initial +1 +2');
    await repository.update('INSERT DATA { <urn:other> <urn:q> 1 }');
    await insert(repository, '"a\\r\\nb\u2028\\"\\\\"@en', '<<( <urn:a> <urn:b> _:c )>>');
    // A revision that came before the client was told of this one would be told together with it.
    await client.count(2);
    await remove(repository, 1);
    const [, second, third] = await client.count(3);
    expect(told(second!)).toMatchObject({ path: 'delta', removed: [] });
    expect(told(second!).added).toEqual(
      expect.arrayContaining([
        { o: { type: 'literal', value: 'a\r\nb\u2028"\\', 'xml:lang': 'en' } },
        {
          o: { type: 'triple', value: expect.objectContaining({ subject: { type: 'uri', value: 'urn:a' } }) as object },
        },
      ]),
    );
    expect([short(third!), third!.id]).toEqual(['delta -1', (await repository.revision()).id]);
    client.leave();
  });

  test.each([
    [ROWS, 'delta'],
    [COUNT, 'delta'],
    [OPTIONAL, 'rerun'],
  ])('%s resumes where it was cut off', async (query, path) => {
    const { repository, url } = await running();
    await insert(repository, 1, 2);
    const client = await EventClient.open(live(url, query));
    await client.count(1);
    client.leave();
    await insert(repository, 3);
    await remove(repository, 1, 2);
    // What the address says comes after what the client has seen.
    const again = await EventClient.open(live(url, query, '&since=1'), { 'Last-Event-ID': client.lastId });
    const expected = query === COUNT ? `${path} +1 -2` : `${path} +3 -1 -2`;
    expect((await again.count(1)).map(short)).toEqual([expected]);
    again.leave();
    // Nothing has changed since: the id comes, and an event with the next change.
    const last = await EventClient.open(live(url, query), { 'Last-Event-ID': again.lastId });
    expect(await last.begun()).toBe(again.lastId);
    await insert(repository, 4);
    expect((await last.count(1)).map(short)).toEqual([query === COUNT ? `${path} +2 -1` : `${path} +4`]);
    const bounded = await EventClient.open(live(url, query, '&since=1&limit=1'));
    await bounded.end();
    expect([bounded.events.length, bounded.retry]).toEqual([1, 1000]);
  });

  test('takes the graphs and bindings of the request, and asks other repositories', async () => {
    const { repository, url, service } = await running();
    await repository.update(
      'INSERT DATA { GRAPH <urn:g> { <urn:s> <urn:p> 1 } <urn:s> <urn:p> 2 . <urn:t> <urn:p> 3 }',
    );
    const other = await service.database.repository('acme/other', { create: true });
    await other.update('INSERT DATA { <urn:s> <urn:name> "s" }');
    const first = async (query: string, more: string): Promise<string> => {
      const client = await EventClient.open(live(url, query, more));
      const [event] = await client.count(1);
      client.leave();
      return short(event!);
    };
    expect(await first(ROWS, '&default-graph-uri=urn:g')).toBe('initial +1');
    expect(await first(ROWS, '&$s=urn:t')).toBe('initial +3');
    expect(await first(ROWS, `&values=${encodeURIComponent('?o { 2 }')}`)).toBe('initial +2');
    const named = 'SELECT ?n ?o { ?s <urn:p> ?o SERVICE <repo:acme/other> { ?s <urn:name> ?n } }';
    expect(await first(named, '')).toBe('initial +s 2');
  });

  test('follows a branch', async () => {
    const { repository, url } = await running();
    await insert(repository, 1);
    const dev = await repository.branches.open('dev', { create: true });
    const client = await EventClient.open(live(url, ROWS, '&branch=dev'));
    expect((await client.count(1)).map(short)).toEqual(['initial +1']);
    await insert(repository, 2);
    await insert(dev, 3);
    expect(short((await client.count(2))[1]!)).toBe('delta +3');
    client.leave();
    await insert(dev, 4);
    const again = await EventClient.open(live(url, ROWS), { Branch: 'dev', 'Last-Event-ID': client.lastId });
    expect((await again.count(1)).map(short)).toEqual(['delta +4']);
    const main = await fetch(live(url, ROWS), { headers: { 'Last-Event-ID': again.lastId } });
    expect([main.status, await main.json()]).toMatchObject([404, { code: 'REVISION_NOT_FOUND' }]);
    expect((await fetch(live(url, ROWS, '&branch=none'))).status).toBe(404);
  });

  test('whole answers of many rows, while many commit and clients are cut off again and again', async () => {
    const { repository, url } = await running();
    await insert(repository, ...Array.from({ length: 2000 }, (_, i) => i));
    const seen = new Set<string>();
    const total = 2100;
    const following = (async () => {
      for (let since = ''; seen.size < total;) {
        const client = await EventClient.open(live(url, ROWS), since === '' ? {} : { 'Last-Event-ID': since });
        await client.count(1);
        client.leave();
        for (const event of client.events) {
          for (const { o } of told(event).added) {
            expect(seen.has(o!.value)).toBe(false);
            seen.add(o!.value);
          }
        }
        since = client.lastId;
      }
    })();
    for (let i = 2000; i < total; i++) await insert(repository, i);
    await following;
    expect(seen.size).toBe(total);
  });
});

describe('what cannot be followed', () => {
  test.each([
    ['SELECT', '', {}, 400, 'SPARQL_SYNTAX'],
    ['CONSTRUCT WHERE { ?s ?p ?o }', '', {}, 400, 'BAD_REQUEST'],
    ['ASK {}', '', {}, 400, 'BAD_REQUEST'],
    ['INSERT DATA { <urn:a> <urn:b> 1 }', '', {}, 400, 'BAD_REQUEST'],
    ['SELECT (<urn:f>(1) AS ?x) {}', '', {}, 400, 'UNKNOWN_FUNCTION'],
    ['SELECT * { GRAPH <urn:quadrille:timemap> { ?s ?p ?o } }', '', {}, 400, 'BAD_REQUEST'],
    [ROWS, '&$x=urn:a', {}, 400, 'INVALID_OPTION'],
    [ROWS, '&since=018bcfe5-8358-738e-9154-8181177da82e', {}, 404, 'REVISION_NOT_FOUND'],
    [ROWS, '', { 'Last-Event-ID': '018bcfe5-8358-738e-9154-8181177da82e' }, 404, 'REVISION_NOT_FOUND'],
    [ROWS, '&since=no%20ref!', {}, 400, 'INVALID_REF'],
    [ROWS, '&revision-id=1', {}, 400, 'INVALID_PARAMETER'],
    [ROWS, '&limit=-1', {}, 400, 'INVALID_PARAMETER'],
    [ROWS, '&timeout=never', {}, 400, 'INVALID_PARAMETER'],
    [ROWS, '', { Accept: 'application/json' }, 406, 'NOT_ACCEPTABLE'],
  ])('%s %s %j is %i %s', async (query, more, headers, status, code) => {
    const { url, service } = await running();
    const response = await fetch(live(url, query, more), { headers: headers as Record<string, string> });
    expect([response.status, await response.json()]).toMatchObject([status, { code }]);
    expect(service.feeds.open).toBe(0);
    expect(service.database.queries()).toEqual([]);
  });

  test('a limit of memory or of time ends it: with the status, or as an event', async () => {
    const { repository, url, service } = await running({ queries: { memoryBytes: 40_000 } });
    const client = await EventClient.open(live(url, OPTIONAL));
    expect((await client.count(1)).map(short)).toEqual(['initial']);
    await insert(repository, ...Array.from({ length: 500 }, (_, i) => i));
    await client.end();
    expect(client.events[1]).toMatchObject({ type: 'problem' });
    expect(JSON.parse(client.events[1]!.data)).toMatchObject({ code: 'QUERY_MEMORY' });
    const response = await fetch(live(url, OPTIONAL));
    expect([response.status, await response.json()]).toMatchObject([507, { code: 'QUERY_MEMORY' }]);
    const slow =
      'SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n ?o . ?q ?r ?s FILTER(?c + ?f + ?i < 0) }';
    expect([503, 507]).toContain((await fetch(live(url, slow, '&timeout=0.05'))).status);
    expect(service.feeds.open).toBe(0);
  });
});

describe('the end of a live answer', () => {
  test('the server closes, the repository is dropped, the client goes away', async () => {
    const { node, service, url } = await running();
    const gone = await EventClient.open(live(url, ROWS));
    gone.leave();
    await expect.poll(() => service.feeds.open).toBe(0);
    expect((await fetch(live(url, ROWS), { method: 'HEAD' })).status).toBe(200);
    await expect.poll(() => service.feeds.open).toBe(0);
    const dropped = await EventClient.open(live(url, ROWS));
    await service.database.deleteRepository('acme/people');
    await dropped.end();
    expect(dropped.response.complete).toBe(true);
    await service.database.repository('acme/people', { create: true });
    const client = await EventClient.open(live(url, ROWS));
    // Far longer than the test may take.
    const closed = node.close(600_000);
    await client.end();
    expect([client.retry, client.response.complete]).toEqual([1000, true]);
    await closed;
    expect(service.feeds.open).toBe(0);
  });

  test('a revoked token ends it, and feeds have a number', async () => {
    const { service, url } = await running({ closed: true, limits: { feedsPerAccount: 2 } });
    const made = await service.tokens.create('acme');
    const headers = { Authorization: `Bearer ${made.text}` };
    expect((await fetch(live(url, ROWS))).status).toBe(401);
    const clients = [
      await EventClient.open(live(url, ROWS), headers),
      await EventClient.open(`${url}/changes`, headers),
    ];
    const refused = await fetch(live(url, ROWS), { headers });
    expect([refused.status, await refused.json()]).toMatchObject([429, { code: 'RATE_LIMITED' }]);
    await service.tokens.revoke('acme', made.token.id);
    for (const client of clients) await client.end();
    expect(service.feeds.open).toBe(0);
  });

  test('a client that reads nothing gets several revisions together, and holds up nobody', async () => {
    const { repository, url } = await running({ serve: { writeStallMs: 600_000 } });
    const large = 'x'.repeat(400_000);
    const reader = await Reader.get(live(url, ROWS, '&limit=100'), {}, false);
    // More than the sockets of both sides hold.
    for (let i = 0; i < 30; i++) {
      await repository.update(`DELETE WHERE { <urn:s> <urn:p> ?o }`);
      await repository.update(`INSERT DATA { <urn:s> <urn:p> "${large}${String(i)}" }`);
    }
    const { id } = await repository.revision();
    reader.read();
    await expect.poll(() => reader.text.includes(`id: ${id}`), { timeout: 10_000 }).toBe(true);
    expect([...reader.text.matchAll(/^id: /gm)].length).toBeLessThan(60);
  });

  test('evaluations take turns of queries, and leave them free while they wait', async () => {
    const { url, service } = await running({ queries: { concurrency: 1 } });
    const clients = await Promise.all(Array.from({ length: 20 }, () => EventClient.open(live(url, ROWS))));
    for (const client of clients) await client.count(1);
    expect([service.feeds.open, service.database.queries().length]).toEqual([20, 0]);
    const answer = await fetch(`${url}/sparql?query=ASK%7B%7D`, { headers: { Accept: 'application/json' } });
    expect(await answer.json()).toBe(true);
  });
});
