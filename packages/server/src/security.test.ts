// The table of threats, as far as it concerns credentials, rights, names, bodies and errors. Rights on every route stand in
// rights.slow.test.ts, addresses that imports may not read from in imports.slow.test.ts.
import { open } from 'quadrille';
import { openService, type Service } from './host/index.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHandler, type Handler, type HandlerOptions } from './handler.js';

const STATEMENTS = '/acme/people/statements';
const FORM = 'application/x-www-form-urlencoded';
const OWNER = { account: 'acme', readOnly: false, admin: false };

let now: number;
let service: Service;
let handler: Handler;
let token: string;
let log: unknown[][];
beforeEach(async () => {
  now = Date.UTC(2026, 0, 1);
  service = await openService(await open(':memory:'), {
    now: () => now,
    limits: { requestBurst: 500, importBytes: 1_000_000 },
  });
  for (const name of ['acme', 'other']) await service.accounts.create(name);
  await service.repositories.create(OWNER, 'acme', { name: 'people' });
  token = (await service.tokens.create('acme')).text;
  log = [];
  handler = handlerWith({});
});
afterEach(async () => {
  await service.close();
  await service.database.close();
});

const handlerWith = (options: Partial<HandlerOptions>): Handler => {
  const write = (...line: unknown[]): void => void log.push(line);
  return createHandler({ ...options, service, accessLog: true, logger: { info: write, warn: write, error: write } });
};

interface Sent {
  readonly authorization?: string | null;
  readonly body?: BodyInit;
  readonly type?: string;
  readonly headers?: Record<string, string>;
  readonly address?: string;
}
function send(method: string, path: string, sent: Sent = {}): Promise<Response> {
  const headers = new Headers(sent.headers);
  if (sent.authorization !== null) headers.set('Authorization', sent.authorization ?? `Bearer ${token}`);
  if (sent.type !== undefined) headers.set('Content-Type', sent.type);
  const request = new Request(`http://localhost${path}`, { method, headers, body: sent.body ?? null });
  return handler(request, { address: sent.address ?? '192.0.2.1' });
}
const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString('base64')}`;
const size = async (): Promise<number> => Number(await (await send('GET', '/acme/people/size')).text());
const withoutId = async (response: Response): Promise<string> =>
  (await response.text()).replace(/"requestId":"[^"]*"/, '');

describe('A credentials', () => {
  test('A3 whatever is wrong with them, the answer is the same', async () => {
    const unknown = `qdt_${'0'.repeat(16)}_${'a'.repeat(43)}`;
    const wrong = ['Basic Og==', 'Basic !!!', 'Basic dG9rZW4=', 'Basic', 'Bearer x', 'Digest a=b', 'x'];
    wrong.push(basic(`${unknown}:`), basic(`acme:${unknown}`), basic(`nobody:${token}`), basic(`other:${token}`));
    wrong.push(basic(`:${token.slice(0, -2)}${token.endsWith('AA') ? 'BA' : 'AA'}`), `Bearer ${unknown}`);
    const answers = new Set<string>();
    for (const [i, authorization] of wrong.entries()) {
      const response = await send('GET', STATEMENTS, { authorization, address: `192.0.2.${String(i)}` });
      answers.add(
        `${String(response.status)} ${response.headers.get('WWW-Authenticate') ?? ''} ${await withoutId(response)}`,
      );
    }
    expect([...answers]).toEqual([expect.stringMatching(/^401 Basic realm="Application" .*UNAUTHENTICATED/)]);
  });

  test.each([
    ['TOKEN:', (text: string) => basic(`${text}:`)],
    [':TOKEN', (text: string) => basic(`:${text}`)],
    ['TOKEN:X', (text: string) => basic(`${text}:X`)],
    ['account:TOKEN', (text: string) => basic(`acme:${text}`)],
    ['Bearer', (text: string) => `bearer  ${text}`],
  ])('%s is accepted', async (_, form) => {
    expect((await send('GET', STATEMENTS, { authorization: form(token) })).status).toBe(200);
  });

  test('A4 auth_token counts only with its switch, and stands in no log and no answer', async () => {
    const path = `${STATEMENTS}?auth_token=${token}&auth_token=x`;
    expect((await send('GET', path, { authorization: null })).status).toBe(401);
    const form = { authorization: null, body: `query=ASK%7B%7D&auth_token=${token}`, type: FORM };
    const length = { 'Content-Length': String(form.body.length) };
    expect((await send('POST', '/acme/people/sparql', { ...form, headers: length })).status).toBe(401);
    handler = handlerWith({ queryToken: true });
    const response = await send('GET', path, { authorization: null });
    expect(response.status).toBe(200);
    expect((await send('POST', '/acme/people/sparql', { ...form, headers: length })).status).toBe(200);
    expect((await send('GET', `${STATEMENTS}?auth_token=x`, { authorization: null })).status).toBe(401);
    expect((await send('DELETE', `${STATEMENTS}?subj=urn:a&auth_token=${token}`, { authorization: null })).status).toBe(
      204,
    );
    expect((await send('GET', `/acme/nobody/size?auth_token=${token}`, { authorization: null })).status).toBe(404);
    expect([...response.headers].join()).not.toContain(token);
    expect(log.length).toBeGreaterThan(5);
    expect(JSON.stringify(log)).not.toContain(token.slice(4, 20));
  });

  test('A5 after twenty failures the address has to wait; a valid token still counts', async () => {
    const guess = (): Promise<Response> => send('GET', STATEMENTS, { authorization: basic('acme:guess') });
    for (let i = 0; i < 20; i++) expect((await guess()).status).toBe(401);
    const refused = await guess();
    expect([refused.status, Number(refused.headers.get('Retry-After'))]).toEqual([429, 60]);
    expect(await refused.json()).toMatchObject({ code: 'RATE_LIMITED' });
    expect((await send('GET', STATEMENTS)).status).toBe(200);
    expect((await send('GET', STATEMENTS, { authorization: basic('acme:guess'), address: '192.0.2.9' })).status).toBe(
      401,
    );
    now += 61_000;
    expect((await guess()).status).toBe(401);
  });

  test('A5 behind a proxy that is trusted its last word counts, else none of them', async () => {
    const guess = (forwarded: string): Promise<Response> =>
      send('GET', STATEMENTS, { authorization: 'Bearer x', headers: { 'X-Forwarded-For': forwarded } });
    handler = handlerWith({ trustProxy: true });
    for (let i = 0; i < 20; i++) expect((await guess(`10.0.0.${String(i)}, 198.51.100.1`)).status).toBe(401);
    expect((await guess('10.0.0.99, 198.51.100.1')).status).toBe(429);
    expect((await guess('198.51.100.1, 198.51.100.2')).status).toBe(401);
    handler = handlerWith({});
    for (let i = 0; i < 20; i++) expect((await guess(`198.51.100.${String(i + 10)}`)).status).toBe(401);
    expect((await guess('198.51.100.99')).status).toBe(429);
  });

  test('A5 requests are limited by account, unknown clients by address', async () => {
    const statuses = await Promise.all(Array.from({ length: 502 }, () => send('GET', '/acme/people/size')));
    const refused = statuses.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(2);
    expect(Number(refused[0]?.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect((await send('GET', '/health', { authorization: null })).status).toBe(200);
    now += 1000;
    expect((await send('GET', '/acme/people/size')).status).toBe(200);
  });

  test('A6 a revoked token is none at once', async () => {
    expect(await size()).toBe(0);
    const [first] = await service.tokens.list('acme');
    await service.tokens.revoke('acme', first?.id ?? '');
    expect((await send('GET', STATEMENTS)).status).toBe(401);
  });
});

describe('I other accounts', () => {
  test('I2 their jobs do not exist', async () => {
    await send('POST', STATEMENTS, { body: '<urn:a> <urn:p> 1 .', type: 'text/turtle' });
    const { uuid } = (await (await send('GET', '/acme/people/status')).json()) as { uuid: string };
    const other = `Bearer ${(await service.tokens.create('other')).text}`;
    for (const method of ['GET', 'DELETE']) {
      const response = await send(method, `/jobs/${uuid}`, { authorization: other });
      expect([response.status, (await response.json()) as object]).toEqual([
        404,
        expect.objectContaining({ code: 'JOB_NOT_FOUND' }),
      ]);
    }
    expect(await (await send('GET', '/jobs?status=completed', { authorization: other })).json()).toEqual([]);
    expect(await (await send('GET', '/jobs?status=completed')).json()).not.toEqual([]);
  });

  test('I1 lists show what may be read', async () => {
    const other = { authorization: `Bearer ${(await service.tokens.create('other')).text}` };
    expect(await (await send('GET', '/acme/repositories', other)).json()).toEqual([]);
    expect(await (await send('GET', '/acme/repositories', { authorization: null })).json()).toEqual([]);
    expect((await send('GET', '/nobody/repositories', other)).status).toBe(404);
    expect(await (await send('GET', '/nobody/repositories', { authorization: null })).json()).toEqual([]);
    await send('PUT', '/acme/people/meta', { body: 'repository[privacy]=authenticated', type: FORM });
    expect(await (await send('GET', '/acme/repositories', other)).json()).toHaveLength(1);
    expect(await (await send('GET', '/acme/repositories', { authorization: null })).json()).toEqual([]);
    await send('PUT', '/acme/people/meta', { body: '{"privacy":"public"}', type: 'application/json' });
    expect(await (await send('GET', '/acme/repositories', { authorization: null })).json()).toHaveLength(1);
  });

  test('I4 no query reaches another repository', async () => {
    await service.repositories.create({ ...OWNER, account: 'other' }, 'other', { name: 'mine' });
    await (await service.database.repository('other/mine')).update('INSERT DATA { <urn:secret> <urn:p> 1 }');
    const ask = async (query: string): Promise<Response> =>
      send('GET', `/acme/people/sparql?${new URLSearchParams({ query }).toString()}`, {
        headers: { Accept: 'text/csv' },
      });
    for (const query of [
      'SELECT * FROM <http://localhost/other/mine> { ?s ?p ?o }',
      'SELECT * FROM <other/mine> { ?s ?p ?o }',
      'SELECT * { GRAPH <http://localhost/other/mine> { ?s ?p ?o } }',
      'SELECT * { SERVICE <http://localhost/other/mine/sparql> { ?s ?p ?o } }',
    ]) {
      expect(await (await ask(query)).text()).not.toContain('secret');
    }
  });

  test('collaborators: by the owner alone', async () => {
    const path = '/acme/people/collaborators/other';
    const other = { authorization: `Bearer ${(await service.tokens.create('other')).text}` };
    const put = (body: string): Promise<Response> => send('PUT', path, { body, type: 'application/json' });
    expect((await send('GET', STATEMENTS, other)).status).toBe(404);
    expect((await put('{"read":true,"write":false}')).status).toBe(204);
    expect(await (await send('GET', path)).json()).toEqual({ read: true, write: false });
    expect((await send('GET', STATEMENTS, other)).status).toBe(200);
    expect((await send('DELETE', STATEMENTS, other)).status).toBe(403);
    expect((await send('GET', path, other)).status).toBe(403);
    expect((await put('{"write":true}')).status).toBe(204);
    expect((await send('DELETE', STATEMENTS, other)).status).toBe(204);
    expect((await put('{"read":"yes"}')).status).toBe(400);
    expect(
      (await send('PUT', '/acme/people/collaborators/nobody', { type: 'application/json', body: '{"read":true}' }))
        .status,
    ).toBe(404);
    expect((await send('DELETE', path)).status).toBe(204);
    expect((await send('GET', path)).status).toBe(404);
    expect((await send('GET', STATEMENTS, other)).status).toBe(404);
  });

  test('an account shows its address for mail to nobody else, and no token to anybody', async () => {
    await service.accounts.set('acme', { fullName: 'Acme', email: 'a@acme.example' });
    const own = await (await send('GET', '/repositories/acme')).text();
    expect(JSON.parse(own)).toMatchObject({
      name: 'acme',
      fullname: 'Acme',
      email: 'a@acme.example',
      repository_count: 1,
    });
    const other = { authorization: `Bearer ${(await service.tokens.create('other')).text}` };
    const seen = await (await send('GET', '/acme', other)).text();
    expect(JSON.parse(seen)).toMatchObject({ name: 'acme', repository_count: 0 });
    expect(`${own}${seen}`).not.toMatch(/qdt_|digest/);
    expect(seen).not.toContain('@');
    expect((await send('GET', '/nobody', other)).status).toBe(404);
    expect((await send('GET', '/acme', { authorization: null })).status).toBe(401);
  });
});

describe('bodies', () => {
  const post = (
    body: string | Uint8Array,
    type = 'text/plain',
    headers: Record<string, string> = {},
  ): Promise<Response> => send('POST', STATEMENTS, { body: body as BodyInit, type, headers });

  test('L1 too long: by what it says, and by what comes', async () => {
    expect((await post('x', 'text/plain', { 'Content-Length': '1000001' })).status).toBe(413);
    expect((await post('<urn:a> <urn:p> "x" .\n'.repeat(50_000))).status).toBe(413);
    expect((await send('PUT', '/acme/people/meta', { body: `summary=${'x'.repeat(70_000)}`, type: FORM })).status).toBe(
      413,
    );
    expect((await send('PUT', '/acme/people/meta', { body: `summary=${'x'.repeat(2000)}`, type: FORM })).status).toBe(
      422,
    );
    expect(await size()).toBe(0);
  });

  test('L3 terms that are too long are 400 with their line, and the message is short', async () => {
    const long = 'x'.repeat(500_000);
    for (const line of [
      `<urn:a> <urn:p> <urn:${long}`,
      `<urn:a> <urn:p> "x"@${'a-'.repeat(1000)} .`,
      `<urn:a> <urn:p> ${long} .`,
    ]) {
      const response = await post(`<urn:a> <urn:p> "x" .\n${line}\n`);
      const body = (await response.json()) as { error: string; line: number };
      expect([response.status, body.line]).toEqual([400, 2]);
      expect(body.error.length).toBeLessThan(400);
    }
    expect(await size()).toBe(0);
  });

  test('L3 an IRI of more than 8 KB is 400 whichever way it comes, and the message says what to do', async () => {
    const long = `urn:${'x'.repeat(8192)}`;
    const documents: Record<string, string> = {
      'application/n-triples': `<urn:a> <urn:p> <${long}> .`,
      'application/n-quads': `<urn:a> <urn:p> "x"^^<${long}> <urn:g> .`,
      'text/turtle': `@prefix l: <${long}> . <urn:a> <urn:p> l:x .`,
      'application/trig': `<${long}> { <urn:a> <urn:p> 1 }`,
      'text/n3': `<urn:a> <urn:p> <${long}> .`,
      'application/rdf+xml': `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:u="urn:"><u:a rdf:about="${long}"/></rdf:RDF>`,
      'application/ld+json': JSON.stringify({ '@id': 'urn:a', 'urn:p': { '@id': long } }),
      'application/rdf+json': JSON.stringify({ 'urn:a': { 'urn:p': [{ type: 'uri', value: long }] } }),
      'application/trix': `<TriX xmlns="http://www.w3.org/2004/03/trix/trix-1/"><graph><triple><uri>urn:a</uri><uri>urn:p</uri><uri>${long}</uri></triple></graph></TriX>`,
      'application/x-rdftransaction': `<transaction><add><uri>urn:a</uri><uri>urn:p</uri><uri>${long}</uri></add></transaction>`,
    };
    const update = (body: string): Promise<Response> =>
      send('POST', '/acme/people/sparql', { body, type: 'application/sparql-update' });
    const requests: Record<string, () => Promise<Response>> = {
      ...Object.fromEntries(
        Object.entries(documents).map(([type, body]) => [type, () => send('POST', STATEMENTS, { type, body })]),
      ),
      update: () => update(`INSERT DATA { <urn:a> <urn:p> <${long}> }`),
      'made by an update': () =>
        update(
          `INSERT { <urn:a> <urn:p> ?x } WHERE { VALUES ?y { "${long.slice(4)}" } BIND(IRI(CONCAT("urn:", ?y)) AS ?x) }`,
        ),
      graph: () =>
        send('PUT', `/acme/people/service?graph=${long}`, { type: 'text/turtle', body: '<urn:a> <urn:p> 1 .' }),
      context: () =>
        send('POST', `${STATEMENTS}?context=<${long}>`, { body: '<urn:a> <urn:p> "x" .', type: 'text/plain' }),
      baseURI: () =>
        send('POST', `${STATEMENTS}?baseURI=${long}`, { body: '<urn:a> <urn:p> "x" .', type: 'text/plain' }),
      subj: () => send('GET', `${STATEMENTS}?subj=<${long}>`),
      namespace: () => send('PUT', '/acme/people/namespaces/l', { body: long }),
    };
    for (const [way, request] of Object.entries(requests)) {
      const response = await request();
      const body = (await response.json()) as { error: string };
      expect([way, response.status, body.error]).toEqual([way, 400, expect.stringContaining('longer than 8192 bytes')]);
      expect(body.error.length).toBeLessThan(400);
    }
    expect(await size()).toBe(0);
    // The longest one, and a literal that is longer.
    expect((await post(`<${long.slice(0, 8192)}> <urn:p> "${long}" .`)).status).toBe(204);
    expect(
      (await send('POST', STATEMENTS, { type: 'text/turtle', body: `<${long.slice(0, 8192)}> <urn:q> 1 .` })).status,
    ).toBe(204);
    expect(await size()).toBe(2);
  });

  test('U1 what is no UTF-8', async () => {
    for (const bytes of [
      [0xff, 0xfe],
      [0xc0, 0x80],
      [0xed, 0xa0, 0x80],
    ]) {
      const text = [...new TextEncoder().encode('<urn:a> <urn:p> "')];
      expect((await post(new Uint8Array([...text, ...bytes, 0x22, 0x20, 0x2e]))).status).toBe(400);
      expect(
        (await send('POST', '/acme/people/sparql', { body: new Uint8Array(bytes), type: 'application/sparql-query' }))
          .status,
      ).toBe(400);
      expect((await send('PUT', '/acme/people/meta', { body: new Uint8Array(bytes), type: FORM })).status).toBe(400);
    }
    for (const parameter of ['subj=%ff', 'subj=%c0%af', 'context=%ed%a0%80']) {
      expect((await send('DELETE', `${STATEMENTS}?${parameter}`)).status).toBe(400);
    }
  });

  test('X1 a document type of XML brings nothing in', async () => {
    const bomb =
      '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="urn:a"><p xmlns="urn:">&x;</p></rdf:Description></rdf:RDF>';
    const response = await post(bomb, 'application/rdf+xml');
    expect(response.status).toBe(400);
    expect(await response.text()).not.toContain('root:');
    expect(await size()).toBe(0);
  });
});

describe('names and parameters', () => {
  test.each([
    '..%2f..%2fetc',
    '%2e%2e',
    'a%00b',
    'CON',
    'x'.repeat(300),
    '%E2%80%AE',
    '%252e',
    'a%0d%0aSet-Cookie:x=1',
  ])('P1 %s is no repository', async (name) => {
    for (const path of [`/acme/${name}/size`, `/${name}/people/size`, `/acme/${name}`]) {
      const response = await send('GET', path);
      expect([path, [400, 404].includes(response.status)]).toEqual([path, true]);
      expect(response.headers.get('Set-Cookie')).toBeNull();
    }
  });

  test('P2 names that collide or are reserved', async () => {
    const create = async (name: string): Promise<number> =>
      (await send('POST', '/acme/repositories', { body: new URLSearchParams({ name }) })).status;
    const statuses: Record<string, number> = {};
    for (const name of [
      'A B',
      'a-b',
      'a_b',
      'Jobs',
      'repositories',
      'ops',
      'rpc',
      'meta',
      '日本語',
      '../x',
      'a\r\nb',
    ]) {
      statuses[name] = await create(name);
    }
    expect(statuses).toEqual({
      'A B': 200,
      'a-b': 422,
      a_b: 200,
      Jobs: 422,
      repositories: 422,
      ops: 422,
      rpc: 422,
      meta: 422,
      日本語: 200,
      '../x': 200,
      'a\r\nb': 422,
    });
  });

  const terms = [
    '<http://a> <http://p> <http://o> . <http://evil>',
    '# c\n<http://a>',
    '<rel>',
    '"lit"',
    '<a b>',
    '<http://a> .',
    'http://a> }',
    '<g> } DELETE WHERE {?s ?p ?o',
  ];
  test.each(terms)('N1 %j is no subject, nor a context', async (term) => {
    await send('POST', STATEMENTS, { body: '<urn:a> <urn:p> 1 .', type: 'text/turtle' });
    for (const name of ['subj', 'context']) {
      const path = `${STATEMENTS}?${new URLSearchParams({ [name]: term }).toString()}`;
      expect([name, (await send('GET', path)).status]).toEqual([name, 400]);
      expect([name, (await send('DELETE', path)).status]).toEqual([name, 400]);
    }
    expect(await size()).toBe(1);
  });

  test('F1 members of objects are no fields', async () => {
    const forms = [
      'repository[__proto__][polluted]=1',
      'repository[constructor][prototype][x]=1',
      'name=ok&__proto__=1',
    ];
    for (const body of forms) await send('POST', '/acme/repositories', { body, type: FORM });
    for (const body of ['{"__proto__":{"name":"x"}}', '{"repository":{"__proto__":{"name":"y"}}}']) {
      expect((await send('POST', '/acme/repositories', { body, type: 'application/json' })).status).toBe(422);
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    for (const name of ['__proto__', 'constructor', 'toString']) {
      expect(
        (await send('PUT', `/acme/people/collaborators/${name}`, { type: 'application/json', body: '{"read":true}' }))
          .status,
      ).toBe(404);
      expect((await send('GET', `/acme/people/collaborators/${name}`)).status).toBe(404);
    }
  });
});

describe('O what is told', () => {
  test('O2 errors have no stack and no path', async () => {
    service.repositories.status = () => Promise.reject(new Error('secret at /var/lib/store'));
    const response = await send('GET', '/acme/people/status');
    expect(response.status).toBe(500);
    const body = (await response.json()) as object;
    expect(body).toEqual({
      error: 'internal error',
      code: 'INTERNAL',
      status: 500,
      requestId: response.headers.get('Request-Id'),
    });
    expect(JSON.stringify(log)).toContain('secret');
  });

  test('O1, O3 names stay data', async () => {
    const name = 'x\n{"level":"fatal"}\u001b[31m <script>';
    await send('POST', '/acme/repositories', { body: new URLSearchParams({ name }) });
    const summary = '<script>alert(1)</script>';
    await send('PUT', '/acme/people/meta', { body: new URLSearchParams({ summary }) });
    const response = await send('GET', '/acme/people/meta', { headers: { Accept: 'text/html' } });
    expect(response.headers.get('Content-Type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(response.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    const page = await send('GET', '/acme/people', { headers: { Accept: 'text/html' } });
    expect(page.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    const html = await page.text();
    expect(html).toContain('&lt;script&gt;');
    expect(html).not.toContain('<script');
  });
});
