import { brotliCompressSync, brotliDecompressSync, deflateSync, gunzipSync, gzipSync, inflateSync } from 'node:zlib';
import { openService } from '../host/index.js';
import { open } from 'quadrille';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHandler, type Handler, type HandlerOptions } from '../handler.js';
import type { Authorize } from '../service.js';
import { BASE, query, type TestServer, testServer, TURTLE } from '../testing/server.js';

const FORMS = ['/acme/people', '/acme/repositories/people', '/repositories/acme/people'];
const STATEMENTS = '/acme/people/statements';
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
});
afterEach(() => server.database.close());

const body = (bytes: Uint8Array): BodyInit => bytes as unknown as BodyInit;
const post = (bytes: Uint8Array | string, headers: Record<string, string> = {}): Promise<Response> =>
  server.send('POST', STATEMENTS, {
    body: typeof bytes === 'string' ? bytes : body(bytes),
    headers: { ...TURTLE, ...headers },
  });
const size = async (): Promise<string> => (await server.get('/acme/people/size')).text();
const lines = (count: number): string =>
  Array.from({ length: count }, (_, i) => `<urn:s${String(i)}> <urn:p> "${String(i)}" .\n`).join('');
type Settings = Partial<Pick<HandlerOptions, 'cors' | 'logger' | 'accessLog'>> & { authorize?: Authorize };
const handlerWith = ({ authorize, ...options }: Settings): Handler =>
  authorize === undefined
    ? createHandler({ database: server.database, open: true, ...options })
    : createHandler({ database: server.database, authorize, ...options });

describe('HEAD and OPTIONS', () => {
  test('HEAD has the headers of GET, everywhere', async () => {
    for (const form of FORMS) {
      for (const path of [
        '',
        '/statements',
        '/size',
        '/meta',
        '/timemap',
        '/revisions',
        '/diff?from=1',
        '/history',
        '/refs',
      ]) {
        const [get, head] = [await server.get(form + path), await server.send('HEAD', form + path)];
        expect([path, head.status, await head.text()]).toEqual([path, get.status, '']);
        for (const name of ['Content-Type', 'ETag', 'Link', 'Vary']) {
          expect([path, name, head.headers.get(name)]).toEqual([path, name, get.headers.get(name)]);
        }
      }
    }
    expect((await server.send('HEAD', '/acme/none/size')).status).toBe(404);
  });

  test.each([
    ['/size', 'GET, HEAD, OPTIONS'],
    ['/reset', 'POST, OPTIONS'],
    ['/refs/v1', 'GET, PUT, DELETE, HEAD, OPTIONS'],
    ['/timemap', 'GET, HEAD, OPTIONS'],
  ])('OPTIONS and 405 of %s allow %s', async (path, allow) => {
    for (const form of FORMS) {
      const options = await server.send('OPTIONS', form + path);
      expect([options.status, options.headers.get('Allow')]).toEqual([200, allow]);
      expect(options.headers.get('Access-Control-Allow-Methods')).toBe('GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS');
      expect(options.headers.get('Access-Control-Allow-Headers')).toContain('Accept-Datetime');
      const wrong = await server.send('PATCH', form + path);
      expect([wrong.status, wrong.headers.get('Allow')]).toEqual([405, allow]);
    }
  });

  test('OPTIONS answers for what is not there, and asks nobody', async () => {
    const handler = handlerWith({ authorize: () => Promise.reject(new Error('asked')) });
    for (const path of ['/acme/none/size', '/acme/people/size', '/no/such/thing/at/all']) {
      expect((await handler(new Request(BASE + path, { method: 'OPTIONS' }))).status).toBe(200);
    }
  });
});

describe('CORS', () => {
  const from = async (cors: HandlerOptions['cors'], origin: string): Promise<Headers> => {
    const handler = handlerWith(cors === undefined ? {} : { cors });
    return (await handler(new Request(`${BASE}/acme/people/size`, { headers: { Origin: origin } }))).headers;
  };

  test('everyone without credentials, by default', async () => {
    for (const origin of ['https://evil.example', 'null']) {
      const headers = await from(undefined, origin);
      expect(headers.get('Access-Control-Allow-Origin')).toBe('*');
      expect(headers.has('Access-Control-Allow-Credentials')).toBe(false);
      expect(headers.get('Access-Control-Expose-Headers')).toContain('Memento-Datetime');
    }
  });

  test('listed origins with credentials, no others', async () => {
    const listed = await from(['https://app.example'], 'https://app.example');
    expect(listed.get('Access-Control-Allow-Origin')).toBe('https://app.example');
    expect(listed.get('Access-Control-Allow-Credentials')).toBe('true');
    expect(listed.get('Vary')).toContain('Origin');
    for (const origin of ['https://evil.example', 'null', 'https://app.example.evil.example']) {
      const headers = await from(['https://app.example'], origin);
      expect(headers.has('Access-Control-Allow-Origin')).toBe(false);
      expect(headers.has('Access-Control-Allow-Credentials')).toBe(false);
      expect(headers.get('Vary')).toContain('Origin');
    }
  });
});

describe('bodies of requests', () => {
  test.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['GZIP', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['identity', (text: string) => Buffer.from(text)],
  ])('%s', async (coding, pack) => {
    expect((await post(pack(lines(5000)), { 'Content-Encoding': coding })).status).toBe(204);
    expect(await size()).toBe('5000');
  });

  test.each(['gzip, gzip', 'zstd', 'compress', 'gzip;q=1'])('%s is 415', async (coding) => {
    expect((await post(gzipSync(gzipSync(lines(1))), { 'Content-Encoding': coding })).status).toBe(415);
    expect(await size()).toBe('0');
  });

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('a bomb of %s is 413, soon', async (coding, pack) => {
    const bomb = pack(`<urn:a> <urn:p> "1" .\n${' '.repeat(32 * 1024 * 1024)}`);
    const before = process.memoryUsage().arrayBuffers;
    const response = await post(bomb, { 'Content-Encoding': coding });
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50 * 1024 * 1024);
    expect(await size()).toBe('0');
  });

  test('a small one may be as dense as it likes, a damaged one is 400', async () => {
    expect(
      (await post(gzipSync(`<urn:a> <urn:p> "1" .${' '.repeat(900_000)}`), { 'Content-Encoding': 'gzip' })).status,
    ).toBe(204);
    const cut = gzipSync(lines(5000)).subarray(0, 5000);
    expect((await post(cut, { 'Content-Encoding': 'gzip' })).status).toBe(400);
    expect((await post('no gzip at all', { 'Content-Encoding': 'gzip' })).status).toBe(400);
    expect(await size()).toBe('1');
  });

  test('limits count what was unpacked, and what says that it is too long is not read', async () => {
    const text = `query=${'x'.repeat(1_100_000)}`;
    const sparql = (bytes: Uint8Array, headers: Record<string, string>): Promise<Response> =>
      server.send('POST', '/acme/people/sparql', { body: body(bytes), headers: { ...FORM, ...headers } });
    expect((await sparql(Buffer.from(text), {})).status).toBe(413);
    expect((await sparql(brotliCompressSync(text), { 'Content-Encoding': 'br' })).status).toBe(413);
    const untouched = new ReadableStream(
      {
        pull: () => {
          throw new Error('was read');
        },
      },
      { highWaterMark: 0 },
    );
    const init = {
      method: 'POST',
      body: untouched,
      headers: { ...TURTLE, 'Content-Length': '3000000000' },
      duplex: 'half',
    };
    expect((await server.handler(new Request(BASE + STATEMENTS, init as RequestInit))).status).toBe(413);
  });
});

describe('bodies of answers', () => {
  const packedAs = (accept: string, path = STATEMENTS): Promise<Response> =>
    server.get(path, { 'Accept-Encoding': accept });
  const bytesOf = async (response: Response): Promise<Uint8Array> => new Uint8Array(await response.arrayBuffer());

  beforeEach(async () => {
    expect((await post(lines(3000))).status).toBe(204);
  });

  test.each([
    ['gzip', 'gzip', gunzipSync],
    ['x-gzip', 'gzip', gunzipSync],
    ['deflate', 'deflate', inflateSync],
    ['br', 'br', brotliDecompressSync],
    ['gzip;q=0.5, br', 'br', brotliDecompressSync],
    ['deflate, gzip, br', 'gzip', gunzipSync],
    ['*', 'gzip', gunzipSync],
  ])('%s gives %s', async (accept, coding, unpack) => {
    const plain = await (await server.get(STATEMENTS)).text();
    const response = await packedAs(accept);
    expect(response.headers.get('Content-Encoding')).toBe(coding);
    expect(response.headers.get('Vary')).toContain('Accept-Encoding');
    expect(response.headers.get('ETag')).toMatch(new RegExp(`^"[0-9a-f-]{36}-${coding}"$`));
    const bytes = await bytesOf(response);
    expect(bytes.length).toBeLessThan(plain.length / 2);
    expect(unpack(bytes).toString()).toBe(plain);
  });

  test.each(['identity', 'zstd', 'gzip;q=0', 'gzip;q=0.5, identity', ''])('"%s" gives it as it is', async (accept) => {
    const response = await packedAs(accept);
    expect(response.headers.has('Content-Encoding')).toBe(false);
    expect(await response.text()).toContain('<urn:s1>');
  });

  test('what is small stays as it is', async () => {
    const response = await packedAs('gzip', '/acme/people/size');
    expect([response.headers.has('Content-Encoding'), await response.text()]).toEqual([false, '3000']);
  });

  test('tags of codings: If-None-Match looks at the whole, If-Match at the revision', async () => {
    const etag = (await packedAs('gzip')).headers.get('ETag') ?? '';
    const again = await server.get(STATEMENTS, { 'Accept-Encoding': 'gzip', 'If-None-Match': etag });
    expect([again.status, again.headers.get('ETag')]).toEqual([304, etag]);
    expect((await server.get(STATEMENTS, { 'If-None-Match': etag })).status).toBe(200);
    expect((await server.get(STATEMENTS, { 'Accept-Encoding': 'br', 'If-None-Match': etag })).status).toBe(200);
    expect((await post('<urn:x> <urn:p> 1 .', { 'If-Match': etag })).status).toBe(204);
    expect((await post('<urn:y> <urn:p> 1 .', { 'If-Match': etag })).status).toBe(412);
  });

  test('HEAD tells of the coding, and a client that leaves frees its snapshot', async () => {
    const head = await server.send('HEAD', STATEMENTS, { headers: { 'Accept-Encoding': 'gzip' } });
    expect(head.headers.get('Content-Encoding')).toBe('gzip');
    const response = await packedAs('gzip');
    await response.body?.cancel();
    expect(await size()).toBe('3000');
  });
});

describe('conditions', () => {
  beforeEach(async () => {
    await post(lines(3));
  });

  test.each(['*', 'TAG', 'W/TAG', '"other", TAG'])('If-None-Match: %s is 304', async (template) => {
    for (const form of FORMS) {
      for (const path of ['/statements', '/size', `/sparql?${query({ query: 'ASK {}' })}`]) {
        const etag = (await server.get(form + path)).headers.get('ETag') ?? '';
        const response = await server.get(form + path, { 'If-None-Match': template.replace('TAG', etag) });
        expect([path, response.status, await response.text()]).toEqual([path, 304, '']);
      }
    }
  });

  test('another tag is 200, and If-None-Match beats If-Modified-Since', async () => {
    expect((await server.get(STATEMENTS, { 'If-None-Match': '"x"' })).status).toBe(200);
    const late = new Date(Date.now() + 10_000).toUTCString();
    expect((await server.get(STATEMENTS, { 'If-Modified-Since': late })).status).toBe(304);
    expect((await server.get(STATEMENTS, { 'If-None-Match': '"x"', 'If-Modified-Since': late })).status).toBe(200);
    expect((await server.get(STATEMENTS, { 'If-Modified-Since': 'never' })).status).toBe(200);
    expect((await server.get(STATEMENTS, { 'If-Modified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' })).status).toBe(200);
  });

  test('Last-Modified is given when its second is over, and can be sent back', async () => {
    const { time } = await (await server.database.repository('acme/people')).revision();
    const over = Math.floor(time.getTime() / 1000) * 1000 + 1000;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, over - Date.now()) + 5));
    const modified = (await server.get(STATEMENTS)).headers.get('Last-Modified') ?? '';
    expect(Date.parse(modified)).toBe(over);
    expect((await server.get(STATEMENTS, { 'If-Modified-Since': modified })).status).toBe(304);
    await post('<urn:x> <urn:p> 1 .');
    expect((await server.get(STATEMENTS, { 'If-Modified-Since': modified })).status).toBe(200);
  });

  test.each([
    ['PUT', '/statements', '<urn:z> <urn:p> 1 .', TURTLE],
    ['POST', '/statements', '<urn:z> <urn:p> 1 .', TURTLE],
    ['POST', '/sparql', 'INSERT DATA { <urn:z> <urn:p> 1 }', { 'Content-Type': 'application/sparql-update' }],
    ['DELETE', '/statements?subj=urn:s1', undefined, {}],
    ['POST', '/reset?to=1', undefined, {}],
  ] as const)('If-Match on %s %s', async (method, path, text, type) => {
    for (const form of FORMS) {
      const before = await size();
      const send = (match: string): Promise<Response> =>
        server.send(method, form + path, {
          headers: { ...type, 'If-Match': match },
          ...(text === undefined ? {} : { body: text }),
        });
      const etag = (await server.get(`${form}/size`)).headers.get('ETag') ?? '';
      for (const wrong of ['"01936b2e-5a00-7000-8000-000000000001"', '01936b2e-5a00-7000-8000-000000000001']) {
        expect((await send(wrong)).status).toBe(412);
      }
      expect((await send('nonsense')).status).toBe(400);
      expect(await size()).toBe(before);
      expect((await send(etag.replaceAll('"', ''))).status).toBe(204);
    }
  });

  test('of two writes under one If-Match one wins, the other is 412', async () => {
    const etag = (await server.get('/acme/people/size')).headers.get('ETag') ?? '';
    const update = (n: number): Promise<Response> =>
      server.send('POST', '/acme/people/sparql', {
        body: `INSERT DATA { <urn:race> <urn:p> ${String(n)} }`,
        headers: { 'Content-Type': 'application/sparql-update', 'If-Match': etag },
      });
    const statuses = (await Promise.all([1, 2, 3, 4].map(update))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([204, 412, 412, 412]);
  });
});

describe('method override', () => {
  beforeEach(async () => {
    await post(lines(3));
  });

  test('by header, with a body that streams', async () => {
    const override = { 'X-HTTP-Method-Override': 'PUT' };
    expect((await post('<urn:only> <urn:p> 1 .', override)).status).toBe(204);
    expect(await size()).toBe('1');
    const removed = await server.send('POST', `${STATEMENTS}?subj=urn:only`, {
      headers: { 'X-HTTP-Method-Override': 'delete' },
    });
    expect([removed.status, await size()]).toEqual([204, '0']);
    expect((await post('', { 'X-HTTP-Method-Override': 'GET' })).status).toBe(400);
    expect((await server.get(STATEMENTS, { 'X-HTTP-Method-Override': 'DELETE' })).status).toBe(200);
  });

  test('by form, with what is asked for the method that is meant', async () => {
    const form = (path: string, text: string): Promise<Response> =>
      server.send('POST', path, { body: text, headers: { ...FORM, 'Content-Length': String(text.length) } });
    expect((await form(STATEMENTS, '_method=DELETE&subj=urn:s1')).status).toBe(204);
    expect(await size()).toBe('2');
    expect((await form('/acme/people/meta', '_method=put&summary=S')).status).toBe(200);
    expect(await (await server.get('/acme/people/meta')).json()).toMatchObject({ summary: 'S' });
    const asked: string[] = [];
    const handler = handlerWith({
      authorize: (_, access) => {
        asked.push(access);
        return Promise.resolve();
      },
    });
    const init = { method: 'POST', body: '_method=DELETE', headers: { ...FORM, 'Content-Length': '14' } };
    expect((await handler(new Request(`${BASE}/acme/people`, init))).status).toBe(200);
    // Before the form is read, and for what it means.
    expect(asked).toEqual(['read', 'owner']);
  });
});

describe('on every answer', () => {
  test('ids and security headers, also on errors', async () => {
    const failing = handlerWith({
      authorize: () => {
        throw new Error('boom at /secret/path');
      },
    });
    const answers = [
      await server.get('/acme/people/size', { 'Client-Request-Id': 'mine-1' }),
      await server.get('/nothing/here/at/all', { 'Client-Request-Id': 'mine-1' }),
      await failing(new Request(`${BASE}/acme/people/size`, { headers: { 'Client-Request-Id': 'mine-1' } })),
    ];
    for (const { headers } of answers) {
      expect(headers.get('Request-Id')).toMatch(UUID);
      expect(headers.get('Client-Request-Id')).toBe('mine-1');
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(headers.get('X-Frame-Options')).toBe('DENY');
      expect(headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    }
    expect(new Set(answers.map(({ headers }) => headers.get('Request-Id'))).size).toBe(3);
    expect([answers[2]?.status, await answers[2]?.text()]).toEqual([500, expect.not.stringContaining('secret')]);
  });
});

describe('watching', () => {
  test('health and readiness: well, and not ready after the store was closed', async () => {
    const response = await server.get('/health');
    expect([response.status, await response.json()]).toEqual([200, { status: 'nominal' }]);
    const ready = await server.get('/ready');
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready' }]);
    const other = await open(':memory:');
    const handler = createHandler({ database: other, open: true });
    await handler(new Request(`${BASE}/ready`));
    await other.close();
    expect((await handler(new Request(`${BASE}/health`))).status).toBe(200);
    const closed = await handler(new Request(`${BASE}/ready`));
    expect(closed.status).toBe(503);
    expect(await closed.json()).toEqual({ status: 'failed', reason: 'the storage cannot be read' });
  });

  test('metrics show the calls of RPC', async () => {
    const service = await openService(server.database, { open: true });
    service.calls.count('DescribeService', 'ok', 0.002);
    service.calls.count('DescribeService', '-32603', 1);
    const handler = createHandler({ service });
    const found = (await (await handler(new Request(`${BASE}/metrics`))).text()).split('\n');
    for (const line of [
      'quadrille_rpc_calls_total{method="DescribeService",code="ok"} 1',
      'quadrille_rpc_calls_total{method="DescribeService",code="-32603"} 1',
      'quadrille_rpc_call_duration_seconds_bucket{method="DescribeService",le="0.005"} 1',
      'quadrille_rpc_call_duration_seconds_bucket{method="DescribeService",le="+Inf"} 2',
      'quadrille_rpc_call_duration_seconds_sum{method="DescribeService"} 1.002',
    ])
      expect(found).toContain(line);
  });

  test('metrics count requests by route, and commits', async () => {
    await post(lines(2));
    await post('<urn:x> <urn:p> 1 .');
    await server.get('/acme/people/size');
    await server.get('/acme/repositories/people/size');
    await server.get('/acme/none/size');
    await server.send('HEAD', '/acme/people/size');
    await server.send('POST', '/acme/people/size', { headers: { 'X-HTTP-Method-Override': 'PUT' } });
    await server.get('/no/where/at/all');
    const response = await server.get('/metrics');
    expect(response.headers.get('Content-Type')).toBe('text/plain; version=0.0.4');
    const text = await response.text();
    for (const line of [
      'quadrille_http_requests_total{route="/:account/:repository/size",method="GET",status="200"} 2',
      'quadrille_http_requests_total{route="/:account/:repository/size",method="GET",status="404"} 1',
      'quadrille_http_requests_total{route="/:account/:repository/statements",method="POST",status="204"} 2',
      'quadrille_http_requests_total{route="/:account/:repository/size",method="HEAD",status="200"} 1',
      'quadrille_http_requests_total{route="/:account/:repository/size",method="POST",status="405"} 1',
      'quadrille_http_requests_total{route="none",method="GET",status="404"} 1',
      'quadrille_http_request_duration_seconds_count{route="/:account/:repository/size",method="GET"} 3',
      'quadrille_http_request_duration_seconds_bucket{route="/:account/:repository/size",method="GET",le="+Inf"} 3',
      'quadrille_http_requests_running 1',
      'quadrille_commits_total 2',
      'quadrille_memtable_quads 3',
      'quadrille_queries_running 0',
    ]) {
      expect(text.split('\n')).toContain(line);
    }
    expect(text).toMatch(/^quadrille_event_loop_delay_seconds\{percentile="99"\} [\d.e-]+$/m);
    for (const line of text.trim().split('\n')) {
      expect(line).toMatch(/^(?:# (?:HELP|TYPE) \w+ .+|\w+(?:\{(?:\w+="[^"\n]*",?)+\})? -?[\d.e+-]+)$/);
    }
  });

  test('the access log: a line for each, without query and credentials', async () => {
    const logged: [string, Record<string, unknown>][] = [];
    const logger = {
      info: (message: string, details?: object) => logged.push([message, { ...details }]),
      warn: () => undefined,
      error: (message: string, details?: object) => logged.push([message, { ...details }]),
    };
    const get = (options: Settings): Promise<Response> =>
      handlerWith({ logger, ...options })(
        new Request(`${BASE}/acme/people/size?auth_token=s3cret&context=urn:g`, {
          headers: { Authorization: 'Basic czNjcmV0Og==', 'Client-Request-Id': 'c-1' },
        }),
      );
    await get({});
    expect(logged).toEqual([]);
    const response = await get({ accessLog: true });
    expect(logged).toEqual([
      [
        'request',
        {
          time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
          requestId: response.headers.get('Request-Id'),
          address: '',
          account: null,
          method: 'GET',
          route: '/:account/:repository/size',
          status: 200,
          bytes: 1,
          durationMs: expect.any(Number) as number,
          path: '/acme/people/size',
          clientRequestId: 'c-1',
        },
      ],
    ]);
    await get({ authorize: () => Promise.reject(new Error('broken')) });
    expect(logged).toHaveLength(2);
    expect(JSON.stringify(logged)).not.toMatch(/s3cret|czNj/);
  });
});
