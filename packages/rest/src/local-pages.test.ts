/** A server without credentials, and the pages of other sites. */
import { openService } from '@quadrille/service';
import { open } from 'quadrille';
import { expect, onTestFinished, test } from 'vitest';
import { createHandler, type HandlerOptions } from './handler.js';

async function opened(options: Partial<Pick<HandlerOptions, 'publicBase' | 'cors'>> = {}) {
  const database = await open(':memory:');
  const service = await openService(database, { open: true });
  onTestFinished(async () => {
    await service.close();
    await database.close();
  });
  const handler = createHandler({ service, localPages: true, ...options });
  const send = (address: string, headers: Record<string, string> = {}, method = 'GET') =>
    handler(new Request(address, { method, headers }));
  return { send, handler };
}

test('a foreign Host is 421 and a foreign Origin is 403, on every path and for every method', async () => {
  const { send } = await opened();
  for (const path of ['/health', '/system', '/nothing/here/at/all', '/acme/people']) {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'DELETE']) {
      const host = await send(`http://rebound.example:8080${path}`, {}, method);
      expect([method, path, host.status]).toEqual([method, path, 421]);
      const origin = await send(`http://localhost:8080${path}`, { Origin: 'https://evil.example' }, method);
      expect([method, path, origin.status]).toEqual([method, path, 403]);
    }
  }
  const told = await send('http://rebound.example/system');
  expect(await told.json()).toMatchObject({ code: 'MISDIRECTED', status: 421 });
  const page = await send('http://127.0.0.1/system', { Origin: 'null' });
  expect(await page.json()).toMatchObject({ code: 'FORBIDDEN', status: 403 });
});

test('programs, its own page and pages of this machine may use it', async () => {
  const { send } = await opened();
  for (const origin of [undefined, 'http://localhost:8080', 'http://127.0.0.1:3000', 'http://[::1]:1'])
    expect((await send('http://localhost:8080/system', origin === undefined ? {} : { Origin: origin })).status).toBe(
      200,
    );
});

test('so may the public address, and the origins of cors', async () => {
  const { send } = await opened({ publicBase: 'https://data.example', cors: ['https://app.example'] });
  const headers = { Origin: 'https://app.example' };
  const answer = await send('https://data.example/system', headers);
  expect([answer.status, answer.headers.get('Access-Control-Allow-Origin')]).toEqual([200, 'https://app.example']);
  expect((await send('https://data.example/system', { Origin: 'https://other.example' })).status).toBe(403);
});
