import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { quadrille, type Workspace, workspace } from './testing/command.js';

let work: Workspace;
beforeEach(async () => {
  work = await workspace();
});
afterEach(() => work.remove());

const TURTLE = { method: 'POST', body: '<urn:a> <urn:p> "1" .' };
const typed = (headers: Record<string, string> = {}): Record<string, string> => ({
  'Content-Type': 'text/turtle',
  ...headers,
});

test('a new store has an account and a token, shown once and kept as a hash', async () => {
  const { text, url, child, ended, log } = await work.serve(['--json', '--access-log']);
  const first = JSON.parse(text) as { url: string; account: string; token: string };
  expect(first).toMatchObject({ url, pid: child.pid, account: 'default', repository: 'default/default' });
  expect(text.split('\n')).toHaveLength(2);
  const statements = `${url}/default/default/statements`;
  expect((await fetch(statements)).status).toBe(401);
  expect((await fetch(statements, { ...TURTLE, headers: typed() })).status).toBe(401);
  for (const pair of [`${first.token}:`, `:${first.token}`, `${first.token}:X`, `default:${first.token}`]) {
    const headers = typed({ Authorization: `Basic ${Buffer.from(pair).toString('base64')}` });
    expect((await fetch(statements, { ...TURTLE, headers })).status).toBe(204);
  }
  const headers = { Authorization: `Bearer ${first.token}` };
  expect(await (await fetch(`${url}/default/default/size`, { headers })).text()).toBe('1');

  // The other commands ask the server; those that need the store itself say who has it.
  expect(await quadrille(['size', work.store])).toMatchObject({ code: 0, stdout: '1\n' });
  expect(await quadrille(['verify', work.store])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^everything is in order/),
  });
  const kept = join(work.directory, 'backup');
  expect(await quadrille(['backup', work.store, kept])).toMatchObject({ code: 0, stderr: '' });
  const second = await quadrille(['account', 'list', work.store]);
  expect(second.code).toBe(1);
  expect(second.stderr).toMatch(new RegExp(`^quadrille: [^\n]*${String(child.pid)}[^\n]*\\(STORE_LOCKED\\)\n$`));
  const held = await quadrille(['serve', work.store, '--port', '0']);
  expect([held.code, held.stdout]).toEqual([1, '']);
  expect(held.stderr).toMatch(/^quadrille: [^\n]*\(STORE_LOCKED\)\n$/);

  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect((await quadrille(['size', work.store])).stdout).toBe('1\n');
  // reliability: A1, A4
  expect(log()).toContain('/default/default/statements');
  expect(log()).not.toContain(first.token);
  expect(await filesWith(first.token.split('_').slice(2).join('_'))).toEqual([]);
  const again = await work.serve(['--json']);
  expect(again.text).not.toContain('token');
  expect((await fetch(`${again.url}/default/default/size`, { headers })).status).toBe(200);
});

async function filesWith(secret: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of await readdir(work.store, { recursive: true })) {
    const content = await readFile(join(work.store, name)).catch(() => Buffer.alloc(0));
    if (content.includes(secret)) found.push(name);
  }
  return found;
}

test('for a person: what to begin with', async () => {
  const { text, child, ended } = await work.serve();
  const token = /token {7}(qdt_\S+)/.exec(text)?.[1] ?? '';
  expect(text).toContain(`curl -u ${token}: http://127.0.0.1:`);
  const [, link = ''] = /^ {2}open {8}(\S+)$/m.exec(text) ?? [];
  const [, page, code] = /^(http:\/\/127\.0\.0\.1:\d+\/)#\/default\/default\/query\?code=([\w-]{43})$/.exec(link) ?? [];
  const exchange = { method: 'POST', body: JSON.stringify({ code }), headers: { 'Content-Type': 'application/json' } };
  const signedIn = await fetch(`${page!}session`, exchange);
  expect([signedIn.status, await signedIn.json()]).toEqual([200, { token: expect.stringMatching(/^qdt_/) }]);
  expect((await fetch(`${page!}session`, exchange)).status).toBe(401);
  child.kill('SIGINT');
  expect(await ended).toBe(0);
});

test('a signal ends feeds at once, and asks their clients to come back', async () => {
  const { url, child, ended } = await work.serve(['--open']);
  const response = await fetch(`${url}/default/default/changes`);
  const text = response.text();
  child.kill('SIGTERM');
  expect(await text).toMatch(/^id: \S+\n\nretry: 1000\n\n$/);
  expect(await ended).toBe(0);
});

test('--open asks for nothing, here only', async () => {
  const { text, url } = await work.serve(['--open']);
  expect(text).toContain('without a token');
  expect((await fetch(`${url}/default/default/statements`, { ...TURTLE, headers: typed() })).status).toBe(204);
  expect((await fetch(`${url}/default/repositories`)).status).toBe(200);
  // Parsed in a thread, whose file is part of the bundle.
  const jsonLd = {
    method: 'POST',
    body: '{"@id":"urn:j","urn:p":1}',
    headers: { 'Content-Type': 'application/ld+json' },
  };
  expect((await fetch(`${url}/default/default/statements`, jsonLd)).status).toBe(204);
  expect(await (await fetch(`${url}/default/default/size`)).text()).toBe('2');
  const elsewhere = await quadrille(['serve', join(work.directory, 'other'), '--open', '--host', '0.0.0.0']);
  expect([elsewhere.code, elsewhere.stdout]).toEqual([2, '']);
  expect(elsewhere.stderr).toMatch(/^quadrille: --open [^\n]*\(INVALID_OPTION\)\n$/);
});

test('RPC beside REST: one service, one set of tokens, the same jobs', async () => {
  const { text, url } = await work.serve(['--json', '--rpc-http-status', 'strict', '--access-log']);
  const { token } = JSON.parse(text) as { token: string };
  const call = async (path: string, method: string, params: unknown[] = [], sent: string = token): Promise<Response> =>
    fetch(url + path, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      headers: { 'Content-Type': 'application/json', ...(sent === '' ? {} : { Authorization: `Bearer ${sent}` }) },
    });
  const resultOf = async (response: Promise<Response>): Promise<unknown> =>
    ((await (await response).json()) as { result: unknown }).result;
  for (const path of ['/rpc', '/rpc/2012-06-01']) {
    expect(await resultOf(call(path, 'DescribeService', [], ''))).toMatchObject({
      version: '2012-06-01',
      writable: true,
    });
  }
  expect((await call('/rpc', 'nothing')).status).toBe(404);
  expect((await call('/rpc', 'ListRepositories', [], '')).status).toBe(401);
  const uuid = (await resultOf(call('/rpc', 'ClearRepository', ['default/default']))) as string;
  const job = await fetch(`${url}/jobs/${uuid}`, { headers: { Authorization: `Bearer ${token}` } });
  expect(await job.json()).toMatchObject({ uuid, status: 'completed', operation: 'clear' });
  const xml = await fetch(`${url}/rpc`, {
    method: 'POST',
    body: '<methodCall><methodName>DescribeService</methodName></methodCall>',
    headers: { 'Content-Type': 'text/xml' },
  });
  expect(await xml.text()).toContain('<string>nominal</string>');
});

test('the page for browsers at /, unless it is turned off', async () => {
  const { url, text, child, ended } = await work.serve(['--open']);
  expect(text).toMatch(/^ {2}open {8}http:\/\/127\.0\.0\.1:\d+\/#\/default\/default\/query$/m);
  const page = await fetch(url);
  expect([page.status, page.headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8']);
  const [, script = ''] = /src="([^"]+)"/.exec(await page.text()) ?? [];
  expect((await fetch(new URL(script, `${url}/`))).status).toBe(200);
  child.kill('SIGTERM');
  await ended;
  const without = await work.serve(['--open', '--no-workbench']);
  expect(without.text).not.toContain('#/default');
  expect([(await fetch(without.url)).status, (await fetch(new URL(script, `${without.url}/`))).status]).toEqual([
    404, 404,
  ]);
});

test('a port that is taken', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as AddressInfo;
  const outcome = await quadrille(['serve', work.store, '--port', String(port)]);
  expect(outcome.code).toBe(1);
  expect(outcome.stderr).toMatch(new RegExp(`^quadrille: port ${String(port)} is in use.*\\(EADDRINUSE\\)\n$`));
  other.close();
});

describe('settings', () => {
  test('flags beat the environment, which beats the file; what counts is printed', async () => {
    const config = await work.file(
      'server.json',
      JSON.stringify({
        publicBase: 'https://file.example',
        host: '127.0.0.1',
        open: true,
        put: 'merge',
        limits: { tokensPerAccount: 5 },
      }),
    );
    const env = {
      QUADRILLE_CONFIG: config,
      QUADRILLE_PUBLIC_BASE: 'https://env.example',
      QUADRILLE_PUT: 'replace',
      QUADRILLE_ALLOW: 'a.intern, b.intern',
    };
    const { text, url } = await work.serve(['--json', '--public-base', 'https://flag.example/data'], { env });
    expect(JSON.parse(text)).toMatchObject({
      settings: {
        publicBase: 'https://flag.example/data',
        open: true,
        put: 'replace',
        allow: ['a.intern', 'b.intern'],
        limits: { tokensPerAccount: 5 },
      },
    });
    const made = await fetch(`${url}/default/repositories`, {
      method: 'POST',
      body: new URLSearchParams({ name: 'x' }),
    });
    expect(made.headers.get('Location')).toBe('https://flag.example/data/default/x');
  });

  test('limits of queries have units; /system tells what they are', async () => {
    const config = await work.file('server.json', JSON.stringify({ queryTimeout: 12, queryMemory: '1.5M' }));
    const flags = ['--open', '--query-concurrency', '3', '--query-queue', '40', '--query-queue-wait', '500ms'];
    const { url } = await work.serve(['--config', config, ...flags, '--write-stall', '2m']);
    const system = (await (await fetch(`${url}/system`)).json()) as object;
    expect(system).toMatchObject({
      limits: {
        queries: {
          timeoutMs: 12_000,
          memoryBytes: 1_572_864,
          concurrency: 3,
          queued: 40,
          queueMs: 500,
          writeStallMs: 120_000,
        },
      },
      open: true,
    });
  });

  test.each([
    ['{"queryTimeout": "soon"}', 2, 'is not a time'],
    ['{"queryTimeout": 0}', 2, 'is not a time'],
    ['{"queryQueueWait": "5h"}', 2, 'is not a time'],
    ['{"queryMemory": "1T"}', 2, 'is not a number of bytes'],
    ['{"queryConcurrency": 0}', 2, 'concurrency'],
    ['{"prot": 1}', 2, 'knows no prot'],
    ['{"port": "x"}', 2, 'is not a port'],
    ['{"open": "yes"}', 2, 'is not true or false'],
    ['{"fetch": "some"}', 2, 'is not one of off'],
    ['{"limits": {"nothing": 1}}', 2, 'nothing'],
    ['{"allow": "a b:c:d"}', 2, ''],
    ['{"publicBase": "nowhere"}', 2, 'public-base'],
    ['[]', 2, 'not a JSON object'],
    ['{', 2, 'is not JSON'],
  ])('a file with %s', async (content, code, message) => {
    const outcome = await quadrille(['serve', work.store, '--config', await work.file('server.json', content)]);
    expect([outcome.code, outcome.stdout]).toEqual([code, '']);
    expect(outcome.stderr).toMatch(/^quadrille: [^\n]*\(INVALID_OPTION\)\n$/);
    expect(outcome.stderr).toContain(message);
  });

  test('no such file, a port that is none, an address of another machine', async () => {
    expect((await quadrille(['serve', work.store, '--config', 'nowhere.json'])).code).toBe(66);
    expect((await quadrille(['serve', work.store], { env: { QUADRILLE_PORT: '70000' } })).code).toBe(2);
    const elsewhere = await quadrille(['serve', work.store, '--host', '192.0.2.1', '--port', '0']);
    expect(elsewhere.code).toBe(1);
    expect(elsewhere.stderr).toMatch(/^quadrille: [^\n]*\(EADDRNOTAVAIL\)\n$/);
  });
});

test('--workers: threads take queries that are long by their plan', async () => {
  const { url, child, ended } = await work.serve(['--open', '--workers', '1']);
  const body = Array.from({ length: 1500 }, (_, i) => `<urn:s${i}> <urn:p> "${i}" .`).join('\n');
  const statements = `${url}/default/default/statements`;
  expect((await fetch(statements, { method: 'POST', body, headers: typed() })).status).toBe(204);
  const query = 'SELECT (COUNT(*) AS ?n) { ?a ?p ?x . ?b ?q ?y FILTER(STRLEN(?x) > STRLEN(?y)) }';
  const workers = async (): Promise<unknown> =>
    ((await (await fetch(`${url}/system`)).json()) as { workers: unknown }).workers;
  expect(await workers()).toMatchObject({ limit: 1, started: 0, queries: 0 });
  const answers = new Set<string>();
  // The thread starts with the first query, which the main thread answers.
  for (let asked = 0; asked < 2 || !/^quadrille_workers_queries_total [1-9]/m.test(await metrics(url)); asked++) {
    const answer = await fetch(`${url}/default/default/sparql?query=${encodeURIComponent(query)}`, {
      headers: { Accept: 'text/csv' },
    });
    answers.add(await answer.text());
  }
  expect([...answers]).toEqual(['n\r\n590900\r\n']);
  expect(await workers()).toMatchObject({ limit: 1, started: 1, restarts: 0 });
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

const metrics = async (url: string): Promise<string> => (await fetch(`${url}/metrics`)).text();
