import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Revision } from 'quadrille';
import { BASE, query, sortedLines, type TestServer, testServer, TURTLE } from '../../testing/server.js';

/** 1 empty, 2 + a b(g), 3 - a, 4 + c, 5 + a */
let server: TestServer;
let revisions: Revision[];
const FORMS = ['/acme/people', '/acme/repositories/people', '/repositories/acme/people'];
const ORIGINAL = `${BASE}/acme/people`;

beforeEach(async () => {
  server = await testServer();
  const write = async (method: string, target: string, body?: string): Promise<void> => {
    const init = body === undefined ? {} : { body, headers: { 'Content-Type': 'application/n-quads' } };
    expect((await server.send(method, `/acme/people/statements${target}`, init)).status).toBe(204);
    // Times are told apart by milliseconds.
    await new Promise((resolve) => setTimeout(resolve, 3));
  };
  await write('POST', '', '<urn:a> <urn:p> "1" .\n<urn:b> <urn:p> "2" <urn:g> .\n');
  await write('DELETE', '?subj=urn:a');
  await write('POST', '', '<urn:c> <urn:p> _:x .\n');
  await write('POST', '', '<urn:a> <urn:p> "1" .\n');
  revisions = (await (await server.database.repository('acme/people')).log().toArray()).reverse();
});
afterEach(() => server.database.close());

const revision = (number: number): Revision => {
  const found = revisions[number - 1];
  if (found === undefined) throw new Error(`no revision ${String(number)}`);
  return found;
};
const uuid = (number: number): string => revision(number).id;
const urn = (number: number): string => `urn:quadrille:revision:${uuid(number)}`;
const size = async (parameters: string, headers: Record<string, string> = {}): Promise<[number, string]> => {
  const response = await server.get(`/acme/people/size${parameters}`, headers);
  return [response.status, response.status === 200 ? await response.text() : ''];
};

describe('revision-id', () => {
  test('every shape, every alias, every resource', async () => {
    const shapes = [
      uuid(3),
      uuid(3).toUpperCase(),
      `"${uuid(3)}"`,
      urn(3),
      `<${urn(3)}>`,
      `<urn:dydra:revision:${uuid(3)}>`,
      `urn:uuid:${uuid(3)}`,
      'HEAD~2',
      '3',
      '#3',
      revision(3).time.toISOString(),
      `"${revision(3).time.toISOString()}"^^<http://www.w3.org/2001/XMLSchema#dateTime>`,
      revision(3).time.toISOString().replace('Z', ''),
    ];
    for (const shape of shapes)
      expect([shape, await size(`?${query({ 'revision-id': shape })}`)]).toEqual([shape, [200, '1']]);
    for (const name of ['revision', 'revision-uuid']) expect(await size(`?${name}=${uuid(3)}`)).toEqual([200, '1']);
    expect(await size('', { Revision: uuid(3) })).toEqual([200, '1']);
    expect(await size('?revision-id=TAIL')).toEqual([200, '0']);
    expect(await size('?revision-id=HEAD')).toEqual([200, '3']);
    expect(await size('?revision-id=')).toEqual([200, '3']);
    for (const form of FORMS) {
      const rows = await server.get(
        `${form}/sparql?${query({ query: 'SELECT * {?s ?p ?o}', 'revision-id': `<${urn(2)}>` })}`,
      );
      expect(await rows.json()).toMatchObject({ results: { bindings: [{ s: { value: 'urn:a' } }] } });
      const statements = await server.get(`${form}/statements?revision-id=2&context=urn:g`);
      expect(await statements.text()).toBe('<urn:b> <urn:p> "2" .\n');
    }
  });

  test.each([
    ['HEAD~9', 404],
    ['99', 404],
    ['0', 404],
    ['no-such-tag', 404],
    ['urn:quadrille:revision:01936b2e-5a00-7000-8000-000000000001', 404],
    ['1990-01-01', 404],
    ['urn:quadrille:revision:not-a-uuid', 400],
    ['not a ref', 400],
    ['2026-13-45T00:00:00Z', 400],
    ['1--3', 400],
    ['*--*', 400],
  ])('%s is %i', async (ref, status) => {
    expect((await size(`?${query({ 'revision-id': ref })}`))[0]).toBe(status);
  });

  test.each([
    ['POST', '/statements', '<urn:x> <urn:p> 1 .', TURTLE],
    ['PUT', '/statements', '<urn:x> <urn:p> 1 .', TURTLE],
    ['DELETE', '/statements', undefined, {}],
    ['POST', '/sparql', 'INSERT DATA { <urn:x> <urn:p> 1 }', { 'Content-Type': 'application/sparql-update' }],
    ['POST', '/reset', undefined, {}],
    ['POST', '/revisions/3/revert', undefined, {}],
  ] as const)('%s %s with a revision is refused', async (method, path, body, headers) => {
    const init = { headers: headers as Record<string, string>, ...(body === undefined ? {} : { body }) };
    for (const form of FORMS) {
      const named = await server.send(
        method,
        `${form}${path}?revision-id=HEAD&to=1`.replace('&to=1', path === '/reset' ? '&to=1' : ''),
        init,
      );
      expect(named.status).toBe(400);
      const header = await server.send(method, `${form}${path}`, {
        ...init,
        headers: { ...init.headers, Revision: uuid(2) },
      });
      expect(header.status).toBe(400);
    }
    expect(await size('')).toEqual([200, '3']);
  });
});

describe('headers of a read', () => {
  test('of a revision by uuid', async () => {
    const { headers } = await server.get(`/acme/people/statements?revision-id=${uuid(3)}`);
    expect(headers.get('ETag')).toBe(`"${uuid(3)}"`);
    expect(headers.get('Memento-Datetime')).toBe(revision(3).time.toUTCString());
    expect(headers.get('Cache-Control')).toContain('immutable');
    expect(headers.get('Vary')).toBe('Accept, Accept-Encoding, Accept-Datetime, Branch');
    const link = headers.get('Link') ?? '';
    expect(link).toContain(`<${ORIGINAL}>; rel="original"`);
    expect(link).toContain(`<${ORIGINAL}/timegate>; rel="timegate"`);
    expect(link).toContain(`<${ORIGINAL}/timemap>; rel="timemap"; type="application/n-triples"`);
    for (const [number, rel] of [
      [1, 'first memento'],
      [2, 'prev memento'],
      [3, 'memento'],
      [4, 'next memento'],
      [5, 'last memento'],
    ] as const) {
      expect(link).toContain(
        `<${ORIGINAL}?revision-id=${uuid(number)}>; rel="${rel}"; datetime="${revision(number).time.toUTCString()}"`,
      );
    }
  });

  test('of the ends, of the present, and by a name that moves', async () => {
    const first = (await server.get('/acme/people/size?revision-id=TAIL')).headers;
    expect(first.get('Link')).toContain(`${uuid(1)}>; rel="first memento"`);
    expect(first.get('Link')).toContain(`${uuid(2)}>; rel="next memento"`);
    expect(first.has('Cache-Control')).toBe(false);
    const present = (await server.get('/acme/people/size')).headers;
    expect(present.get('Link')).toContain('rel="timegate"');
    expect(present.has('Memento-Datetime')).toBe(false);
  });

  test('Turtle, whose prefixes are not versioned, has a tag of its own and is not immutable', async () => {
    const get = (headers: Record<string, string>): Promise<Response> =>
      server.get(`/acme/people/statements?revision-id=${uuid(2)}`, { Accept: 'text/turtle', ...headers });
    const { headers } = await get({});
    expect(headers.get('ETag')).toMatch(new RegExp(`^"${uuid(2)}-ttl-\\w+"$`));
    expect(headers.has('Cache-Control')).toBe(false);
    expect((await get({ 'If-None-Match': headers.get('ETag') ?? '' })).status).toBe(304);
    expect((await get({ 'If-None-Match': `"${uuid(2)}"` })).status).toBe(200);
    await (await server.database.repository('acme/people')).namespaces.set('ex', 'urn:x:');
    expect((await get({ 'If-None-Match': headers.get('ETag') ?? '' })).status).toBe(200);
  });
});

describe('Memento', () => {
  test('Accept-Datetime reads the revision at or before a time', async () => {
    const long = { 'Accept-Datetime': 'Thu, 01 Jan 1970 00:00:00 GMT' };
    const soon = { 'Accept-Datetime': new Date(Date.now() + 60_000).toUTCString() };
    for (const form of FORMS) {
      for (const path of ['', '/statements', `/sparql?${query({ query: 'CONSTRUCT WHERE {?s ?p ?o}' })}`]) {
        const first = await server.get(form + path, long);
        expect([first.status, await first.text()]).toEqual([200, '']);
        expect(first.headers.get('Memento-Datetime')).toBe(revision(1).time.toUTCString());
        const last = await server.get(form + path, soon);
        expect(last.headers.get('ETag')).toBe(`"${uuid(5)}"`);
        expect((await server.get(form + path, { 'Accept-Datetime': 'yesterday' })).status).toBe(400);
      }
    }
  });

  test('the timegates lead to it', async () => {
    const paths = [
      ...FORMS.map((form) => `${form}/timegate`),
      `/acme/people/timegate/${ORIGINAL}`,
      `/timegate/${ORIGINAL}`,
      `/timegate/${BASE}/acme/repositories/people`,
    ];
    for (const path of paths) {
      const response = await server.get(path, { 'Accept-Datetime': 'Thu, 01 Jan 1970 00:00:00 GMT' });
      expect([response.status, response.headers.get('Location')]).toEqual([302, `${ORIGINAL}?revision-id=${uuid(1)}`]);
      expect(response.headers.get('Vary')).toContain('Accept-Datetime');
      expect(response.headers.get('Link')).toContain('rel="original"');
      const present = await server.send('HEAD', path);
      expect(present.headers.get('Location')).toBe(`${ORIGINAL}?revision-id=${uuid(5)}`);
    }
    expect((await server.get('/acme/people/timegate', { 'Accept-Datetime': 'x' })).status).toBe(400);
    expect((await server.get('/acme/people/timegate/http://elsewhere/acme/people')).status).toBe(404);
  });

  test('the address of a memento gives its statements', async () => {
    const response = await server.get(`/acme/people?revision-id=${uuid(2)}`);
    expect(sortedLines(await response.text())).toEqual(['<urn:a> <urn:p> "1" .', '<urn:b> <urn:p> "2" .']);
  });
});

describe('timemap', () => {
  const EXPECTED_TRIPLES = (): string[] => [
    `<${ORIGINAL}/timemap> <http://www.openarchives.org/ore/terms/describes> <${ORIGINAL}/timemap#bundle> .`,
    `<${ORIGINAL}/timemap#bundle> <http://www.openarchives.org/ore/terms/aggregates> <${ORIGINAL}?revision-id=${uuid(3)}> .`,
    `<${ORIGINAL}/timegate> <http://www.mementoweb.org/terms/tb/timeGateFor> <${ORIGINAL}> .`,
    `<${ORIGINAL}?revision-id=${uuid(3)}> <http://purl.org/dc/terms/isVersionOf> <${urn(3)}> .`,
    `<${ORIGINAL}/timemap#period-${uuid(3)}> <http://www.mementoweb.org/terms/tb/end> "${revision(4).time.toISOString()}"^^<http://www.w3.org/2001/XMLSchema#dateTime> .`,
    `<${urn(3)}> <http://www.w3.org/ns/prov#wasRevisionOf> <${urn(2)}> .`,
    `<${urn(3)}> <urn:quadrille:removed> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .`,
  ];

  test('both forms of the specification are N-Triples', async () => {
    for (const form of FORMS) {
      for (const [path, headers] of [
        ['/timemap', {}],
        ['/timemap', { Accept: 'text/plain' }],
        ['', { Accept: 'application/link-format' }],
      ] as const) {
        const response = await server.get(form + path, headers);
        expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'application/n-triples']);
        const text = await response.text();
        for (const line of EXPECTED_TRIPLES()) expect(text).toContain(line);
        expect(text).not.toContain(`#period-${uuid(5)}> <http://www.mementoweb.org/terms/tb/end>`);
      }
    }
  });

  test('other types', async () => {
    const as = async (accept: string): Promise<string> => {
      const response = await server.get('/acme/people/timemap', { Accept: accept });
      expect(response.headers.get('Content-Type')).toContain(accept);
      return response.text();
    };
    expect(await as('text/turtle')).toContain('tb:Memento');
    expect(sortedLines(await as('application/n-quads'))).toHaveLength(8 + 5 * 15 - 2);
    expect(JSON.parse(await as('application/json'))).toMatchObject([
      { uuid: uuid(1), ordinal: 1, predecessor: null, memento: `${ORIGINAL}?revision-id=${uuid(1)}` },
      { ordinal: 2 },
      { ordinal: 3, end: revision(4).time.toISOString() },
      { ordinal: 4 },
      { ordinal: 5, end: null },
    ]);
    expect((await server.get('/acme/people/timemap', { Accept: 'image/png' })).status).toBe(406);
  });

  test('link-format, where it is asked for and under link/', async () => {
    const asked = await server.get('/acme/people/timemap', { Accept: 'application/link-format' });
    expect(asked.headers.get('Content-Type')).toBe('application/link-format');
    const text = await asked.text();
    const links = text.trim().split(',\n');
    expect(links[0]).toBe(`<${ORIGINAL}>; rel="original"`);
    expect(links.filter((link) => /rel="[a-z ]*memento"/.test(link))).toHaveLength(5);
    expect(text).toContain(`<${ORIGINAL}?revision-id=${uuid(1)}>; rel="first memento"; datetime="`);
    expect(text).toContain(`<${ORIGINAL}?revision-id=${uuid(5)}>; rel="last memento"; datetime="`);
    for (const path of [`/acme/people/timemap/link/${ORIGINAL}`, `/timemap/link/${ORIGINAL}`]) {
      expect(await (await server.get(path)).text()).toBe(text);
    }
    expect((await server.get(`/acme/people/timemap/link/${BASE}/acme/other`)).status).toBe(404);
  });

  test.each([
    ['limit=2', [4, 5]],
    ['before=4', [1, 2, 3]],
    ['before=4&limit=1', [3]],
    ['from=4', [4, 5]],
    ['until=HEAD~3', [1, 2]],
    ['from=2&until=3', [2, 3]],
    ['revision-id=2--4', [2, 3, 4]],
    ['revision-id=*--2', [1, 2]],
    ['from=1990-01-01&until=1990-01-02', []],
    ['from=1990-01-01', [1, 2, 3, 4, 5]],
    ['until=2090-01-01', [1, 2, 3, 4, 5]],
    ['limit=0', []],
  ])('?%s', async (parameters, expected) => {
    for (const path of ['timemap', 'revisions']) {
      const response = await server.get(`/acme/people/${path}?${parameters}`, { Accept: 'application/json' });
      const ordinals = ((await response.json()) as { ordinal: number }[]).map(({ ordinal }) => ordinal);
      expect(ordinals).toEqual(path === 'timemap' ? expected : expected.toReversed());
    }
  });

  test('times bound it, and a page leads to the one before', async () => {
    const between = query({ from: revision(2).time.toISOString(), until: revision(3).time.toISOString() });
    const page = await server.get(`/acme/people/timemap?${between}`, { Accept: 'application/link-format' });
    const text = await page.text();
    expect(text).toContain(`${uuid(2)}>; rel="memento"`);
    expect(text).toContain('?before=2&limit=2>; rel="timemap prev"');
    expect(page.headers.get('Link')).toBe(`<${ORIGINAL}/timemap?before=2&limit=2>; rel="prev"`);
    expect(text).not.toContain(uuid(4));
    expect((await server.get('/acme/people/timemap?limit=-1')).status).toBe(400);
    expect((await server.get('/acme/people/timemap?from=nope%20x')).status).toBe(400);
  });
});

describe('revisions', () => {
  test('JSON, CSV, N-Triples and text', async () => {
    for (const form of FORMS) {
      const list = (await (await server.get(`${form}/revisions`)).json()) as object[];
      expect(list).toHaveLength(5);
      expect(list[2]).toEqual({
        uuid: uuid(3),
        uri: urn(3),
        ordinal: 3,
        datetime: revision(3).time.toISOString(),
        predecessor: uuid(2),
        added: 0,
        removed: 1,
        size: 1,
        agent: null,
        message: null,
      });
    }
    const text = await server.get('/acme/people/revisions', { Accept: 'text/plain' });
    expect(await text.text()).toBe(revisions.map(({ id }) => `${id}\n`).join(''));
    const csv = await (await server.get('/acme/people/revisions?limit=1', { Accept: 'text/csv' })).text();
    expect(csv).toBe(
      `uuid,ordinal,datetime,predecessor,added,removed,agent,message\r\n${uuid(5)},5,${revision(5).time.toISOString()},${uuid(4)},1,0,,\r\n`,
    );
    const triples = await server.get('/acme/people/revisions', { Accept: 'application/n-triples' });
    expect(await triples.text()).toContain(`<${urn(2)}> <urn:quadrille:ordinal> "2"^^`);
  });

  test('one', async () => {
    for (const ref of ['3', '%233', uuid(3), encodeURIComponent(`<${urn(3)}>`), 'HEAD~2']) {
      const response = await server.get(`/acme/people/revisions/${ref}`);
      expect(await response.json()).toMatchObject({ uuid: uuid(3), ordinal: 3 });
    }
    const text = await server.get('/acme/people/revisions/1', { Accept: 'text/plain' });
    expect(await text.text()).toBe(`${uuid(1)}\n`);
    expect((await server.get('/acme/people/revisions/99')).status).toBe(404);
    expect((await server.get('/acme/people/revisions/1--2')).status).toBe(400);
    expect((await server.get('/acme/none/revisions')).status).toBe(404);
  });

  test('a message, with revert and reset, under If-Match', async () => {
    const headers = { 'Revision-Message': 'back, "please"' };
    for (const [i, form] of FORMS.entries()) {
      const undone = await server.send('POST', `${form}/revisions/HEAD/revert`, { headers });
      expect([undone.status, await undone.text()]).toEqual([204, '']);
      const etag = undone.headers.get('ETag') ?? '';
      expect(etag).not.toBe(`"${uuid(5)}"`);
      expect(await size('')).toEqual([200, '2']);
      const stale = await server.send('POST', `${form}/reset?to=2`, { headers: { 'If-Match': `"${uuid(5)}"` } });
      expect(stale.status).toBe(412);
      const right = await server.send('POST', `${form}/reset?to=${encodeURIComponent(urn(5))}`, {
        headers: { 'If-Match': etag },
      });
      expect(right.status).toBe(204);
      expect(await size('')).toEqual([200, '3']);
      expect(await (await server.get(`${form}/revisions/${String(6 + 2 * i)}`)).json()).toMatchObject({
        message: 'back, "please"',
      });
    }
    const again = await server.send('POST', '/acme/people/reset?to=HEAD');
    expect(again.headers.get('ETag')).toBe((await server.get('/acme/people/size')).headers.get('ETag'));
    const csv = await (await server.get('/acme/people/revisions', { Accept: 'text/csv' })).text();
    expect(csv).toContain(',"back, ""please"""\r\n');
    expect((await server.send('POST', '/acme/people/reset')).status).toBe(400);
    expect((await server.send('POST', '/acme/people/reset?to=99')).status).toBe(404);
    expect((await server.send('GET', '/acme/people/reset')).status).toBe(405);
  });
});

describe('refs', () => {
  test('put, get, list, use and delete', async () => {
    for (const form of FORMS) {
      expect((await server.send('PUT', `${form}/refs/v1?to=2`)).status).toBe(201);
      expect((await server.send('PUT', `${form}/refs/v1`, { body: `<${urn(3)}>` })).status).toBe(204);
      expect(await (await server.get(`${form}/refs/v1`)).json()).toMatchObject({ uuid: uuid(3) });
      expect((await server.send('PUT', `${form}/refs/release/2026?revision-id=4`)).status).toBe(201);
      expect(await (await server.get(`${form}/refs`)).json()).toMatchObject({
        v1: { ordinal: 3 },
        'release/2026': { ordinal: 4 },
      });
      expect(await size('?revision-id=v1')).toEqual([200, '1']);
      expect(await size('?revision-id=release/2026')).toEqual([200, '2']);
      const text = await server.get(`${form}/refs/v1`, { Accept: 'text/plain' });
      expect(await text.text()).toBe(`${uuid(3)}\n`);
      for (const name of ['v1', 'release/2026']) {
        expect((await server.send('DELETE', `${form}/refs/${name}`)).status).toBe(204);
        expect((await server.send('DELETE', `${form}/refs/${name}`)).status).toBe(404);
      }
      expect((await server.get(`${form}/refs/v1`)).status).toBe(404);
    }
    expect((await server.send('PUT', '/acme/people/refs/HEAD')).status).toBe(400);
    expect((await server.send('PUT', '/acme/people/refs/v2?to=99')).status).toBe(404);
    expect((await server.send('PUT', '/acme/people/refs/v2?to=1', { body: '2' })).status).toBe(400);
  });
});

describe('diff', () => {
  const diff = async (parameters: string, accept?: string): Promise<string> => {
    const response = await server.get(
      `/acme/people/diff?${parameters}`,
      accept === undefined ? {} : { Accept: accept },
    );
    expect(response.status).toBe(200);
    return response.text();
  };

  test('RDF Patch, from every form, by parameters and by interval', async () => {
    const expected = `H id <urn:uuid:${uuid(3)}> .\nH prev <urn:uuid:${uuid(2)}> .\nTX .\nD <urn:a> <urn:p> "1" .\nTC .\n`;
    for (const form of FORMS) {
      for (const path of [
        '/diff?from=2&to=3',
        '/diff?to=3',
        '/diff?revision-id=2--3',
        `/diff?from=${uuid(2)}&to=${uuid(3)}`,
      ]) {
        const response = await server.get(form + path);
        expect(response.headers.get('Content-Type')).toBe('application/rdf-patch');
        expect(await response.text()).toBe(expected);
      }
      const statements = await server.get(`${form}/statements?revision-id=2--3`, { Accept: 'application/rdf-patch' });
      expect(await statements.text()).toBe(expected);
    }
    const back = await diff('from=3&to=1');
    expect(back).toContain('D <urn:b> <urn:p> "2" <urn:g> .\n');
  });

  test('SPARQL Update makes the one of the other', async () => {
    const update = await diff('from=1&to=3', 'application/sparql-update');
    const other = await server.database.repository('acme/other', { create: true });
    await other.update(update);
    expect(await other.size()).toBe(1);
    await other.update(await diff('from=3&to=1', 'application/sparql-update'));
    expect(await other.size()).toBe(0);
    const blank = await server.get('/acme/people/diff?from=HEAD&to=1', { Accept: 'application/sparql-update' });
    expect(blank.status).toBe(406);
    expect(await diff('from=3&to=4', 'application/sparql-update')).toMatch(
      /INSERT DATA \{\n {2}<urn:c> <urn:p> _:\w+ \.\n\}/,
    );
  });

  test('JSON and TriG', async () => {
    expect(JSON.parse(await diff('from=1&to=3', 'application/json'))).toEqual([
      { op: 'add', subject: '<urn:b>', predicate: '<urn:p>', object: '"2"', graph: '<urn:g>' },
    ]);
    expect(JSON.parse(await diff('from=3&to=3', 'application/json'))).toEqual([]);
    const trig = await diff('from=2&to=3', 'application/trig');
    const base = `${ORIGINAL}/diff?from=${uuid(2)}&to=${uuid(3)}`;
    const store = await server.database.repository('acme/trig', { create: true });
    await store.load({ text: trig }, { format: 'trig' });
    const { iri } = await import('quadrille');
    expect(await store.count({ subject: iri('urn:a'), graph: iri(`${base}#removals`) })).toBe(1);
    expect(await store.count({ object: iri('urn:quadrille:Removals') })).toBe(1);
  });

  test('a pattern and contexts narrow it', async () => {
    expect(JSON.parse(await diff('from=1&to=5&subj=urn:a', 'application/json'))).toHaveLength(1);
    expect(JSON.parse(await diff('from=1&to=5&context=urn:g', 'application/json'))).toHaveLength(1);
    expect(JSON.parse(await diff('from=1&to=5&context=null', 'application/json'))).toHaveLength(2);
    expect(JSON.parse(await diff('from=1&to=5&obj=%22none%22', 'application/json'))).toEqual([]);
  });

  test('a tag for the pair, and what is refused', async () => {
    const { headers } = await server.get('/acme/people/diff?from=2&to=3');
    expect(headers.get('ETag')).toBe(`"${uuid(3)}-from-${uuid(2)}"`);
    const again = await server.get('/acme/people/diff?from=2&to=3', { 'If-None-Match': headers.get('ETag') ?? '' });
    expect(again.status).toBe(304);
    expect((await server.get('/acme/people/diff?to=1')).status).toBe(400);
    expect((await server.get('/acme/people/diff?to=99')).status).toBe(404);
    expect((await server.get('/acme/people/diff?from=1--2')).status).toBe(400);
    expect((await server.get('/acme/people/diff?from=1&to=2', { Accept: 'text/turtle' })).status).toBe(406);
  });
});

describe('history', () => {
  test.each([
    ['subj=urn:a', ['2 insert', '3 delete', '5 insert']],
    ['subj=urn:a&revision-id=3--5', ['3 delete', '5 insert']],
    ['subj=urn:a&until=3', ['2 insert', '3 delete']],
    ['subj=urn:a&limit=1', ['2 insert']],
    ['context=urn:g', ['2 insert']],
    ['context=urn:g&context=null&obj=%221%22', ['2 insert', '3 delete', '5 insert']],
    ['context=urn:quadrille:named', ['2 insert']],
    ['subj=urn:nobody', []],
  ])('?%s', async (parameters, expected) => {
    for (const form of FORMS) {
      const response = await server.get(`${form}/history?${parameters}`);
      expect(response.headers.get('Content-Type')).toContain('application/sparql-results+json');
      const { results } = (await response.json()) as {
        results: { bindings: Record<string, { value: string }>[] };
      };
      expect(results.bindings.map(({ ordinal, operation }) => `${ordinal?.value} ${operation?.value}`)).toEqual(
        expected,
      );
    }
  });

  test('rows of quad, revision and time, in every results format', async () => {
    const csv = await server.get('/acme/people/history?context=urn:g', { Accept: 'text/csv' });
    expect(await csv.text()).toContain(`urn:b,urn:p,"2",urn:g,${urn(2)},2,`);
    expect((await server.get('/acme/people/history?subj=%22x%22')).status).toBe(400);
    expect((await server.get('/acme/people/history', { Accept: 'text/turtle' })).status).toBe(406);
  });
});

describe('/revisions as pages and with filters', () => {
  const numbers = async (response: Response): Promise<number[]> =>
    ((await response.json()) as { ordinal: number }[]).map(({ ordinal }) => ordinal);
  const json = { Accept: 'application/json' };

  test('follow Link rel=next to the end', async () => {
    for (const filter of ['', '&pred=urn:p']) {
      const seen: number[] = [];
      let target: string | undefined = `/acme/people/revisions?limit=2${filter}`;
      while (target !== undefined) {
        const response: Response = await server.get(target, json);
        seen.push(...(await numbers(response)));
        const link = /<([^>]*)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1];
        target = link === undefined ? undefined : `/acme/people/revisions${link}`;
      }
      expect(seen).toEqual(filter === '' ? [5, 4, 3, 2, 1] : [5, 4, 3, 2]);
    }
    expect((await server.get('/acme/people/revisions?limit=0', json)).headers.get('Link') ?? '').not.toContain('next');
  });

  test('author, message and statements', async () => {
    const repository = await server.database.repository('acme/people');
    await repository.update('INSERT DATA { <urn:z> <urn:q> 1 }', { author: 'jo', message: 'Import of May' });
    const list = async (parameters: Record<string, string>): Promise<number[]> =>
      numbers(await server.get(`/acme/people/revisions?${query(parameters)}`, json));
    expect(await list({ author: 'jo' })).toEqual([6]);
    expect(await list({ message: 'import' })).toEqual([6]);
    expect(await list({ message: 'june' })).toEqual([]);
    expect(await list({ subj: '<urn:a>' })).toEqual([5, 3, 2]);
    expect(await list({ context: 'urn:g' })).toEqual([2]);
    expect(await list({ graph: 'null', pred: 'urn:p', from: '3', until: '4' })).toEqual([4, 3]);
    expect((await server.get('/acme/people/revisions?pred=_:b')).status).toBe(400);
  });
});
