/**
 * Every route and method that changes something × `If-Match` and `If-None-Match` in all their forms (RFC 9110, section 13.1). The routes are
 * read from the router's table: one that ignores a condition fails.
 */
import { DEFAULT_SERVICE_LIMITS } from '../host/index.js';
import { describe, expect, test } from 'vitest';
import type { Method, Service } from '../service.js';
import { Scene, type Sent, validRequests } from '../testing/scene.js';
import { routes } from './index.js';

const hosted = { limits: DEFAULT_SERVICE_LIMITS } as Service['hosted'];
const ROUTES = routes({ hosted, directGraphs: true } as Service).map((route) => ({
  ...route,
  path: route.path.replace(/\{[^}]*\}/g, ''),
}));
/** Requests that change nothing, whatever they say: nobody needs a condition for them. */
const READS = [
  'POST /:account/:repository/parse',
  'POST /:account/:repository/changes/common',
  'POST /:account/:repository/validate',
];
const CHANGES = ROUTES.flatMap(({ path, handlers }) =>
  (Object.keys(handlers) as Method[])
    .filter((method) => method !== 'GET')
    .map((method) => ({ method, path, key: `${method} ${path}` })),
).filter(({ key }) => !READS.includes(key));

const NOBODY = '018bcfe5-8358-738e-9154-8181177da82e';
/** Of a list, in quotes with commas, and weak: none is the tag of anything. */
const WRONG = [`"${NOBODY}"`, NOBODY, '"x"', '"a,b", "c\\"', `W/"${NOBODY}", "*"`, '"", "x"'];
const MALFORMED = ['nonsense', '', '*, "x"', '"x', 'W/*'];

const headersOf = ({ type }: Sent, more: Record<string, string>): Record<string, string> => ({
  ...(type !== undefined && { 'Content-Type': type }),
  ...more,
});
const initOf = (sent: Sent, more: Record<string, string>): RequestInit => ({
  ...(sent.body !== undefined && { body: sent.body }),
  headers: headersOf(sent, more),
});

async function answer(scene: Scene, method: string, sent: Sent, headers: Record<string, string>): Promise<unknown[]> {
  const response = await scene.send(method, sent.path, initOf(sent, headers));
  const text = await response.text();
  const { code } = (text.startsWith('{') ? JSON.parse(text) : {}) as { code?: string };
  return [headers, response.status, code];
}

/** What the GET of an address gives. What has no GET is there. */
async function targetOf(scene: Scene, path: string): Promise<{ isThere: boolean; tag: string | undefined }> {
  const response = await scene.send('GET', path);
  await response.body?.cancel();
  return { isThere: response.status !== 404, tag: response.headers.get('ETag') ?? undefined };
}

test.each(CHANGES.map((each) => [each.key, each] as const))('%s', async (key, { method }) => {
  const scene = await Scene.open();
  const requests = validRequests(scene.ids);
  expect(Object.keys(requests), 'a valid request is missing in testing/scene.ts').toContain(key);
  const sent = requests[key];
  // Nothing can be changed there.
  if (sent === undefined) return scene.close();
  const { isThere, tag } = await targetOf(scene, sent.path);
  const before = await scene.state();
  const failing: Record<string, string>[] = WRONG.map((tags) => ({ 'If-Match': tags }));
  if (isThere) failing.push({ 'If-None-Match': '*' }, { 'If-Match': '*', 'If-None-Match': '*' });
  else failing.push({ 'If-Match': '*' });
  // A weak tag stands for similar states, too.
  if (tag !== undefined)
    failing.push({ 'If-None-Match': tag }, { 'If-None-Match': `"x", W/${tag}` }, { 'If-Match': `W/${tag}` });
  for (const headers of failing)
    expect(await answer(scene, method, sent, headers)).toEqual([headers, 412, 'PRECONDITION_FAILED']);
  for (const name of ['If-Match', 'If-None-Match'])
    for (const field of MALFORMED)
      expect(await answer(scene, method, sent, { [name]: field })).toEqual([{ [name]: field }, 400, 'BAD_REQUEST']);
  expect(await scene.state()).toBe(before);
  // What holds is done.
  if (/erase|DELETE .*\/revisions$/.test(key)) await scene.settle();
  const holding = !isThere
    ? { 'If-None-Match': '*' }
    : { 'If-Match': tag === undefined ? '*' : `"a,b", ${tag}`, 'If-None-Match': '"x", W/"y"' };
  const upload = key === 'PATCH /jobs/:id' ? { 'Upload-Offset': '22', 'Upload-Complete': '?0' } : {};
  const done = await answer(scene, method, sent, { ...holding, ...upload });
  expect([done, Number(done[1]) < 300]).toEqual([done, true]);
  await scene.close();
});

describe('what has a tag', () => {
  const SIZE = { type: 'text/turtle', body: (i: number) => `<urn:x> <urn:p> ${String(i)} .` };
  const QUERY = { type: 'application/sparql-query', body: (i: number) => `ASK { ?s ?p ${String(i)} }` };
  const R = '/acme/people';
  const json = (body: (i: number) => object): { type: string; body: (i: number) => string } => ({
    type: 'application/json',
    body: (i) => JSON.stringify(body(i)),
  });
  const IRI = { type: 'text/plain', body: (i: number) => `urn:x${String(i)}:` };
  const PUTS: readonly (readonly [
    path: string,
    fresh: string | undefined,
    { type?: string; body: (i: number) => string },
  ])[] = [
    [`${R}/namespaces/ex`, `${R}/namespaces/new`, IRI],
    ['/acme/namespaces/ex', '/acme/namespaces/new', IRI],
    [`${R}/views/all`, `${R}/views/new`, QUERY],
    [`${R}/refs/v1`, `${R}/refs/new`, { body: (i) => String(i + 1) }],
    [`${R}/collaborators/jo`, undefined, json((i) => ({ read: true, write: i === 1 }))],
    [`${R}/settings`, undefined, json((i) => ({ functional: [`urn:p${String(i)}`] }))],
    [`${R}/service?graph=urn:g`, `${R}/service?graph=urn:new`, SIZE],
    [`${R}/graphs/named`, `${R}/graphs/new`, SIZE],
    [`${R}/statements`, undefined, SIZE],
    [`${R}/branches/dev`, `${R}/branches/new`, { body: () => '' }],
  ];

  test.each(PUTS)('%s: of several under one condition one wins', async (path, fresh, { type, body }) => {
    const scene = await Scene.open();
    const race = async (at: string, headers: Record<string, string>): Promise<number[]> => {
      const method = path.endsWith('/settings') ? 'PATCH' : 'PUT';
      const sent = [1, 2, 3].map((i) =>
        scene.send(method, at, initOf({ path: at, ...(type && { type }), body: body(i) }, headers)),
      );
      return (await Promise.all(sent)).map(({ status }) => status).toSorted();
    };
    if (fresh !== undefined) {
      const [first, ...others] = await race(fresh, { 'If-None-Match': '*' });
      expect([fresh, first! < 300, others]).toEqual([fresh, true, [412, 412]]);
    }
    const { tag } = await targetOf(scene, path);
    expect(tag).toMatch(/^"[^"]+"$/);
    // A branch is made once.
    if (!path.includes('/branches/')) {
      const [first, ...others] = await race(path, { 'If-Match': tag! });
      expect([path, first! < 300, others]).toEqual([path, true, [412, 412]]);
    }
    await scene.close();
  });

  test('a read knows the tag that it has given', async () => {
    const scene = await Scene.open();
    for (const [path] of PUTS) {
      const { tag } = await targetOf(scene, path);
      const status = async (headers: Record<string, string>): Promise<number> =>
        (await scene.send('GET', path, { headers })).status;
      for (const tags of [tag!, `"a,b", W/${tag!}`, '*'])
        expect([path, tags, await status({ 'If-None-Match': tags })]).toEqual([path, tags, 304]);
      expect([path, await status({ 'If-None-Match': '"x"' })]).toEqual([path, 200]);
    }
    for (const path of [`${R}/service?graph=urn:g`, `${R}/statements`, `${R}/branches/dev`]) {
      const { tag } = await targetOf(scene, path);
      const status = async (match: string): Promise<number> =>
        (await scene.send('GET', path, { headers: { 'If-Match': match } })).status;
      expect([path, await status(tag!), await status('*'), await status('"x"')]).toEqual([path, 200, 200, 412]);
    }
    await scene.close();
  });

  test('a delete under a condition that held', async () => {
    const scene = await Scene.open();
    for (const path of [`${R}/namespaces/ex`, `${R}/views/all`, `${R}/refs/v1`, `${R}/collaborators/jo`]) {
      const { tag } = await targetOf(scene, path);
      const race = await Promise.all([1, 2].map(() => scene.send('DELETE', path, { headers: { 'If-Match': tag! } })));
      expect([path, race.map(({ status }) => status).toSorted()]).toEqual([path, [204, 412]]);
    }
    await scene.close();
  });
});
