import { expect, test } from 'vitest';
import { createGuardedFetch } from './guarded-fetch.js';
import { bodyOf, readAll, serve, type TestServer } from './testing/server.js';

const code = (expected: string) => expect.objectContaining({ code: expected });

/** Answers `/<status>?<location>` with that redirect, all else with what came in. */
const redirector = (): Promise<TestServer> =>
  serve((request, response) => {
    const [, status, location = ''] = /^\/(3\d\d)\?(.*)$/.exec(request.url ?? '') ?? [];
    if (status !== undefined) {
      return response.writeHead(Number(status), { Location: decodeURIComponent(location), 'Set-Cookie': 'a=b' }).end();
    }
    return void bodyOf(request).then((body) => response.end(`${request.method} ${request.url} ${body}`));
  });
const to = (server: TestServer, status: number, location: string): string =>
  `${server.url}${status}?${encodeURIComponent(location)}`;

test('methods: POST becomes GET, except with 307 and 308', async () => {
  const server = await redirector();
  const fetch = createGuardedFetch({ allow: [server.host] });
  const headers = { 'Content-Type': 'text/plain', Authorization: 'Basic x' };
  for (const status of [301, 302, 303]) {
    const response = await fetch({ url: to(server, status, '/end'), method: 'POST', body: 'text', headers });
    expect(String(await readAll(response))).toBe('GET /end ');
    expect(response.url).toBe(`${server.url}end`);
    expect(server.requests.at(-1)?.headers).not.toHaveProperty('content-type');
  }
  for (const status of [307, 308]) {
    const response = await fetch({ url: to(server, status, 'end#x'), method: 'POST', body: 'text', headers });
    expect(String(await readAll(response))).toBe('POST /end text');
    expect(server.requests.at(-1)?.headers).toMatchObject({ 'content-type': 'text/plain', 'content-length': '4' });
  }
  expect(server.requests.at(-1)?.headers).toMatchObject({ authorization: 'Basic x' });
  expect(server.requests.some((request) => 'cookie' in request.headers)).toBe(false);
  await server.idle();
});

test('another origin sees no secret, nor does the first one when it comes back', async () => {
  const [first, second] = await Promise.all([redirector(), redirector()]);
  const fetch = createGuardedFetch({ allow: [first.host, second.host] });
  const headers = { Authorization: 'Basic x', Cookie: 'a=b', 'X-Api-Key': 'k', Accept: 'text/turtle' };
  const url = to(first, 302, to(second, 302, `${first.url}end`));
  expect(String(await readAll(await fetch({ url, headers })))).toBe('GET /end ');
  expect(first.requests[0]?.headers).toMatchObject({ authorization: 'Basic x', cookie: 'a=b', 'x-api-key': 'k' });
  for (const request of [second.requests[0], first.requests[1]]) {
    expect(request?.headers).toMatchObject({ accept: 'text/turtle' });
    for (const name of ['authorization', 'cookie', 'x-api-key']) expect(request?.headers).not.toHaveProperty(name);
  }
});

test.each([
  ['http://127.0.0.2/', 'BLOCKED_ADDRESS'],
  ['http://169.254.169.254/latest/meta-data/', 'BLOCKED_ADDRESS'],
  ['//localhost/', 'BLOCKED_ADDRESS'],
  ['http://[::ffff:7f00:1]/', 'BLOCKED_ADDRESS'],
  ['http://intern.example/', 'BLOCKED_ADDRESS'],
  ['http://example.org:22/', 'URL_NOT_ALLOWED'],
  ['http://a:b@example.org/', 'URL_NOT_ALLOWED'],
  ['file:///etc/passwd', 'URL_NOT_ALLOWED'],
  ['http://[', 'FETCH_FAILED'],
])('a redirect to %s is refused', async (location, expected) => {
  const server = await redirector();
  const fetch = createGuardedFetch({ allow: [server.host], resolve: async () => ['10.0.0.1'] });
  await expect(fetch({ url: to(server, 302, location) })).rejects.toThrow(code(expected));
  expect(server.requests.length).toBe(1);
  await server.idle();
});

test('five redirects and no more', async () => {
  let left = 0;
  const server = await serve((_, response) => {
    response.writeHead(left-- > 0 ? 302 : 200, { Location: '/' }).end('end');
  });
  const fetch = createGuardedFetch({ allow: [server.host] });
  left = 5;
  expect((await fetch({ url: server.url })).status).toBe(200);
  left = 6;
  await expect(fetch({ url: server.url })).rejects.toThrow(/more than 5 redirects/);
  expect(server.requests.length).toBe(12);
});

test('other answers of 3xx are answers', async () => {
  const server = await serve((request, response) => {
    response.writeHead(Number(request.url?.slice(1)), request.url === '/302' ? {} : { Location: '/200' }).end();
  });
  const fetch = createGuardedFetch({ allow: [server.host] });
  for (const status of [300, 302, 304, 305]) expect((await fetch({ url: server.url + status })).status).toBe(status);
});
