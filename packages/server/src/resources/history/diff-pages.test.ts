import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type TestServer, testServer, TURTLE } from '../../testing/server.js';

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
  const lines = Array.from({ length: 25 }, (_, i) => `<urn:s${String(i)}> <urn:p> ${String(i)} ; <urn:q> 1 .`);
  await server.send('POST', '/acme/people/statements', { body: lines.join('\n'), headers: TURTLE });
  await update('DELETE DATA { <urn:s0> <urn:p> 0 } ; INSERT DATA { <urn:s0> <urn:p> "new" ; <urn:r> 1 }', 'second');
});
afterEach(() => server.database.close());

const update = (body: string, message: string): Promise<Response> =>
  server.send('POST', '/acme/people/sparql', {
    body,
    headers: { 'Content-Type': 'application/sparql-update', 'Revision-Message': message },
  });
const JSON_TYPE = { Accept: 'application/json' };
const diff = (query: string, headers: Record<string, string> = JSON_TYPE): Promise<Response> =>
  server.get(`/acme/people/diff?${query}`, headers);
const nextOf = (response: Response): string | undefined =>
  /<diff\?([^>]*)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1];

describe('diff?summary=1', () => {
  test('counts all changes, and those of each predicate', async () => {
    const response = await diff('from=1&to=2&summary=1', {});
    expect(response.headers.get('Content-Type')).toContain('application/json');
    expect(await response.json()).toEqual({
      added: 50,
      removed: 0,
      predicates: [
        { term: '<urn:p>', added: 25, removed: 0 },
        { term: '<urn:q>', added: 25, removed: 0 },
      ],
    });
    expect(await (await diff('summary=true')).json()).toEqual({
      added: 2,
      removed: 1,
      predicates: [
        { term: '<urn:p>', added: 1, removed: 1 },
        { term: '<urn:r>', added: 1, removed: 0 },
      ],
    });
  });

  test('of matching statements, with a tag of its own', async () => {
    const response = await diff('from=1&summary=1&pred=urn:r');
    expect(await response.json()).toEqual({
      added: 1,
      removed: 0,
      predicates: [{ term: '<urn:r>', added: 1, removed: 0 }],
    });
    const tag = response.headers.get('ETag')!;
    expect(tag).not.toBe((await diff('from=1')).headers.get('ETag'));
    expect((await diff('from=1&summary=1&pred=urn:r', { 'If-None-Match': tag })).status).toBe(304);
    expect((await diff('summary=2')).status).toBe(400);
    expect((await diff('from=9&summary=1')).status).toBe(404);
  });
});

describe('pages', () => {
  test('follow each other without gap or repetition, also when commits come between', async () => {
    const whole = (await (await diff('from=1&to=3')).json()) as unknown[];
    const found: unknown[] = [];
    let pages = 0;
    for (let query: string | undefined = 'from=1&to=HEAD&limit=7'; query !== undefined; pages++) {
      const response = await diff(query);
      expect(response.status).toBe(200);
      found.push(...((await response.json()) as unknown[]));
      query = nextOf(response);
      await update(`INSERT DATA { <urn:more> <urn:p> ${String(pages)} }`, 'more');
    }
    expect(found).toEqual(whole);
    expect(pages).toBe(Math.ceil(whole.length / 7));
  });

  test('keep filters, and lead nowhere at their end', async () => {
    const first = await diff('from=1&to=2&pred=urn:q&limit=20');
    expect(await first.json()).toHaveLength(20);
    const last = await diff(nextOf(first)!);
    expect(await last.json()).toHaveLength(5);
    expect(nextOf(last)).toBeUndefined();
    expect(nextOf(await diff('from=1&to=2&pred=urn:q&limit=25'))).toBeUndefined();
    expect(await (await diff('from=1&to=2&limit=0')).json()).toEqual([]);
    expect(await (await diff('from=1&to=2&cursor=48')).json()).toHaveLength(2);
    expect(await (await diff('from=1&to=2&cursor=999999999999999')).json()).toEqual([]);
  });

  test('of a patch are no revisions', async () => {
    const patch = { Accept: 'application/rdf-patch' };
    expect(await (await diff('from=1&to=2', patch)).text()).toMatch(/^H id /);
    const page = await (await diff('from=1&to=2&limit=3', patch)).text();
    expect(page).not.toContain('H id');
    expect(page.match(/^A /gm)).toHaveLength(3);
  });

  test.each(['cursor=x', 'cursor=-1', 'limit=x', 'limit=1.5'])('%s is 400', async (query) => {
    expect((await diff(`from=1&${query}`)).status).toBe(400);
  });
});

describe('revisions of all branches', () => {
  const graph = (query: string, headers = JSON_TYPE): Promise<Response> =>
    server.get(`/acme/people/revisions?branches=all${query}`, headers);

  test('come before their parents, page by page, with their branches', async () => {
    const people = await server.database.repository('acme/people');
    const dev = await people.branches.open('dev', { create: true });
    await dev.update('INSERT DATA { <urn:d> <urn:p> 1 }', { author: 'kim' });
    await people.branches.merge('dev');
    const all = (await (await graph('')).json()) as Record<string, unknown>[];
    expect(all.map(({ ordinal, branch, kind }) => [ordinal, branch, kind])).toEqual([
      [4, 'main', 'merge'],
      [4, 'dev', 'commit'],
      [3, 'main', 'commit'],
      [2, 'main', 'commit'],
      [1, 'main', 'commit'],
    ]);
    expect(all[0]!['parents']).toEqual([all[2]!['uuid'], all[1]!['uuid']]);
    const first = await graph('&limit=2');
    expect(await first.json()).toEqual(all.slice(0, 2));
    const next = /<(\?[^>]*)>; rel="next"/.exec(first.headers.get('Link') ?? '')![1]!;
    const second = await server.get(`/acme/people/revisions${next}`, JSON_TYPE);
    expect(await second.json()).toEqual(all.slice(2, 4));
    expect((await graph('&limit=5')).headers.has('Link')).toBe(false);
    expect(await (await graph('&author=kim')).json()).toEqual([all[1]]);
    expect((await (await graph('', { Accept: 'text/plain' })).text()).split('\n')[0]).toBe(all[0]!['uuid']);
    await people.branches.delete('dev', { force: true });
    expect(((await (await graph('&author=kim')).json()) as { branch: null }[])[0]!.branch).toBe(null);
  });

  test('refuse what is for one branch', async () => {
    for (const query of ['&from=1', '&buckets=3', '&subj=%3Curn:a%3E', '&revision-id=2', '&limit=x'])
      expect([query, (await graph(query)).status]).toEqual([query, 400]);
    expect((await server.get('/acme/people/revisions?branches=some', JSON_TYPE)).status).toBe(400);
    expect((await graph('&before=none')).status).toBe(404);
  });
});

describe('buckets', () => {
  const buckets = async (query: string): Promise<Record<string, unknown>[]> => {
    const response = await server.get(`/acme/people/revisions?${query}`);
    expect(response.status).toBe(200);
    return (await response.json()) as Record<string, unknown>[];
  };

  test('count neighbouring revisions together', async () => {
    for (let i = 0; i < 7; i++) await update(`INSERT DATA { <urn:x> <urn:p> ${String(i)} }`, i < 3 ? 'early' : 'late');
    const four = await buckets('buckets=4');
    expect(four.map(({ from, until, count, added, removed }) => [from, until, count, added, removed])).toEqual([
      [1, 3, 3, 52, 1],
      [4, 6, 3, 3, 0],
      [7, 9, 3, 3, 0],
      [10, 10, 1, 1, 0],
    ]);
    expect(four.every(({ first, last }) => typeof first === 'string' && typeof last === 'string')).toBe(true);
    expect((await buckets('buckets=1000')).length).toBe(10);
    const late = await buckets('buckets=2&message=late&from=4');
    expect(late.map(({ from, until, count }) => [from, until, count])).toEqual([
      [4, 7, 1],
      [8, 10, 3],
    ]);
    expect(await buckets('buckets=2&message=none')).toMatchObject([
      { count: 0, first: null },
      { count: 0, last: null },
    ]);
    expect(await buckets('buckets=2&from=2&until=1')).toEqual([]);
  });

  test.each(['buckets=0', 'buckets=', 'buckets=x', 'buckets=1001', 'buckets=-1'])('%s is 400', async (query) => {
    expect((await server.get(`/acme/people/revisions?${query}`)).status).toBe(400);
  });

  test('are JSON', async () => {
    expect((await server.get('/acme/people/revisions?buckets=3', { Accept: 'text/csv' })).status).toBe(406);
  });
});

describe('preview of a revert', () => {
  const preview = (ref: string, headers: Record<string, string> = JSON_TYPE): Promise<Response> =>
    server.send('POST', `/acme/people/revisions/${ref}/revert?preview=1`, { headers });

  test('tells what the revert then makes, and makes nothing', async () => {
    // Of three changes, one was undone since.
    await update('DELETE DATA { <urn:s0> <urn:r> 1 }', 'third');
    const response = await preview('3');
    expect(response.status).toBe(200);
    const changes = (await response.json()) as { op: string; object: string }[];
    expect(changes.map(({ op, object }) => [op, object]).toSorted()).toEqual([
      ['add', '"0"^^<http://www.w3.org/2001/XMLSchema#integer>'],
      ['remove', '"new"'],
    ]);
    expect(await (await server.get('/acme/people/revisions')).json()).toHaveLength(4);
    const tag = response.headers.get('ETag')!;
    const made = await server.send('POST', '/acme/people/revisions/3/revert', { headers: { 'If-Match': tag } });
    expect(made.status).toBe(204);
    const difference = (await (await diff('')).json()) as { op: string }[];
    expect(new Set(difference.map((each) => JSON.stringify(each)))).toEqual(
      new Set(changes.map((each) => JSON.stringify(each))),
    );
  });

  test('of a revision that is undone already is empty; conditions and errors are those of the revert', async () => {
    await server.send('POST', '/acme/people/revisions/3/revert');
    expect(await (await preview('3')).json()).toEqual([]);
    expect(await (await preview('1')).json()).toEqual([]);
    const tag = `"${'0'.repeat(8)}-0000-7000-8000-${'0'.repeat(12)}"`;
    expect((await preview('2', { 'If-Match': tag })).status).toBe(412);
    expect((await preview('99')).status).toBe(404);
    expect((await preview('2', { Accept: 'text/csv' })).status).toBe(406);
    const other = await server.send('POST', '/acme/people/revisions/2/revert?preview=maybe');
    expect(other.status).toBe(400);
  });
});
