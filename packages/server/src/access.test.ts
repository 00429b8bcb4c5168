import { AccessError } from '@quadrille/model';
import { open } from 'quadrille';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHandler, type Handler } from './handler.js';
import type { Access } from './service.js';

let database: Awaited<ReturnType<typeof open>>;
let asked: Access[];
let refused: Access | undefined;
let handler: Handler;
beforeEach(async () => {
  database = await open(':memory:');
  await database.repository('acme/people', { create: true });
  asked = [];
  refused = undefined;
  handler = createHandler({
    database,
    authorize: async (_context, access) => {
      asked.push(access);
      if (access === refused) throw new AccessError('FORBIDDEN', 'not you');
    },
  });
});
afterEach(() => database.close());

const send = (method: string, path: string, body?: string, type = 'application/x-www-form-urlencoded') =>
  handler(
    new Request(`http://localhost:1${path}`, {
      method,
      ...(body === undefined ? {} : { body, headers: { 'Content-Type': type } }),
    }),
  );

test('an error of the embedder with a code that does not exist is no success', async () => {
  const failing = createHandler({
    database,
    authorize: () => Promise.reject(new AccessError('UNAUTHORIZED' as 'UNAUTHENTICATED', 'not you')),
  });
  expect((await failing(new Request('http://localhost/acme/people'))).status).toBe(500);
});

describe('what a route asks for before it runs', () => {
  test.each([
    ['GET', '/acme/repositories', 'public'],
    ['POST', '/acme/repositories', 'owner'],
    ['GET', '/acme/people', 'read'],
    ['DELETE', '/acme/people', 'owner'],
    ['PUT', '/acme/people/meta', 'owner'],
    ['HEAD', '/acme/repositories/people/size', 'read'],
    ['DELETE', '/acme/people/statements', 'write'],
  ] as const)('%s %s: %s', async (method, path, access) => {
    refused = access;
    const before = await (await database.repository('acme/people')).revision();
    const response = await send(method, path);
    expect(response.status).toBe(403);
    expect(asked).toEqual([access]);
    expect((await (await database.repository('acme/people')).revision()).id).toBe(before.id);
  });

  test('OPTIONS and a wrong method ask for nothing', async () => {
    refused = 'read';
    expect((await send('OPTIONS', '/acme/people/size')).status).toBe(200);
    expect((await send('POST', '/acme/people/size', 'x=1')).status).toBe(405);
    expect(asked).toEqual([]);
  });

  test('an update needs the right to write in whatever form it comes', async () => {
    refused = 'write';
    const update = 'INSERT DATA { <urn:a> <urn:p> 1 }';
    const forms: (readonly [string, string, string?, string?])[] = [
      ['GET', `/acme/people/sparql?query=${encodeURIComponent(update)}`],
      ['GET', `/acme/people/sparql?update=${encodeURIComponent(update)}`],
      ['POST', '/acme/people/sparql', `query=${encodeURIComponent(update)}`],
      ['POST', '/acme/people/sparql', `update=${encodeURIComponent(update)}`],
      ['POST', '/acme/people/sparql', update, 'application/sparql-update'],
    ];
    for (const form of forms) expect((await send(...form)).status).toBe(403);
    expect((await send('POST', '/acme/people/sparql', 'query=ASK%7B%7D')).status).toBe(200);
    expect(await (await send('GET', '/acme/people/size')).text()).toBe('0');
  });
});
