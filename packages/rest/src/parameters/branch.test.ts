import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestServer, testServer } from '../testing/server.js';

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
});
afterEach(() => server.database.close());

test('a request for another branch is refused and changes nothing', async () => {
  const repository = await server.database.repository('acme/people');
  await repository.branch('side', { create: true });
  const body = '<urn:a> <urn:p> 1 .';
  const headers = { 'Content-Type': 'text/turtle' };
  for (const [path, more] of [
    ['statements?branch=side', {}],
    ['statements?branch=', {}],
    ['statements', { Branch: 'side' }],
  ] as const)
    expect((await server.send('POST', `/acme/people/${path}`, { body, headers: { ...headers, ...more } })).status).toBe(
      400,
    );
  expect((await server.get('/acme/people/size?branch=side')).status).toBe(400);
  expect((await repository.revision()).number).toBe(1);
  expect((await server.send('POST', '/acme/people/statements?branch=main', { body, headers })).status).toBe(204);
});
