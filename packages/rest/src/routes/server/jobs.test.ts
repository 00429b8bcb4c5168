import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestServer, testServer } from '../../testing/server.js';

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
  await server.send('POST', '/acme/repositories', { body: new URLSearchParams({ name: 'more' }) });
  for (const [name, body] of [
    ['people', '<urn:a> <urn:p> 1 .'],
    ['more', '<urn:a> <urn:p> 1 , 2 .'],
    ['more', 'nonsense'],
  ])
    await server.send('POST', `/acme/${name!}/statements`, { body: body!, headers: { 'Content-Type': 'text/turtle' } });
});
afterEach(() => server.database.close());

type Listed = readonly { readonly operation: string; readonly status: string; readonly repository_id: string }[];
const jobs = async (query: string): Promise<string[]> => {
  const response = await server.get(`/jobs${query}`);
  expect(response.status).toBe(200);
  return ((await response.json()) as Listed).map(
    ({ operation, status, repository_id }) => `${operation} ${status} ${repository_id}`,
  );
};

test('jobs of all states, of a repository, and the newest of them', async () => {
  expect(await jobs('')).toEqual([]);
  const all = [
    'import failed acme/more',
    'import completed acme/more',
    'import completed acme/people',
    'create completed acme/more',
  ];
  expect(await jobs('?status=all')).toEqual(all);
  expect(await jobs('?status=all&limit=2')).toEqual(all.slice(0, 2));
  expect(await jobs('?status=all&limit=0')).toEqual([]);
  expect(await jobs('?status=all&repository=acme/people')).toEqual([all[2]]);
  expect(await jobs('?status=failed&repository=acme/people')).toEqual([]);
  expect(await jobs('?status=all&repository=acme/nobody')).toEqual([]);
  expect(await jobs('?status=unknown')).toEqual([]);
  for (const query of ['?status=some', '?limit=x', '?limit=-1'])
    expect((await server.get(`/jobs${query}`)).status).toBe(400);
});

test('a job tells its bytes, statements and rate', async () => {
  const [job] = (await (await server.get('/jobs?status=all&repository=acme/people')).json()) as Record<
    string,
    number
  >[];
  expect(job).toMatchObject({ bytes: 19, bytes_total: 19, statements: 1 });
  expect(job!['rate']).toBeGreaterThan(0);
});
