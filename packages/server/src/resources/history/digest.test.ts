import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestServer, testServer } from '../../testing/server.js';

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
});
afterEach(() => server.database.close());

const add = (body: string): Promise<Response> =>
  server.send('POST', '/acme/people/statements', { body, headers: { 'Content-Type': 'application/trig' } });

test('the hashes of each revision, with tags', async () => {
  await add('<urn:a> <urn:p> 1 .');
  await add('<urn:b> <urn:p> 2 .');
  const response = await server.get('/acme/people/digest');
  expect(response.status).toBe(200);
  const repository = await server.database.repository('acme/people');
  const { id } = await repository.revision();
  expect(await response.json()).toEqual({
    uuid: id,
    uri: `urn:quadrille:revision:${id}`,
    ordinal: 3,
    digest: await repository.proof.digest(),
    contentHash: await repository.proof.contentHash(),
  });
  const tag = response.headers.get('ETag')!;
  expect((await server.get('/acme/people/digest', { 'If-None-Match': tag })).status).toBe(304);
  const earlier = (await (await server.get('/acme/people/digest?revision-id=2')).json()) as { digest: string };
  expect(earlier.digest).toBe(await repository.proof.digest(2));
});

test('wrong requests', async () => {
  for (const [path, status] of [
    ['/acme/people/digest?revision-id=99', 404],
    ['/acme/people/digest?timeout=x', 400],
    ['/acme/none/digest', 404],
  ] as const)
    expect([path, (await server.get(path)).status]).toEqual([path, status]);
});

test('a deadline ends a digest', async () => {
  const text = Array.from({ length: 3000 }, (_, i) => `<urn:s${String(i)}> <urn:p> ${String(i)} .`).join('\n');
  await add(text);
  const response = await server.get('/acme/people/digest?timeout=0.001');
  expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([503, 'QUERY_TIMEOUT']);
});
