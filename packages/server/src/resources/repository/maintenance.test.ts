import { openService, type Service } from '../../host/index.js';
import { type Database, open } from 'quadrille';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createHandler, type Handler } from '../../handler.js';
import { BASE } from '../../testing/server.js';

let database: Database;
let service: Service;
let handler: Handler;
let token: Record<'owner' | 'reader' | 'writer', string>;

beforeEach(async () => {
  database = await open(':memory:');
  const repository = await database.repository('acme/people', { create: true });
  await repository.update('INSERT DATA { <urn:a> <urn:p> 1, 2 }');
  service = await openService(database, { rateLimit: false });
  await service.accounts.create('other');
  handler = createHandler({ service });
  const make = async (account: string, rights: 'read' | 'write' | 'own'): Promise<string> =>
    (await service.tokens.create(account, { rights: [rights] })).text;
  token = { owner: await make('acme', 'own'), writer: await make('acme', 'write'), reader: await make('other', 'own') };
});
afterEach(async () => {
  await service.close();
  await database.close();
});

const send = (path: string, as: keyof typeof token, body?: unknown): Promise<Response> =>
  handler(
    new Request(BASE + path, {
      headers: {
        Authorization: `Bearer ${token[as]}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    }),
  );

async function ended(location: string): Promise<Record<string, unknown>> {
  for (;;) {
    const job = (await (await send(location.slice(BASE.length), 'owner')).json()) as Record<string, unknown>;
    if (job['working'] !== true) return job;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test.each([
  ['verify', /^everything is in order; checked 2 revisions, /],
  ['compact', /^compacted from .* to /],
])('%s is a job of the owner', async (operation, message) => {
  const started = await send('/acme/people/jobs', 'owner', { operation });
  expect(started.status).toBe(202);
  const job = await ended(started.headers.get('Location')!);
  expect(job).toMatchObject({ status: 'completed', pct: 100, operation, repository_id: 'acme/people' });
  expect(job['message']).toMatch(message);
});

test('nobody else starts one, and only those that there are', async () => {
  expect((await send('/acme/people/jobs', 'writer', { operation: 'verify' })).status).toBe(403);
  expect((await send('/acme/people/jobs', 'reader', { operation: 'verify' })).status).toBe(404);
  expect((await send('/acme/nobody/jobs', 'owner', { operation: 'verify' })).status).toBe(404);
  expect((await send('/acme/people/jobs', 'owner', { operation: 'erase' })).status).toBe(422);
  expect((await send('/acme/people/jobs', 'owner', { operation: 'verify', force: true })).status).toBe(422);
  expect((await send('/acme/people/jobs', 'owner', [])).status).toBe(400);
  expect(service.jobs.working).toBe(0);
});

test('one runs at a time, some wait, and more are refused as jobs', async () => {
  const started = await Promise.all(
    Array.from({ length: 30 }, () => send('/acme/people/jobs', 'owner', { operation: 'verify' })),
  );
  expect(started.map(({ status }) => status)).toEqual(Array<number>(30).fill(202));
  const jobs = await Promise.all(started.map(({ headers }) => ended(headers.get('Location')!)));
  const states = jobs.map(({ status }) => status);
  expect(states).toContain('completed');
  for (const { status, message } of jobs)
    if (status !== 'completed')
      expect([status, message]).toEqual(['failed', expect.stringContaining('maintenance jobs')]);
});

test('a check that is aborted ends at once, also with the service', async () => {
  const started = await Promise.all([1, 2].map(() => send('/acme/people/jobs', 'owner', { operation: 'verify' })));
  await service.close();
  for (const { headers } of started) {
    const { status } = await ended(headers.get('Location')!);
    expect(['aborted', 'completed']).toContain(status);
  }
});

test('an aborted check keeps its place until it has ended', async () => {
  const repository = await database.repository('acme/people');
  const report = { ok: true, checked: {}, problems: [] };
  const ends: (() => void)[] = [];
  const verify = (): Promise<unknown> => new Promise((resolve) => ends.push(() => resolve(report)));
  Object.defineProperty(repository.maintenance, 'verify', { value: verify });
  const owner = { account: 'acme', readOnly: false, admin: false };
  const [first, second] = [
    await service.maintenance.start(owner, 'acme/people', 'verify'),
    await service.maintenance.start(owner, 'acme/people', 'verify'),
  ];
  await expect.poll(() => ends.length).toBe(1);
  const aborted = await handler(
    new Request(`${BASE}/jobs/${first}`, { method: 'DELETE', headers: { Authorization: `Bearer ${token.owner}` } }),
  );
  expect(aborted.status).toBeLessThan(300);
  expect(await ended(`${BASE}/jobs/${first}`)).toMatchObject({ status: 'aborted' });
  expect(ends).toHaveLength(1);
  ends[0]!();
  await expect.poll(() => ends.length).toBe(2);
  ends[1]!();
  expect(await ended(`${BASE}/jobs/${second}`)).toMatchObject({ status: 'completed' });
});

test('a check that finds damage fails', async () => {
  const repository = await database.repository('acme/people');
  Object.defineProperty(repository.maintenance, 'verify', {
    value: async () => ({ ok: false, checked: {}, problems: [{ code: 'CHECKSUM', message: 'x', where: 'y' }] }),
  });
  const uuid = await service.maintenance.start(
    { account: 'acme', readOnly: false, admin: false },
    'acme/people',
    'verify',
  );
  expect(await ended(`${BASE}/jobs/${uuid}`)).toMatchObject({ status: 'failed', message: 'stored data are damaged' });
});
